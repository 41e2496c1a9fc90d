package jsonwire

import (
	"math"
	"strconv"
)

// Number is what ScanNumber learned while it checked the grammar, so that usual numbers need no second pass. The
// value is Mantissa times ten to the power of Exp, negated if Neg; Mantissa holds it only if Digits is at most 19.
type Number struct {
	Mantissa uint64
	Exp      int32 // out of range exponents are held at ±1e6
	Digits   int32 // digits before the exponent, leading zeros included
	Neg      bool
	Integer  bool // neither fraction nor exponent
}

// maxExp bounds exponents while they are read; any double is zero or infinite long before.
const maxExp = 1e6

// ScanNumber checks the number at src[pos] against the grammar of RFC 8259 and returns the offset behind it. If ok is
// false, end is the offset of the byte that does not fit (len(src) if it is missing). What follows is not looked at:
// the caller has to refuse 1x.
func ScanNumber(src []byte, pos int) (n Number, end int, ok bool) {
	i := pos
	if i < len(src) && src[i] == '-' {
		n.Neg = true
		i++
	}
	if i >= len(src) {
		return n, i, false
	}
	d := uint64(src[i] - '0')
	if d > 9 {
		return n, i, false
	}
	first := i
	m := d
	i++
	if d == 0 {
		if i < len(src) && src[i]-'0' <= 9 {
			return n, i, false
		}
	} else {
		for ; i < len(src); i++ {
			d := uint64(src[i] - '0')
			if d > 9 {
				break
			}
			m = m*10 + d
		}
	}
	n.Digits = digits(i - first)
	if i >= len(src) || src[i] != '.' && src[i]|0x20 != 'e' {
		n.Mantissa = m
		n.Integer = true
		return n, i, true
	}
	return scanFraction(src, i, n, m)
}

// digits keeps the count of digits in an int32 for numbers of gigabytes.
func digits(n int) int32 { return int32(min(n, math.MaxInt32/2)) }

// scanFraction goes on from the point or the exponent at src[i].
func scanFraction(src []byte, i int, n Number, m uint64) (Number, int, bool) {
	exp := 0
	if src[i] == '.' {
		i++
		first := i
		for ; i < len(src); i++ {
			d := uint64(src[i] - '0')
			if d > 9 {
				break
			}
			m = m*10 + d
		}
		if i == first {
			return n, i, false
		}
		n.Digits += digits(i - first)
		exp = -min(i-first, maxExp)
	}
	if i < len(src) && src[i]|0x20 == 'e' {
		i++
		neg := false
		if i < len(src) && (src[i] == '+' || src[i] == '-') {
			neg = src[i] == '-'
			i++
		}
		first, e := i, 0
		for ; i < len(src); i++ {
			d := int(src[i] - '0')
			if d > 9 {
				break
			}
			e = min(e*10+d, maxExp)
		}
		if i == first {
			return n, i, false
		}
		if neg {
			e = -e
		}
		exp += e
	}
	n.Mantissa, n.Exp = m, int32(exp)
	return n, i, true
}

// Int64 returns the value of an integer literal that fits.
func (n Number) Int64() (v int64, ok bool) {
	if !n.Integer || n.Digits > 19 {
		return 0, false
	}
	if n.Neg {
		return -int64(n.Mantissa), n.Mantissa <= 1<<63
	}
	return int64(n.Mantissa), n.Mantissa < 1<<63
}

// Uint64 returns the value of an integer literal without sign that fits, up to 19 digits; the longest uint64 values
// have 20 and go through strconv.
func (n Number) Uint64() (v uint64, ok bool) {
	return n.Mantissa, n.Integer && !n.Neg && n.Digits <= 19
}

// pow10 holds the powers of ten that a double represents exactly.
var pow10 = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
	1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// Float64 returns the nearest double if one operation on exact operands gives it (Clinger 1990): a mantissa below 2^53
// and a power of ten up to 22. Otherwise ok is false, and ParseFloat has to look at the digits.
func (n Number) Float64() (f float64, ok bool) {
	if n.Digits > 19 || n.Mantissa >= 1<<53 || n.Exp < -22 || n.Exp > 22 {
		return 0, false
	}
	f = float64(n.Mantissa)
	if n.Exp < 0 {
		f /= pow10[-n.Exp]
	} else {
		f *= pow10[n.Exp]
	}
	if n.Neg {
		f = -f
	}
	return f, true
}

// ParseFloat returns the double nearest to the number in b, which is what ScanNumber made n of. The error is
// strconv's, and tells that the number is out of range.
func ParseFloat(b []byte, n Number) (float64, error) {
	if f, ok := n.Float64(); ok {
		return f, nil
	}
	return strconv.ParseFloat(string(b), 64)
}
