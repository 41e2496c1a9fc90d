package jsonserialization_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	absser "github.com/microsoft/kiota-abstractions-go/serialization"

	"github.com/eddy-go/eddy/kiota/jsonserialization"
)

type writer = jsonserialization.JsonSerializationWriter

func TestWritesEveryKind(t *testing.T) {
	got, err := written(func(w *writer) error { return w.WriteObjectValue("", mixed()) })
	if err != nil || got != mixedJSON {
		t.Errorf("got  %s, %v\nwant %s", got, err, mixedJSON)
	}
}

func TestForms(t *testing.T) {
	at := time.Date(2024, 5, 6, 7, 8, 9, 123456789, time.FixedZone("", -5*3600))
	id := uuid.MustParse("00112233-4455-6677-8899-aabbccddeeff")
	for _, c := range []struct {
		name string
		f    func(w *writer) error
		want string
	}{
		{"nothing", func(w *writer) error { return nil }, ``},
		{"name", func(w *writer) error { return w.WriteStringValue("k", ptr("v")) }, `"k":"v"`},
		{"no name", func(w *writer) error { return w.WriteStringValue("", ptr("v")) }, `"v"`},
		{"no name, no comma", func(w *writer) error {
			return errors.Join(w.WriteStringValue("", ptr("v")), w.WriteBoolValue("", ptr(false)))
		}, `"v"false`},
		{"comma before a value without a name", func(w *writer) error {
			return errors.Join(w.WriteStringValue("k", ptr("v")), w.WriteCollectionOfBoolValues("", []bool{true}))
		}, `"k":"v",[true]`},
		{"html is not escaped", func(w *writer) error { return w.WriteStringValue("<&>", ptr("<&>")) }, `"<&>":"<&>"`},
		{"html is escaped in any values", func(w *writer) error { return w.WriteAnyValue("k", "<&>") }, `"k":"\u003c\u0026\u003e"`},
		{"any nil", func(w *writer) error { return w.WriteAnyValue("k", nil) }, ``},
		{"any struct", func(w *writer) error { return w.WriteAnyValue("k", struct{ A []int }{[]int{1}}) }, `"k":{"A":[1]}`},
		{"null", func(w *writer) error { return w.WriteNullValue("k") }, `"k":null`},
		{"nil scalars", func(w *writer) error {
			return errors.Join(w.WriteStringValue("k", nil), w.WriteBoolValue("k", nil), w.WriteByteValue("k", nil),
				w.WriteInt8Value("k", nil), w.WriteInt32Value("k", nil), w.WriteInt64Value("k", nil),
				w.WriteFloat32Value("k", nil), w.WriteFloat64Value("k", nil), w.WriteByteArrayValue("k", nil),
				w.WriteTimeValue("k", nil), w.WriteTimeOnlyValue("k", nil), w.WriteDateOnlyValue("k", nil),
				w.WriteISODurationValue("k", nil), w.WriteUUIDValue("k", nil), w.WriteObjectValue("k", nil),
				w.WriteAdditionalData(nil))
		}, ``},
		{"nil collections", func(w *writer) error {
			return errors.Join(w.WriteCollectionOfObjectValues("k", nil), w.WriteCollectionOfStringValues("k", nil),
				w.WriteCollectionOfBoolValues("k", nil), w.WriteCollectionOfByteValues("k", nil),
				w.WriteCollectionOfInt8Values("k", nil), w.WriteCollectionOfInt32Values("k", nil),
				w.WriteCollectionOfInt64Values("k", nil), w.WriteCollectionOfFloat32Values("k", nil),
				w.WriteCollectionOfFloat64Values("k", nil), w.WriteCollectionOfTimeValues("k", nil),
				w.WriteCollectionOfISODurationValues("k", nil), w.WriteCollectionOfTimeOnlyValues("k", nil),
				w.WriteCollectionOfDateOnlyValues("k", nil), w.WriteCollectionOfUUIDValues("k", nil))
		}, ``},
		{"empty collections", func(w *writer) error {
			return errors.Join(w.WriteCollectionOfObjectValues("a", []absser.Parsable{}), w.WriteCollectionOfStringValues("b", []string{}),
				w.WriteByteArrayValue("c", []byte{}))
		}, `"a":[],"b":[],"c":""`},
		{"collections", func(w *writer) error {
			return errors.Join(
				w.WriteCollectionOfStringValues("a", []string{"x", ""}),
				w.WriteCollectionOfBoolValues("b", []bool{true, false}),
				w.WriteCollectionOfByteValues("c", []byte{0, 255}),
				w.WriteCollectionOfInt8Values("d", []int8{-128, 127}),
				w.WriteCollectionOfInt32Values("e", []int32{-1 << 31, 1<<31 - 1}),
				w.WriteCollectionOfInt64Values("f", []int64{-1 << 63, 1<<63 - 1}),
				w.WriteCollectionOfFloat32Values("g", []float32{0.1, -2}),
				w.WriteCollectionOfFloat64Values("h", []float64{0.1, 1e-9, 1e22}),
				w.WriteCollectionOfTimeValues("i", []time.Time{at}),
				w.WriteCollectionOfISODurationValues("j", []absser.ISODuration{*absser.NewDuration(1, 0, 0, 0, 0, 0, 0)}),
				w.WriteCollectionOfTimeOnlyValues("k", []absser.TimeOnly{*absser.NewTimeOnly(at)}),
				w.WriteCollectionOfDateOnlyValues("l", []absser.DateOnly{*absser.NewDateOnly(at)}),
				w.WriteCollectionOfUUIDValues("m", []uuid.UUID{id, {}}),
				w.WriteCollectionOfObjectValues("n", []absser.Parsable{nil, &item{}, (*item)(nil), &item{count: ptr(int32(3))}}))
		}, `"a":["x",""],"b":[true,false],"c":[0,255],"d":[-128,127],"e":[-2147483648,2147483647],` +
			`"f":[-9223372036854775808,9223372036854775807],"g":[0.1,-2],"h":[0.1,0.000000001,10000000000000000000000],` +
			`"i":["2024-05-06T07:08:09.123456789-05:00"],"j":["P1Y"],"k":["07:08:09.123456789"],"l":["2024-05-06"],` +
			`"m":["00112233-4455-6677-8899-aabbccddeeff","00000000-0000-0000-0000-000000000000"],"n":[null,{},null,{"count":3}]`},
		{"objects merged", func(w *writer) error {
			return w.WriteObjectValue("k", &item{name: ptr("a")}, nil, (*item)(nil), &item{count: ptr(int32(1))})
		}, `"k":{"name":"a","count":1}`},
		{"only what is merged", func(w *writer) error { return w.WriteObjectValue("", nil, &item{count: ptr(int32(1))}) }, `{"count":1}`},
		{"nothing to merge", func(w *writer) error { return w.WriteObjectValue("k", nil, nil, (*item)(nil)) }, ``},
		{"composed of a scalar", func(w *writer) error {
			return errors.Join(w.WriteObjectValue("k", composed{func(w absser.SerializationWriter) error {
				return w.WriteStringValue("", ptr("v"))
			}}), w.WriteNullValue("z"))
		}, `"k":"v","z":null`},
		{"composed of an object", func(w *writer) error {
			return w.WriteObjectValue("", composed{func(w absser.SerializationWriter) error {
				return w.WriteObjectValue("", &item{name: ptr("a")}, &item{count: ptr(int32(1))})
			}})
		}, `{"name":"a","count":1}`},
		{"composed of nothing", func(w *writer) error {
			none := composed{func(w absser.SerializationWriter) error { return nil }}
			return errors.Join(w.WriteNullValue("a"), w.WriteObjectValue("k", none), w.WriteObjectValue("", none),
				w.WriteCollectionOfObjectValues("z", []absser.Parsable{none, none, &item{}}))
		}, `"a":null,"z":[null,null,{}]`},
		{"additional data", func(w *writer) error {
			return w.WriteAdditionalData(map[string]any{
				"b": "s", "a": ptr("p"), "c": nil, "d": (*string)(nil), "e": map[string]any{"x": ptr(1.5)},
				"f": []string{"y"}, "g": &item{name: ptr("n")}, "h": absser.NewUntypedBoolean(true), "i": 7, "j": uint16(8),
				"k": []absser.Parsable{&item{}}, "l": at, "m": id, "n": float32(0.1), "o": byte(9), "p": []byte{1, 2},
			})
		}, `"a":"p","b":"s","c":null,"e":{"x":1.5},"f":["y"],"g":{"name":"n"},"h":true,"i":7,"j":8,"k":[{}],` +
			`"l":"2024-05-06T07:08:09.123456789-05:00","m":"00112233-4455-6677-8899-aabbccddeeff","n":0.1,"o":9,"p":[1,2]`},
		{"a member named nothing", func(w *writer) error {
			return w.WriteAdditionalData(map[string]any{"": 1, "a": ptr("b")})
		}, `"":1,"a":"b"`},
		{"a missing member named nothing", func(w *writer) error {
			return errors.Join(w.WriteNullValue("k"), w.WriteAdditionalData(map[string]any{"": (*string)(nil), "a": 1}))
		}, `"k":null,"a":1`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := written(c.f)
			if err != nil || got != c.want {
				t.Errorf("got  %s, %v\nwant %s", got, err, c.want)
			}
		})
	}
}

