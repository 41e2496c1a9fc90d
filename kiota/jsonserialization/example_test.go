package jsonserialization_test

import (
	"errors"
	"fmt"

	abstractions "github.com/microsoft/kiota-abstractions-go"
	absser "github.com/microsoft/kiota-abstractions-go/serialization"

	"github.com/eddy-go/eddy/kiota/jsonserialization"
)

// contact is a model as Kiota generates them, with less around it.
type contact struct {
	name  *string
	phone *string
}

func newContact(absser.ParseNode) (absser.Parsable, error) { return new(contact), nil }

func (c *contact) Serialize(w absser.SerializationWriter) error {
	if err := w.WriteStringValue("displayName", c.name); err != nil {
		return err
	}
	return w.WriteStringValue("mobilePhone", c.phone)
}

func (c *contact) GetFieldDeserializers() map[string]func(absser.ParseNode) error {
	return map[string]func(absser.ParseNode) error{
		"displayName": func(n absser.ParseNode) (err error) { c.name, err = n.GetStringValue(); return err },
		"mobilePhone": func(n absser.ParseNode) (err error) { c.phone, err = n.GetStringValue(); return err },
	}
}

func ExampleJsonSerializationWriter() {
	w := jsonserialization.NewJsonSerializationWriter()
	defer w.Close() // gives the memory back

	name := "Adele"
	if err := w.WriteObjectValue("", &contact{name: &name}); err != nil {
		fmt.Println(err)
		return
	}
	content, err := w.GetSerializedContent() // belongs to the caller, also after Close
	fmt.Println(string(content), err)
	// Output: {"displayName":"Adele"} <nil>
}

func ExampleWriterOptions() {
	// For a comparison with output that the original has written.
	w := jsonserialization.NewJsonSerializationWriterWithOptions(jsonserialization.WriterOptions{WideFloat32: true})
	defer w.Close()
	ratio := float32(0.1)
	w.WriteFloat32Value("ratio", &ratio)
	content, _ := w.GetSerializedContent()
	fmt.Println(string(content))
	// Output: "ratio":0.10000000149011612
}

func ExampleJsonParseNode() {
	n, err := jsonserialization.NewJsonParseNode([]byte(`{"displayName": "Adele", "mobilePhone": null}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	v, err := n.GetObjectValue(newContact)
	if err != nil {
		fmt.Println(err)
		return
	}
	c := v.(*contact)
	fmt.Println(*c.name, c.phone)
	// Output: Adele <nil>
}

func ExampleParseOptions() {
	doc := []byte(`{"id": 9007199254740993}`)
	n, _ := jsonserialization.NewJsonParseNodeWithOptions(doc, jsonserialization.ParseOptions{FloatIntegers: true})
	raw, _ := n.GetRawValue()
	fmt.Printf("%.0f\n", *raw.(map[string]any)["id"].(*float64))

	n, _ = jsonserialization.NewJsonParseNode(doc)
	raw, _ = n.GetRawValue()
	fmt.Println(*raw.(map[string]any)["id"].(*int64))
	// Output:
	// 9007199254740992
	// 9007199254740993
}

// A client finds what it reads and writes with in the default registries. The
// Graph SDK's constructor registers the original there if nothing else is.
func ExampleRegister() {
	jsonserialization.Register() // before or after clients are made, before requests are sent

	// As NewGraphServiceClient does, with its own factories.
	abstractions.RegisterDefaultSerializer(func() absser.SerializationWriterFactory {
		return jsonserialization.NewJsonSerializationWriterFactory()
	})

	name := "Adele"
	content, err := absser.Serialize("application/json", &contact{name: &name})
	fmt.Println(string(content), err)
	// Output: {"displayName":"Adele"} <nil>
}

// With a backing store, only properties that have been changed are written.
// Enabling it wraps what is registered, so Register may come before or after.
func ExampleRegister_backingStore() {
	jsonserialization.Register()
	abstractions.EnableBackingStoreForSerializationWriterFactory(absser.DefaultSerializationWriterFactoryInstance)
	abstractions.EnableBackingStoreForParseNodeFactory(absser.DefaultParseNodeFactoryInstance)
	jsonserialization.Register() // changes nothing

	w, err := absser.DefaultSerializationWriterFactoryInstance.GetSerializationWriter("application/json")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer w.Close()
	_, own := w.(*jsonserialization.JsonSerializationWriter)
	fmt.Println(own, w.GetOnBeforeSerialization() != nil)
	// Output: true true
}

// Other forms than the default ones, for every client of the process.
func ExampleRegisterWithOptions() {
	jsonserialization.RegisterWithOptions(
		jsonserialization.WriterOptions{WideFloat32: true},
		jsonserialization.ParseOptions{FloatIntegers: true},
	)
	w, err := absser.DefaultSerializationWriterFactoryInstance.GetSerializationWriter("application/json")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer w.Close()
	ratio := float32(0.1)
	w.WriteFloat32Value("ratio", &ratio)
	content, err := w.GetSerializedContent()
	fmt.Println(string(content), err)

	jsonserialization.Register() // back to the default ones
	// Output: "ratio":0.10000000149011612 <nil>
}

// The factories can be given to the constructor of an adapter, in place of the
// registries.
func ExampleNewJsonSerializationWriterFactory() {
	var (
		writers absser.SerializationWriterFactory = jsonserialization.NewJsonSerializationWriterFactory()
		nodes   absser.ParseNodeFactory           = jsonserialization.NewJsonParseNodeFactory()
	)
	// adapter, err := msgraphsdkgo.NewGraphRequestAdapterWithParseNodeFactoryAndSerializationWriterFactory(auth, nodes, writers)

	w, err := writers.GetSerializationWriter("application/json; charset=utf-8")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer w.Close()
	n, err := nodes.GetRootParseNode("application/json", []byte(`[1,2]`))
	if err != nil {
		fmt.Println(err)
		return
	}
	list, err := n.GetCollectionOfPrimitiveValues("int32")
	fmt.Println(len(list), err)
	// Output: 2 <nil>
}

func ExampleNewJsonParseNodeFactory() {
	_, err := jsonserialization.NewJsonParseNodeFactory().GetRootParseNode("text/plain", []byte("x"))
	fmt.Println(errors.Is(err, jsonserialization.ErrContentType))
	// Output: true
}

func ExampleMarshal() {
	name := "Adele"
	b, err := jsonserialization.Marshal(&contact{name: &name})
	fmt.Println(string(b), err)
	// Output: {"displayName":"Adele"} <nil>
}

func ExampleUnmarshal() {
	var c *contact
	err := jsonserialization.Unmarshal([]byte(`{"displayName":"Adele"}`), &c, newContact)
	fmt.Println(*c.name, err)
	// Output: Adele <nil>
}

func ExampleMemberError() {
	var c *contact
	err := jsonserialization.Unmarshal([]byte(`{"displayName":7}`), &c, newContact)
	var me *jsonserialization.MemberError
	fmt.Println(errors.As(err, &me), me.Name, me.Offset)
	// Output: true displayName 15
}

func ExampleValueError() {
	w := jsonserialization.NewJsonSerializationWriter()
	defer w.Close()
	zero := 0.0
	ratio := 1 / zero
	err := w.WriteFloat64Value("ratio", &ratio)
	var ve *jsonserialization.ValueError
	fmt.Println(errors.As(err, &ve), ve.Value)
	// Output: true +Inf
}
