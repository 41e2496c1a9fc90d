package jsonwire

import "math/bits"

// form is Form for a string that fits unescaped: i >= 0 and len(b)-i must be
// at least len(s)+wordSize. It stops early, in front of a character that is to
// be escaped, if the escape would take the room of the rest of s.
//
// Scan and copy are one pass: a word is loaded, stored whole, and then looked
// at. Of the stored bytes those in front of the first special one count, and
// what is formed next overwrites the others.
//
// Bounds: at every load, r < n and the word lies in s[:n] (see tailWord); at
// every store, len(b)-i >= n-r+wordSize, as the caller guarantees it at first:
// copying moves i and r alike, and each escape checks that it still holds
// afterwards.
func form(b []byte, i int, s string, e Escape) (int, int) {
	src, dst := addressOfString(s), addressOf(b)
	n := len(s)
	html := e&NoHTML == 0
	r := 0
	for r < n {
		// ASCII by words.
		rest := n - r
		var x, m uint64
		for rest >= wordSize {
			x = load64(src, r)
			store64(dst, i, x)
			if m = specials(x, html); m != 0 {
				goto special
			}
			r += wordSize
			i += wordSize
			rest -= wordSize
		}
		if rest == 0 {
			break
		}
		x = tailWord(src, r, n)
		store64(dst, i, x)
		// The zeros behind the end are marked as control characters, so m is
		// not zero.
		m = specials(x, html)
	special:
		k := bits.TrailingZeros64(m) >> 3
		if k >= rest {
			return i + rest, n
		}
		r += k
		i += k
		c := byte(x >> (8 * uint(k) & 63))
		if c >= 0x80 {
			if i, r = formMultibyte(b, i, s, r, html); r < n && load8(src, r) >= 0x80 {
				return i, r // no room
			}
			continue
		}
		t := escapes[c]
		if e&LongControls != 0 {
			t = longEscapes[c]
		}
		size := int(t >> 56)
		if len(b)-i-size < n-r-1+wordSize {
			return i, r
		}
		store64(dst, i, t)
		i += size
		r++
	}
	return i, r
}