// Every type that has a Write method is written by it in additional data too.
func TestAdditionalDataOfEveryType(t *testing.T) {
	at := time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)
	id := uuid.MustParse("00112233-4455-6677-8899-aabbccddeeff")
	span := *absser.NewDuration(0, 0, 1, 0, 0, 0, 0)
	clock, day := *absser.NewTimeOnly(at), *absser.NewDateOnly(at)
	for _, c := range []struct {
		v    any
		want string
	}{
		{[]bool{true}, `[true]`}, {[]int8{1}, `[1]`}, {[]int32{1}, `[1]`}, {[]int64{1}, `[1]`}, {[]float32{0.1}, `[0.1]`},
		{[]float64{0.1}, `[0.1]`}, {[]uuid.UUID{id}, `["` + id.String() + `"]`}, {[]time.Time{at}, `["2024-05-06T07:08:09Z"]`},
		{[]absser.ISODuration{span}, `["P1D"]`}, {[]absser.TimeOnly{clock}, `["07:08:09"]`}, {[]absser.DateOnly{day}, `["2024-05-06"]`},
		{true, `true`}, {ptr(true), `true`}, {ptr(byte(1)), `1`}, {int8(1), `1`}, {ptr(int8(1)), `1`}, {int32(1), `1`},
		{ptr(int32(1)), `1`}, {int64(1), `1`}, {ptr(int64(1)), `1`}, {ptr(float32(0.1)), `0.1`}, {1.5, `1.5`}, {ptr(1.5), `1.5`},
		{&id, `"` + id.String() + `"`}, {&at, `"2024-05-06T07:08:09Z"`}, {span, `"P1D"`}, {&span, `"P1D"`}, {clock, `"07:08:09"`},
		{&clock, `"07:08:09"`}, {day, `"2024-05-06"`}, {&day, `"2024-05-06"`}, {absser.NewUntypedNull(), `null`},
	} {
		for _, name := range []string{"k", ""} {
			got, err := written(func(w *writer) error { return w.WriteAdditionalData(map[string]any{name: c.v}) })
			if want := `"` + name + `":` + c.want; err != nil || got != want {
				t.Errorf("%T: got %s, %v, want %s", c.v, got, err, want)
			}
		}
	}
}

