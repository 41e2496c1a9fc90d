package rootio

import (
	"encoding/binary"
	"math/bits"
)

// xxHash64 with seed 0, as the xxHash specification 0.1.1 has it: what stands
// before the data of an L4 block, as eight bytes from the high end.
const (
	xxPrime1 uint64 = 0x9e3779b185ebca87
	xxPrime2 uint64 = 0xc2b2ae3d27d4eb4f
	xxPrime3 uint64 = 0x165667b19e3779f9
	xxPrime4 uint64 = 0x85ebca77c2b2ae63
	xxPrime5 uint64 = 0x27d4eb2f165667c5
)

func xxhash64(p []byte) uint64 {
	n := uint64(len(p))
	h := xxPrime5
	if len(p) >= 32 {
		var one, two uint64 = xxPrime1, xxPrime2 // variables, as constants must not overflow
		a, b, c, d := one+two, two, uint64(0), -one
		for len(p) >= 32 {
			a = xxRound(a, binary.LittleEndian.Uint64(p))
			b = xxRound(b, binary.LittleEndian.Uint64(p[8:]))
			c = xxRound(c, binary.LittleEndian.Uint64(p[16:]))
			d = xxRound(d, binary.LittleEndian.Uint64(p[24:]))
			p = p[32:]
		}
		h = bits.RotateLeft64(a, 1) + bits.RotateLeft64(b, 7) + bits.RotateLeft64(c, 12) + bits.RotateLeft64(d, 18)
		for _, v := range [...]uint64{a, b, c, d} {
			h = (h^xxRound(0, v))*xxPrime1 + xxPrime4
		}
	}
	h += n
	for ; len(p) >= 8; p = p[8:] {
		h ^= xxRound(0, binary.LittleEndian.Uint64(p))
		h = bits.RotateLeft64(h, 27)*xxPrime1 + xxPrime4
	}
	if len(p) >= 4 {
		h ^= uint64(binary.LittleEndian.Uint32(p)) * xxPrime1
		h = bits.RotateLeft64(h, 23)*xxPrime2 + xxPrime3
		p = p[4:]
	}
	for _, c := range p {
		h ^= uint64(c) * xxPrime5
		h = bits.RotateLeft64(h, 11) * xxPrime1
	}
	h = (h ^ h>>33) * xxPrime2
	h = (h ^ h>>29) * xxPrime3
	return h ^ h>>32
}

func xxRound(acc, v uint64) uint64 {
	return bits.RotateLeft64(acc+v*xxPrime2, 31) * xxPrime1
}
