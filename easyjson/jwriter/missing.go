package jwriter

import (
	"errors"

	"github.com/eddy-go/eddy/jsonwire"
)

// Members without a value are noticed by what follows them: a comma or the end
// of the document, with any number of closing brackets between. Code generated
// for a field of an interface type with a MarshalJSON method leaves such
// members behind, and lists whose elements are missing. The Writer looks for
// them where generated code begins a member, and at the end, which costs a
// comparison or two; only what looks wrong by its last bytes is then read from
// the beginning. It is an error only if all that was written is the beginning of
// a JSON document in which a value is missing just there: a part of a document,
// or a string that is written in pieces, may look like it and is none.
//
// Not all is noticed. An empty list may have lost its only element, and some
// lists end differently. And a generated MarshalJSON method takes the bytes out
// of Buffer, past the check at the end; encoding/json, and Raw, check those.

// suspect reports whether a value may be missing at the end of b, which is not
// empty, in front of what begins with c: a comma behind a colon, or behind a
// bracket that is behind a colon, a comma or another bracket; or the first name
// of an object behind an object that ends with a colon. It looks at the last
// four bytes.
func suspect(b []byte, c byte) bool {
	i := len(b)
	if c == ',' {
		last := b[i-1]
		if last|0x20 == '}' && i > 1 {
			last = b[i-2]
			return last == ':' || last|0x20 == '}' || last == ','
		}
		return last == ':'
	}
	return c == '"' && i >= 4 && b[i-4] == ':' && b[i-3] == '}'
}

// checkEnd sets Error if a value is missing behind which there are brackets at
// the end. The long way to look is not taken for most.
func (w *Writer) checkEnd() {
	if b := w.Buffer.Buf; len(b) > 0 && b[len(b)-1]|0x20 == '}' && suspect(b, ',') {
		w.checkValue('}')
	}
}

// checkValue sets Error if the value is missing behind the colon, or the comma
// and closing brackets, at the end of the buffer. What comes next begins with c.
//
//go:noinline
func (w *Writer) checkValue(c byte) {
	b := w.Buffer.Buf
	i := len(b)
	for i > 0 && b[i-1]|0x20 == '}' {
		c = b[i-1]
		i--
	}
	if i > 0 && (b[i-1] == ':' || b[i-1] == ',' && i < len(b)) {
		w.checkMissing(len(b)-i, c)
	}
}

// checkElement sets Error if the buffer ends with an object of which the last
// value is missing, and the beginning of another.
//
//go:noinline
func (w *Writer) checkElement() {
	if b := w.Buffer.Buf; len(b) >= 4 && string(b[len(b)-4:]) == ":},{" {
		w.checkMissing(3, '}')
	}
}

// checkMissing sets Error if all that was written but for the last n bytes is
// the beginning of a document in which a value has to follow, and not c.
func (w *Writer) checkMissing(n int, c byte) {
	if w.Error != nil || (w.Flags|Compat)&MissingValues != 0 {
		return
	}
	doc := w.Buffer.AppendTo(make([]byte, 0, w.Size()+1))
	doc = append(doc[:len(doc)-n], c)
	at := len(doc) - 1
	_, err := jsonwire.Skip(doc, 0, jsonwire.MaxDepth)
	var fault *jsonwire.SyntaxError
	if !errors.As(err, &fault) || fault.Err != jsonwire.ErrCharacter {
		return
	}
	// In a list of which nothing was written the comma is already wrong.
	if fault.Offset == at || fault.Offset == at-1 && doc[at-1] == ',' {
		w.fail(ErrNoValue)
	}
}
