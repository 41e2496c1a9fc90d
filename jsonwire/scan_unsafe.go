package jsonwire

import "unsafe"

// scanRuns returns the offset behind the blocks from src[i] on that scanBlocks passes over, back to where a character
// begins. i is at most len(src), and the pointer is not used but for the len(src)-i bytes there.
func scanRuns(src []byte, i int) int {
	rest := src[i:]
	n := scanBlocks(unsafe.Pointer(unsafe.SliceData(rest)), len(rest), &formTables[NoHTML].blocks)
	switch {
	case n == 0: // else it is at least a block
	case rest[n-1] >= 0xC0:
		n--
	case rest[n-2] >= 0xE0:
		n -= 2
	case rest[n-3] >= 0xF0:
		n -= 3
	}
	return i + n
}
