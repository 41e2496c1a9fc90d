//go:build msgraph

// Building the models of the Graph SDK takes more than a minute and some 5 GB of
// memory, hence the build tag.

package kiota

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	absser "github.com/microsoft/kiota-abstractions-go/serialization"
	"github.com/microsoft/kiota-abstractions-go/store"
	upstream "github.com/microsoft/kiota-serialization-json-go"
	"github.com/microsoftgraph/msgraph-sdk-go/models"

	"github.com/eddy-go/eddy/kiota/jsonserialization"
)

// roots are models from which most others can be reached.
var roots = []absser.ParsableFactory{
	models.CreateUserFromDiscriminatorValue, models.CreateGroupFromDiscriminatorValue, models.CreateMessageFromDiscriminatorValue,
	models.CreateEventFromDiscriminatorValue, models.CreateDriveItemFromDiscriminatorValue, models.CreateSiteFromDiscriminatorValue,
	models.CreateChatMessageFromDiscriminatorValue, models.CreateTeamFromDiscriminatorValue, models.CreateApplicationFromDiscriminatorValue,
	models.CreateDeviceFromDiscriminatorValue, models.CreateWorkbookFromDiscriminatorValue, models.CreateManagedDeviceFromDiscriminatorValue,
}

// make creates what a factory makes of an empty object.
func create(t *testing.T, factory absser.ParsableFactory) absser.Parsable {
	n, err := jsonserialization.NewJsonParseNode([]byte(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	v, err := factory(n)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// filler sets the properties of models through their setters.
type filler struct {
	t     *testing.T
	count int
	found func(absser.Parsable) // is told of the models that properties hold
}

var stamp = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

// scalar returns a value of the type of a property that is one.
func (f *filler) scalar(typ reflect.Type) (v any, ok bool) {
	f.count++
	switch reflect.Zero(typ).Interface().(type) {
	case *string:
		return ref(fmt.Sprintf("text <%d> é \"q\"", f.count)), true
	case *bool:
		return ref(f.count%2 == 0), true
	case *int32:
		return ref(int32(f.count)), true
	case *int64:
		return ref(int64(f.count) << 40), true
	case *float32:
		return ref(float32(f.count) / 8), true
	case *float64:
		return ref(float64(f.count) / 3), true
	case *int8:
		return ref(int8(f.count)), true
	case *byte:
		return ref(byte(f.count)), true
	case *time.Time:
		return ref(stamp.Add(time.Duration(f.count) * time.Second)), true
	case *absser.DateOnly:
		return absser.NewDateOnly(stamp), true
	case *absser.TimeOnly:
		return absser.NewTimeOnly(stamp), true
	case *absser.ISODuration:
		return absser.NewDuration(0, 0, 1, 2, 3, 0, 0), true // the original does not read whole seconds
	case *uuid.UUID:
		return &uuid.UUID{byte(f.count)}, true
	case []byte:
		return []byte(fmt.Sprint("bytes ", f.count)), true
	}
	return nil, false
}

// fill sets every property that it knows a value for, and models in properties to
// the given depth.
func (f *filler) fill(m absser.Parsable, depth int) {
	fields := m.GetFieldDeserializers()
	v := reflect.ValueOf(m)
	for i := range v.NumMethod() {
		name, isSetter := strings.CutPrefix(v.Type().Method(i).Name, "Set")
		set := v.Method(i)
		if !isSetter || set.Type().NumIn() != 1 {
			continue
		}
		typ := set.Type().In(0)
		field := fields[strings.ToLower(name[:1])+name[1:]]
		switch {
		case name == "BackingStore":
		case name == "AdditionalData":
			set.Call([]reflect.Value{reflect.ValueOf(map[string]any{"extra" + name: ref("more")})})
		case typ.Kind() == reflect.Pointer && typ.Elem().Kind() == reflect.Int: // an enum, of which 0 is a value
			set.Call([]reflect.Value{reflect.New(typ.Elem())})
		case typ.Kind() == reflect.Slice && typ.Elem().Kind() == reflect.Int:
			set.Call([]reflect.Value{reflect.MakeSlice(typ, 2, 2)})
		case typ.Kind() == reflect.Slice && typ.Elem().Kind() != reflect.Interface && typ.Elem().Kind() != reflect.Uint8:
			if one, ok := f.scalar(reflect.PointerTo(typ.Elem())); ok {
				set.Call([]reflect.Value{reflect.Append(reflect.Zero(typ), reflect.ValueOf(one).Elem())})
			}
		case typ.Kind() == reflect.Interface || typ.Kind() == reflect.Slice && typ.Elem().Kind() == reflect.Interface:
			if field != nil && depth > 0 {
				f.nested(v, name, typ, field, depth)
			}
		default:
			if one, ok := f.scalar(typ); ok {
				set.Call([]reflect.Value{reflect.ValueOf(one)})
			}
		}
	}
}

// nested has a property's own deserializer make the model for it.
func (f *filler) nested(v reflect.Value, name string, typ reflect.Type, field func(absser.ParseNode) error, depth int) {
	doc := `{}`
	if typ.Kind() == reflect.Slice {
		doc = `[{},{}]`
	}
	n, err := jsonserialization.NewJsonParseNode([]byte(doc))
	if err != nil {
		f.t.Fatal(err)
	}
	if err := field(n); err != nil {
		return // not a model: an untyped value, or what has a form of its own
	}
	get := v.MethodByName("Get" + name)
	if !get.IsValid() {
		return
	}
	out := get.Call(nil)[0]
	each := func(v reflect.Value) {
		if m, ok := v.Interface().(absser.Parsable); ok && !v.IsNil() {
			f.fill(m, depth-1)
			f.found(m)
		}
	}
	if out.Kind() == reflect.Slice {
		for i := range out.Len() {
			each(out.Index(i))
		}
	} else {
		each(out)
	}
}

func TestGraphModels(t *testing.T) {
	const most = 600
	backed := func(f absser.SerializationWriterFactory) absser.SerializationWriter {
		w, err := store.NewBackingStoreSerializationWriterProxyFactory(f).GetSerializationWriter("application/json")
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	seen := map[reflect.Type]bool{}
	var queue []absser.Parsable
	found := func(m absser.Parsable) {
		if typ := reflect.TypeOf(m); !seen[typ] && len(seen) < most {
			seen[typ] = true
			queue = append(queue, m)
		}
	}
	for _, factory := range roots {
		found(create(t, factory))
	}
	size := 0
	for len(queue) > 0 {
		m := queue[0]
		queue = queue[1:]
		f := &filler{t: t, found: found}
		f.fill(m, 1)
		write := func(w absser.SerializationWriter) error { return w.WriteObjectValue("", m) }

		// Without a backing store, everything.
		want := content(t, upstream.NewJsonSerializationWriter(), write)
		got := content(t, jsonserialization.NewJsonSerializationWriter(), write)
		if got != want {
			t.Fatalf("%T:\ngot  %s\nwant %s", m, got, want)
		}
		size += len(got)

		// Read by either, it is the same again.
		if theirs, ours := reread(t, m, want, false), reread(t, m, want, true); theirs != ours {
			t.Fatalf("%T, read:\ngot  %s\nwant %s", m, ours, theirs)
		}

		// With one, what has been changed: everything once more, then one property.
		want = content(t, backed(upstream.NewJsonSerializationWriterFactory()), write)
		got = content(t, backed(jsonserialization.NewJsonSerializationWriterFactory()), write)
		if got != want {
			t.Fatalf("%T, with a backing store:\ngot  %s\nwant %s", m, got, want)
		}
		if b, ok := m.(store.BackedModel); ok {
			b.GetBackingStore().SetInitializationCompleted(false)
			f.fill(m, 0)
			b.GetBackingStore().SetInitializationCompleted(true)
			if set, ok := m.(interface{ SetId(*string) }); ok {
				set.SetId(ref("changed"))
			}
			want = content(t, backed(upstream.NewJsonSerializationWriterFactory()), write)
			got = content(t, backed(jsonserialization.NewJsonSerializationWriterFactory()), write)
			if got != want {
				t.Fatalf("%T, changed:\ngot  %s\nwant %s", m, got, want)
			}
		}
	}
	t.Logf("%d models of %d bytes are equal", len(seen), size)
	if len(seen) < 200 {
		t.Errorf("only %d models were found", len(seen))
	}
}

// reread reads a document into a new model of the type of m, and writes that.
func reread(t *testing.T, m absser.Parsable, doc string, own bool) string {
	t.Helper()
	var n absser.ParseNode
	var err error
	if own {
		n, err = jsonserialization.NewJsonParseNode([]byte(doc))
	} else {
		n, err = upstream.NewJsonParseNode([]byte(doc))
	}
	if err != nil {
		t.Fatal(err)
	}
	v, err := n.GetObjectValue(func(absser.ParseNode) (absser.Parsable, error) {
		fresh := reflect.New(reflect.TypeOf(m).Elem())
		if set := fresh.MethodByName("SetBackingStore"); set.IsValid() {
			s := store.BackingStoreFactoryInstance()
			set.Call([]reflect.Value{reflect.ValueOf(&s).Elem()})
		}
		if holder, ok := fresh.Interface().(absser.AdditionalDataHolder); ok {
			holder.SetAdditionalData(map[string]any{}) // or its getter panics
		}
		return fresh.Interface().(absser.Parsable), nil
	})
	if err != nil {
		// What a setter took and the deserializer does not is the SDK's matter,
		// as long as it is the same for both.
		return "error"
	}
	return content(t, upstream.NewJsonSerializationWriter(), func(w absser.SerializationWriter) error { return w.WriteObjectValue("", v) })
}
