// Package shapes makes the data that tests and benchmarks run on, from a seed.
package shapes

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
)

// Rand returns a generator that is the same for the same seed.
func Rand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(20261130, seed)) }

// A Shape makes data of one kind.
type Shape struct {
	Name string
	Gen  func(r *rand.Rand, n int) []byte
}

// All are the shapes that exercise different parts of the formats.
var All = []Shape{
	{"zeros", func(_ *rand.Rand, n int) []byte { return make([]byte, n) }},
	{"random", func(r *rand.Rand, n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	}},
	{"walk64", Columns},
	{"gauss32", func(r *rand.Rand, n int) []byte {
		b := make([]byte, 0, n+4)
		for len(b) < n {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(r.NormFloat64())))
		}
		return b[:n]
	}},
	{"words", func(r *rand.Rand, n int) []byte {
		dict := make([][]byte, 200)
		for i := range dict {
			w := make([]byte, 2+r.IntN(9))
			for j := range w {
				w[j] = byte('a' + int(26*r.Float64()*r.Float64()))
			}
			dict[i] = append(w, ' ')
		}
		var b []byte
		for len(b) < n {
			b = append(b, dict[int(200*r.Float64()*r.Float64())]...)
		}
		return b[:n]
	}},
	{"runs", func(r *rand.Rand, n int) []byte {
		var b []byte
		for len(b) < n {
			// periods of every size below the loops' cases, and some above
			p := make([]byte, 1+r.IntN(40))
			for j := range p {
				p[j] = byte(r.Uint32())
			}
			for range 1 + r.IntN(30) {
				b = append(b, p...)
			}
		}
		return b[:n]
	}},
	{"skewed", func(r *rand.Rand, n int) []byte {
		// Geometric over all bytes: codes of up to 15 bits.
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(min(255, int(r.ExpFloat64()*12)))
		}
		return b
	}},
	{"mixed", Mixed},
}

// Columns is a random walk of float64, as a column of measurements holds it.
func Columns(r *rand.Rand, n int) []byte {
	b := make([]byte, 0, n+8)
	for v := 0.0; len(b) < n; {
		v += r.NormFloat64()
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(math.Round(v*1024)/1024))
	}
	return b[:n]
}

// Mixed is bytes that an order-0 code halves and that hardly ever match, with
// short repeats between.
func Mixed(r *rand.Rand, n int) []byte {
	b := make([]byte, 0, n+64)
	for len(b) < n {
		for range 200 + r.IntN(200) {
			b = append(b, byte(r.NormFloat64()*2.5))
		}
		if len(b) > 1000 {
			at := r.IntN(len(b) - 100)
			b = append(b, b[at:at+20+r.IntN(40)]...)
		}
	}
	return b[:n]
}
