package jlexer

import (
	"encoding/binary"
	"io"
	"math/bits"

	"github.com/eddy-go/eddy/jsonwire"
)

// numberForm says what mantissa and exp hold.
type numberForm uint8

const (
	otherNumber numberForm = iota // nothing: strconv has to read the digits
	integer                       // the value of an integer without sign
	negInteger                    // the value without its sign
	decimal                       // with exp, the value of a number with fraction or exponent
	negDecimal                    // the same without its sign
)

// FetchToken scans the next token. The other methods do it when they need one.
func (r *Lexer) FetchToken() {
	r.drop()
	r.next()
}

// next scans the next token where there is none. Without an error there is one afterwards.
func (r *Lexer) next() {
	if r.err != nil {
		return
	}
	data, p, sep := r.Data, r.pos, r.due
	// What is most frequent first: a separator and a string, without whitespace.
	if uint(p) < uint(len(data)) && sep != 0 && data[p] == sep {
		r.due = 0
		sep = 0
		p++
	}
	if uint(p) < uint(len(data)) && data[p] == '"' && sep == 0 {
		end := shortString(data, p)
		if end == 0 {
			r.scanString(data, p)
			return
		}
		r.kind = TokenString
		r.start = p
		r.valueStart = p + 1
		r.pos = end
		r.valueEnd = end - 1
		r.flags = 0
		return
	}
	for p < len(data) {
		c := data[p]
		if c <= ' ' && isSpace(c) {
			p++
			continue
		}
		if sep != 0 {
			if c == sep {
				sep = 0
				r.due = 0
				p++
				continue
			}
			if sep != ',' || c|0x20 != '}' { // } or ]
				r.unexpectedAt(p)
				return
			}
		}
		r.start = p
		if c-'0' <= 9 || c == '-' {
			r.scanNumber(data, p)
			return
		}
		switch c {
		case '"':
			r.scanString(data, p)
		case '{', '[':
			r.opened = true
			r.kind = TokenDelim
			r.delim = c
			r.pos = p + 1
			if r.depth++; r.depth > jsonwire.MaxDepth {
				r.broken(reasonDepth)
			}
		case '}', ']':
			if sep == 0 && !r.opened {
				r.unexpectedAt(p)
				return
			}
			r.due = 0
			r.kind = TokenDelim
			r.delim = c
			r.pos = p + 1
			r.depth--
		case 't':
			r.scanWord("true", TokenBool, true)
		case 'f':
			r.scanWord("false", TokenBool, false)
		case 'n':
			r.scanWord("null", TokenNull, false)
		default:
			r.unexpectedAt(p)
		}
		return
	}
	r.start, r.pos = p, p
	if p > len(data) {
		r.broken("Unexpected end of data")
		return
	}
	r.fail(io.EOF)
}

// scanString scans the string literal at p.
func (r *Lexer) scanString(data []byte, p int) {
	r.kind = TokenString
	r.start = p
	r.valueStart = p + 1
	end, flags := jsonwire.ScanString(data, p)
	r.pos = end
	r.valueEnd = end - 1
	r.flags = flags
	if flags&^jsonwire.Escaped != 0 {
		r.checkString()
	}
}

