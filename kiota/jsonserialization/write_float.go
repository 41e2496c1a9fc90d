package jsonserialization

import (
	"math"
	"strconv"

	"github.com/eddy-go/eddy/jsonwire"
)

// floatRoom is what the longest number without an exponent needs: a sign, 309
// digits in front of the point, or 325 behind it.
const floatRoom = 352

// float writes v with the fewest digits that read as the same number of that
// size in bits, never with an exponent.
func (s *state) float(key string, v float64, bits int) error {
	if v-v != 0 {
		return s.nonFinite(key, v)
	}
	if bits == 32 && s.opt.WideFloat32 {
		bits = 64
	}
	abs := math.Abs(v)
	if abs >= 1e-6 && abs < 1e21 || v == 0 {
		b, i := s.start(key, jsonwire.FloatRoom)
		if n, ok := thousandfold(v, bits); ok {
			s.n = putThousandth(b, i, n)
			return nil
		}
		out, err := jsonwire.AppendFloat(b[:i], v, bits) // within the room, so in place
		if err != nil {
			return err
		}
		s.n = len(out)
		return nil
	}
	b, i := s.start(key, floatRoom)
	s.n = len(strconv.AppendFloat(b[:i], v, 'f', -1, bits))
	return nil
}

// thousandfold returns the integer of which v is the thousandth part, if there
// is one of so few digits that it, without zeros at its end, is the shortest
// text for v: any 15 digits are told apart by a float64, any 6 by a float32.
// Prices, percentages and coordinates are mostly of this kind.
func thousandfold(v float64, bits int) (n int64, ok bool) {
	most := 1e15
	if bits == 32 {
		most = 1e6
	}
	p := v * 1000
	if !(math.Abs(p) < most) || v == 0 {
		return 0, false // zero may have a sign
	}
	n = int64(math.Round(p))
	// The quotient is the number nearest to the text.
	if bits == 32 {
		return n, float32(n)/1000 == float32(v)
	}
	return n, float64(n)/1000 == v
}

// putThousandth stores the thousandth part of n at b[i:].
func putThousandth(b []byte, i int, n int64) int {
	if n < 0 {
		b[i] = '-'
		i++
		n = -n
	}
	i = jsonwire.PutUint(b, i, uint64(n/1000))
	if f := n % 1000; f != 0 {
		i = len(appendMillis(b[:i], f))
	}
	return i
}

func (s *state) nonFinite(key string, v float64) error {
	text := strconv.FormatFloat(v, 'f', -1, 64)
	if !s.opt.RawNonFinite {
		return &ValueError{v, text + " is not a JSON number"}
	}
	b, i := s.start(key, len(text))
	s.n = i + copy(b[i:], text)
	return nil
}
