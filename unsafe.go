package eddy

import "unsafe"

// arrayOf returns the address of the array of b, which is what the pools
// store: a pointer fits into an interface value, where a slice header would
// have to be allocated.
//
// The pointer keeps the whole array alive, because Put was given a slice of
// which the array begins at its first element (contract of Put).
func arrayOf(b []byte) *byte { return unsafe.SliceData(b) }

// sliceAt undoes arrayOf.
//
// The array at a has size bytes: a comes from a slice whose capacity was
// checked to be size when it was put into the store of that size, and only
// arrays of that size are in that store.
func sliceAt(a *byte, size int) []byte { return unsafe.Slice(a, size) }

// hashAddress spreads addresses over the numbers of a uint. The address is
// used as a number only; heap memory does not move, so the number of an array
// stays the same for as long as the array is reachable.
func hashAddress(a *byte) uint {
	return uint(uint64(uintptr(unsafe.Pointer(a))) * 0x9E3779B97F4A7C15 >> 32)
}
