//go:build eddydebug

package eddy

import "unsafe"

// addressOf returns the address of the array of b as a number, under which
// debug builds know a buffer. It keeps nothing alive, and is not turned back
// into a pointer; what it is said of may have been collected, and other memory
// may be there now.
func addressOf(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// addressOfValue is addressOf for a value.
func addressOfValue[T any](v *T) uintptr { return uintptr(unsafe.Pointer(v)) }
