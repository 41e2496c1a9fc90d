// Package easyjson is the runtime of github.com/mailru/easyjson on the pools of
// package eddy: code which the generator of that project has emitted compiles
// and runs with it unchanged, and allocates less. It is not affiliated with
// that project.
//
// Where the other runtime writes documents that are not JSON, or reports
// success over data that was lost, this one returns an error. Documents that
// were right keep their bytes. The options for what a program may depend on
// are at [jwriter.Compat].
package easyjson

import (
	"github.com/eddy-go/eddy/easyjson/jlexer"
	"github.com/eddy-go/eddy/easyjson/jwriter"
)

// Marshaler is an easyjson-compatible marshaler interface.
type Marshaler interface {
	MarshalEasyJSON(w *jwriter.Writer)
}

// Unmarshaler is an easyjson-compatible unmarshaler interface.
type Unmarshaler interface {
	UnmarshalEasyJSON(w *jlexer.Lexer)
}

// MarshalerUnmarshaler is an easyjson-compatible marshaler/unmarshaler interface.
type MarshalerUnmarshaler interface {
	Marshaler
	Unmarshaler
}

// Optional defines an undefined-test method for a type to integrate with 'omitempty' logic.
type Optional interface {
	IsDefined() bool
}

// IsZero defines a zero-test method for a type to integrate with 'omitzero' logic.
type IsZero interface {
	IsZero() bool
}

// UnknownsUnmarshaler is implemented by types that keep the members they do
// not know, such as those that embed [UnknownFieldsProxy].
type UnknownsUnmarshaler interface {
	UnmarshalUnknown(in *jlexer.Lexer, key string)
}

// UnknownsMarshaler is implemented by types that write members beyond their
// fields; first tells that there are no members before them.
type UnknownsMarshaler interface {
	MarshalUnknowns(w *jwriter.Writer, first bool)
}
