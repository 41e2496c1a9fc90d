package inflate

// loopBytes decodes symbols up to the very ends of src and dst. Before a
// symbol it holds as many bits as any symbol needs, or all that are left, and
// it changes nothing until the whole symbol is known to be there.
func (d *Decoder) loopBytes(dst []byte, dp int, src []byte, sp int) (int, int, result) {
	bits, n := d.bits, d.nbits
	lit, dist := d.lit, d.dist
	r := margin
	for r == margin {
		for n <= 56 && sp < len(src) {
			bits |= uint64(src[sp]) << n
			sp++
			n += 8
		}
		e := lit[bits&litMask]
		if e&entSub != 0 {
			e = lit[e>>16+uint32(bits>>litRoot)&(1<<(e>>8&15)-1)]
		}
		used := uint(e & entTotal)
		if used > n {
			r = needInput
			break
		}
		switch {
		case int32(e) < 0:
			if dp == len(dst) {
				r = needOutput
				break
			}
			dst[dp] = byte(e >> 16)
			dp++
			bits >>= used
			n -= used
		case e&entInvalid != 0:
			r = corrupt
		case e&entEnd != 0:
			bits >>= used
			n -= used
			r = blockEnd
		default:
			length := int(e>>16) + int(bits&(1<<used-1)>>(e>>8&15))
			b := bits >> used
			m := n - used
			e = dist[b&distMask]
			if e&entSub != 0 {
				e = dist[e>>16+uint32(b>>distRoot)&(1<<(e>>8&15)-1)]
			}
			used = uint(e & entTotal)
			switch {
			case used > m:
				r = needInput
			case e&entInvalid != 0:
				r = corrupt
			default:
				offset := int(e>>16) + int(b&(1<<used-1)>>(e>>8&15))
				if offset > dp {
					r = corrupt
					break
				}
				bits = b >> used
				n = m - used
				if length > len(dst)-dp {
					d.pending, d.offset = length, offset
					dp = d.finishMatch(dst, dp)
					r = needOutput
					break
				}
				copyMatch(dst, dp, offset, length)
				dp += length
			}
		}
	}
	// Whole bytes go back, so that the caller owns all input it still has.
	sp -= int(n >> 3)
	n &= 7
	d.bits, d.nbits = bits&(1<<n-1), n
	return dp, sp, r
}

// finishMatch writes as much of the pending match as fits.
func (d *Decoder) finishMatch(dst []byte, dp int) int {
	n := min(d.pending, len(dst)-dp)
	copyMatch(dst, dp, d.offset, n)
	d.pending -= n
	return dp + n
}

// copyMatch writes dst[dp:dp+length] from offset bytes before, which may
// overlap: what is written is read again.
func copyMatch(dst []byte, dp, offset, length int) {
	from := dst[dp-offset : dp]
	to := dst[dp : dp+length]
	if offset == 1 {
		v := from[0]
		for i := range to {
			to[i] = v
		}
		return
	}
	for len(to) > 0 {
		n := copy(to, from)
		to = to[n:]
		from = dst[dp-offset : dp+length-len(to)]
	}
}
