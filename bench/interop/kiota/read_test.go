package kiota

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	absser "github.com/microsoft/kiota-abstractions-go/serialization"
	upstream "github.com/microsoft/kiota-serialization-json-go"

	"github.com/eddy-go/eddy/kiota/jsonserialization"
)

// document makes JSON of any form.
func (f *forest) document(depth int) string {
	space := [...]string{"", "", "", " ", "\n\t", "\r\n"}[f.IntN(6)]
	kinds := 9
	if depth <= 0 {
		kinds = 7
	}
	switch f.IntN(kinds) {
	case 0:
		return space + "null"
	case 1:
		return "true" + space
	case 2:
		return space + "false"
	case 3:
		// Below 2^53, as the original reads only these exactly.
		return fmt.Sprint(f.int64()>>11) + space
	case 4:
		return [...]string{"1.5", "-0.25e2", "1e3", "-0", "0.0", "3.40283e+38", "1.0", "255", "256", "-129", "2147483648", "0.1e-30"}[f.IntN(12)]
	case 5:
		return [...]string{`"2026-03-04T05:06:07Z"`, `"2026-03-04T05:06:07.5+02:00"`, `"05:06:07"`, `"05:06:07.123"`, `"2026-03-04"`,
			`"P1Y2DT3H4M"`, `"P3W"`, `"87d349ed-44d7-43e1-9a83-5f2406dee5bd"`, `"YWJj"`, `""`, `" "`}[f.IntN(11)]
	case 6:
		s := f.text(20)
		if len(s) == len("2026-03-04T05:06:07") {
			s += "." // to which the original adds a zone, in its node, when read as a time
		}
		b, _ := json.Marshal(s)
		return string(b) + space
	case 7:
		var parts []string
		for range f.IntN(6) {
			parts = append(parts, f.document(depth-1))
		}
		return "[" + space + strings.Join(parts, ","+space) + space + "]"
	}
	var parts []string
	for range f.IntN(8) {
		b, _ := json.Marshal([...]string{"a", "b", "c", "id", "\"q\"", "größe", "n<"}[f.IntN(7)])
		parts = append(parts, string(b)+space+":"+f.document(depth-1))
	}
	return "{" + strings.Join(parts, space+",") + space + "}"
}

// results calls every getter, and returns what each one gives, nil for an error.
func results(n absser.ParseNode) map[string]any {
	r := make(map[string]any)
	put := func(name string, v any, err error) {
		if err != nil {
			v = "error"
		}
		r[name] = v
	}
	get := func(name string) {
		out := reflect.ValueOf(n).MethodByName(name).Call(nil)
		err, _ := out[1].Interface().(error)
		put(name, out[0].Interface(), err)
	}
	for _, name := range strings.Fields("GetStringValue GetBoolValue GetInt8Value GetByteValue GetInt32Value GetInt64Value GetFloat32Value GetFloat64Value" +
		" GetTimeValue GetTimeOnlyValue GetDateOnlyValue GetISODurationValue GetUUIDValue GetByteArrayValue GetRawValue") {
		get(name)
	}
	upper := func(s string) (any, error) { return strings.ToUpper(s), nil }
	v, err := n.GetEnumValue(upper)
	put("GetEnumValue", v, err)
	list, err := n.GetCollectionOfEnumValues(upper)
	put("GetCollectionOfEnumValues", list, err)
	for _, of := range strings.Fields("string bool uint8 byte float32 float64 int32 int64 time timeonly dateonly isoduration uuid base64 else") {
		list, err := n.GetCollectionOfPrimitiveValues(of)
		put("GetCollectionOfPrimitiveValues "+of, list, err)
	}
	object, err := n.GetObjectValue(newThing)
	put("GetObjectValue", object, err)
	untyped, err := n.GetObjectValue(absser.CreateUntypedNodeFromDiscriminatorValue)
	put("untyped", untyped, err)
	objects, err := n.GetCollectionOfObjectValues(newThing)
	put("GetCollectionOfObjectValues", objects, err)
	return r
}

