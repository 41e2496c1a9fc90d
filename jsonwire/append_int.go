package jsonwire

import "slices"

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

// maxDigits is what the digits of any integer take, and each store of theirs.
const maxDigits = 20

// PutUint stores u at b[i:], which must have [IntRoom] bytes, and returns the
// index behind it.
func PutUint(b []byte, i int, u uint64) int {
	p := addressOf(b[i : i+maxDigits]) // the check for all stores
	// By branches, not by a count of digits: what comes next waits for the
	// index, and a predicted branch gives it at once.
	if u < 1e4 {
		n := uint32(u)
		if n < 100 {
			if n < 10 {
				store8(p, 0, byte('0'+n))
				return i + 1
			}
			store16(p, 0, digitPairs[n])
			return i + 2
		}
		q := n / 100
		pair := digitPairs[n-q*100]
		if n < 1000 {
			store8(p, 0, byte('0'+q))
			store16(p, 1, pair)
			return i + 3
		}
		store32(p, 0, uint32(digitPairs[q])|uint32(pair)<<16)
		return i + 4
	}
	// Up to eight digits without leading zeros, and then eight with them.
	lead := u
	if u >= 1e8 {
		if lead = u / 1e8; lead >= 1e8 {
			return putHuge(b, i, u)
		}
	}
	zeros := 0
	switch {
	case lead >= 1e7:
	case lead >= 1e6:
		zeros = 1
	case lead >= 1e5:
		zeros = 2
	case lead >= 1e4:
		zeros = 3
	case lead >= 1e3:
		zeros = 4
	case lead >= 1e2:
		zeros = 5
	case lead >= 10:
		zeros = 6
	default:
		zeros = 7
	}
	store64(p, 0, (eightDigits(uint32(lead))|'0'*each01)>>(8*uint(zeros)&63))
	if u < 1e8 {
		return i + 8 - zeros
	}
	store64(p, 8-zeros, eightDigits(uint32(u-lead*1e8))|'0'*each01)
	return i + 16 - zeros
}

// putHuge is PutUint for 17 digits and more.
func putHuge(b []byte, i int, u uint64) int {
	q := u / 1e8
	top := q / 1e8
	at := PutUint(b, i, top) - i // at most 4
	p := addressOf(b[i : i+maxDigits])
	store64(p, at, eightDigits(uint32(q-top*1e8))|'0'*each01)
	store64(p, at+8, eightDigits(uint32(u-q*1e8))|'0'*each01)
	return i + at + 16
}

// PutInt is PutUint for a signed number.
func PutInt(b []byte, i int, v int64) int {
	if v < 0 {
		_ = b[i+maxDigits] // panics before anything is stored
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
	_ = b[i+IntRoom-1]
	b[i] = '"'
	i = PutInt(b, i+1, v)
	b[i] = '"'
	return i + 1
}

// PutQuotedUint is PutUint with quotes around the number.
func PutQuotedUint(b []byte, i int, v uint64) int {
	_ = b[i+IntRoom-1]
	b[i] = '"'
	i = PutUint(b, i+1, v)
	b[i] = '"'
	return i + 1
}
