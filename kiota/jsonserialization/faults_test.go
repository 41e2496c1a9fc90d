package jsonserialization_test

import (
	"encoding/json"
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"

	absser "github.com/microsoft/kiota-abstractions-go/serialization"

	"github.com/eddy-go/eddy/kiota/jsonserialization"
)

// Each test here is something that kiota-serialization-json-go gets wrong.

func TestNamesCannotInjectMembers(t *testing.T) {
	const name = `a":1,"admin`
	for what, f := range map[string]func(w *writer) error{
		"name":            func(w *writer) error { return w.WriteBoolValue(name, ptr(true)) },
		"additional data": func(w *writer) error { return w.WriteAdditionalData(map[string]any{name: true}) },
		"untyped": func(w *writer) error {
			return w.WriteObjectValue("", write(func(w absser.SerializationWriter) error {
				return w.WriteObjectValue(name, absser.NewUntypedBoolean(true))
			}))
		},
		"untyped member": func(w *writer) error {
			return w.WriteObjectValue("", absser.NewUntypedObject(map[string]absser.UntypedNodeable{name: absser.NewUntypedBoolean(true)}))
		},
	} {
		got, err := written(f)
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
		var m map[string]bool
		if err := json.Unmarshal([]byte("{"+strings.Trim(got, "{}")+"}"), &m); err != nil || len(m) != 1 || !m[name] {
			t.Errorf("%s: %s is %v, %v", what, got, m, err)
		}
	}
	got, _ := writtenWith(jsonserialization.WriterOptions{RawNames: true}, func(w *writer) error { return w.WriteBoolValue(name, ptr(true)) })
	if want := `"a":1,"admin":true`; got != want {
		t.Errorf("with RawNames: %s, want %s", got, want)
	}
}

// Four times the objects are four times the work, counted as bytes that are
// allocated and pieces of memory that are taken: content that is copied for each
// object shows in one of them. (TestChunksStay has what is moved in place.)
func TestSeparatorsAreLinear(t *testing.T) {
	const count = 5_000
	work := func(count int) (allocated, taken uint64) {
		items := make([]absser.Parsable, count)
		for i := range items {
			items[i] = &item{count: ptr(int32(i)), flag: ptr(true)}
		}
		w := jsonserialization.NewJsonSerializationWriter()
		defer w.Close()
		var before, after runtime.MemStats
		gets := memoryGets()
		runtime.ReadMemStats(&before)
		err := w.WriteCollectionOfObjectValues("", items)
		runtime.ReadMemStats(&after)
		gets = memoryGets() - gets
		if err != nil {
			t.Fatal(err)
		}
		got, err := w.GetSerializedContent()
		if err != nil {
			t.Fatal(err)
		}
		var list []struct{ Count int }
		if err := json.Unmarshal(got, &list); err != nil || len(list) != count {
			t.Fatalf("%d objects, %v", len(list), err)
		}
		for i, v := range list {
			if v.Count != i {
				t.Fatalf("object %d has %d", i, v.Count)
			}
		}
		// 64 KiB each from some point on, and a few less at the beginning.
		if most := uint64(len(got)/(64<<10) + 16); gets > most {
			t.Errorf("%d pieces for %d bytes", gets, len(got))
		}
		return after.TotalAlloc - before.TotalAlloc, gets
	}
	work(count) // so that pools are warm
	bytes1, gets1 := work(count)
	bytes4, gets4 := work(4 * count)
	t.Logf("%d objects: %d bytes allocated, %d pieces; %d objects: %d, %d", count, bytes1, gets1, 4*count, bytes4, gets4)
	if bytes4 > 5*bytes1+4<<20 || gets4 > 5*gets1 {
		t.Errorf("%d objects: %d bytes allocated, %d pieces; %d objects: %d, %d", count, bytes1, gets1, 4*count, bytes4, gets4)
	}
}

func memoryGets() (n uint64) {
	for _, p := range pools() {
		if p.Kind == "bytes" {
			n += p.Gets
		}
	}
	return n
}

