package easyjson

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/eddy-go/eddy"
	"github.com/eddy-go/eddy/easyjson/jlexer"
)

// Unmarshal reads the JSON text in data into v.
//
// data belongs to the caller, but what v keeps without a copy goes on to alias it: fields with the option nocopy, and
// whatever an UnmarshalEasyJSON, UnmarshalUnknown or UnmarshalJSON of the caller's own keeps of Raw, UnsafeString,
// UnsafeBytes or a key. data must then not be written to, or put into a pool, as long as v is in use.
//
// Strings are v's own. Short ones of one call share memory, up to 4 KiB a piece: see package jlexer.
//
// The function is small enough to be inlined: where the type of v is known, neither v nor the lexer escapes. Called with
// an Unmarshaler whose type is not known it allocates the lexer.
func Unmarshal(data []byte, v Unmarshaler) error {
	l := jlexer.Lexer{Data: data}
	v.UnmarshalEasyJSON(&l)
	return l.Error()
}

// UnmarshalFromReader reads all that r gives into v, as Unmarshal does.
//
// The bytes are read into pooled memory if their number is not known, and then copied to an allocation of exactly that
// number, which is v's: what v keeps without a copy keeps all of the input alive, and nothing else can write to it.
//
// An error of r, other than io.EOF, is returned as it is, and v is not touched then. A reader that gives neither bytes nor
// an error for long is io.ErrNoProgress; one that claims to have read more than it was asked for is an error too.
func UnmarshalFromReader(r io.Reader, v Unmarshaler) error {
	data, err := readAll(r)
	if err != nil {
		return err
	}
	return Unmarshal(data, v)
}

// readStart is the first size of the buffer for a reader of unknown length, and readStalls the number of reads in a row
// that may return nothing.
const (
	readStart  = 4096
	readStalls = 100
)

var errBadCount = errors.New("easyjson: reader returned an impossible count")

// readAll returns what is left in r, in an allocation of that size.
func readAll(r io.Reader) ([]byte, error) {
	switch r := r.(type) { // readers in memory, whose length is no promise but a fact
	case *bytes.Buffer:
		return readLen(r, r.Len())
	case *bytes.Reader:
		return readLen(r, r.Len())
	case *strings.Reader:
		return readLen(r, r.Len())
	}
	b := eddy.Get(readStart)[:0]
	for stalls := 0; ; {
		if len(b) == cap(b) {
			b = eddy.Grow(b, len(b))
		}
		n, err := r.Read(b[len(b):cap(b)])
		if n < 0 || n > cap(b)-len(b) {
			n, err = 0, errBadCount
		}
		b = b[:len(b)+n]
		if err == nil && n == 0 {
			if stalls++; stalls == readStalls {
				err = io.ErrNoProgress
			}
		} else {
			stalls = 0
		}
		if err == nil {
			continue
		}
		var data []byte
		if err == io.EOF {
			data, err = append(make([]byte, 0, len(b)), b...), nil
		}
		eddy.Put(b)
		return data, err
	}
}

// readLen reads the n bytes that r has.
func readLen(r io.Reader, n int) ([]byte, error) {
	data := make([]byte, n)
	_, err := io.ReadFull(r, data)
	return data, err
}