func TestContentCanBeTakenWhileWriting(t *testing.T) {
	w := jsonserialization.NewJsonSerializationWriter()
	defer w.Close()
	empty, err := w.GetSerializedContent()
	if empty == nil || len(empty) != 0 || err != nil {
		t.Errorf("nothing written: %v, %v", empty, err)
	}
	w.WriteObjectValue("a", &item{name: ptr("x")})
	for range 3 {
		if b, err := w.GetSerializedContent(); err != nil || string(b) != `"a":{"name":"x"}` {
			t.Errorf("got %s, %v", b, err)
		}
	}
	w.WriteNullValue("b")
	if b, _ := w.GetSerializedContent(); string(b) != `"a":{"name":"x"},"b":null` {
		t.Errorf("got %s", b)
	}
}

func TestContentIsTheCallersOwn(t *testing.T) {
	var kept [][]byte
	for n := range 50 {
		w := jsonserialization.NewJsonSerializationWriter()
		for i := range n * 50 {
			w.WriteInt32Value(fmt.Sprint("k", i), ptr(int32(n)))
		}
		b, err := w.GetSerializedContent()
		if err != nil {
			t.Fatal(err)
		}
		w.WriteStringValue("more", ptr(strings.Repeat("x", 5000)))
		w.Close()
		kept = append(kept, b)
	}
	for n, b := range kept {
		var m map[string]int
		if err := json.Unmarshal([]byte("{"+string(b)+"}"), &m); err != nil || len(m) != n*50 {
			t.Fatalf("%d: %d members, %v", n, len(m), err)
		}
		for k, v := range m {
			if v != n {
				t.Fatalf("%d: %s is %d", n, k, v)
			}
		}
	}
}