func TestUntypedNodesWithoutValue(t *testing.T) {
	for _, c := range []struct {
		key  string
		node absser.Parsable
		want string
	}{
		{"k", absser.NewUntypedObject(nil), `"k":null`},
		{"k", absser.NewUntypedArray(nil), `"k":null`},
		{"k", &absser.UntypedArray{}, `"k":null`},
		{"k", &absser.UntypedObject{}, `"k":null`},
		{"", absser.NewUntypedObject(nil), `null`},
		{"", absser.NewUntypedArray(nil), `null`},
		{"k", absser.NewUntypedNull(), `"k":null`},
		{"k", &absser.UntypedString{}, ``},
		{"", &absser.UntypedString{}, `null`},
		{"k", (*absser.UntypedString)(nil), ``},
		{"k", absser.NewUntypedArray([]absser.UntypedNodeable{nil, absser.NewUntypedString("a"), (*absser.UntypedLong)(nil),
			&absser.UntypedBoolean{}, &absser.UntypedDouble{}, &absser.UntypedFloat{}, &absser.UntypedInteger{}, &absser.UntypedLong{}}),
			`"k":[null,"a",null,null,null,null,null,null]`},
		{"k", absser.NewUntypedObject(map[string]absser.UntypedNodeable{"a": nil, "b": absser.NewUntypedFloat(0.1), "": absser.NewUntypedLong(1)}),
			`"k":{"":1,"a":null,"b":0.1}`},
		{"k", absser.NewUntypedObject(map[string]absser.UntypedNodeable{}), `"k":{}`},
		{"k", absser.NewUntypedArray([]absser.UntypedNodeable{absser.NewUntypedArray([]absser.UntypedNodeable{absser.NewUntypedInteger(1)})}), `"k":[[1]]`},
		{"k", absser.NewUntypedNode(1), `"k":{}`},
	} {
		got, err := written(func(w *writer) error { return w.WriteObjectValue(c.key, c.node) })
		if err != nil || got != c.want {
			t.Errorf("%T: got %s, %v, want %s", c.node, got, err, c.want)
		}
	}
}

var errFault = errors.New("fault")

func TestErrorsInAdditionalDataAreReturned(t *testing.T) {
	for range 20 { // whatever the order of the map
		w := jsonserialization.NewJsonSerializationWriter()
		err := w.WriteAdditionalData(map[string]any{"a": 1, "b": func() {}, "c": 2, "d": math.NaN(), "e": 3})
		var me *jsonserialization.MemberError
		if !errors.As(err, &me) || me.Name != "b" {
			t.Fatalf("got %v, want an error for b", err)
		}
		var unsupported *json.UnsupportedTypeError
		if !errors.As(err, &unsupported) {
			t.Errorf("%v does not wrap what json.Marshal says", err)
		}
		w.Close()
	}
}

func TestErrorsOfCallbacksAreReturned(t *testing.T) {
	failing := func(absser.Parsable) error { return errFault }
	for name, set := range map[string]func(w *writer){
		"before": func(w *writer) { w.SetOnBeforeSerialization(failing) },
		"after":  func(w *writer) { w.SetOnAfterObjectSerialization(failing) },
	} {
		for _, merged := range []bool{false, true} {
			f := func(w *writer) error {
				set(w)
				if merged {
					return w.WriteObjectValue("k", nil, &item{})
				}
				return w.WriteObjectValue("k", &item{})
			}
			if got, err := written(f); !errors.Is(err, errFault) || got != "" {
				t.Errorf("%s: %s, %v", name, got, err)
			}
			got, err := writtenWith(jsonserialization.WriterOptions{IgnoreCallbackErrors: true}, f)
			if err != nil || got != `"k":{}` {
				t.Errorf("%s, with IgnoreCallbackErrors: %s, %v", name, got, err)
			}
		}
	}
	w := jsonserialization.NewJsonSerializationWriter()
	defer w.Close()
	w.SetOnBeforeSerialization(failing)
	w.WriteNullValue("a")
	w.WriteObjectValue("k", &item{})
	if b, err := w.GetSerializedContent(); err != nil || string(b) != `"a":null` {
		t.Errorf("an object that was not begun is in the content: %s, %v", b, err)
	}
}

