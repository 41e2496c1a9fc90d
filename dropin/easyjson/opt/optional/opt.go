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
func OOptional(v A) Optional {
	return Optional{V: v, Defined: true}
}

// Get returns the value, or deflt if it is undefined.
func (v Optional) Get(deflt A) A {
	if !v.Defined {
		return deflt
	}
	return v.V
}

// MarshalEasyJSON writes the value, or null if it is undefined.
func (v Optional) MarshalEasyJSON(w *jwriter.Writer) {
	if !v.Defined {
		w.RawString("null")
		return
	}
	w.Optional(v.V)
}

// UnmarshalEasyJSON reads a value; null makes v undefined.
func (v *Optional) UnmarshalEasyJSON(l *jlexer.Lexer) {
	if l.IsNull() {
		l.Skip()
		*v = Optional{}
		return
	}
	v.V = l.Optional()
	v.Defined = true
}

// MarshalJSON is MarshalEasyJSON for encoding/json.
func (v Optional) MarshalJSON() ([]byte, error) {
	w := jwriter.Writer{}
	v.MarshalEasyJSON(&w)
	return w.BuildBytes()
}

// UnmarshalJSON is UnmarshalEasyJSON for encoding/json.
func (v *Optional) UnmarshalJSON(data []byte) error {
	l := jlexer.Lexer{Data: data}
	v.UnmarshalEasyJSON(&l)
	l.Consumed()
	return l.Error()
}

// IsDefined reports whether the value is defined: omitempty leaves out what is not.
func (v Optional) IsDefined() bool {
	return v.Defined
}

// String formats the value as fmt.Sprint does.
func (v Optional) String() string {
	if !v.Defined {
		return "<undefined>"
	}
	return fmt.Sprint(v.V)
}
