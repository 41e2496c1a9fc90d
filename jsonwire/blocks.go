package jsonwire

import (
	"unicode/utf8"
	"unsafe"
)

const (
	blockSize  = 16
	minBlocks  = 2 * blockSize // of text that is not ASCII, for copyBlocks to pay
	longBlocks = 4 * blockSize // of any text
)

// copyRuns is copyBlocks without an incomplete character at its end.
func copyRuns(dst, src unsafe.Pointer, n int, e Escape) int {
	r := copyBlocks(dst, src, n, &blockTables[e&NoHTML])
	return r - incomplete(src, r)
}

// incomplete returns how many of the bytes p[:r], which are UTF-8 but for that
// and none or at least a block, begin a character that is not complete.
func incomplete(p unsafe.Pointer, r int) int {
	switch {
	case r == 0 || load8(p, r-1) < utf8.RuneSelf:
		return 0
	case load8(p, r-1) >= 0xC0:
		return 1
	case load8(p, r-2) >= 0xE0:
		return 2
	case load8(p, r-3) >= 0xF0:
		return 3
	}
	return 0
}

// blockConstants are the operands of copyBlocks, one row for each use.
type blockConstants [16][16]byte

var blockTables = [2]blockConstants{newBlockConstants(0), newBlockConstants(NoHTML)}

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
	if e&NoHTML == 0 {
		// '"' and '&' differ in one bit, as do '<' and '>'.
		row(0, 4)
		row(1, '&')
		row(2, 2)
		row(3, '>')
	} else {
		row(1, '"')
		row(3, '"')
	}
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
	return c
}
