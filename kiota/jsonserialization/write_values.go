package jsonserialization

import (
	"encoding/base64"

	"github.com/google/uuid"

	"github.com/eddy-go/eddy/jsonwire"
)

// The methods of state write one value each. They return an error before they
// have written anything.

func (s *state) string(key, v string) {
	if len(v) > pieceSize {
		s.longString(key, v)
		return
	}
	b, i := s.start(key, len(v)+len(`""`)+jsonwire.FormSlack)
	b[i] = '"'
	i, done := jsonwire.Form(b, i+1, v, jsonwire.NoHTML)
	if done < len(v) || i == len(b) {
		s.n = i
		s.form(v[done:])
		b, i = s.reserve(1)
	}
	b[i] = '"'
	s.n = i + 1
}

func (s *state) longString(key, v string) {
	b, i := s.start(key, 1)
	b[i] = '"'
	s.n = i + 1
	s.form(v)
	b, i = s.reserve(1)
	b[i] = '"'
	s.n = i + 1
}

// plain writes a string without characters to escape.
func (s *state) plain(key, v string) {
	b, i := s.start(key, len(v)+len(`""`))
	b[i] = '"'
	i += 1 + copy(b[i+1:], v)
	b[i] = '"'
	s.n = i + 1
}

func (s *state) bool(key string, v bool) {
	b, i := s.start(key, len("false"))
	if v {
		i += copy(b[i:], "true")
	} else {
		i += copy(b[i:], "false")
	}
	s.n = i
}

func (s *state) null(key string) {
	b, i := s.start(key, len("null"))
	s.n = i + copy(b[i:], "null")
}

func (s *state) int(key string, v int64) {
	b, i := s.start(key, jsonwire.IntRoom)
	s.n = jsonwire.PutInt(b, i, v)
}

// uuidAt is where the digits of each byte of a UUID stand behind the quote.
var uuidAt = [16]uint8{1, 3, 5, 7, 10, 12, 15, 17, 20, 22, 25, 27, 29, 31, 33, 35}

func (s *state) uuid(key string, v *uuid.UUID) {
	const digits = "0123456789abcdef"
	const size = len(`"00000000-0000-0000-0000-000000000000"`)
	b, i := s.start(key, size)
	out := (*[size]byte)(b[i:])
	out[0], out[9], out[14], out[19], out[24], out[size-1] = '"', '-', '-', '-', '-', '"'
	for n, c := range v {
		at := uuidAt[n]
		out[at], out[at+1] = digits[c>>4], digits[c&15]
	}
	s.n = i + size
}

// bytes writes base64.
func (s *state) bytes(key string, v []byte) {
	const piece = pieceSize / 3 * 3 // no padding but at the end
	b, i := s.start(key, 1)
	b[i] = '"'
	s.n = i + 1
	for len(v) > 0 {
		n := min(len(v), piece)
		out, at := s.reserve(base64.StdEncoding.EncodedLen(n))
		base64.StdEncoding.Encode(out[at:], v[:n])
		s.n, v = at+base64.StdEncoding.EncodedLen(n), v[n:]
	}
	b, i = s.reserve(1)
	b[i] = '"'
	s.n = i + 1
}