func TestContentTypes(t *testing.T) {
	for _, contentType := range []string{"application/json", "application/json; charset=utf-8", "Application/JSON", " application/json ;odata.metadata=minimal"} {
		w, err := jsonserialization.NewJsonSerializationWriterFactory().GetSerializationWriter(contentType)
		if err != nil {
			t.Errorf("%q: %v", contentType, err)
			continue
		}
		w.Close()
		n, err := jsonserialization.NewJsonParseNodeFactory().GetRootParseNode(contentType, []byte(`"x"`))
		if err != nil {
			t.Errorf("%q: %v", contentType, err)
		} else if s, err := n.GetStringValue(); err != nil || *s != "x" {
			t.Errorf("%q: %v, %v", contentType, s, err)
		}
	}
	for _, contentType := range []string{"", "text/plain", "application/jsonx", "application/json+x", "text/plain; a=application/json"} {
		w, err := jsonserialization.NewJsonSerializationWriterFactory().GetSerializationWriter(contentType)
		if w != nil || err == nil || contentType != "" && !errors.Is(err, jsonserialization.ErrContentType) {
			t.Errorf("%q: %v, %v", contentType, w, err)
		}
		n, err := jsonserialization.NewJsonParseNodeFactory().GetRootParseNode(contentType, []byte(`1`))
		if n != nil || err == nil || contentType != "" && !errors.Is(err, jsonserialization.ErrContentType) {
			t.Errorf("%q: %v, %v", contentType, n, err)
		}
	}
	if s, err := jsonserialization.NewJsonParseNodeFactory().GetValidContentType(); s != "application/json" || err != nil {
		t.Error(s, err)
	}
	if s, err := jsonserialization.NewJsonSerializationWriterFactory().GetValidContentType(); s != "application/json" || err != nil {
		t.Error(s, err)
	}
}

func TestTypedNilObjects(t *testing.T) {
	var none *item
	got, err := written(func(w *writer) error {
		return errors.Join(w.WriteObjectValue("a", none), w.WriteNullValue("b"), w.WriteAdditionalData(map[string]any{"c": none}),
			w.WriteCollectionOfObjectValues("d", []absser.Parsable{none}))
	})
	if want := `"b":null,"d":[null]`; err != nil || got != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
	if b, err := jsonserialization.Marshal(none); err != nil || string(b) != "null" {
		t.Errorf("Marshal: %s, %v", b, err)
	}
}

// What a child does that fails must cost nothing, and be seen by nobody else.
func TestChildrenThatFail(t *testing.T) {
	fails := write(func(w absser.SerializationWriter) error {
		w.WriteStringValue("half", ptr(strings.Repeat("x", 100_000)))
		return errFault
	})
	panics := write(func(w absser.SerializationWriter) error {
		w.WriteStringValue("half", ptr(strings.Repeat("x", 100_000)))
		panic(errFault)
	})
	for name, child := range map[string]absser.Parsable{"errs": fails, "panics": panics} {
		for what, f := range map[string]func(w *writer) error{
			"object":     func(w *writer) error { return w.WriteObjectValue("k", &item{extra: map[string]any{"x": child}}) },
			"composed":   func(w *writer) error { return w.WriteObjectValue("k", composed{child.(write)}) },
			"collection": func(w *writer) error { return w.WriteCollectionOfObjectValues("k", []absser.Parsable{&item{}, child}) },
			"merged":     func(w *writer) error { return w.WriteObjectValue("k", &item{}, child) },
			"untyped":    func(w *writer) error { return w.WriteAdditionalData(map[string]any{"k": []absser.Parsable{child}}) },
		} {
			out := inUse()
			w := jsonserialization.NewJsonSerializationWriter()
			w.WriteNullValue("a")
			func() {
				defer func() {
					if r := recover(); (r != nil) != (name == "panics") {
						t.Errorf("%s %s: recovered %v", what, name, r)
					}
				}()
				if err := f(w); !errors.Is(err, errFault) || !strings.Contains(err.Error(), "k") {
					t.Errorf("%s %s: %v", what, name, err)
				}
			}()
			b, err := w.GetSerializedContent()
			if b == nil || len(b) > 0 || name == "errs" && !errors.Is(err, errFault) || name == "panics" && !errors.Is(err, jsonserialization.ErrUnfinished) {
				t.Errorf("%s %s: half an object looks whole: %.40s, %v", what, name, b, err)
			}
			// The writer can be used again, as can what it gives back.
			w.Reset()
			w.WriteObjectValue("", mixed())
			if b, err := w.GetSerializedContent(); err != nil || string(b) != mixedJSON {
				t.Errorf("%s %s: after Reset: %s, %v", what, name, b, err)
			}
			w.Close()
			if n := inUse() - out; n != 0 {
				t.Errorf("%s %s: %d pieces of memory are lost", what, name, n)
			}
		}
	}
}

