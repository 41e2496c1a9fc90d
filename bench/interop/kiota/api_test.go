package kiota

import (
	"reflect"
	"testing"

	absser "github.com/microsoft/kiota-abstractions-go/serialization"
	upstream "github.com/microsoft/kiota-serialization-json-go"

	own "github.com/eddy-go/eddy/kiota/jsonserialization"
)

// The package-level API of the original, with its signatures.
var (
	_ func() *own.JsonSerializationWriter                          = own.NewJsonSerializationWriter
	_ func() *own.JsonSerializationWriterFactory                   = own.NewJsonSerializationWriterFactory
	_ func([]byte) (*own.JsonParseNode, error)                     = own.NewJsonParseNode
	_ func() *own.JsonParseNodeFactory                             = own.NewJsonParseNodeFactory
	_ func(absser.Parsable) ([]byte, error)                        = own.Marshal
	_ func([]byte, *absser.Parsable, absser.ParsableFactory) error = own.Unmarshal[absser.Parsable]
)

// Every method of the original's types is there, with the same signature.
func TestMethodsAreComplete(t *testing.T) {
	for _, c := range []struct{ want, got reflect.Type }{
		{reflect.TypeFor[*upstream.JsonSerializationWriter](), reflect.TypeFor[*own.JsonSerializationWriter]()},
		{reflect.TypeFor[*upstream.JsonSerializationWriterFactory](), reflect.TypeFor[*own.JsonSerializationWriterFactory]()},
		{reflect.TypeFor[*upstream.JsonParseNode](), reflect.TypeFor[*own.JsonParseNode]()},
		{reflect.TypeFor[*upstream.JsonParseNodeFactory](), reflect.TypeFor[*own.JsonParseNodeFactory]()},
	} {
		if c.want.NumMethod() == 0 {
			t.Errorf("%v has no methods", c.want)
		}
		for i := range c.want.NumMethod() {
			want := c.want.Method(i)
			got, ok := c.got.MethodByName(want.Name)
			if !ok {
				t.Errorf("%v has no %s", c.got, want.Name)
				continue
			}
			for n := 1; n < max(want.Type.NumIn(), got.Type.NumIn()); n++ {
				if want.Type.NumIn() != got.Type.NumIn() || want.Type.In(n) != got.Type.In(n) {
					t.Errorf("%s is %v, want %v", want.Name, got.Type, want.Type)
					break
				}
			}
			for n := range max(want.Type.NumOut(), got.Type.NumOut()) {
				if want.Type.NumOut() != got.Type.NumOut() || want.Type.Out(n) != got.Type.Out(n) {
					t.Errorf("%s is %v, want %v", want.Name, got.Type, want.Type)
					break
				}
			}
		}
	}
}
