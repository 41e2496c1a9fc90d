//go:build (amd64 || arm64) && !purego

package inflate

import "unsafe"

// The platforms named above load and store unaligned words and are little
// endian, which is what the words of the loop mean.
const haveUnsafe = true

// load64 reads eight bytes at p+i, all of which lie in the slice that p
// points into: the loop says why.
func load64(p unsafe.Pointer, i int) uint64 {
	return *(*uint64)(unsafe.Add(p, i))
}

// store64 writes eight bytes at p, under the same condition.
func store64(p unsafe.Pointer, v uint64) {
	*(*uint64)(p) = v
}

// store8 writes one byte at p+i, under the same condition.
func store8(p unsafe.Pointer, i int, v byte) {
	*(*byte)(unsafe.Add(p, i)) = v
}
