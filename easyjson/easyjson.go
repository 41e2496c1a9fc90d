// Package easyjson is the runtime of github.com/mailru/easyjson on the pools of
// package eddy: code which the generator of that project has emitted compiles
// and runs with it unchanged, and allocates less. It is not affiliated with
// that project.
//
// # Differences in what is written
//
// A document that is right there is the same here, byte for byte. What would
// not be JSON is an error instead, and so is what would be lost:
//
//   - NaN and the infinities, which v0.9.1 writes as they are.
//   - A member without a value, such as {"a":}, which generated code makes of
//     a field whose type is an interface with MarshalJSON: see
//     [jwriter.ErrNoValue] and, to keep it, [jwriter.MissingValues]. It is
//     noticed by the Writer, not where a generated MarshalJSON takes the bytes
//     out of Writer.Buffer itself; and not all of what a list has lost can be
//     noticed.
//   - The output of a MarshalJSON method, or a RawMessage, that is not one
//     JSON value: see [jwriter.RawUnchecked] to keep it.
//   - A Writer that has an Error: MarshalToWriter and DumpTo write nothing.
//   - A write that takes less than it was given: io.ErrShortWrite.
//
// Unknown members are written in the order of their names. Values of
// RawMessage and of UnknownFieldsProxy are copies, not parts of the input.
// [jwriter.StdFormat] makes numbers and strings look as encoding/json writes
// them. [jwriter.Compat] sets an option for the whole program.
package easyjson

import (
	"github.com/eddy-go/eddy/easyjson/jlexer"
	"github.com/eddy-go/eddy/easyjson/jwriter"
)

// Marshaler is what can write itself: the types that easyjson's generator was
// run on, and those of packages easyjson and opt. What goes wrong is left in
// the Error of w.
type Marshaler interface {
	MarshalEasyJSON(w *jwriter.Writer)
}

// Unmarshaler is what can read itself, from where in stands. What goes wrong
// is left in in, whose Error tells it.
type Unmarshaler interface {
	UnmarshalEasyJSON(in *jlexer.Lexer)
}

// MarshalerUnmarshaler is both, for types that go both ways.
type MarshalerUnmarshaler interface {
	Marshaler
	Unmarshaler
}

// Optional is asked by generated code for a field with the option omitempty:
// the member is left out if IsDefined is false.
type Optional interface {
	IsDefined() bool
}

// IsZero is asked by generated code for a field with the option omitzero: the
// member is left out if the method, of the same name, is true.
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
