// Package jlexer reads JSON for the code that easyjson's generator writes: the API of
// github.com/mailru/easyjson/jlexer, on package jsonwire.
//
// # What it accepts
//
// By default the lexer takes what encoding/json takes: no raw control characters in strings, numbers by the grammar of
// RFC 8259, at most 10,000 open arrays and objects; bytes in strings that are not UTF-8 are read as U+FFFD.
// [SetLenient] turns the strictness that easyjson never had off again, for programs that read from a sender which
// cannot be corrected.
//
// The …Str methods (numbers in strings, also the keys of maps) take what package strconv takes: that is easyjson's and,
// for the keys of maps, encoding/json's way. So "+5" and, for floats, "Inf" are accepted.
//
// # Ownership
//
// UnsafeString, UnsafeBytes, UnsafeFieldName and Raw return parts of Data, without a copy: they are valid as long as
// Data is not written to, and keep it alive. All other values are the caller's own.
//
// Strings of up to 512 bytes are cut from chunks, one allocation for many of them. A chunk belongs to one lexer and so to
// one document, lives until its last string dies, and is not larger than 4 KiB, nor than the rest of the document: so a
// small string that outlives its document keeps at most 4 KiB. Who keeps few strings of many documents clones them
// (strings.Clone), as one does with parts of any string.
//
// A Lexer belongs to one goroutine at a time. It may be copied, to try one way of reading and then another.
package jlexer

import "github.com/eddy-go/eddy/jsonwire"

// TokenKind says what a token is: see [Lexer.CurrentToken].
type TokenKind byte

// The kinds of tokens.
const (
	TokenUndef  TokenKind = iota // no token
	TokenDelim                   // one of { } [ ]
	TokenString                  // a string literal
	TokenNumber                  // a number literal
	TokenBool                    // true or false
	TokenNull                    // null
)

// Lexer reads a JSON text token by token. It is ready when Data is set; see the package comment for what it
// accepts and who owns what it returns.
//
// The first fatal error stays: later calls return zero values, Ok is false, and Error says what it was.
type Lexer struct {
	Data []byte // the text; not written to

	// UseMultipleErrors makes values of the wrong type no fatal errors: they are skipped, and collected for
	// GetNonFatalErrors.
	UseMultipleErrors bool

	opened bool // an array or object was just opened
	due    byte // a comma or a colon that has to come before the next token

	// The current token. There is none after a fatal error.
	kind  TokenKind
	delim byte // its byte if it is a delimiter, otherwise zero
	truth bool // its value if it is a Bool
	flags jsonwire.StringFlags
	form  numberForm // see mantissa

	start int // of the current token
	pos   int // behind the current token

	// valueStart and valueEnd bound the bytes of the last string or number token. They outlive the token, for errors.
	valueStart, valueEnd int

	// The last number token, as jsonwire.Number has it. Field by field: loading together what was just stored apart
	// makes a processor wait.
	mantissa uint64
	exp      int32

	depth int32 // open arrays and objects

	err       error         // the fatal error
	collected []*LexerError // those of UseMultipleErrors

	hold hold // memory for strings
}

// drop gives the current token up, so that the next one is scanned.
func (r *Lexer) drop() {
	r.kind = TokenUndef
	r.delim = 0
}

// is reports whether the current token is of the kind k.
func (r *Lexer) is(k TokenKind) bool {
	if r.kind == TokenUndef {
		r.next()
	}
	return r.kind == k
}

// Ok reports whether there was no fatal error, the end of the input included, so far.
func (r *Lexer) Ok() bool {
	return r.err == nil
}

// GetPos returns the offset behind the current token, if there is one, or behind the last.
func (r *Lexer) GetPos() int {
	return r.pos
}

// IsStart reports whether nothing was read yet.
func (r *Lexer) IsStart() bool {
	return r.pos == 0
}

// CurrentToken returns the kind of the current token, TokenUndef after an error.
func (r *Lexer) CurrentToken() TokenKind {
	if r.kind == TokenUndef {
		r.next()
	}
	return r.kind
}

// Delim takes the delimiter c; anything else is an error.
func (r *Lexer) Delim(c byte) {
	if !r.isDelim(c) {
		r.mismatch(string([]byte{c}))
		return
	}
	r.drop()
}

func (r *Lexer) isDelim(c byte) bool {
	if r.kind == TokenUndef {
		r.next()
	}
	return r.delim == c
}

// IsDelim reports whether the next token is the delimiter c. After an error it is true, so that loops end.
func (r *Lexer) IsDelim(c byte) bool {
	if r.kind == TokenUndef {
		r.next()
	}
	return r.delim == c || r.err != nil
}

// Null takes a null; anything else is an error.
func (r *Lexer) Null() {
	if !r.is(TokenNull) {
		r.mismatch("null")
		return
	}
	r.drop()
}

// IsNull reports whether the next token is null.
func (r *Lexer) IsNull() bool {
	if r.kind == TokenUndef {
		r.next()
	}
	return r.kind == TokenNull
}

// WantComma makes a comma necessary before the next token that is not a closing delimiter.
func (r *Lexer) WantComma() {
	r.due = ','
	r.opened = false
}

// WantColon makes a colon necessary before the next token.
func (r *Lexer) WantColon() {
	r.due = ':'
	r.opened = false
}

// Consumed makes anything but whitespace behind the last token an error.
func (r *Lexer) Consumed() {
	if r.pos > len(r.Data) || !r.Ok() {
		return
	}
	p := jsonwire.SkipSpace(r.Data, r.pos)
	r.start += p - r.pos
	r.pos = p
	if p < len(r.Data) {
		r.AddError(&LexerError{
			Reason: "invalid character '" + string(rune(r.Data[p])) + "' after top-level value",
			Offset: p,
			Data:   extract(r.Data[p:], wideLen),
		})
	}
}
