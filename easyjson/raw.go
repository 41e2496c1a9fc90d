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

// MarshalEasyJSON does JSON marshaling using easyjson interface.
func (v *RawMessage) MarshalEasyJSON(w *jwriter.Writer) {
	w.Raw(*v, nil)
}

// UnmarshalEasyJSON does JSON unmarshaling using easyjson interface. It copies
// the value, which does not refer to the input afterwards.
func (v *RawMessage) UnmarshalEasyJSON(l *jlexer.Lexer) {
	*v = RawMessage(bytes.Clone(l.Raw()))
}

// UnmarshalJSON implements encoding/json.Unmarshaler interface. It copies data.
func (v *RawMessage) UnmarshalJSON(data []byte) error {
	*v = append(make([]byte, 0, len(data)), data...)
	return nil
}

// MarshalJSON implements encoding/json.Marshaler interface. The result is v
// itself unless it is empty, and must not be changed.
func (v RawMessage) MarshalJSON() ([]byte, error) {
	if len(v) == 0 {
		return []byte(null), nil
	}
	return v, nil
}

// IsDefined is required for integration with omitempty easyjson logic.
func (v *RawMessage) IsDefined() bool {
	return len(*v) > 0
}
