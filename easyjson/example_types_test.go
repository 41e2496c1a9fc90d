package easyjson_test

import (
	"fmt"
	"os"

	"github.com/eddy-go/eddy/easyjson"
	"github.com/eddy-go/eddy/easyjson/jlexer"
	"github.com/eddy-go/eddy/easyjson/jwriter"
)

// celsius writes itself as a number with one digit behind the point.
type celsius float64

func (c celsius) MarshalEasyJSON(w *jwriter.Writer) {
	w.Buffer.EnsureSpace(32)
	w.Buffer.Buf = fmt.Appendf(w.Buffer.Buf, "%.1f", float64(c))
}

func (c *celsius) UnmarshalEasyJSON(l *jlexer.Lexer) { *c = celsius(l.Float64()) }

// IsDefined is asked by generated code for fields with omitempty.
func (c celsius) IsDefined() bool { return c > -273.15 }

// IsZero is asked by generated code for fields with omitzero.
func (c celsius) IsZero() bool { return c == 0 }

func ExampleMarshaler() {
	var m easyjson.Marshaler = celsius(21.25)
	easyjson.MarshalToWriter(m, os.Stdout)
	// Output: 21.2
}

func ExampleUnmarshaler() {
	var c celsius
	var u easyjson.Unmarshaler = &c
	err := easyjson.Unmarshal([]byte(`-4.5`), u)
	fmt.Println(c, err)
	// Output: -4.5 <nil>
}

func ExampleMarshalerUnmarshaler() {
	c := celsius(36.6)
	var v easyjson.MarshalerUnmarshaler = &c
	b, _ := easyjson.Marshal(v)
	err := easyjson.Unmarshal(b, v)
	fmt.Println(c, err)
	// Output: 36.6 <nil>
}

func ExampleOptional() {
	var o easyjson.Optional = celsius(-300)
	fmt.Println(o.IsDefined())
	// Output: false
}

func ExampleIsZero() {
	var z easyjson.IsZero = celsius(0)
	fmt.Println(z.IsZero())
	// Output: true
}

func ExampleUnknownsUnmarshaler() {
	var k known
	var u easyjson.UnknownsUnmarshaler = &k
	l := jlexer.Lexer{Data: []byte(`[1,2]`)}
	u.UnmarshalUnknown(&l, "extra")
	easyjson.MarshalToWriter(&k, os.Stdout)
	// Output: {"name":"","extra":[1,2]}
}

func ExampleUnknownsMarshaler() {
	var k known
	easyjson.Unmarshal([]byte(`{"a":1,"b":2}`), &k)
	var u easyjson.UnknownsMarshaler = &k
	var w jwriter.Writer
	w.RawByte('{')
	u.MarshalUnknowns(&w, true)
	w.RawByte('}')
	w.DumpTo(os.Stdout)
	// Output: {"a":1,"b":2}
}