func TestReset(t *testing.T) {
	w := jsonserialization.NewJsonSerializationWriter()
	defer w.Close()
	calls := 0
	w.SetOnBeforeSerialization(func(absser.Parsable) error { calls++; return nil })
	for range 3 {
		if err := w.WriteObjectValue("k", mixed()); err != nil {
			t.Fatal(err)
		}
		if b, err := w.GetSerializedContent(); err != nil || string(b) != `"k":`+mixedJSON {
			t.Errorf("got %s, %v", b, err)
		}
		if err := w.Reset(); err != nil {
			t.Fatal(err)
		}
		if b, err := w.GetSerializedContent(); err != nil || len(b) != 0 {
			t.Errorf("after Reset: %s, %v", b, err)
		}
	}
	if calls != 6 {
		t.Errorf("the callback was called %d times, want 6", calls)
	}
}

func mustPanic(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		if r := recover(); r == nil {
			t.Errorf("%s: no panic", what)
		} else if s, ok := r.(string); !ok || !strings.Contains(s, "closed writer") {
			t.Errorf("%s: panic %v", what, r)
		}
	}()
	f()
}

func TestUseAfterClose(t *testing.T) {
	w := jsonserialization.NewJsonSerializationWriter()
	w.SetOnBeforeSerialization(func(absser.Parsable) error { return nil })
	w.WriteStringValue("secret", ptr("of the first"))
	early, late := *w, *w
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	// The next writer gets what the first has given back.
	next := jsonserialization.NewJsonSerializationWriter()
	defer next.Close()
	next.WriteStringValue("k", ptr("of the second"))

	var zero writer
	for name, w := range map[string]*writer{"closed": w, "copy": &late, "zero": &zero} {
		mustPanic(t, name, func() { w.WriteStringValue("k", ptr("v")) })
		mustPanic(t, name, func() { w.WriteStringValue("k", nil) })
		mustPanic(t, name, func() { w.WriteCollectionOfInt32Values("k", nil) })
		mustPanic(t, name, func() { w.WriteObjectValue("k", mixed()) })
		mustPanic(t, name, func() { w.WriteAdditionalData(nil) })
		mustPanic(t, name, func() { w.WriteAnyValue("k", 1) })
		mustPanic(t, name, func() { w.Reset() })
		mustPanic(t, name, func() { w.GetSerializedContent() })
	}
	if w.GetOnBeforeSerialization() == nil {
		t.Error("Close removed a callback")
	}
	for range 2 {
		for _, w := range []*writer{w, &early, &late, &zero} {
			if err := w.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	if b, err := next.GetSerializedContent(); err != nil || string(b) != `"k":"of the second"` {
		t.Errorf("closing the first writer again changed the second: %s, %v", b, err)
	}
}

func TestCloseInsideOfSerialize(t *testing.T) {
	w := jsonserialization.NewJsonSerializationWriter()
	mustPanic(t, "Serialize closes", func() {
		w.WriteObjectValue("", write(func(absser.SerializationWriter) error { return w.Close() }))
	})
}

func TestCallbacks(t *testing.T) {
	var calls []string
	w := jsonserialization.NewJsonSerializationWriter()
	defer w.Close()
	label := func(p absser.Parsable) string { return *p.(*item).name }
	w.SetOnBeforeSerialization(func(p absser.Parsable) error { calls = append(calls, "before "+label(p)); return nil })
	w.SetOnAfterObjectSerialization(func(p absser.Parsable) error { calls = append(calls, "after "+label(p)); return nil })
	w.SetOnStartObjectSerialization(func(p absser.Parsable, w absser.SerializationWriter) error {
		calls = append(calls, "start "+label(p))
		return w.WriteNullValue("started")
	})
	err := w.WriteObjectValue("", &item{name: ptr("a"), parent: &item{name: ptr("b")}}, &item{name: ptr("c")})
	if err != nil {
		t.Fatal(err)
	}
	b, _ := w.GetSerializedContent()
	if want := `{"started":null,"name":"a","parent":{"started":null,"name":"b"},"started":null,"name":"c"}`; string(b) != want {
		t.Errorf("got %s, want %s", b, want)
	}
	if got, want := strings.Join(calls, ", "), "before a, start a, before b, start b, after b, after a, before c, start c, after c"; got != want {
		t.Errorf("calls %s, want %s", got, want)
	}
}

// The callback after an object is called when Serialize or the callback at its
// start has failed, and not when the one before has; the first error is returned.
func TestCallbackAfterAFailure(t *testing.T) {
	errOther := errors.New("another fault")
	for _, c := range []struct {
		before, start, serialize error
		want                     int
	}{{nil, nil, nil, 1}, {nil, nil, errFault, 1}, {nil, errFault, nil, 1}, {errFault, nil, nil, 0}} {
		for what, f := range map[string]func(w *writer, p absser.Parsable) error{
			"object": func(w *writer, p absser.Parsable) error { return w.WriteObjectValue("k", p) },
			"merged": func(w *writer, p absser.Parsable) error { return w.WriteObjectValue("k", nil, p) },
			"collection": func(w *writer, p absser.Parsable) error {
				return w.WriteCollectionOfObjectValues("k", []absser.Parsable{p})
			},
		} {
			calls := 0
			want := errors.Join(c.before, c.start, c.serialize)
			got, err := written(func(w *writer) error {
				w.SetOnBeforeSerialization(func(absser.Parsable) error { return c.before })
				w.SetOnStartObjectSerialization(func(absser.Parsable, absser.SerializationWriter) error { return c.start })
				w.SetOnAfterObjectSerialization(func(absser.Parsable) error {
					calls++
					if want != nil {
						return errOther
					}
					return nil
				})
				return f(w, write(func(absser.SerializationWriter) error { return c.serialize }))
			})
			if calls != c.want || (err != nil) != (want != nil) || err != nil && !errors.Is(err, errFault) {
				t.Errorf("%s, %+v: %d calls, %s, %v", what, c, calls, got, err)
			}
		}
	}
}

// A composed type without a value is left out, wherever its name ends.
func TestComposedOfNothingWithALongName(t *testing.T) {
	none := composed{func(absser.SerializationWriter) error { return nil }}
	for _, long := range []int{1, 8000, 9000, 60_000, 70_000, 200_000} {
		name := strings.Repeat("n", long)
		for _, front := range []int{0, 10, 2000, 65_000, 130_000} {
			out := inUse()
			text := strings.Repeat("f", front)
			got, err := written(func(w *writer) error {
				return errors.Join(w.WriteStringValue("a", &text), w.WriteObjectValue(name, none), w.WriteObjectValue(name, none), w.WriteNullValue("z"))
			})
			if want := `"a":"` + text + `","z":null`; err != nil || got != want {
				t.Errorf("name of %d bytes behind %d: %d bytes, %v, want %d", long, front, len(got), err, len(want))
			}
			got, err = written(func(w *writer) error { return errors.Join(w.WriteObjectValue(name, none), w.WriteNullValue("z")) })
			if err != nil || got != `"z":null` {
				t.Errorf("name of %d bytes in front: %d bytes, %v", long, len(got), err)
			}
			if n := inUse() - out; n != 0 {
				t.Errorf("name of %d bytes behind %d: %d pieces of memory are lost", long, front, n)
			}
		}
	}
}
