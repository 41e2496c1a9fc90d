package jlexer

import (
	"encoding/base64"
	"errors"
	"io"

	"github.com/eddy-go/eddy/jsonwire"
)

// raw returns the bytes between the quotes of the last string token.
func (r *Lexer) raw() []byte {
	return r.Data[r.valueStart:r.valueEnd:r.valueEnd]
}

// plain reports whether the value of the string token is its bytes.
func (r *Lexer) plain() bool {
	return r.flags&(jsonwire.Escaped|jsonwire.InvalidUTF8) == 0
}

// unescaped returns the value of a string token that is not plain, in memory of its own that is not written to again.
func (r *Lexer) unescaped() ([]byte, bool) {
	b := r.raw()
	if len(b) <= maxHeld && r.flags&jsonwire.InvalidUTF8 == 0 {
		v, err := jsonwire.AppendUnescaped(r.reserve(len(b))[:0], b, r.flags)
		if err != nil {
			r.errEscape(err)
			return nil, false
		}
		return r.keep(len(v)), true
	}
	v, err := jsonwire.AppendUnescaped(make([]byte, 0, len(b)), b, r.flags)
	if err != nil {
		r.errEscape(err)
		return nil, false
	}
	if cap(v)-len(v) > cap(v)/8 {
		v = append([]byte(nil), v...) // escapes were dense: give the rest back
	}
	return v, true
}

// errEscape makes an error of AppendUnescaped or CheckEscapes the fatal error.
func (r *Lexer) errEscape(err error) {
	switch {
	case errors.Is(err, jsonwire.ErrUnicodeEscape):
		r.broken("incorrectly escaped \\uXXXX sequence")
	case errors.Is(err, io.ErrUnexpectedEOF):
		r.broken("incorrect escape symbol \\ at the end of token")
	default:
		r.broken("incorrectly escaped bytes")
	}
}

// checkEscapes checks the escapes of a string token that nobody reads.
func (r *Lexer) checkEscapes() {
	if r.flags&jsonwire.Escaped != 0 {
		if err := jsonwire.CheckEscapes(r.raw()); err != nil {
			r.errEscape(err)
		}
	}
}

// String reads a string. It is the caller's own.
func (r *Lexer) String() string {
	if !r.is(TokenString) {
		r.mismatch("string")
		return ""
	}
	if r.plain() {
		r.drop()
		return r.held(r.raw())
	}
	b, _ := r.unescaped()
	r.drop()
	return stringOf(b)
}

// StringIntern reads a string that is likely to come again. The same value is mostly returned with the same memory,
// without an allocation, across documents: the process keeps up to 2,048 strings of up to 64 bytes each for that.
func (r *Lexer) StringIntern() string {
	if !r.is(TokenString) {
		r.mismatch("string")
		return ""
	}
	b := r.raw()
	if !r.plain() {
		b, _ = r.unescaped()
	}
	r.drop()
	return intern(b)
}

// unsafeBytes reads a string as part of Data, or in memory of its own where its value is not its bytes.
func (r *Lexer) unsafeBytes() (b []byte, ok bool) {
	if !r.is(TokenString) {
		r.mismatch("string")
		return nil, false
	}
	b, ok = r.raw(), true
	if !r.plain() {
		b, ok = r.unescaped()
	}
	r.drop()
	return b, ok
}

// UnsafeString reads a string that is valid as long as Data is: it can be a part of it. It is meant for the argument of
// a switch statement.
func (r *Lexer) UnsafeString() string {
	b, _ := r.unsafeBytes()
	return stringOf(b)
}

// UnsafeBytes reads a string as bytes that are valid as long as Data is: they can be a part of it and must not be
// written to.
func (r *Lexer) UnsafeBytes() []byte {
	b, _ := r.unsafeBytes()
	return b
}

// UnsafeFieldName reads a string as UnsafeString does, or, if skipUnescape is set, as it stands in the input.
func (r *Lexer) UnsafeFieldName(skipUnescape bool) string {
	if r.kind == TokenString && r.flags == 0 {
		r.drop()
		return stringOf(r.Data[r.valueStart:r.valueEnd])
	}
	return r.fieldName(skipUnescape)
}

func (r *Lexer) fieldName(skipUnescape bool) string {
	if !skipUnescape {
		return r.UnsafeString()
	}
	if !r.is(TokenString) {
		r.mismatch("string")
		return ""
	}
	r.checkEscapes()
	if !r.Ok() {
		return ""
	}
	r.drop()
	return stringOf(r.raw())
}

// Bytes reads a string of standard base64 and returns what it encodes, in memory of its own.
func (r *Lexer) Bytes() []byte {
	b, ok := r.unsafeBytes()
	if !ok {
		return nil
	}
	ret := make([]byte, base64.StdEncoding.DecodedLen(len(b)))
	n, err := base64.StdEncoding.Decode(ret, b)
	if err != nil {
		r.fail(&LexerError{Reason: err.Error(), Offset: r.start})
		return nil
	}
	return ret[:n]
}
