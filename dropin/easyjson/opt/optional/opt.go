//go:build none

// Package optional is the source of the types of package opt: gotemplate, and the generator of package opt, put a
// type's name for Optional and its underlying type for A.
package optional

import (
	"fmt"

	"github.com/eddy-go/eddy/easyjson/jlexer"
	"github.com/eddy-go/eddy/easyjson/jwriter"
)

// template type Optional(A)
type A int

// Optional is an A that can be undefined. The zero value is.
type Optional struct {
	V       A
	Defined bool
}

// OOptional returns a defined Optional.
func OOptional(value A) (o Optional) {
	o.V, o.Defined = value, true
	return o
}

// IsDefined reports whether there is a value: omitempty leaves out what is not defined.
func (o Optional) IsDefined() bool { return o.Defined }

// Get returns the value, or otherwise if it is undefined.
func (o Optional) Get(otherwise A) A {
	if o.Defined {
		return o.V
	}
	return otherwise
}

// String formats the value as fmt.Sprint does.
func (o Optional) String() string {
	if o.Defined {
		return fmt.Sprint(o.V)
	}
	return "<undefined>"
}

// MarshalEasyJSON writes the value, or null if it is undefined.
func (o Optional) MarshalEasyJSON(out *jwriter.Writer) {
	if o.Defined {
		out.Optional(o.V)
		return
	}
	out.RawString("null")
}

// MarshalJSON is MarshalEasyJSON for encoding/json.
func (o Optional) MarshalJSON() ([]byte, error) {
	var out jwriter.Writer
	o.MarshalEasyJSON(&out)
	return out.BuildBytes()
}

// UnmarshalEasyJSON reads a value; null makes o undefined.
func (o *Optional) UnmarshalEasyJSON(in *jlexer.Lexer) {
	*o = Optional{Defined: !in.IsNull()}
	if o.Defined {
		o.V = in.Optional()
		return
	}
	in.Skip()
}

// UnmarshalJSON is UnmarshalEasyJSON for encoding/json.
func (o *Optional) UnmarshalJSON(text []byte) error {
	in := jlexer.Lexer{Data: text}
	o.UnmarshalEasyJSON(&in)
	in.Consumed() // nothing may follow
	return in.Error()
}