// thing is a model that takes what it can.
type thing struct {
	A     *string
	B     []any
	C     absser.Parsable
	Extra map[string]any
}

func newThing(absser.ParseNode) (absser.Parsable, error)    { return new(thing), nil }
func (t *thing) Serialize(absser.SerializationWriter) error { return nil }
func (t *thing) GetAdditionalData() map[string]any          { return t.Extra }
func (t *thing) SetAdditionalData(v map[string]any)         { t.Extra = v }
func (t *thing) GetFieldDeserializers() map[string]func(absser.ParseNode) error {
	return map[string]func(absser.ParseNode) error{
		"a": func(n absser.ParseNode) error { t.A, _ = n.GetStringValue(); return nil },
		"b": func(n absser.ParseNode) error { t.B, _ = n.GetCollectionOfPrimitiveValues("string"); return nil },
		"c": func(n absser.ParseNode) (err error) { t.C, err = n.GetObjectValue(newThing); return err },
	}
}

// Every getter gives the same for every value of random documents.
func TestRandomDocuments(t *testing.T) {
	documents := 20_000
	if testing.Short() {
		documents = 500
	}
	f := &forest{Rand: rand.New(rand.NewPCG(11, 3))}
	size := 0
	for range documents {
		doc := f.document(4)
		size += len(doc)
		theirs, err := upstream.NewJsonParseNode([]byte(doc))
		if err != nil {
			t.Fatalf("%s: %v", doc, err)
		}
		ours, err := jsonserialization.NewJsonParseNode([]byte(doc))
		if err != nil {
			t.Fatalf("%s: %v", doc, err)
		}
		compare(t, doc, ours, theirs)
		for _, name := range []string{"a", "id", "größe", "missing", "\"q\""} {
			a, err1 := ours.GetChildNode(name)
			b, err2 := theirs.GetChildNode(name)
			if (a == nil) != (b == nil) || (err1 == nil) != (err2 == nil) {
				t.Fatalf("%s: child %s is %v, %v, want %v, %v", doc, name, a, err1, b, err2)
			}
			if b != nil && !reflect.ValueOf(b).IsNil() {
				compare(t, doc+" at "+name, a, b)
			}
		}
	}
	t.Logf("%d documents of %d bytes are read equally", documents, size)
}

func compare(t *testing.T, doc string, ours, theirs absser.ParseNode) {
	t.Helper()
	if reflect.ValueOf(theirs).IsNil() {
		return // null, of which every getter is tested to return nil
	}
	want, got := results(theirs), results(ours)
	for name, w := range want {
		if g := got[name]; !reflect.DeepEqual(g, w) {
			t.Fatalf("%s\n%s: got %#v, want %#v", doc, name, g, w)
		}
	}
}

// What one refuses the other does too.
func TestBrokenDocuments(t *testing.T) {
	n := 20_000
	if testing.Short() {
		n = 1000
	}
	f := &forest{Rand: rand.New(rand.NewPCG(13, 8))}
	refused := 0
	for range n {
		doc := []byte(f.document(3))
		for range 1 + f.IntN(3) {
			at := f.IntN(len(doc))
			switch f.IntN(3) {
			case 0:
				doc[at] = `{}[]",:0-.eE+tfn\x`[f.IntN(18)]
			case 1:
				doc = append(doc[:at], doc[at+1:]...)
			case 2:
				doc = append(doc, `{}[]",:0`[f.IntN(8)])
			}
			if len(doc) == 0 {
				break
			}
		}
		_, want := upstream.NewJsonParseNode(doc)
		_, got := jsonserialization.NewJsonParseNode(doc)
		if (got == nil) != (want == nil) {
			t.Fatalf("%q: %v, want %v", doc, got, want)
		}
		if got != nil {
			refused++
		}
	}
	t.Logf("%d of %d documents are refused", refused, n)
}