// A panic that Serialize recovers from leaves an object inside of it half.
func TestPanicRecoveredInside(t *testing.T) {
	inner := write(func(w absser.SerializationWriter) error {
		w.WriteNullValue("half")
		panic(errFault)
	})
	for name, f := range map[string]func(w absser.SerializationWriter){
		"object":     func(w absser.SerializationWriter) { w.WriteObjectValue("k", inner) },
		"collection": func(w absser.SerializationWriter) { w.WriteCollectionOfObjectValues("k", []absser.Parsable{inner}) },
	} {
		outer := write(func(w absser.SerializationWriter) error {
			defer func() { recover() }()
			f(w)
			return nil
		})
		for what, write := range map[string]func(w *writer) error{
			"object":     func(w *writer) error { return w.WriteObjectValue("", outer) },
			"collection": func(w *writer) error { return w.WriteCollectionOfObjectValues("", []absser.Parsable{outer}) },
		} {
			if got, err := written(write); !errors.Is(err, jsonserialization.ErrUnfinished) {
				t.Errorf("%s in %s: %s, %v", name, what, got, err)
			}
		}
	}
}

func inUse() (n int64) {
	for _, p := range pools() {
		n += p.InUse
	}
	return n
}

// A model that contains itself ends with an error and not with the process.
func TestDepthIsBounded(t *testing.T) {
	loop := &item{}
	loop.parent = loop
	if _, err := written(func(w *writer) error { return w.WriteObjectValue("", loop) }); !errors.Is(err, jsonserialization.ErrDepth) {
		t.Errorf("objects: %.100v", err)
	}
	list := []absser.Parsable{nil}
	list[0] = composed{func(w absser.SerializationWriter) error { return w.WriteCollectionOfObjectValues("", list) }}
	if _, err := written(func(w *writer) error { return w.WriteCollectionOfObjectValues("", list) }); !errors.Is(err, jsonserialization.ErrDepth) {
		t.Errorf("collections: %.100v", err)
	}
	nodes := []absser.UntypedNodeable{nil}
	nodes[0] = absser.NewUntypedArray(nodes)
	if _, err := written(func(w *writer) error { return w.WriteObjectValue("", nodes[0]) }); !errors.Is(err, jsonserialization.ErrDepth) {
		t.Errorf("untyped arrays: %.100v", err)
	}
	members := map[string]absser.UntypedNodeable{}
	members["k"] = absser.NewUntypedObject(members)
	if _, err := written(func(w *writer) error { return w.WriteObjectValue("", members["k"]) }); !errors.Is(err, jsonserialization.ErrDepth) {
		t.Errorf("untyped objects: %.100v", err)
	}
}

func TestMarshalOfAnObjectHasBraces(t *testing.T) {
	b, err := jsonserialization.Marshal(&item{name: ptr("a")})
	if err != nil || string(b) != `{"name":"a"}` {
		t.Errorf("got %s, %v", b, err)
	}
}
