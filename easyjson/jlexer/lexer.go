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
// one document, is not larger than 4 KiB nor than about twice what the document had of such strings so far, and lives
// until its last string dies: so a small string that outlives its document keeps at most 4 KiB.
//
// A Lexer belongs to one goroutine at a time. It may be copied, to try one way of reading and then another.
package jlexer

import (
	"io"

	"github.com/eddy-go/eddy/jsonwire"
)

// TokenKind determines type of a token.
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

// Lexer iterates over the tokens of a JSON text. It is ready when Data is set; see the package comment for what it
// accepts and who owns what it returns.
//
// The first fatal error stays: later calls return zero values, Ok is false, and Error says what it was.
type Lexer struct {
	Data []byte // the text; not written to

	// UseMultipleErrors makes values of the wrong type no fatal errors: they are skipped, and collected for
	// GetNonFatalErrors.
	UseMultipleErrors bool

	firstElement bool // an array or object was just opened
	wantSep      byte // a comma or a colon that has to come before the next token

	kind  TokenKind // of the current token
	delim byte      // the current token's byte if it is a delimiter, otherwise zero
	truth bool      // the current token's value if it is a Bool
	flags jsonwire.StringFlags

	start int // of the current token
	pos   int // behind the current token
	depth int // open arrays and objects

	// valueStart and valueEnd bound the bytes of the last string or number token. They outlive the token, for errors.
	valueStart, valueEnd int
	number               jsonwire.Number // of the last number token

	fatalError     error
	multipleErrors []*LexerError

	hold hold // memory for strings
}

// FetchToken scans the next token. The other methods do it when they need one.
func (r *Lexer) FetchToken() {
	r.kind = TokenUndef
	r.delim = 0
	data, p, sep := r.Data, r.pos, r.wantSep
	for p < len(data) {
		c := data[p]
		if c <= ' ' && isSpace(c) {
			p++
			continue
		}
		if sep != 0 {
			if c == sep {
				sep = 0
				r.wantSep = 0
				p++
				continue
			}
			if sep != ',' || c|0x20 != '}' { // } or ]
				r.errSyntaxAt(p)
				return
			}
		}
		r.start = p
		switch c {
		case '"':
			end, flags := jsonwire.ScanString(data, p)
			r.kind = TokenString
			r.pos = end
			r.valueStart, r.valueEnd = p+1, end-1
			r.flags = flags
			if flags&^jsonwire.Escaped != 0 {
				r.checkString()
			}
		case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '-':
			r.fetchNumber()
		case '{', '[':
			r.firstElement = true
			r.kind = TokenDelim
			r.delim = c
			r.pos = p + 1
			if r.depth++; r.depth > jsonwire.MaxDepth {
				r.errParse(reasonDepth)
			}
		case '}', ']':
			if sep == 0 && !r.firstElement {
				r.errSyntaxAt(p)
				return
			}
			r.wantSep = 0
			r.kind = TokenDelim
			r.delim = c
			r.pos = p + 1
			r.depth--
		case 't':
			r.fetchWord("true", TokenBool, true)
		case 'f':
			r.fetchWord("false", TokenBool, false)
		case 'n':
			r.fetchWord("null", TokenNull, false)
		default:
			r.errSyntaxAt(p)
		}
		return
	}
	r.start, r.pos = p, p
	if p > len(data) {
		r.errParse("Unexpected end of data")
		return
	}
	r.fatalError = io.EOF
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// isTokenEnd reports whether c can follow a number or a word.
func isTokenEnd(c byte) bool {
	switch c {
	case ' ', '\t', '\r', '\n', '[', ']', '{', '}', ',', ':':
		return true
	}
	return false
}

// fetchWord scans word, whose first byte is at start.
func (r *Lexer) fetchWord(word string, kind TokenKind, truth bool) {
	p := r.start
	end := p + len(word)
	if end > len(r.Data) || string(r.Data[p:end]) != word || end < len(r.Data) && !isTokenEnd(r.Data[end]) {
		r.errSyntaxAt(p)
		return
	}
	r.kind, r.truth, r.pos = kind, truth, end
}

// fetchNumber scans the number at start.
func (r *Lexer) fetchNumber() {
	n, end, ok := jsonwire.ScanNumber(r.Data, r.start)
	if !ok || end < len(r.Data) && !isTokenEnd(r.Data[end]) {
		if !r.lenient() {
			r.errSyntaxAt(end)
			return
		}
		if end, ok = looseNumber(r.Data, r.start); !ok {
			r.errSyntaxAt(end)
			return
		}
		n = jsonwire.Number{Digits: looseDigits}
	}
	r.kind = TokenNumber
	r.pos = end
	r.valueStart, r.valueEnd = r.start, end
	r.number = n
}

// checkString decides about a string literal that is more than escaped.
func (r *Lexer) checkString() {
	switch {
	case r.flags&jsonwire.Unterminated != 0:
		r.valueEnd = r.pos
		r.errParse("unterminated string literal")
	case r.lenient():
		r.flags &= jsonwire.Escaped // bytes as they are
	case r.flags&jsonwire.RawControl != 0:
		p := r.valueStart
		for r.Data[p] >= ' ' {
			p++
		}
		r.pos = p
		r.errParse(reasonControl)
	}
}

// consume gives the current token up, so that the next one is scanned.
func (r *Lexer) consume() {
	r.kind = TokenUndef
	r.delim = 0
}

// peek makes sure that there is a current token, if there was no error.
func (r *Lexer) peek() {
	if r.kind == TokenUndef && r.fatalError == nil {
		r.FetchToken()
	}
}

// is reports whether the current token is of the kind k.
func (r *Lexer) is(k TokenKind) bool {
	if r.kind == TokenUndef && r.fatalError == nil {
		r.FetchToken()
	}
	return r.kind == k && r.fatalError == nil
}

// Ok reports whether there was no fatal error, the end of the input included, so far.
func (r *Lexer) Ok() bool {
	return r.fatalError == nil
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
	r.peek()
	if !r.Ok() {
		return TokenUndef
	}
	return r.kind
}

// Delim takes the delimiter c; anything else is an error.
func (r *Lexer) Delim(c byte) {
	r.peek()
	if !r.Ok() || r.delim != c {
		r.errInvalidToken(string([]byte{c}))
		return
	}
	r.consume()
}

// IsDelim reports whether the next token is the delimiter c. After an error it is true, so that loops end.
func (r *Lexer) IsDelim(c byte) bool {
	r.peek()
	return !r.Ok() || r.delim == c
}

// Null takes a null; anything else is an error.
func (r *Lexer) Null() {
	if !r.is(TokenNull) {
		r.errInvalidToken("null")
	}
	r.consume()
}

// IsNull reports whether the next token is null.
func (r *Lexer) IsNull() bool {
	return r.is(TokenNull)
}

// WantComma makes a comma necessary before the next token that is not a closing delimiter.
func (r *Lexer) WantComma() {
	r.wantSep = ','
	r.firstElement = false
}

// WantColon makes a colon necessary before the next token.
func (r *Lexer) WantColon() {
	r.wantSep = ':'
	r.firstElement = false
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
			Data:   extract(r.Data[p:], trailingContext),
		})
	}
}
