package jsonwire

import (
	"math/bits"
	"unicode/utf8"
	"unsafe"
)

// Form stores the inside of the JSON string of s, without quotes, at b[i:], as
// far as there is room, and returns the index behind it and the number of
// bytes of s it has formed. If that is less than len(s), call it again with
// the rest of s and more room. It never stops inside a character, and makes
// progress if there are at least [FormSlack] bytes of room; it forms all of s
// if there are len(s)+FormSlack and nothing is escaped, or in any case
// [StringRoom](len(s)). It may overwrite any byte of b from i on.
func Form(b []byte, i int, s string, e Escape) (next, done int) {
	n := len(s)
	if slack := len(b) - i - n - blockSize; haveBlocks && n > 0 && slack >= 0 && i >= 0 {
		src, dst := addressOfString(s), unsafe.Add(addressOf(b), i)
		stored, done := formBlocks(dst, src, n, slack, &formTables[e&(NoHTML|LongControls)])
		if i += stored; done < n {
			return formRest(b, i, s, done, e)
		}
		return i, n
	}
	if i < 0 || len(b)-i < n+wordSize {
		return formTight(b, i, s, e)
	}
	// Without blocks, or room for them, the same is done by words. Scan and
	// copy are one pass: a word is loaded, stored whole, and then
	// looked at. Of the stored bytes those in front of the first special one
	// count, and what is formed next overwrites the others.
	//
	// Bounds: at each load, the word lies in s; at each store, n-r+wordSize
	// bytes are left in b.
	src, dst := addressOfString(s), unsafe.Add(addressOf(b), i)
	r := 0
	if e&NoHTML != 0 {
		return formWords(b, i, s, 0, e)
	}
	for ; n-r >= wordSize; r += wordSize {
		x := load64(src, r)
		store64(dst, r, x)
		if m := specialsHTML(x); m != 0 {
			return formWords(b, i+r, s, r, e)
		}
	}
	if r < n {
		var x uint64
		switch {
		case n >= wordSize:
			x = load64(src, n-wordSize) >> (8 * uint(wordSize-n+r) & 63)
		case n >= 4:
			x = uint64(load32(src, 0)) | uint64(load32(src, n-4))<<(8*uint(n-4)&63)
		default:
			x = uint64(load8(src, 0)) | uint64(load8(src, n/2))<<(8*uint(n/2)&63) | uint64(load8(src, n-1))<<(8*uint(n-1)&63)
		}
		store64(dst, r, x)
		// The zeros behind the end are marked as control characters.
		if r+bits.TrailingZeros64(specialsHTML(x))>>3 < n {
			return formWords(b, i+r, s, r, e)
		}
	}
	return i + n, n
}

// formWords is Form from s[r:] on, where something is, under the condition
// that len(b)-i >= len(s)-r+wordSize. The condition holds at each store: copying
// moves i and r alike, and each escape checks that it still holds afterwards.
func formWords(b []byte, i int, s string, r int, e Escape) (int, int) {
	src, dst := addressOfString(s), addressOf(b)
	n := len(s)
	table := &formTables[e&(NoHTML|LongControls)].escapes
	// Where to try blocks again: behind the one that stopped them.
	blocks := r + blockSize
	if !haveBlocks {
		blocks = n
	}
	for {
		// Words of plain ASCII.
		x, m := uint64(0), uint64(0)
		for n-r >= wordSize {
			x = load64(src, r)
			store64(dst, i, x)
			if m = specials(x, e); m != 0 {
				break
			}
			i += wordSize
			r += wordSize
		}
		if m == 0 {
			if r == n {
				return i, r
			}
			x = tailWord(src, r, n)
			store64(dst, i, x)
			m = specials(x, e) // not zero, the zeros behind the end are marked
		}
		k := bits.TrailingZeros64(m) >> 3
		if r+k >= n {
			return i + n - r, n
		}
		i += k
		r += k

		c := byte(x >> (8 * uint(k) & 63))
		if c >= utf8.RuneSelf {
			if i, r = formMultibyte(b, i, s, r, table); r < n && load8(src, r) >= utf8.RuneSelf {
				return noRoom(b, i, s, r, e)
			}
		} else if t := table[c]; t == 0 {
			// Marked wrongly, and stored already.
			i++
			r++
		} else {
			for t != 0 {
				size := int(t >> 56)
				if len(b)-i-size < n-r-1+wordSize {
					return noRoom(b, i, s, r, e)
				}
				store64(dst, i, t)
				i += size
				if r++; r == n {
					return i, r
				}
				// Where there is one there are often more.
				if c = load8(src, r); c >= utf8.RuneSelf {
					break
				}
				t = table[c]
			}
		}
		if r >= blocks {
			if i, r = formRuns(b, i, s, r, e); r == n {
				return i, r
			}
			blocks = r + blockSize
		}
	}
}

// noRoom ends formWords in front of a character whose escape would leave too
// little room for the rest of s to be stored by words. If nothing is formed
// yet, that character alone is, so that Form makes the progress it promises.
//
//go:noinline
func noRoom(b []byte, i int, s string, r int, e Escape) (int, int) {
	if r > 0 || len(b)-i < maxEscape+wordSize {
		return i, r
	}
	_, size := utf8.DecodeRuneInString(s)
	return Form(b, i, s[:size], e)
}
