package jsonwire

import (
	"math"
	"slices"
	"strconv"
)

// FloatRoom is the room in bytes that any floating-point number needs, with
// quotes.
const FloatRoom = 32

// A FloatError reports a number that JSON has no form for: NaN or an infinity.
type FloatError struct {
	Value float64
}

func (e *FloatError) Error() string {
	return "json: unsupported value: " + strconv.FormatFloat(e.Value, 'g', -1, 64)
}

// finite tells that f is neither NaN nor infinite in the type it comes from.
func finite(f float64, bitSize int) bool {
	if bitSize == 32 {
		f = float64(float32(f))
	}
	return f-f == 0
}

// AppendFloat appends f in the format of encoding/json: the shortest digits
// from which a reader gets f again, with an exponent below 1e-6 and from 1e21
// on. The size in bits of the type that f comes from, 32 or 64, decides how
// many digits that takes. If f is NaN or infinite, dst is returned as it was,
// with a *[FloatError].
func AppendFloat(dst []byte, f float64, bitSize int) ([]byte, error) {
	if !finite(f, bitSize) {
		return dst, &FloatError{f}
	}
	abs := math.Abs(f)
	if abs < 1e15 && f == math.Trunc(f) && (f != 0 || !math.Signbit(f)) {
		if bitSize == 64 || abs < 1<<24 {
			// Exact, and no shorter digits stand for it.
			return AppendInt(dst, int64(f)), nil
		}
	}
	dst = slices.Grow(dst, FloatRoom)
	small, large := abs < 1e-6, abs >= 1e21
	if bitSize == 32 {
		small, large = float32(abs) < 1e-6, float32(abs) >= 1e21
	}
	if abs == 0 || !small && !large {
		return strconv.AppendFloat(dst, f, 'f', -1, bitSize), nil
	}
	dst = strconv.AppendFloat(dst, f, 'e', -1, bitSize)
	if n := len(dst); dst[n-4] == 'e' && dst[n-3] == '-' && dst[n-2] == '0' {
		// As e-9, where strconv writes e-09.
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst, nil
}

// AppendFloatG appends f in the format 'g' of strconv, which is that of
// mailru/easyjson: the same digits as AppendFloat writes, but with an exponent
// of at least two digits from 1e+06 on and below 1e-04. If f is NaN or
// infinite, dst is returned as it was, with a *[FloatError].
func AppendFloatG(dst []byte, f float64, bitSize int) ([]byte, error) {
	if !finite(f, bitSize) {
		return dst, &FloatError{f}
	}
	if math.Abs(f) < 1e6 && f == math.Trunc(f) && (f != 0 || !math.Signbit(f)) {
		return AppendInt(dst, int64(f)), nil
	}
	return strconv.AppendFloat(slices.Grow(dst, FloatRoom), f, 'g', -1, bitSize), nil
}
