package rootio

import (
	"encoding/binary"
	"math"
	"strconv"
	"strings"
)

// A packing says how a Double32_t or Float16_t lies in a file: as an integer
// between two bounds, as an exponent and a short mantissa, or, if neither,
// as a float (Double32_t) or with a mantissa of 12 bits (Float16_t).
type packing struct {
	min, factor float64 // an integer i is min + i/factor
	bits        int     // of the mantissa; 0 if none is named
}

// packedSize returns how many bytes one value takes.
func packedSize(typ int, p packing) int {
	if p.factor != 0 {
		return 4
	}
	if p.bits == 0 && typ == typDouble32 {
		return 4
	}
	return 3
}

// value returns the value of the bytes.
func (p packing) value(typ int, b []byte) float64 {
	switch {
	case p.factor != 0 && typ == typFloat16:
		return float64(float32(float64(binary.BigEndian.Uint32(b))/p.factor + p.min))
	case p.factor != 0:
		return float64(binary.BigEndian.Uint32(b))/p.factor + p.min
	case p.bits == 0 && typ == typDouble32:
		return float64(math.Float32frombits(binary.BigEndian.Uint32(b)))
	}
	bits := p.bits
	if bits == 0 {
		bits = 12
	}
	man := uint32(binary.BigEndian.Uint16(b[1:]))
	v := uint32(b[0])<<23 | man&(1<<(bits+1)-1)<<(23-bits)
	if man&(1<<(bits+1)) != 0 {
		v |= 1 << 31
	}
	return float64(math.Float32frombits(v))
}

// parsePacking reads the comment of a member: [min,max] or [min,max,bits],
// behind the dimensions of an array if it is one.
func parsePacking(comment string) packing {
	rest := comment
	for range 4 {
		i := strings.IndexByte(rest, '[')
		if i < 0 {
			return packing{}
		}
		rest = rest[i+1:]
		inner, behind, ok := strings.Cut(rest, "]")
		if !ok {
			return packing{}
		}
		if parts := strings.Split(inner, ","); len(parts) >= 2 {
			return newPacking(parts)
		}
		rest = behind
	}
	return packing{}
}

func newPacking(parts []string) packing {
	lo, okLo := bound(parts[0])
	hi, okHi := bound(parts[1])
	if !okLo || !okHi {
		return packing{}
	}
	bits := 32
	if len(parts) > 2 {
		n, err := strconv.Atoi(strings.TrimSpace(parts[2]))
		if err != nil {
			return packing{}
		}
		if bits = n; bits < 2 || bits > 32 {
			bits = 32
		}
	}
	if lo < hi {
		steps := float64(uint64(1) << bits)
		if bits == 32 {
			steps = math.MaxUint32
		}
		return packing{min: lo, factor: steps / (hi - lo)}
	}
	if bits < 15 {
		return packing{bits: bits}
	}
	return packing{}
}

// bound reads a number or one of the forms of pi that ROOT knows.
func bound(s string) (float64, bool) {
	s = strings.ReplaceAll(strings.TrimSpace(s), " ", "")
	sign := 1.0
	body := s
	if strings.HasPrefix(body, "-") {
		sign, body = -1, body[1:]
	}
	switch body {
	case "pi":
		return sign * math.Pi, true
	case "twopi", "2pi", "2*pi":
		return sign * 2 * math.Pi, true
	case "pi/2":
		return sign * math.Pi / 2, true
	case "pi/4":
		return sign * math.Pi / 4, true
	}
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil && !math.IsInf(v, 0) && !math.IsNaN(v)
}
