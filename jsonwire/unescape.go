package jsonwire

import (
	"encoding/binary"
	"io"
	"math/bits"
	"unicode/utf8"
)

// AppendUnescaped appends the value of a string literal to dst. body is what stands between its quotes and flags what
// ScanString said of it. Escapes are replaced; an unpaired surrogate becomes U+FFFD, and so does, if flags has
// InvalidUTF8, each byte that is not UTF-8: all of it as encoding/json reads. Without InvalidUTF8 other bytes are
// copied as they are, and the value is never longer than body; with it, at most three times as long.
//
// The error is a [SyntaxError] with the offset in body; dst is then returned as it was. dst must not overlap body.
func AppendUnescaped(dst, body []byte, flags StringFlags) ([]byte, error) {
	if flags&InvalidUTF8 != 0 {
		return appendRepaired(dst, body)
	}
	start := len(dst)
	for i := 0; ; {
		n := indexBackslash(body, i)
		dst = append(dst, body[i:n]...)
		if n == len(body) {
			return dst, nil
		}
		var err error
		if dst, i, err = appendEscape(dst, body, n); err != nil {
			return dst[:start], err
		}
	}
}

// appendRepaired is AppendUnescaped for bodies with invalid UTF-8. What needs no change is copied run by run.
func appendRepaired(dst, body []byte) ([]byte, error) {
	length := len(dst)
	for i, run := 0, 0; ; {
		i = indexNotPlain(body, i)
		if i == len(body) {
			return append(dst, body[run:]...), nil
		}
		if body[i] != '\\' {
			r, n := utf8.DecodeRune(body[i:])
			if r == utf8.RuneError && n == 1 {
				dst = append(append(dst, body[run:i]...), "\uFFFD"...)
				run = i + 1
			}
			i += n
			continue
		}
		var err error
		if dst, i, err = appendEscape(append(dst, body[run:i]...), body, i); err != nil {
			return dst[:length], err
		}
		run = i
	}
}

// appendEscape appends what the escape at body[i] stands for and returns the offset behind it.
func appendEscape(dst, body []byte, i int) ([]byte, int, error) {
	if i+1 >= len(body) {
		return dst, i, &SyntaxError{i, io.ErrUnexpectedEOF}
	}
	c := unescapes[body[i+1]]
	if c == 0 {
		return dst, i, &SyntaxError{i, ErrEscape}
	}
	if c != 'u' {
		return append(dst, c), i + 2, nil
	}
	r := hex4(body, i+2)
	if r < 0 {
		return dst, i, &SyntaxError{i, ErrUnicodeEscape}
	}
	i += 6
	if r&^0x7FF == 0xD800 { // a surrogate
		low := rune(-1)
		if r < 0xDC00 && i+6 <= len(body) && body[i] == '\\' && body[i+1] == 'u' {
			low = hex4(body, i+2)
		}
		if low&^0x3FF == 0xDC00 {
			r = (r-0xD800)<<10 + (low - 0xDC00) + 0x10000
			i += 6
		} else {
			r = utf8.RuneError
		}
	}
	return utf8.AppendRune(dst, r), i, nil
}

// CheckEscapes reports, as a [SyntaxError] with the offset in body, the first escape in body that is not one of
// RFC 8259, section 7. It is for callers that keep a literal as it stands.
func CheckEscapes(body []byte) error {
	for i := indexBackslash(body, 0); i < len(body); i = indexBackslash(body, i) {
		switch {
		case i+1 == len(body):
			return &SyntaxError{i, io.ErrUnexpectedEOF}
		case unescapes[body[i+1]] == 0:
			return &SyntaxError{i, ErrEscape}
		case body[i+1] != 'u':
			i += 2
		case hex4(body, i+2) < 0:
			return &SyntaxError{i, ErrUnicodeEscape}
		default:
			i += 6
		}
	}
	return nil
}

// unescapes maps the byte behind a backslash to the byte meant; u stands for itself.
var unescapes = [256]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'u': 'u',
}

// hex4 reads the four hexadecimal digits at b[i:]; -1 if they are not there.
func hex4(b []byte, i int) rune {
	if i+4 > len(b) {
		return -1
	}
	b = b[i : i+4]
	v := rune(hexDigits[b[0]])<<12 | rune(hexDigits[b[1]])<<8 | rune(hexDigits[b[2]])<<4 | rune(hexDigits[b[3]])
	if v < 0 {
		return -1
	}
	return v
}

// hexDigits gives a digit's value and -1 elsewhere, which stays negative through hex4's shifts.
var hexDigits = func() (t [256]int8) {
	for i := range t {
		t[i] = -1
	}
	for i := range int8(10) {
		t['0'+i] = i
	}
	for i := range int8(6) {
		t['a'+i], t['A'+i] = 10+i, 10+i
	}
	return t
}()

// indexBackslash returns the offset of the first backslash from i on, or len(b).
func indexBackslash(b []byte, i int) int {
	for i <= len(b)-8 {
		x := binary.LittleEndian.Uint64(b[i:]) ^ '\\'*each01
		if m := (x - each01) &^ x & each80; m != 0 {
			return i + bits.TrailingZeros64(m)>>3
		}
		i += 8
	}
	for i < len(b) && b[i] != '\\' {
		i++
	}
	return i
}

// indexNotPlain returns the offset of the first backslash, or byte outside of ASCII, from i on, or len(b).
func indexNotPlain(b []byte, i int) int {
	for i <= len(b)-8 {
		w := binary.LittleEndian.Uint64(b[i:])
		if m := (((w ^ '\\'*each01) - each01) | w) & each80; m != 0 {
			return i + bits.TrailingZeros64(m)>>3
		}
		i += 8
	}
	for i < len(b) && b[i] != '\\' && b[i] < utf8.RuneSelf {
		i++
	}
	return i
}
