package jsonserialization

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/eddy-go/eddy/jsonwire"
)

// notNumber is the error of a getter for a number of the type want that cannot
// hold the value. Its text is the original's.
func (n *JsonParseNode) notNumber(want string) error {
	const shown = 64
	var text string
	switch {
	case n.kind == kindNumber:
		text = fmt.Sprint(n.double())
	case n.kind == kindString && n.flags != 0:
		text = decode(n.text(), n.flags)
	default:
		text = string(n.text())
	}
	if len(text) > shown {
		text = text[:shown] + "..."
	}
	return errors.New("value '" + text + "' is not compatible with type " + want)
}

// number scans the digits again: they are few, and most numbers are read once.
func (n *JsonParseNode) number() (text []byte, v jsonwire.Number) {
	text = n.text()
	v, _, _ = jsonwire.ScanNumber(text, 0)
	return text, v
}

// double returns the value of a number, which is within range since parsing.
func (n *JsonParseNode) double() float64 {
	f, err := jsonwire.ParseFloat(n.number())
	if err != nil {
		return math.NaN() // no number of a document that was parsed
	}
	return f
}

// integer returns the value of a number without a fraction, which may be written
// with a point or an exponent, if it is within lo and hi.
func (n *JsonParseNode) integer(lo, hi int64) (v int64, ok bool) {
	if n.kind != kindNumber {
		return 0, false
	}
	text, num := n.number()
	if num.Integer {
		v, ok = num.Int64()
	} else {
		v, ok = whole(text)
	}
	return v, ok && v >= lo && v <= hi
}

// whole returns the value of a number with a point or an exponent, if it is an
// integer, exactly: the digits up to the last that is not zero, times a power of
// ten.
func whole(text []byte) (v int64, ok bool) {
	text, negative := bytes.CutPrefix(text, []byte("-"))
	digits, exp := text, int64(0)
	if e := bytes.IndexAny(text, "eE"); e >= 0 {
		digits, exp = text[:e], exponent(text[e+1:])
	}
	const limit = 1 << 63
	var m uint64
	zeros, point := int64(0), false // behind the digits in m
	for _, c := range digits {
		if c == '.' {
			point = true
			continue
		}
		if point {
			exp--
		}
		if c == '0' {
			zeros++
			continue
		}
		for ; m != 0 && zeros >= 0; zeros-- {
			if m > limit/10 {
				return 0, false // more digits than an integer has, the last one not zero
			}
			m *= 10
		}
		m, zeros = m+uint64(c-'0'), 0
	}
	if m == 0 {
		return 0, true
	}
	if exp += zeros; exp < 0 {
		return 0, false
	}
	for ; exp > 0; exp-- {
		if m > limit/10 {
			return 0, false
		}
		m *= 10
	}
	if negative {
		return -int64(m), m <= limit
	}
	return int64(m), m < limit
}

// exponent returns what stands behind the e, within bounds that no document's
// length makes up for.
func exponent(text []byte) (e int64) {
	negative := text[0] == '-'
	for _, c := range text {
		if c != '-' && c != '+' && e < 1<<40 {
			e = e*10 + int64(c-'0')
		}
	}
	if negative {
		return -e
	}
	return e
}

// exact reports whether a number is an integer that a float64 would change, and
// an int64 would not.
func (n *JsonParseNode) exact() (v int64, ok bool) {
	if n.doc.opt.FloatIntegers || n.end-n.start < 16 {
		return 0, false // 2^53 has 16 digits
	}
	_, num := n.number()
	if v, ok = num.Int64(); !ok {
		return 0, false
	}
	f := float64(v)
	return v, f >= 1<<63 || int64(f) != v
}

// GetInt8Value returns an integer that is in the range of an int8.
func (n *JsonParseNode) GetInt8Value() (*int8, error) {
	if n = n.value(); n == nil {
		return nil, nil
	}
	v, ok := n.integer(math.MinInt8, math.MaxInt8)
	if !ok {
		return nil, n.notNumber("int8")
	}
	r := int8(v)
	return &r, nil
}

// GetByteValue returns an integer that is in the range of a byte.
func (n *JsonParseNode) GetByteValue() (*byte, error) {
	if n = n.value(); n == nil {
		return nil, nil
	}
	v, ok := n.integer(0, math.MaxUint8)
	if !ok {
		return nil, n.notNumber("uint8")
	}
	r := byte(v)
	return &r, nil
}

// GetInt32Value returns an integer that is in the range of an int32.
func (n *JsonParseNode) GetInt32Value() (*int32, error) {
	if n = n.value(); n == nil {
		return nil, nil
	}
	v, ok := n.integer(math.MinInt32, math.MaxInt32)
	if !ok {
		return nil, n.notNumber("int32")
	}
	r := int32(v)
	return &r, nil
}

// GetInt64Value returns an integer that is in the range of an int64, exactly. As
// for all integers, a point or an exponent are allowed, as in 1.0 and 12e1, if
// what is written is an integer: a number with a fraction, however small, is not.
func (n *JsonParseNode) GetInt64Value() (*int64, error) {
	if n = n.value(); n == nil {
		return nil, nil
	}
	v, ok := n.integer(math.MinInt64, math.MaxInt64)
	if !ok {
		return nil, n.notNumber("int64")
	}
	return &v, nil
}

// GetFloat32Value returns a number that is in the range of a float32, rounded to
// the nearest one.
func (n *JsonParseNode) GetFloat32Value() (*float32, error) {
	if n = n.value(); n == nil {
		return nil, nil
	}
	if n.kind != kindNumber {
		return nil, n.notNumber("float32")
	}
	text, num := n.number()
	if f, ok := num.Float64(); ok && num.Mantissa < 1<<24 && num.Exp >= -10 && num.Exp <= 10 {
		// The quotient or product of two numbers that a float32 holds,
		// which rounding to float64 first does not change.
		r := float32(f)
		return &r, nil
	}
	f, err := strconv.ParseFloat(string(text), 32)
	if err != nil {
		return nil, n.notNumber("float32")
	}
	r := float32(f)
	return &r, nil
}

// GetFloat64Value returns a number, rounded to the nearest float64.
func (n *JsonParseNode) GetFloat64Value() (*float64, error) {
	if n = n.value(); n == nil {
		return nil, nil
	}
	if n.kind != kindNumber {
		return nil, n.notNumber("float64")
	}
	f := n.double()
	return &f, nil
}
