package jsonwire

import "slices"

// AppendString appends s as a JSON string, with its quotes.
func AppendString(dst []byte, s string, e Escape) []byte {
	// Room for the quotes and, most often, all escapes; the growth of append
	// keeps appending linear.
	dst = slices.Grow(dst, len(s)+2+FormSlack)
	i := len(dst)
	b := dst[:cap(dst)]
	b[i] = '"'
	i, done := Form(b, i+1, s, e)
	for done < len(s) {
		b = slices.Grow(b[:i], StringRoom(len(s)-done))
		b = b[:cap(b)]
		var n int
		i, n = Form(b, i, s[done:], e)
		done += n
	}
	b[i] = '"'
	return b[:i+1]
}

// AppendStringBytes is AppendString for the bytes of a string.
func AppendStringBytes(dst, s []byte, e Escape) []byte {
	return AppendString(dst, stringOf(s), e)
}

// AppendKey appends name as the name of a member: a JSON string and a colon.
func AppendKey(dst []byte, name string, e Escape) []byte {
	return append(AppendString(dst, name, e), ':')
}

// AppendBool appends true or false.
func AppendBool(dst []byte, v bool) []byte {
	if v {
		return append(dst, "true"...)
	}
	return append(dst, "false"...)
}

// AppendNull appends null.
func AppendNull(dst []byte) []byte { return append(dst, "null"...) }
