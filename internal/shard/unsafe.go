package shard

import "unsafe"

// index picks a cell by the address of the caller's stack: different
// goroutines have different stacks, and one goroutine keeps its cell for as
// long as its stack does not move. The address is used as a number only and
// never turned back into a pointer, so a moved stack costs nothing but a
// change of cell.
func index() uintptr {
	var here byte
	return uintptr(unsafe.Pointer(&here)) >> 11 & (cells - 1)
}
