package jsonwire

import (
	"encoding/binary"
	"unsafe"
)

// Words are loaded and stored through pointers, because the index arithmetic
// of the callers is more than the compiler can prove, and a bounds check for
// each word costs a third of the speed. What makes it right: every caller
// holds b (or s) alive in a variable of its own, and states why i and the
// bytes behind it lie inside; the functions themselves add nothing.
// Byte order is fixed by encoding/binary, whose calls become one instruction,
// also on big-endian machines; unaligned access is what it allows for.

// load64 returns the 8 bytes at p[i:]; i+8 must not exceed the bytes at p.
func load64(p unsafe.Pointer, i int) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Add(p, i))[:])
}

// load32 returns the 4 bytes at p[i:]; i+4 must not exceed the bytes at p.
func load32(p unsafe.Pointer, i int) uint32 {
	return binary.LittleEndian.Uint32((*[4]byte)(unsafe.Add(p, i))[:])
}

// load8 returns the byte at p[i].
func load8(p unsafe.Pointer, i int) byte { return *(*byte)(unsafe.Add(p, i)) }

// store64 stores 8 bytes at p[i:]; i+8 must not exceed the bytes at p.
func store64(p unsafe.Pointer, i int, x uint64) {
	binary.LittleEndian.PutUint64((*[8]byte)(unsafe.Add(p, i))[:], x)
}

// store32 stores 4 bytes at p[i:]; i+4 must not exceed the bytes at p.
func store32(p unsafe.Pointer, i int, x uint32) {
	binary.LittleEndian.PutUint32((*[4]byte)(unsafe.Add(p, i))[:], x)
}

// store16 stores 2 bytes at p[i:]; i+2 must not exceed the bytes at p.
func store16(p unsafe.Pointer, i int, x uint16) {
	binary.LittleEndian.PutUint16((*[2]byte)(unsafe.Add(p, i))[:], x)
}

// store8 stores the byte at p[i].
func store8(p unsafe.Pointer, i int, c byte) { *(*byte)(unsafe.Add(p, i)) = c }

// addressOf returns the address of the bytes of b for the functions above.
func addressOf(b []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(b)) }

// addressOfString returns the address of the bytes of s, for loads only.
func addressOfString(s string) unsafe.Pointer { return unsafe.Pointer(unsafe.StringData(s)) }

// stringOf returns the bytes of b as a string without a copy. It is used for
// the length of a call only: the forming functions read the string and keep
// nothing of it, so that a later change of b is not seen through it.
func stringOf(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
