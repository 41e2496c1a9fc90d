//go:build msgraphclient

// All of the Graph SDK takes more than twice as long to build as its models do,
// hence a build tag of its own.

package kiota

import (
	"fmt"

	"github.com/microsoft/kiota-abstractions-go/authentication"
	absser "github.com/microsoft/kiota-abstractions-go/serialization"
	msgraphsdk "github.com/microsoftgraph/msgraph-sdk-go"
	"github.com/microsoftgraph/msgraph-sdk-go/models"

	"github.com/eddy-go/eddy/kiota/jsonserialization"
)

// forget empties the registries, as they are when a program starts.
func forget() {
	absser.DefaultSerializationWriterFactoryInstance.ContentTypeAssociatedFactories = map[string]absser.SerializationWriterFactory{}
	absser.DefaultParseNodeFactoryInstance.ContentTypeAssociatedFactories = map[string]absser.ParseNodeFactory{}
}

// registered tells whether models are written by eddy, with a backing store.
func registered() (own, backed bool) {
	w, err := absser.DefaultSerializationWriterFactoryInstance.GetSerializationWriter("application/json")
	if err != nil {
		return false, false
	}
	defer w.Close()
	_, own = w.(*jsonserialization.JsonSerializationWriter)
	return own, w.GetOnBeforeSerialization() != nil
}

// Before the client is made: what the SDK would register stays out.
func Example_beforeNewGraphServiceClient() {
	forget()
	jsonserialization.Register()

	adapter, err := msgraphsdk.NewGraphRequestAdapter(&authentication.AnonymousAuthenticationProvider{})
	if err != nil {
		fmt.Println(err)
		return
	}
	msgraphsdk.NewGraphServiceClient(adapter) // enables the backing store
	fmt.Println(registered())
	// Output: true true
}

// After the client is made, with the backing store that it has enabled.
func Example_afterNewGraphServiceClient() {
	forget()
	adapter, err := msgraphsdk.NewGraphRequestAdapter(&authentication.AnonymousAuthenticationProvider{})
	if err != nil {
		fmt.Println(err)
		return
	}
	msgraphsdk.NewGraphServiceClient(adapter)
	jsonserialization.Register()
	fmt.Println(registered())

	// Of a model that is read and changed, only the change is written, and the
	// type that its constructor sets.
	user := models.NewUser()
	user.GetBackingStore().SetInitializationCompleted(false)
	user.SetDisplayName(ref("Adele"))
	user.SetJobTitle(ref("Manager"))
	user.GetBackingStore().SetInitializationCompleted(true)
	user.SetJobTitle(ref("Director"))
	b, err := absser.Serialize("application/json", user)
	fmt.Println(string(b), err)
	// Output:
	// true true
	// {"@odata.type":"#microsoft.graph.user","jobTitle":"Director"} <nil>
}

// For one client, through the constructor of its adapter.
func Example_throughTheAdapter() {
	forget()
	adapter, err := msgraphsdk.NewGraphRequestAdapterWithParseNodeFactoryAndSerializationWriterFactory(&authentication.AnonymousAuthenticationProvider{},
		jsonserialization.NewJsonParseNodeFactory(), jsonserialization.NewJsonSerializationWriterFactory())
	if err != nil {
		fmt.Println(err)
		return
	}
	msgraphsdk.NewGraphServiceClient(adapter)
	w, err := adapter.GetSerializationWriterFactory().GetSerializationWriter("application/json")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer w.Close()
	_, own := w.(*jsonserialization.JsonSerializationWriter)
	fmt.Println(own, w.GetOnBeforeSerialization() != nil)
	// Output: true true
}
