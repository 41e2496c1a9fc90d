package jsonwire

import (
	"unicode/utf8"
	"unsafe"
)

// blockSize is the number of bytes that formBlocks takes at once.
const blockSize = 16

// formRuns forms s[r:] at b[i:] like [Form], as far as blocks get, without an
// incomplete character at the end. It does nothing if what is left of s, or
// the room for it, is too little.
func formRuns(b []byte, i int, s string, r int, e Escape) (int, int) {
	n := len(s) - r
	slack := len(b) - i - n - blockSize
	if n == 0 || slack < 0 {
		return i, r
	}
	src := unsafe.Add(addressOfString(s), r)
	stored, done := formBlocks(unsafe.Add(addressOf(b), i), src, n, slack, &formTables[e&(NoHTML|LongControls)])
	if done == n {
		return i + stored, len(s)
	}
	back := incomplete(src, done)
	return i + stored - back, r + done - back
}

// formRest is Form from s[r:] on, behind the r bytes that blocks have formed,
// less than all of it.
func formRest(b []byte, i int, s string, r int, e Escape) (int, int) {
	back := incomplete(addressOfString(s), r)
	return formWords(b, i-back, s, r-back, e)
}

// incomplete returns how many of the bytes p[:r], which are UTF-8 but for
// that, begin a character that is not complete.
func incomplete(p unsafe.Pointer, r int) int {
	switch {
	case r == 0 || load8(p, r-1) < utf8.RuneSelf:
		return 0
	case load8(p, r-1) >= 0xC0:
		return 1
	case r >= 2 && load8(p, r-2) >= 0xE0:
		return 2
	case r >= 3 && load8(p, r-3) >= 0xF0:
		return 3
	}
	return 0
}

// blockConstants are the operands of formBlocks, one row for each use.
type blockConstants [20][16]byte

// Faults of UTF-8 that two bytes show.
const (
	tooShort     = 1 << iota // a lead without continuation
	tooLong                  // a continuation behind ASCII
	overlong3                // E0 with less than A0
	tooLarge                 // F4 with more than 8F, F5 to FF
	surrogate                // ED with more than 9F
	overlong2                // C0 and C1
	overlong4                // F0 with less than 90; also F5 to FF with 80 to 8F
	continuation             // two continuations, a fault depending on what is in front
)

func newBlockConstants(e Escape) (c blockConstants) {
	row := func(i int, x byte) {
		for k := range c[i] {
			c[i][k] = x
		}
	}
	// The ASCII characters that are escaped, by their low nibble, in which
	// they differ but for the backslash; and what equals no byte.
	row(0, 0xFF)
	c[0]['"'&15] = '"'
	if e&NoHTML == 0 {
		for _, html := range "<>&" {
			c[0][html&15] = byte(html)
		}
	}
	row(1, '"') // for scanBlocks
	row(4, '\\')
	row(5, ' '-1)
	row(6, 0x0F)
	for n := range c[7] {
		// By the high nibble of the first byte, then by its low nibble, then
		// by the high nibble of the second byte.
		c[7][n] = []byte{
			tooLong, tooLong, tooLong, tooLong, tooLong, tooLong, tooLong, tooLong,
			continuation, continuation, continuation, continuation,
			tooShort | overlong2, tooShort, tooShort | overlong3 | surrogate, tooShort | tooLarge | overlong4,
		}[n]
		low := byte(tooShort | tooLong | continuation)
		switch {
		case n == 0:
			low |= overlong2 | overlong3 | overlong4
		case n == 1:
			low |= overlong2
		case n == 4:
			low |= tooLarge
		case n > 4:
			low |= tooLarge | overlong4
		}
		if n == 0xD {
			low |= surrogate
		}
		c[8][n] = low
		second := byte(tooShort)
		switch n {
		case 8:
			second = tooLong | continuation | overlong2 | overlong3 | overlong4
		case 9:
			second = tooLong | continuation | overlong2 | overlong3 | tooLarge
		case 0xA, 0xB:
			second = tooLong | continuation | overlong2 | surrogate | tooLarge
		}
		c[9][n] = second
	}
	row(10, 0xE0-0x80)
	row(11, 0xF0-0x80)
	row(12, 0x80)
	row(13, 0xE2)
	row(14, 0x01)
	row(15, 0xA9)
	// Rows that begin inside of these: to move the last bytes of a block to
	// its front, and to keep the first ones, with zeros behind them.
	for k := range c[16] {
		c[16][k] = byte(k)
	}
	row(17, 0x80)
	row(18, 0xFF)
	return c
}
