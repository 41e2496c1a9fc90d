package inflate

import "encoding/binary"

const adlerMod = 65521 // the largest prime below 1<<16 (RFC 1950)

// adlerWords is how many words of eight bytes are summed before lanes of 16
// bits would overflow: the running ones reach 255*(0+1+...+22) < 1<<16.
const adlerWords = 23

// adlerBlocks is how many such groups are summed before the sums are reduced;
// both are of 64 bits and stay far from overflow.
const adlerBlocks = 16

// Adler32 continues the checksum sum (1 at the start) over p. It adds the
// bytes of a word in four lanes of 16 bits each, even and odd bytes apart.
func Adler32(sum uint32, p []byte) uint32 {
	a, b := uint64(sum&0xffff), uint64(sum>>16)
	const lanes = 0x00ff00ff00ff00ff
	for len(p) >= 8*adlerWords {
		blocks := min(len(p)/(8*adlerWords), adlerBlocks)
		for range blocks {
			var even, odd, evens, odds uint64
			q := p[: 8*adlerWords : 8*adlerWords]
			for i := 0; i < 8*adlerWords; i += 8 {
				w := binary.LittleEndian.Uint64(q[i : i+8])
				evens += even
				odds += odd
				even += w & lanes
				odd += w >> 8 & lanes
			}
			p = p[8*adlerWords:]
			// A byte counts in b once for itself and once for every byte
			// behind it: eight times for each later word, which evens and
			// odds have added up, and 8 down to 1 times by its place.
			b += 8*adlerWords*a + 8*(fold(evens)+fold(odds))
			b += 8*(even&0xffff) + 6*(even>>16&0xffff) + 4*(even>>32&0xffff) + 2*(even>>48)
			b += 7*(odd&0xffff) + 5*(odd>>16&0xffff) + 3*(odd>>32&0xffff) + odd>>48
			a += fold(even) + fold(odd)
		}
		a %= adlerMod
		b %= adlerMod
	}
	for _, v := range p {
		a += uint64(v)
		b += a
	}
	return uint32(b%adlerMod)<<16 | uint32(a%adlerMod)
}

// fold adds four lanes of 16 bits.
func fold(v uint64) uint64 {
	return v&0xffff + v>>16&0xffff + v>>32&0xffff + v>>48
}
