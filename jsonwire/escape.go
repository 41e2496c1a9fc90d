package jsonwire

import "unicode/utf8"

// Escape chooses what is escaped in a string beyond what JSON demands. The
// zero value is what json.Marshal does.
type Escape uint8

const (
	// NoHTML leaves <, > and & as they are, like
	// json.Encoder.SetEscapeHTML(false).
	NoHTML Escape = 1 << iota

	// LongControls writes U+0008 and U+000C as \u0008 and \u000c, where
	// encoding/json writes \b and \f.
	LongControls
)

// FormSlack is the room that [Form] needs beyond the length of its string to
// make progress whatever the string holds.
const FormSlack = 16

// StringRoom returns the room in bytes that a string of n bytes can need when
// it is formed with its quotes: each byte may become six.
func StringRoom(n int) int { return 6*n + 2 + FormSlack }

// A formTable is what forming looks up for one Escape.
type formTable struct {
	blocks  blockConstants
	escapes [utf8.RuneSelf]uint64
}

var formTables = func() (t [4]formTable) {
	for e := range t {
		t[e] = formTable{newBlockConstants(Escape(e)), escapeTable(Escape(e))}
	}
	return t
}()

// escapeTable returns what each ASCII character is escaped to: the text in the
// low 6 bytes and its length in the highest. Zero stands for a character that
// is not escaped.
func escapeTable(e Escape) (t [utf8.RuneSelf]uint64) {
	const hex = "0123456789abcdef"
	entry := func(text string) (x uint64) {
		for i := len(text) - 1; i >= 0; i-- {
			x = x<<8 | uint64(text[i])
		}
		return x | uint64(len(text))<<56
	}
	long := func(c byte) { t[c] = entry(`\u00` + hex[c>>4:c>>4+1] + hex[c&15:c&15+1]) }
	for c := range byte(' ') {
		long(c)
	}
	t['"'] = entry(`\"`)
	t['\\'] = entry(`\\`)
	t['\n'] = entry(`\n`)
	t['\r'] = entry(`\r`)
	t['\t'] = entry(`\t`)
	if e&LongControls == 0 {
		t['\b'] = entry(`\b`)
		t['\f'] = entry(`\f`)
	}
	if e&NoHTML == 0 {
		long('<')
		long('>')
		long('&')
	}
	return t
}

// What is escaped beyond ASCII, in the form of the tables.
const (
	escapedInvalid = 6<<56 | '\\' | 'u'<<8 | 'f'<<16 | 'f'<<24 | 'f'<<32 | 'd'<<40
	escapedLine    = 6<<56 | '\\' | 'u'<<8 | '2'<<16 | '0'<<24 | '2'<<32 | '8'<<40
)

const (
	wordSize  = 8 // what Form stores at once, whatever it has to
	maxEscape = 6 // bytes of the longest escape

	each01 = 0x0101010101010101
	each80 = 0x8080808080808080
)

// specialsJSON marks, by the high bit of its byte, the first byte of x that
// cannot be copied as it is: a control character, a quote, a backslash, or a
// part of a multibyte character. Bytes above the first may be marked wrongly,
// since subtraction borrows from them.
func specialsJSON(x uint64) uint64 {
	return (x | (x - ' '*each01) | (x ^ '"'*each01 - each01) | (x ^ '\\'*each01 - each01)) & each80
}

// specialsHTML is specialsJSON that marks <, > and & as well, and also ^, |
// and ~, which the tables tell apart: '"' and '&' differ in one bit, '<', '>'
// and '\\' in three, as do the three that are marked wrongly.
func specialsHTML(x uint64) uint64 {
	return (x | (x - ' '*each01) | ((x | 0x04*each01) ^ '&'*each01 - each01) | ((x | 0x62*each01) ^ '~'*each01 - each01)) & each80
}

// specials is the one of the two that e asks for.
func specials(x uint64, e Escape) uint64 {
	if e&NoHTML != 0 {
		return specialsJSON(x)
	}
	return specialsHTML(x)
}

// formTight is Form where there is no room for s as it is. It forms pieces that
// surely fit.
//
//go:noinline
func formTight(b []byte, i int, s string, e Escape) (int, int) {
	if i < 0 {
		panic("jsonwire: Form at a negative index")
	}
	done := 0
	for done < len(s) {
		rest := s[done:]
		room := len(b) - i - wordSize
		if room < len(rest) {
			if room <= 0 {
				break
			}
			rest = rest[:prefix(rest, room)]
		}
		var n int
		i, n = Form(b, i, rest, e)
		if n == 0 {
			// No room for an escape in front of all of rest; is there
			// for it alone?
			if len(b)-i < maxEscape+wordSize {
				break
			}
			_, size := utf8.DecodeRuneInString(s[done:])
			i, n = Form(b, i, s[done:done+size], e)
		}
		done += n
	}
	return i, done
}

// prefix returns the length of the longest prefix of s that has at most
// n < len(s) bytes and does not end inside a character.
func prefix(s string, n int) int {
	for back := 0; back < utf8.UTFMax && n-back >= 0; back++ {
		if utf8.RuneStart(s[n-back]) {
			return n - back
		}
	}
	return n // in the midst of stray continuation bytes
}
