package jwriter

import (
	"encoding/binary"
	"unsafe"
)

// maxShort is the longest string that RawString copies itself.
const maxShort = 32

// RawString appends raw binary data to the buffer.
//
// A short string is copied by words that may overlap: constants of generated
// code are short, and the call of the general copy would be most of the work.
// Bounds: of a string of n bytes, words of k bytes are copied only if n >= k,
// at offsets from 0 to n-k, so that each lies inside s, and inside the n bytes
// that b has room for. What b and s refer to is alive for the time of the call.
func (w *Writer) RawString(s string) {
	b := w.Buffer.Buf
	i, n := len(b), len(s)
	if uint(n-1) >= maxShort || i == 0 || cap(b)-i < n || b[i-1] > '9' && suspect(b, s[0]) {
		w.rawString(s)
		return
	}
	src := unsafe.Pointer(unsafe.StringData(s))
	dst := unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i)
	switch {
	case n >= 8:
		copy64(dst, src, 0)
		if n > 16 {
			copy64(dst, src, 8)
			if n > 24 {
				copy64(dst, src, 16)
			}
		}
		copy64(dst, src, n-8)
	case n >= 4:
		copy32(dst, src, 0)
		copy32(dst, src, n-4)
	default:
		*(*byte)(dst) = *(*byte)(src)
		*(*byte)(unsafe.Add(dst, n/2)) = *(*byte)(unsafe.Add(src, n/2))
		*(*byte)(unsafe.Add(dst, n-1)) = *(*byte)(unsafe.Add(src, n-1))
	}
	w.Buffer.Buf = w.Buffer.Buf[:i+n]
}

// Bool appends true or false.
//
// Both are stored as a word, of which the length counts: what is random in a
// document is not worth a branch. The word lies in the room made for it.
func (w *Writer) Bool(v bool) {
	w.Buffer.EnsureSpace(8)
	b := w.Buffer.Buf
	i, k := len(b), 0
	if v {
		k = 1
	}
	binary.LittleEndian.PutUint64(b[i:i+8], boolWords[k])
	w.Buffer.Buf = w.Buffer.Buf[:i+5-k]
}

var boolWords = [2]uint64{'f' | 'a'<<8 | 'l'<<16 | 's'<<24 | 'e'<<32, 't' | 'r'<<8 | 'u'<<16 | 'e'<<24}

// copy64 copies 8 bytes at an offset that the caller has checked.
func copy64(dst, src unsafe.Pointer, at int) {
	x := binary.NativeEndian.Uint64((*[8]byte)(unsafe.Add(src, at))[:])
	binary.NativeEndian.PutUint64((*[8]byte)(unsafe.Add(dst, at))[:], x)
}

// copy32 copies 4 bytes at an offset that the caller has checked.
func copy32(dst, src unsafe.Pointer, at int) {
	x := binary.NativeEndian.Uint32((*[4]byte)(unsafe.Add(src, at))[:])
	binary.NativeEndian.PutUint32((*[4]byte)(unsafe.Add(dst, at))[:], x)
}

// stringOf returns the bytes of b as a string without a copy, for the length of
// a call of String, which reads it and keeps nothing of it: a later change of b
// is not seen through it.
func stringOf(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
