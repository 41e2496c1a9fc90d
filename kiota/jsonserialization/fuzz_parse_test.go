package jsonserialization_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	absser "github.com/microsoft/kiota-abstractions-go/serialization"

	"github.com/eddy-go/eddy/jsonwire"
	"github.com/eddy-go/eddy/kiota/jsonserialization"
)

// plainOf takes the pointers out of a raw value.
func plainOf(v any) any {
	switch v := v.(type) {
	case *string:
		return *v
	case *bool:
		return *v
	case *float64:
		return *v
	case *int64:
		return float64(*v)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = plainOf(v[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k := range v {
			out[k] = plainOf(v[k])
		}
		return out
	}
	return v
}

// checkRaw compares the node of a document with what encoding/json reads.
func checkRaw(t *testing.T, doc []byte, n *jsonserialization.JsonParseNode) {
	t.Helper()
	var want any
	if err := json.Unmarshal(doc, &want); err != nil {
		t.Fatalf("%q: encoding/json: %v", doc, err)
	}
	for range 2 { // reading changes nothing
		got, err := n.GetRawValue()
		if err != nil {
			t.Fatal(err)
		}
		if got = plainOf(got); !reflect.DeepEqual(got, want) {
			t.Fatalf("%q:\ngot  %v\nwant %v", doc, got, want)
		}
	}
}

// FuzzParse: a document is read if encoding/json reads it, to the same value, and
// every getter returns.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`{}`, `[]`, `null`, ` [ 1 , -0.5e+3 , "a\u00e9\n" , true , false , null , { "k" : [ ] } ] `, mixedJSON,
		`{"a":1,"a":2,"\u0061":3}`, `[9007199254740993,9223372036854775807,-9223372036854775808,1e400]`, `"\ud83d\ude00\ud800"`,
		"\"\xff\xc0\"", `{"a"`, `{"a":`, `{"a":1`, `[1`, `[1,`, `{,}`, `[,]`, `"a`, `"\x"`, `01`, `-`, `1.`, `tru`, `nul`, `[1}`, `{"a":1]`, `1 2`, "\"\x01\"",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		given := string(doc)
		n, err := jsonserialization.NewJsonParseNode(doc)
		var want any
		std := json.Unmarshal(doc, &want)
		if (err == nil) != (std == nil) {
			t.Fatalf("%q: %v, encoding/json: %v", doc, err, std)
		}
		if err != nil {
			var se *jsonwire.SyntaxError
			if n != nil || len(doc) > 0 && (!errors.As(err, &se) || se.Offset < 0 || se.Offset > len(doc)) {
				t.Fatalf("%q: %v, %v", doc, n, err)
			}
			return
		}
		// Nothing refers to what was given.
		for i := range doc {
			doc[i] = 'x'
		}
		checkRaw(t, []byte(given), n)
		getters(n)
		n.GetObjectValue(newItem)
		if v, err := n.GetObjectValue(absser.CreateUntypedNodeFromDiscriminatorValue); err != nil || (v == nil) != (want == nil) {
			t.Fatalf("%q: untyped %v, %v", given, v, err)
		} else if v != nil {
			// Untyped nodes are written as they were read.
			out, err := jsonserialization.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			var got any
			if err := json.Unmarshal(out, &got); err != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("%q: untyped %s, %v", given, out, err)
			}
		}
	})
}

// getters calls all of them, which must not panic.
func getters(n absser.ParseNode) {
	n.GetStringValue()
	n.GetBoolValue()
	n.GetInt8Value()
	n.GetByteValue()
	n.GetInt32Value()
	n.GetInt64Value()
	n.GetFloat32Value()
	n.GetFloat64Value()
	n.GetTimeValue()
	n.GetTimeOnlyValue()
	n.GetDateOnlyValue()
	n.GetISODurationValue()
	n.GetUUIDValue()
	n.GetByteArrayValue()
	n.GetEnumValue(func(s string) (any, error) { return s, nil })
	n.GetCollectionOfEnumValues(func(s string) (any, error) { return s, nil })
	n.GetCollectionOfObjectValues(newItem)
	for _, of := range strings.Fields("string bool int8 uint8 byte int32 int64 float32 float64 time timeonly dateonly isoduration uuid base64 none") {
		n.GetCollectionOfPrimitiveValues(of)
	}
	if c, _ := n.GetChildNode("a"); c != nil {
		c.GetStringValue()
	}
}
