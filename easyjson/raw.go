package easyjson

import (
	"bytes"

	"github.com/eddy-go/eddy/easyjson/jlexer"
	"github.com/eddy-go/eddy/easyjson/jwriter"
)

// RawMessage is one JSON value in its text, which is neither parsed when read
// nor formed when written; no bytes stand for null. It is checked when
// written, see [jwriter.RawUnchecked].
type RawMessage []byte

// MarshalEasyJSON writes the value, or null for none.
func (v *RawMessage) MarshalEasyJSON(w *jwriter.Writer) {
	w.Raw(*v, nil)
}

// UnmarshalEasyJSON takes a copy of the next value, whatever it is: v does not
// refer to the input afterwards.
func (v *RawMessage) UnmarshalEasyJSON(in *jlexer.Lexer) {
	*v = bytes.Clone(in.Raw())
}

// UnmarshalJSON takes a copy of data, for encoding/json.
func (v *RawMessage) UnmarshalJSON(data []byte) error {
	*v = append(make([]byte, 0, len(data)), data...)
	return nil
}

// MarshalJSON returns v itself, not a copy, or null for no bytes: the result
// must not be written to.
func (v RawMessage) MarshalJSON() ([]byte, error) {
	if len(v) == 0 {
		return []byte(null), nil
	}
	return v, nil
}

// IsDefined reports whether there is a value; see [Optional].
func (v *RawMessage) IsDefined() bool {
	return len(*v) > 0
}
