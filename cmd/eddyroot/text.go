package main

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/eddy-go/eddy/compress/rootio"
)

// textOf returns the function that appends a value as text. Numbers read back
// as they were: floats have as many digits as that takes, and are NaN, Inf or
// -Inf where they are no number. Strings are as they are, or quoted as in JSON.
func textOf[T rootio.Value](quoted bool) func(dst []byte, v T) []byte {
	var f any
	switch any(*new(T)).(type) {
	case bool:
		f = strconv.AppendBool
	case int8:
		f = appendInt[int8]
	case int16:
		f = appendInt[int16]
	case int32:
		f = appendInt[int32]
	case int64:
		f = appendInt[int64]
	case uint8:
		f = appendUint[uint8]
	case uint16:
		f = appendUint[uint16]
	case uint32:
		f = appendUint[uint32]
	case uint64:
		f = appendUint[uint64]
	case float32:
		f = func(dst []byte, v float32) []byte { return appendFloat(dst, float64(v), 32) }
	case float64:
		f = func(dst []byte, v float64) []byte { return appendFloat(dst, v, 64) }
	case string:
		if quoted {
			f = appendQuoted
		} else {
			f = func(dst []byte, v string) []byte { return append(dst, v...) }
		}
	}
	return f.(func(dst []byte, v T) []byte)
}

func appendInt[T int8 | int16 | int32 | int64](dst []byte, v T) []byte {
	return strconv.AppendInt(dst, int64(v), 10)
}

func appendUint[T uint8 | uint16 | uint32 | uint64](dst []byte, v T) []byte {
	return strconv.AppendUint(dst, uint64(v), 10)
}

// appendFloat appends a float with as few digits as tell it from all others,
// and an exponent only where it is very large or small.
func appendFloat(dst []byte, v float64, bits int) []byte {
	if math.IsInf(v, 1) {
		return append(dst, "Inf"...)
	}
	format := byte('f')
	if a := math.Abs(v); a != 0 && (a < 1e-6 || a >= 1e21) {
		format = 'e'
	}
	return strconv.AppendFloat(dst, v, format, -1, bits)
}

// appendQuoted appends a string as JSON has it. Bytes that are no UTF-8 become
// U+FFFD.
func appendQuoted(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == '\n':
			dst = append(dst, `\n`...)
		case r == '\r':
			dst = append(dst, `\r`...)
		case r == '\t':
			dst = append(dst, `\t`...)
		case r < ' ':
			dst = append(dst, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}

// appendField appends s as a field of CSV (RFC 4180): in quotes if it needs
// them. Empty text has them too, so that a line of one such field is not empty.
func appendField(dst []byte, s string) []byte {
	if s != "" && !strings.ContainsAny(s, ",\"\r\n") {
		return append(dst, s...)
	}
	return closeField(append(dst, '"'), s)
}

// closeField appends s, with its quotes doubled, and a quote.
func closeField(dst []byte, s string) []byte {
	for {
		i := strings.IndexByte(s, '"')
		if i < 0 {
			break
		}
		dst = append(append(dst, s[:i]...), `""`...)
		s = s[i+1:]
	}
	return append(append(dst, s...), '"')
}
