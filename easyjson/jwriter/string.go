package jwriter

import (
	"encoding/base64"

	"github.com/eddy-go/eddy/jsonwire"
)

// String appends s as a JSON string. Invalid UTF-8 becomes \ufffd; <, > and &
// are escaped unless NoEscapeHTML is set.
func (w *Writer) String(s string) {
	b := w.Buffer.Buf
	i := len(b)
	if cap(b)-i < len(s)+2+jsonwire.FormSlack {
		w.longString(s, 0)
		return
	}
	b = b[:cap(b)]
	b[i] = '"'
	i, done := jsonwire.Form(b, i+1, s, w.escape())
	if done < len(s) || i == len(b) {
		w.Buffer.Buf = w.Buffer.Buf[:i]
		w.longString(s[done:], 1)
		return
	}
	b[i] = '"'
	// Said like this, the length alone is stored, without a write barrier.
	w.Buffer.Buf = w.Buffer.Buf[:i+1]
}

// piece is how much of a long string is formed at a time.
const piece = 4 << 10

// longString appends what is left of a string, with its opening quote if
// quotes is 0, making room as it goes.
//
//go:noinline
func (w *Writer) longString(s string, quotes int) {
	if quotes == 0 {
		w.Buffer.AppendByte('"')
	}
	e := w.escape()
	for len(s) > 0 {
		if len(s) <= piece {
			w.Buffer.EnsureSpace(len(s) + 1 + jsonwire.FormSlack)
		} else {
			w.Buffer.EnsureSpace(jsonwire.FormSlack)
		}
		b := w.Buffer.Buf
		i, done := jsonwire.Form(b[:cap(b)], len(b), s, e)
		w.Buffer.Buf = b[:i]
		s = s[done:]
		if done == 0 {
			w.Buffer.EnsureSpace(piece)
		}
	}
	w.Buffer.AppendByte('"')
}

// Base64Bytes appends data to the buffer after base64 encoding it. A nil slice
// becomes null.
func (w *Writer) Base64Bytes(data []byte) {
	if data == nil {
		w.RawString("null")
		return
	}
	w.RawByte('"')
	for len(data) > 0 {
		n := min(len(data), piece/4*3)
		w.Buffer.EnsureSpace(base64.StdEncoding.EncodedLen(n))
		w.Buffer.Buf = base64.StdEncoding.AppendEncode(w.Buffer.Buf, data[:n])
		data = data[n:]
	}
	w.RawByte('"')
}
