package easyjson

import "unsafe"

// isNilInterface reports whether v is nil or holds a nil pointer. An interface
// value is two words, of which the second is the data: a pointer to it, or the
// pointer itself if v holds one (or a map, channel or function). It is zero
// for a nil one only, since the pointer to data of size zero is not nil
// either.
func isNilInterface(v any) bool {
	return (*[2]unsafe.Pointer)(unsafe.Pointer(&v))[1] == nil
}
