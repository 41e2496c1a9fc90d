package jsonwire

import (
	"encoding/binary"
	"io"
	"math/bits"
)

// MaxDepth is the nesting of arrays and objects that encoding/json takes, and the usual limit for Skip.
const MaxDepth = 10000

// Skip checks the value at src[pos:], whitespace before it included, and returns the offset behind it. What it accepts
// is exactly what json.Valid accepts: the grammar of RFC 8259; bytes in strings need not be UTF-8. More than maxDepth
// open arrays and objects are refused. It does not recurse, and does not allocate up to 64 levels.
//
// The error is a [SyntaxError]; end is then its offset.
func Skip(src []byte, pos, maxDepth int) (end int, err error) {
	var (
		i     = pos
		depth = 0
		open  nesting
		c     byte
	)
value:
	for ; ; i++ {
		if i >= len(src) {
			return fail(len(src), io.ErrUnexpectedEOF)
		}
		if c = src[i]; c > ' ' || !isSpace(c) {
			break
		}
	}
	switch c {
	case '"':
		if end := shortString(src, i); end != 0 {
			i = end
		} else if i, err = skipString(src, i); err != nil {
			return i, err
		}
	case '{':
		if depth++; depth > maxDepth {
			return fail(i, ErrDepth)
		}
		open.push(depth, true)
		if i = SkipSpace(src, i+1); i < len(src) && src[i] == '}' {
			i++
			depth--
			goto closed
		}
		goto key
	case '[':
		if depth++; depth > maxDepth {
			return fail(i, ErrDepth)
		}
		open.push(depth, false)
		if i = SkipSpace(src, i+1); i < len(src) && src[i] == ']' {
			i++
			depth--
			goto closed
		}
		goto value
	case 't':
		if i, err = skipWord(src, i, "true"); err != nil {
			return i, err
		}
	case 'f':
		if i, err = skipWord(src, i, "false"); err != nil {
			return i, err
		}
	case 'n':
		if i, err = skipWord(src, i, "null"); err != nil {
			return i, err
		}
	default:
		if c != '-' && c-'0' > 9 {
			return fail(i, ErrCharacter)
		}
		var ok bool
		if i, ok = skipNumber(src, i); !ok {
			if i == len(src) {
				return fail(i, io.ErrUnexpectedEOF)
			}
			return fail(i, ErrNumber)
		}
	}

closed:
	if depth == 0 {
		return i, nil
	}
	for ; ; i++ {
		if i >= len(src) {
			return fail(len(src), io.ErrUnexpectedEOF)
		}
		if c = src[i]; c > ' ' || !isSpace(c) {
			break
		}
	}
	if open.object(depth) {
		switch c {
		case ',':
			i++
			goto key
		case '}':
			i++
			depth--
			goto closed
		}
	} else {
		switch c {
		case ',':
			i++
			goto value
		case ']':
			i++
			depth--
			goto closed
		}
	}
	return fail(i, ErrCharacter)

key:
	for ; ; i++ {
		if i >= len(src) {
			return fail(len(src), io.ErrUnexpectedEOF)
		}
		if c = src[i]; c > ' ' || !isSpace(c) {
			break
		}
	}
	if c != '"' {
		return fail(i, ErrCharacter)
	}
	if end := shortString(src, i); end != 0 {
		i = end
	} else if i, err = skipString(src, i); err != nil {
		return i, err
	}
	for ; ; i++ {
		if i >= len(src) {
			return fail(len(src), io.ErrUnexpectedEOF)
		}
		if c = src[i]; c > ' ' || !isSpace(c) {
			break
		}
	}
	if c != ':' {
		return fail(i, ErrCharacter)
	}
	i++
	goto value
}

func fail(at int, what error) (int, error) { return at, &SyntaxError{at, what} }

// nesting remembers which open levels are objects, a bit each: the first 64 in place.
type nesting struct {
	low  uint64
	high []uint64
}

