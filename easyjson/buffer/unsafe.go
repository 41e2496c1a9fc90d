package buffer

import (
	"strings"
	"unsafe"
)

// addressOf returns the address of b as a number, which does not keep b alive
// and does not make it escape to the heap. It is compared only. If the address
// of a Buffer on a stack changes when the stack grows, the Buffer is taken for
// a copy of itself, which costs a copy of its contents and is right as well.
func addressOf(b *Buffer) uintptr { return uintptr(unsafe.Pointer(b)) }

// within reports whether p begins inside the array of a. The addresses are
// compared as numbers; both slices are alive and in the heap, or p is on a
// stack, which does not overlap the heap wherever it moves.
func within(p, a []byte) bool {
	at := uintptr(unsafe.Pointer(unsafe.SliceData(p)))
	from := uintptr(unsafe.Pointer(unsafe.SliceData(a)))
	return at-from < uintptr(cap(a))
}

// bytesOf returns the bytes that s was built of, as a slice that may be
// changed: the array was allocated for s, nothing else refers to it, and s,
// which the caller gives up, is never read as a string.
func bytesOf(s *strings.Builder) []byte {
	str := s.String()
	return unsafe.Slice(unsafe.StringData(str), len(str))
}
