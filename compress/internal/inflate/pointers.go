//go:build (amd64 || arm64) && !purego

package inflate

import "unsafe"

// loopUnsafe decodes symbols while both ends are far enough away that no
// symbol needs a check of its own.
//
// in and out are where the next byte is read and written, and inLeft and
// outLeft count the bytes from there to the slices' ends. Reads through in: a
// round begins with inLeft >= fastInput, takes at most 7 bytes at each of
// three refills at most, and each refill loads 8. Writes through out: a round begins
// with outLeft >= fastOutput and writes at most three literals; a match
// is checked against outLeft. Reads through out: offset is at most what was
// written or was in dst before.
//
// Two pointers that move and two counts take fewer registers than bases,
// positions and limits; bits in memory would cost half of the speed.
func (d *Decoder) loopUnsafe(dst []byte, dp int, src []byte, sp int) (int, int, result) {
	inLeft, outLeft := len(src)-sp, len(dst)-dp
	if inLeft < fastInput || outLeft < fastOutput {
		return dp, sp, margin
	}
	in := unsafe.Add(unsafe.Pointer(unsafe.SliceData(src)), sp)
	out := unsafe.Add(unsafe.Pointer(unsafe.SliceData(dst)), dp)
	lit := d.lit
	bits := d.bits
	// Only the low six bits of n count: whole entries are subtracted from
	// it, and what that leaves above is never looked at.
	n := uint32(d.nbits)
	r := margin

	bits |= load64(in, 0) << (n & 63)
	k := 7 - int(n>>3&7)
	in = unsafe.Add(in, k)
	inLeft -= k
	n |= 56
	e := lit[bits&litMask]
	for {
		// Here at least 56 bits are there, and e is the entry for them. Up to
		// two literals of at most 11 bits each leave 34.
		if int32(e) < 0 {
			bits >>= e & 63
			n -= e
			store8(out, 0, byte(e>>16))
			e = lit[bits&litMask]
			if int32(e) < 0 {
				bits >>= e & 63
				n -= e
				store8(out, 1, byte(e>>16))
				e = lit[bits&litMask]
				if int32(e) < 0 {
					bits >>= e & 63
					n -= e
					store8(out, 2, byte(e>>16))
					out = unsafe.Add(out, 3)
					outLeft -= 3
					if inLeft < fastInput || outLeft < fastOutput {
						break
					}
					bits |= load64(in, 0) << (n & 63)
					k := 7 - int(n>>3&7)
					in = unsafe.Add(in, k)
					inLeft -= k
					n |= 56
					e = lit[bits&litMask]
					continue
				}
				out = unsafe.Add(out, 1)
				outLeft--
			}
			out = unsafe.Add(out, 1)
			outLeft--
		}
		if e&entSpecial != 0 {
			if e&entSub != 0 {
				e = lit[e>>16+uint32(bits>>litRoot)&(1<<(e>>8&15)-1)]
			}
			if int32(e) < 0 {
				bits >>= e & 63
				n -= e
				store8(out, 0, byte(e>>16))
				out = unsafe.Add(out, 1)
				outLeft--
				if inLeft < fastInput || outLeft < fastOutput {
					break
				}
				bits |= load64(in, 0) << (n & 63)
				k := 7 - int(n>>3&7)
				in = unsafe.Add(in, k)
				inLeft -= k
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
		if n&63 < 28 { // the most that a distance takes; seldom so few are left
			bits |= load64(in, 0) << (n & 63)
			k := 7 - int(n>>3&7)
			in = unsafe.Add(in, k)
			inLeft -= k
			n |= 56
		}

		e = d.dist[bits&distMask]
		if e&entSpecial != 0 {
			if e&entSub != 0 {
				e = d.dist[e>>16+uint32(bits>>distRoot)&(1<<(e>>8&15)-1)]
			}
			if e&entInvalid != 0 {
				r = corrupt
				break
			}
		}
		offset := int(e>>16) + int(bits&(1<<(e&63)-1)>>(e>>8&15))
		bits >>= e & 63
		n -= e
		if offset > len(dst)-outLeft {
			r = corrupt
			break
		}
		if outLeft < length+fastCopy {
			// Too near the end for copies by words. Here out is not moved
			// on, as it might come to point behind dst.
			dp := len(dst) - outLeft
			if length > outLeft {
				d.pending, d.offset = length, offset
				d.finishMatch(dst, dp)
				outLeft = 0
				r = needOutput
			} else {
				copyMatch(dst, dp, offset, length)
				outLeft -= length
			}
			break
		}

		// The next entry is loaded before the copy, which it does not wait for.
		bits |= load64(in, 0) << (n & 63)
		k := 7 - int(n>>3&7)
		in = unsafe.Add(in, k)
		inLeft -= k
		n |= 56
		e = lit[bits&litMask]

		outLeft -= length
		to := out
		from := unsafe.Add(out, -offset)
		out = unsafe.Add(out, length)
		if offset >= 8 {
			// Most matches are no longer than three words.
			store64(to, load64(from, 0))
			store64(unsafe.Add(to, 8), load64(from, 8))
			store64(unsafe.Add(to, 16), load64(from, 16))
			for length > 24 {
				to, from = unsafe.Add(to, 8), unsafe.Add(from, 8)
				length -= 8
				store64(unsafe.Add(to, 16), load64(from, 16))
			}
		} else if offset == 1 {
			v := uint64(*(*byte)(from)) * 0x0101010101010101
			for ; length > 0; length -= 8 {
				store64(to, v)
				to = unsafe.Add(to, 8)
			}
		} else {
			// Each step makes offset bytes right and the next one starts there.
			for ; length > 0; length -= offset {
				store64(to, load64(from, 0))
				to, from = unsafe.Add(to, offset), unsafe.Add(from, offset)
			}
		}
		if inLeft < fastInput || outLeft < fastOutput {
			break
		}
	}
	have := uint(n & 63)
	sp = len(src) - inLeft - int(have>>3)
	have &= 7
	d.bits, d.nbits = bits&(1<<have-1), have
	return len(dst) - outLeft, sp, r
}
