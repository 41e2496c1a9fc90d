package jlexer

import "unsafe"

// stringOf returns a string of b's bytes without copying them. The caller sees to it that they do not change as long as
// the string lives: b is part of Data where the API says that the result aliases it, or part of a chunk that is
// written once.
func stringOf(b []byte) string {
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// address returns where r is. It is compared and never made a pointer again, so it does not matter that a stack can move
// and that r does not escape through it.
func (r *Lexer) address() uintptr {
	return uintptr(unsafe.Pointer(r))
}
