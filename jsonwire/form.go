package jsonwire

import "math/bits"

// Form stores the inside of the JSON string of s, without quotes, at b[i:], as
// far as there is room, and returns the index behind it and the number of
// bytes of s it has formed. If that is less than len(s), call it again with
// the rest of s and more room. It never stops inside a character, and makes
// progress if there are at least [FormSlack] bytes of room; it forms all of s
// if there are len(s)+FormSlack and nothing is escaped, or in any case
// [StringRoom](len(s)). It may overwrite any byte of b from i on.
func Form(b []byte, i int, s string, e Escape) (next, done int) {
	if i < 0 || len(b)-i < len(s)+wordSize {
		return formTight(b, i, s, e)
	}
	// Scan and copy are one pass: a word is loaded, stored whole, and then
	// looked at. Of the stored bytes those in front of the first special one
	// count, and what is formed next overwrites the others.
	//
	// Bounds: at every load, r < n and the word lies in s[:n] (see tailWord);
	// at every store, len(b)-i >= n-r+wordSize. That holds at first, copying
	// moves i and r alike, and each escape checks that it still holds.
	src, dst := addressOfString(s), addressOf(b)
	n := len(s)
	html := e&NoHTML == 0
	table := &escapeTables[e&(NoHTML|LongControls)]
	r := 0
	for r < n {
		var x, m uint64
		for n-r >= wordSize {
			x = load64(src, r)
			store64(dst, i, x)
			if m = specials(x, html); m != 0 {
				goto special
			}
			r += wordSize
			i += wordSize
		}
		if r == n {
			break
		}
		x = tailWord(src, r, n)
		store64(dst, i, x)
		// The zeros behind the end are marked as control characters, so m is
		// not zero.
		m = specials(x, html)
		if rest := n - r; bits.TrailingZeros64(m)>>3 >= rest {
			return i + rest, n
		}
	special:
		k := bits.TrailingZeros64(m) >> 3
		r += k
		i += k
		c := byte(x >> (8 * uint(k) & 63))
		if c >= 0x80 {
			if i, r = formMultibyte(b, i, s, r, table); r < n && load8(src, r) >= 0x80 {
				return i, r // no room
			}
			continue
		}
		t := table[c]
		if t == 0 {
			// Marked wrongly, and stored already.
			i++
			r++
			continue
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
