package jsonwire

import (
	"encoding/binary"
	"slices"
)

// IntRoom is the room in bytes that any integer needs, with or without quotes.
const IntRoom = 24

// eightDigits returns the decimal digits of n < 1e8 as the values 0 to 9 of the
// bytes of a word, the first in the lowest byte. It divides in lanes of a word:
// by 10000, then by 100 in two lanes, then by 10 in four. The multipliers give
// exact quotients for as many digits as the lanes have.
func eightDigits(n uint32) uint64 {
	high := n / 10000
	x := uint64(high) | uint64(n-high*10000)<<32
	q := x * 10486 >> 20 & 0x0000007F0000007F
	x = q | (x-q*100)<<16
	q = x * 103 >> 10 & 0x000F000F000F000F
	return q | (x-q*10)<<8
}

// digitPairs are the numbers 00 to 99 as two ASCII digits, the first in the
// low byte.
var digitPairs = func() (t [100]uint16) {
	for n := range t {
		t[n] = uint16('0'+n/10) | uint16('0'+n%10)<<8
	}
	return t
}()

// PutUint stores u at b[i:], which must have [IntRoom] bytes, and returns the
// index behind it.
func PutUint(b []byte, i int, u uint64) int {
	if u >= 1e4 {
		return putLarge(b, i, u)
	}
	// By branches, not by a count of digits: what comes next waits for the
	// index, and a predicted branch gives it at once.
	n := uint32(u)
	d := b[i : i+4]
	if n < 100 {
		if n < 10 {
			d[0] = byte('0' + n)
			return i + 1
		}
		binary.LittleEndian.PutUint16(d, digitPairs[n])
		return i + 2
	}
	q := n / 100
	p := digitPairs[n-q*100]
	if n < 1000 {
		d[0] = byte('0' + q)
		binary.LittleEndian.PutUint16(d[1:], p)
		return i + 3
	}
	binary.LittleEndian.PutUint32(d, uint32(digitPairs[q])|uint32(p)<<16)
	return i + 4
}

// putLarge is PutUint for 5 digits and more.
func putLarge(b []byte, i int, u uint64) int {
	if u < 1e8 {
		return putLeading(b, i, uint32(u))
	}
	q := u / 1e8
	if q < 1e8 {
		i = putLeading(b, i, uint32(q))
	} else {
		i = PutUint(b, i, q/1e8)
		i = putEight(b, i, uint32(q%1e8))
	}
	return putEight(b, i, uint32(u-q*1e8))
}

// putEight stores n < 1e8 with leading zeros.
func putEight(b []byte, i int, n uint32) int {
	binary.LittleEndian.PutUint64(b[i:], eightDigits(n)|'0'*each01)
	return i + 8
}

// putLeading stores n < 1e8 without leading zeros.
func putLeading(b []byte, i int, n uint32) int {
	// By comparison, for the same reason: the digits are known much later.
	zeros := 0
	switch {
	case n >= 1e7:
	case n >= 1e6:
		zeros = 1
	case n >= 1e5:
		zeros = 2
	case n >= 1e4:
		zeros = 3
	case n >= 1e3:
		zeros = 4
	case n >= 1e2:
		zeros = 5
	case n >= 10:
		zeros = 6
	default:
		zeros = 7
	}
	binary.LittleEndian.PutUint64(b[i:], (eightDigits(n)|'0'*each01)>>(8*uint(zeros)&63))
	return i + 8 - zeros
}

// PutInt is PutUint for a signed number.
func PutInt(b []byte, i int, v int64) int {
	if v < 0 {
		b[i] = '-'
		return PutUint(b, i+1, -uint64(v))
	}
	return PutUint(b, i, uint64(v))
}

// AppendInt appends v.
func AppendInt(dst []byte, v int64) []byte {
	dst = slices.Grow(dst, IntRoom)
	return dst[:PutInt(dst[:cap(dst)], len(dst), v)]
}

// AppendUint appends v.
func AppendUint(dst []byte, v uint64) []byte {
	dst = slices.Grow(dst, IntRoom)
	return dst[:PutUint(dst[:cap(dst)], len(dst), v)]
}

// AppendQuotedInt appends v as a JSON string, the form that keeps numbers
// above 2^53 exact in readers that know only floating point.
func AppendQuotedInt(dst []byte, v int64) []byte {
	dst = slices.Grow(dst, IntRoom)
	return dst[:PutQuotedInt(dst[:cap(dst)], len(dst), v)]
}

// AppendQuotedUint appends v as a JSON string.
func AppendQuotedUint(dst []byte, v uint64) []byte {
	dst = slices.Grow(dst, IntRoom)
	return dst[:PutQuotedUint(dst[:cap(dst)], len(dst), v)]
}

// PutQuotedInt is PutInt with quotes around the number; they are within
// IntRoom.
func PutQuotedInt(b []byte, i int, v int64) int {
	b[i] = '"'
	i = PutInt(b, i+1, v)
	b[i] = '"'
	return i + 1
}

// PutQuotedUint is PutUint with quotes around the number.
func PutQuotedUint(b []byte, i int, v uint64) int {
	b[i] = '"'
	i = PutUint(b, i+1, v)
	b[i] = '"'
	return i + 1
}