// shortString returns the offset behind the string literal at p if it is plain and not longer than seven bytes, as most
// names are, and zero if that is not so.
func shortString(data []byte, p int) int {
	if p > len(data)-9 {
		return 0
	}
	w := binary.LittleEndian.Uint64(data[p+1:])
	// As in jsonwire: marks the quote, the backslash, control characters, and what is outside of ASCII.
	m := (((w ^ 0x0202020202020202) - 0x2121212121212121) | ((w ^ 0x5C5C5C5C5C5C5C5C) - 0x0101010101010101) | w) &
		0x8080808080808080
	n := bits.TrailingZeros64(m) & 56 // 0 if there is no mark, and then the first byte is no quote either
	if byte(w>>n) != '"' {
		return 0
	}
	return p + 2 + n>>3
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// endsToken reports whether c can follow a number or a word.
func endsToken(c byte) bool { return enders[c] }

var enders = [256]bool{' ': true, '\t': true, '\r': true, '\n': true, '[': true, ']': true, '{': true, '}': true, ',': true, ':': true}

// scanWord scans word, whose first byte is at start.
func (r *Lexer) scanWord(word string, kind TokenKind, truth bool) {
	p := r.start
	end := p + len(word)
	if end > len(r.Data) || string(r.Data[p:end]) != word || end < len(r.Data) && !endsToken(r.Data[end]) {
		r.unexpectedAt(p)
		return
	}
	r.kind, r.truth, r.pos = kind, truth, end
}

// scanNumber scans the number at p. Integers of up to 18 digits, which cannot overflow, are read here.
func (r *Lexer) scanNumber(data []byte, p int) {
	r.valueStart = p
	form := integer
	if data[p] == '-' {
		form = negInteger
		p++
	}
	first, m := p, uint64(0)
	for p <= len(data)-8 {
		v, n := eightDigits(data, p)
		m = m*pow10[n] + v
		p += n
		if n < 8 || p-first > 18 {
			break
		}
	}
	for p < len(data) {
		d := data[p] - '0'
		if d > 9 {
			break
		}
		m = m*10 + uint64(d)
		p++
	}
	n := p - first
	if uint(n-1) >= 18 || data[first] == '0' && n > 1 || p < len(data) && !endsToken(data[p]) {
		r.scanOtherNumber()
		return
	}
	r.kind = TokenNumber
	r.pos = p
	r.valueEnd = p
	r.form = form
	r.mantissa = m
}

// eightDigits reads the digits, eight at most, at p, where there have to be eight bytes: their value and number.
func eightDigits(data []byte, p int) (v uint64, n int) {
	w := binary.LittleEndian.Uint64(data[p:]) ^ 0x3030303030303030 // 0 to 9 where there are digits
	other := (w&0x7F7F7F7F7F7F7F7F + 0x7676767676767676 | w) & 0x8080808080808080
	n = bits.TrailingZeros64(other) >> 3 // 8 if all are digits
	w <<= 64 - 8*n                       // leading zeros instead; a shift by 64 gives zero
	w = w*10 + w>>8                      // pairs, in every second byte
	w = (w&0x000000FF000000FF*(100+1000000<<32) + w>>16&0x000000FF000000FF*(1+10000<<32)) >> 32
	return w, n
}

var pow10 = [...]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8}

// scanOtherNumber scans any number.
func (r *Lexer) scanOtherNumber() {
	n, end, ok := jsonwire.ScanNumber(r.Data, r.start)
	switch {
	case !ok || end < len(r.Data) && !endsToken(r.Data[end]):
		if r.lenient() {
			end, ok = looseNumber(r.Data, r.start)
		} else {
			ok = false
		}
		if !ok {
			r.unexpectedAt(end)
			return
		}
		r.form = otherNumber
	case n.Digits > 19:
		r.form = otherNumber
	case n.Integer:
		r.form = integer
	default:
		r.form = decimal
	}
	if n.Neg && r.form != otherNumber {
		r.form++
	}
	r.kind = TokenNumber
	r.pos = end
	r.valueStart, r.valueEnd = r.start, end
	r.mantissa, r.exp = n.Mantissa, n.Exp
}

// checkString decides about a string literal that is more than escaped.
func (r *Lexer) checkString() {
	switch {
	case r.flags&jsonwire.Unterminated != 0:
		r.valueEnd = r.pos
		r.broken("unterminated string literal")
	case r.lenient():
		r.flags &= jsonwire.Escaped // bytes as they are
	case r.flags&jsonwire.RawControl != 0:
		p := r.valueStart
		for r.Data[p] >= ' ' {
			p++
		}
		r.pos = p
		r.broken(reasonControl)
	}
}
