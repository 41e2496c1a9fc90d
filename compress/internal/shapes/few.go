package shapes

import "math/rand/v2"

// Few is bytes of ten values in no order: a code alone more than halves them,
// and there is hardly a match.
func Few(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.IntN(10))
	}
	return b
}
