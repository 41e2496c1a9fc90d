package jsonwire

import "unsafe"

// PutText stores text at b[i:], which must have the room for it, and returns
// the index behind it. It is for the constant parts of a document, such as a
// name with its quotes, colon and the comma in front, which it copies faster
// than the general copy if they are short.
func PutText(b []byte, i int, text string) int {
	n := len(text)
	d := b[i : i+n] // panics if there is no room
	if n > 32 || n == 0 {
		copy(d, text)
		return i + n
	}
	// By words that may overlap. Of n bytes, words of k bytes are copied only
	// if n >= k, at offsets from 0 to n-k, so that they lie inside both.
	src, dst := addressOfString(text), unsafe.Pointer(unsafe.SliceData(d))
	switch {
	case n >= 8:
		store64(dst, 0, load64(src, 0))
		if n > 16 {
			store64(dst, 8, load64(src, 8))
			if n > 24 {
				store64(dst, 16, load64(src, 16))
			}
		}
		store64(dst, n-8, load64(src, n-8))
	case n >= 4:
		store32(dst, 0, load32(src, 0))
		store32(dst, n-4, load32(src, n-4))
	default:
		store8(dst, 0, load8(src, 0))
		store8(dst, n/2, load8(src, n/2))
		store8(dst, n-1, load8(src, n-1))
	}
	return i + n
}

// PutString stores s as a JSON string at b[i:], which must have
// [StringRoom](len(s)) bytes, and returns the index behind it. For long strings
// that room is much more than they mostly need; see [Form] for another way.
func PutString(b []byte, i int, s string, e Escape) int {
	_ = b[i : i+StringRoom(len(s))] // panics if there is no room
	b[i] = '"'
	i, _ = Form(b, i+1, s, e)
	b[i] = '"'
	return i + 1
}

// PutBool stores true or false at b[i:], which must have 5 bytes, and returns
// the index behind it.
func PutBool(b []byte, i int, v bool) int {
	d := b[i : i+5]
	if v {
		copy(d, "true")
		return i + 4
	}
	copy(d, "false")
	return i + 5
}

// PutFloat stores f at b[i:], which must have [FloatRoom] bytes, in the format
// of [AppendFloat], and returns the index behind it. If f is NaN or infinite,
// it stores nothing and returns i and a *[FloatError].
func PutFloat(b []byte, i int, f float64, bitSize int) (int, error) {
	d, err := AppendFloat(b[i:i:i+FloatRoom], f, bitSize)
	return i + len(d), err
}