func (s *nesting) push(depth int, object bool) {
	p := &s.low
	if depth > 64 {
		n := (depth - 1) >> 6
		if n > len(s.high) {
			s.high = append(s.high, 0)
		}
		p = &s.high[n-1]
	}
	bit := uint64(1) << ((depth - 1) & 63)
	if object {
		*p |= bit
	} else {
		*p &^= bit
	}
}

func (s *nesting) object(depth int) bool {
	w := s.low
	if depth > 64 {
		w = s.high[(depth-1)>>6-1]
	}
	return w>>((depth-1)&63)&1 != 0
}

// shortString returns the offset behind the literal whose opening quote is src[i] if it has no escapes and not more than
// seven bytes, as most names have; otherwise zero.
func shortString(src []byte, i int) int {
	if i > len(src)-9 {
		return 0
	}
	w := binary.LittleEndian.Uint64(src[i+1:])
	m := (((w ^ 0x02*each01) - 0x21*each01) | ((w ^ '\\'*each01) - each01)) &^ w & each80
	n := bits.TrailingZeros64(m) & 56 // 0 if there is no mark, and then the first byte is no quote either
	if byte(w>>n) != '"' {
		return 0
	}
	return i + 2 + n>>3
}

// skipString checks the literal whose opening quote is src[i]: its escapes as well, not its UTF-8.
func skipString(src []byte, i int) (int, error) {
	i++
	for {
		var c byte
		if i <= len(src)-8 {
			w := binary.LittleEndian.Uint64(src[i:])
			m := (((w ^ 0x02*each01) - 0x21*each01) | ((w ^ '\\'*each01) - each01)) &^ w & each80
			if m == 0 {
				i += 8
				continue
			}
			n := bits.TrailingZeros64(m) & 56
			i += n >> 3
			c = byte(w >> n)
		} else {
			if i >= len(src) {
				return fail(len(src), io.ErrUnexpectedEOF)
			}
			if c = src[i]; c >= ' ' && c != '"' && c != '\\' {
				i++
				continue
			}
		}
		switch {
		case c == '"':
			return i + 1, nil
		case c < ' ':
			return fail(i, ErrControl)
		case i+1 >= len(src):
			return fail(len(src), io.ErrUnexpectedEOF)
		}
		switch c = unescapes[src[i+1]]; {
		case c == 0:
			return fail(i, ErrEscape)
		case c != 'u':
			i += 2
		case hex4(src, i+2) < 0:
			return fail(i, ErrUnicodeEscape)
		default:
			i += 6
		}
	}
}

// skipWord checks that word stands at src[i:].
func skipWord(src []byte, i int, word string) (int, error) {
	if len(src)-i >= len(word) && string(src[i:i+len(word)]) == word {
		return i + len(word), nil
	}
	for n := range len(word) {
		if i+n >= len(src) {
			return fail(len(src), io.ErrUnexpectedEOF)
		}
		if src[i+n] != word[n] {
			return fail(i+n, ErrLiteral)
		}
	}
	return i + len(word), nil
}

// skipNumber is ScanNumber without the value.
func skipNumber(src []byte, i int) (end int, ok bool) {
	if src[i] == '-' {
		i++
	}
	first := i
	for i < len(src) && src[i]-'0' <= 9 {
		i++
	}
	switch {
	case i == first:
		return i, false
	case src[first] == '0' && i > first+1:
		return first + 1, false
	case i >= len(src):
		return i, true
	}
	if src[i] == '.' {
		i++
		first = i
		for i < len(src) && src[i]-'0' <= 9 {
			i++
		}
		if i == first {
			return i, false
		}
	}
	if i < len(src) && src[i]|0x20 == 'e' {
		i++
		if i < len(src) && (src[i] == '+' || src[i] == '-') {
			i++
		}
		first = i
		for i < len(src) && src[i]-'0' <= 9 {
			i++
		}
		if i == first {
			return i, false
		}
	}
	return i, true
}
