//go:build !purego

package rootio

// haveShuffle tells that the processor can do what shuffle needs, SSSE3, as
// all have since 2011.
var haveShuffle = cpuidFeatures()>>9&1 != 0

// shuffle puts the bytes of each 16 of the n at p, a multiple of 64 and not
// zero, into the order given.
//
//go:noescape
func shuffle(p *byte, n int, order *[16]byte)

// cpuidFeatures returns the register CX of CPUID leaf 1.
//
//go:noescape
func cpuidFeatures() uint32

// orders are those that swap numbers of two, four and eight bytes.
var orders = [9]*[16]byte{
	2: {1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14},
	4: {3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12},
	8: {7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8},
}

// swapBlocks swaps numbers of size bytes in whole blocks of b, as many as it
// has, and returns what is left.
func swapBlocks(b []byte, size int) []byte {
	n := len(b) &^ 63
	if n == 0 || !haveShuffle {
		return b
	}
	shuffle(&b[0], n, orders[size])
	return b[n:]
}
