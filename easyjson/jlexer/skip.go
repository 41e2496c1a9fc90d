package jlexer

import (
	"errors"
	"io"

	"github.com/eddy-go/eddy/jsonwire"
)

// Skip skips one token.
func (r *Lexer) Skip() {
	if r.is(TokenString) {
		r.checkEscapes()
	}
	r.drop()
}

// SkipRecursive skips one value: an array or object with all that is in it. What is skipped is checked as json.Valid
// would.
func (r *Lexer) SkipRecursive() {
	if r.CurrentToken() == TokenUndef {
		return
	}
	switch r.delim {
	case '{', '[':
		r.depth--
		end, err := jsonwire.Skip(r.Data, r.start, jsonwire.MaxDepth-int(r.depth))
		r.drop()
		r.pos = end
		if err != nil {
			r.errSkip(err, end)
		}
	case '}', ']':
		r.pos = r.start
		r.unexpected()
	default:
		if r.kind == TokenString {
			r.checkEscapes()
		}
		r.drop()
	}
}

// errSkip makes an error of jsonwire.Skip the fatal error, and the input read.
func (r *Lexer) errSkip(err error, at int) {
	reason := "skipped array/object json value is invalid"
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		reason = "EOF reached while skipping array/object or token"
	case errors.Is(err, jsonwire.ErrDepth):
		reason = reasonDepth
	}
	r.pos = len(r.Data)
	r.fail(&LexerError{Reason: reason, Offset: at, Data: extract(r.Data[at:], nearLen)})
}

// Raw skips one value as SkipRecursive does and returns it: a part of Data. It is nil after an error.
func (r *Lexer) Raw() []byte {
	r.SkipRecursive()
	if !r.Ok() {
		return nil
	}
	return r.Data[r.start:r.pos:r.pos]
}
