package jsonwire

import (
	"math/bits"
	"unicode/utf8"
	"unsafe"
)

// Patterns of UTF-8 in a little-endian word: the bits that tell the kind of
// each byte, and their values. Table 3-7 of the Unicode standard has what is
// well-formed beyond them.
const (
	utf8Mask2  = 0xC0E0C0E0C0E0C0E0 // four characters of two bytes
	utf8Kind2  = 0x80C080C080C080C0
	utf8Lead2  = 0x001E001E001E001E // not all zero in a lead byte that is not overlong
	utf8Carry2 = 0x007F007F007F007F
	utf8High2  = 0x0080008000800080

	utf8Mask3 = 0x0000C0C0F0C0C0F0 // two characters of three bytes
	utf8Kind3 = 0x00008080E08080E0
	utf8One3  = 0x0000000000FFFFFF

	utf8Mask4 = 0xC0C0C0F8 // one character of four bytes
	utf8Kind4 = 0x808080F0

	// Lead bytes of three, by their low four bits, behind which any two
	// continuation bytes are well-formed and nothing is to be escaped: not
	// E0 (overlong forms), ED (surrogates), E2 (U+2028 and U+2029).
	utf8Plain3 = 0xFFFF &^ (1<<0x0 | 1<<0xD | 1<<0x2)
)

// formMultibyte forms the characters of s from r on up to an ASCII character,
// under the conditions of Form. If it stops in front of any other character,
// there was no room to go on.
func formMultibyte(b []byte, i int, s string, r int, table *[utf8.RuneSelf]uint64) (int, int) {
	src, dst := addressOfString(s), addressOf(b)
	n := len(s)
	for r < n {
		var x uint64
		if n-r >= wordSize {
			x = load64(src, r)
		} else {
			x = tailWord(src, r, n)
		}
		store64(dst, i, x)

		// The zeros of a tail belong to no character, so that what is
		// recognized below lies in front of n.
		var k int // bytes recognized
		switch c := byte(x); {
		case c < utf8.RuneSelf:
			return i, r
		case c < 0xE0:
			bad := x&utf8Mask2 ^ utf8Kind2
			bad |= (x&utf8Lead2+utf8Carry2)&utf8High2 ^ utf8High2
			k = bits.TrailingZeros64(bad) >> 4 << 1
		case c < 0xF0:
			bad := x&utf8Mask3 ^ utf8Kind3
			if bad == 0 && utf8Plain3>>(c&15)&1 != 0 && utf8Plain3>>(byte(x>>24)&15)&1 != 0 {
				k = 6
			} else if bad&utf8One3 == 0 {
				k = threeBytes(uint32(x))
			}
		default:
			// The planes above the first, of which there are 16.
			if x&utf8Mask4 == utf8Kind4 && uint(x&7<<2|x>>12&3)-1 < 16 {
				k = 4
			}
		}
		if k > 0 {
			// A single ASCII byte between is most often a space.
			if k < wordSize {
				if c := byte(x >> (8 * uint(k) & 63)); c < utf8.RuneSelf && table[c] == 0 {
					k++
				}
			}
			r += k
			i += k
			continue
		}

		// U+2028 and U+2029, or a byte that is not UTF-8.
		t, size := uint64(escapedInvalid), 1
		if x&0xFEFFFF == 0xA880E2 {
			t, size = escapedLine+x>>16&1<<40, 3
		}
		if len(b)-i-maxEscape < n-r-size+wordSize {
			return i, r
		}
		store64(dst, i, t)
		i += maxEscape
		r += size
	}
	return i, r
}

// threeBytes returns 3 if the character of three bytes in the low bits of x,
// of which the kinds of the bytes are right, is well-formed and plain, else 0.
func threeBytes(x uint32) int {
	second := byte(x >> 8)
	switch byte(x) {
	case 0xE0:
		if second < 0xA0 {
			return 0
		}
	case 0xED:
		if second >= 0xA0 {
			return 0
		}
	case 0xE2:
		if x&0xFEFFFF == 0xA880E2 {
			return 0
		}
	}
	return 3
}

// tailWord returns the bytes p[r:n], between 1 and 7, in the low bytes of a
// word of which the others are zero, and reads nothing outside of p[:n].
func tailWord(p unsafe.Pointer, r, n int) uint64 {
	rest := n - r
	if n >= wordSize {
		return load64(p, n-wordSize) >> (8 * uint(wordSize-rest) & 63)
	}
	if rest >= 4 {
		return uint64(load32(p, r)) | uint64(load32(p, n-4))<<(8*uint(rest-4)&63)
	}
	return uint64(load8(p, r)) | uint64(load8(p, r+rest/2))<<(8*uint(rest/2)&63) | uint64(load8(p, n-1))<<(8*uint(rest-1)&63)
}
