package inflate

import "encoding/binary"

// Margins of the loops by words.
const (
	// Three refills a round take at most 7 bytes each, and the last loads 8.
	fastInput = 7 + 7 + 8
	// Three literals a round, and one byte so that the pointer behind them is
	// still inside.
	fastOutput = 4
	// A match of three bytes is written as three words: up to 21 bytes past
	// its end, which later symbols overwrite.
	fastCopy = 24
)

// loopWords is the loop of loopUnsafe with every access through a slice: the
// same margins, held by the language. It serves platforms without unaligned
// little-endian words of 64 bits, and the purego build.
func (d *Decoder) loopWords(dst []byte, dp int, src []byte, sp int) (int, int, result) {
	lastIn := len(src) - fastInput
	lastOut := len(dst) - fastOutput
	if sp > lastIn || dp > lastOut {
		return dp, sp, margin
	}
	lit, dist := d.lit, d.dist
	bits := d.bits
	// Only the low six bits of n count: whole entries are subtracted from
	// it, and what that leaves above is never looked at.
	n := uint32(d.nbits)
	r := margin

	bits |= binary.LittleEndian.Uint64(src[sp:]) << (n & 63)
	sp += 7 - int(n>>3&7)
	n |= 56
	e := lit[bits&litMask]
	for {
		// Here at least 56 bits are there, and e is the entry for them. Up to
		// two literals of at most 11 bits each leave 34.
		if int32(e) < 0 {
			bits >>= e & 63
			n -= e
			dst[dp] = byte(e >> 16)
			dp++
			e = lit[bits&litMask]
			if int32(e) < 0 {
				bits >>= e & 63
				n -= e
				dst[dp] = byte(e >> 16)
				dp++
				e = lit[bits&litMask]
				if int32(e) < 0 {
					bits >>= e & 63
					n -= e
					dst[dp] = byte(e >> 16)
					dp++
					if sp > lastIn || dp > lastOut {
						break
					}
					bits |= binary.LittleEndian.Uint64(src[sp:]) << (n & 63)
					sp += 7 - int(n>>3&7)
					n |= 56
					e = lit[bits&litMask]
					continue
				}
			}
		}
		if e&entSpecial != 0 {
			if e&entSub != 0 {
				e = lit[e>>16+uint32(bits>>litRoot)&(1<<(e>>8&15)-1)]
			}
			if int32(e) < 0 {
				bits >>= e & 63
				n -= e
				dst[dp] = byte(e >> 16)
				dp++
				if sp > lastIn || dp > lastOut {
					break
				}
				bits |= binary.LittleEndian.Uint64(src[sp:]) << (n & 63)
				sp += 7 - int(n>>3&7)
				n |= 56
				e = lit[bits&litMask]
				continue
			}
			if e&entSpecial != 0 {
				r = corrupt
				if e&entEnd != 0 {
					bits >>= e & 63
					n -= e
					r = blockEnd
				}
				break
			}
		}

		// A length of at most 20 bits leaves 14 of the 34.
		length := int(e>>16) + int(bits&(1<<(e&63)-1)>>(e>>8&15))
		bits >>= e & 63
		n -= e
		bits |= binary.LittleEndian.Uint64(src[sp:]) << (n & 63)
		sp += 7 - int(n>>3&7)
		n |= 56

		e = dist[bits&distMask]
		if e&entSpecial != 0 {
			if e&entSub != 0 {
				e = dist[e>>16+uint32(bits>>distRoot)&(1<<(e>>8&15)-1)]
			}
			if e&entInvalid != 0 {
				r = corrupt
				break
			}
		}
		offset := int(e>>16) + int(bits&(1<<(e&63)-1)>>(e>>8&15))
		bits >>= e & 63
		n -= e
		if offset > dp {
			r = corrupt
			break
		}

		// The next entry is loaded before the copy, which it does not wait for.
		bits |= binary.LittleEndian.Uint64(src[sp:]) << (n & 63)
		sp += 7 - int(n>>3&7)
		n |= 56
		e = lit[bits&litMask]

		end := dp + length
		if end > len(dst)-fastCopy {
			if end > len(dst) {
				d.pending, d.offset = length, offset
				dp = d.finishMatch(dst, dp)
				r = needOutput
				break
			}
			copyMatch(dst, dp, offset, length)
			dp = end
		} else if offset >= 8 {
			from := dp - offset
			for ; dp < end; dp += 8 {
				binary.LittleEndian.PutUint64(dst[dp:], binary.LittleEndian.Uint64(dst[from:]))
				from += 8
			}
			dp = end
		} else if offset == 1 {
			v := uint64(dst[dp-1]) * 0x0101010101010101
			for ; dp < end; dp += 8 {
				binary.LittleEndian.PutUint64(dst[dp:], v)
			}
			dp = end
		} else {
			// Each step makes offset bytes right and the next one starts there.
			for ; dp < end; dp += offset {
				binary.LittleEndian.PutUint64(dst[dp:], binary.LittleEndian.Uint64(dst[dp-offset:]))
			}
			dp = end
		}
		if sp > lastIn || dp > lastOut {
			break
		}
	}
	k := uint(n & 63)
	sp -= int(k >> 3)
	k &= 7
	d.bits, d.nbits = bits&(1<<k-1), k
	return dp, sp, r
}
