package jsonwire

import "slices"

// IntRoom is the room in bytes that any integer needs, with quotes.
const IntRoom = 24

// digitPairs are the numbers 00 to 99 as two ASCII digits, the first in the
// low byte.
var digitPairs = func() (t [100]uint16) {
	for n := range t {
		t[n] = uint16('0'+n/10) | uint16('0'+n%10)<<8
	}
	return t
}()

// digitWidth returns the number of decimal digits of u.
func digitWidth(u uint64) int {
	// One comparison for each further pair keeps small numbers, which most
	// are, cheap.
	n := 1
	for {
		switch {
		case u < 10:
			return n
		case u < 100:
			return n + 1
		case u < 1000:
			return n + 2
		case u < 10000:
			return n + 3
		}
		u /= 10000
		n += 4
	}
}

// putUint stores the digits of u at b[i:], which must have room for them, and
// returns the index behind them.
func putUint(b []byte, i int, u uint64) int {
	if u < 10 {
		b[i] = byte('0' + u)
		return i + 1
	}
	end := i + digitWidth(u)
	d := b[i:end]
	k := len(d)
	for u >= 100 {
		q := u / 100
		p := digitPairs[u-q*100]
		u = q
		k -= 2
		d[k+1] = byte(p >> 8)
		d[k] = byte(p)
	}
	if u >= 10 {
		p := digitPairs[u]
		d[1] = byte(p >> 8)
		d[0] = byte(p)
	} else {
		d[0] = byte('0' + u)
	}
	return end
}

// putInt is putUint for a signed number.
func putInt(b []byte, i int, v int64) int {
	u := uint64(v)
	if v < 0 {
		b[i] = '-'
		i++
		u = -u
	}
	return putUint(b, i, u)
}

// AppendInt appends v.
func AppendInt(dst []byte, v int64) []byte {
	dst = slices.Grow(dst, IntRoom)
	return dst[:putInt(dst[:cap(dst)], len(dst), v)]
}

// AppendUint appends v.
func AppendUint(dst []byte, v uint64) []byte {
	dst = slices.Grow(dst, IntRoom)
	return dst[:putUint(dst[:cap(dst)], len(dst), v)]
}

// AppendQuotedInt appends v as a JSON string, the form that keeps numbers
// above 2^53 exact in readers that know only floating point.
func AppendQuotedInt(dst []byte, v int64) []byte {
	dst = slices.Grow(dst, IntRoom)
	return dst[:putQuotedInt(dst[:cap(dst)], len(dst), v)]
}

// AppendQuotedUint appends v as a JSON string.
func AppendQuotedUint(dst []byte, v uint64) []byte {
	dst = slices.Grow(dst, IntRoom)
	return dst[:putQuotedUint(dst[:cap(dst)], len(dst), v)]
}

func putQuotedInt(b []byte, i int, v int64) int {
	b[i] = '"'
	i = putInt(b, i+1, v)
	b[i] = '"'
	return i + 1
}

func putQuotedUint(b []byte, i int, v uint64) int {
	b[i] = '"'
	i = putUint(b, i+1, v)
	b[i] = '"'
	return i + 1
}
