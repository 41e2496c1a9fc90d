package rootio

import "unsafe"

// valuesOf returns the memory of b as values of T, which must not be string.
//
// This is right because b begins at a multiple of 8 bytes, which alignedRoom
// has seen to and the check here keeps, so that T's alignment holds; because
// the length is rounded down, so that no value lies beyond b; and because any
// bytes are a value of the integers and floats, and those of a bool were made
// 0 or 1 by toBools. The result keeps b's array alive.
func valuesOf[T Value](b []byte) []T {
	var v T
	size := int(unsafe.Sizeof(v))
	n := len(b) / size
	if n == 0 {
		return nil
	}
	p := unsafe.Pointer(unsafe.SliceData(b))
	if uintptr(p)%unsafe.Alignof(v) != 0 {
		panic("rootio: values are not aligned")
	}
	return unsafe.Slice((*T)(p), n)
}

// offsetsOf is valuesOf for offsets.
func offsetsOf(b []byte) []int32 { return valuesOf[int32](b) }

// bytesOf returns the memory of values, which must not be strings. Whoever
// writes to it writes values of T: of bools only 0 and 1.
//
// This is right because bytes need no alignment and the length is that of the
// values. The result keeps their array alive.
func bytesOf[T Value](values []T) []byte {
	if len(values) == 0 {
		return nil
	}
	size := int(unsafe.Sizeof(values[0]))
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*size)
}

// misaligned returns how many bytes b begins behind a multiple of 8.
func misaligned(b []byte) int {
	return int(uintptr(unsafe.Pointer(unsafe.SliceData(b))) % 8)
}
