package lzma

// rangeDecoder reads bits from src. Reading past the end gives zeroes and
// sets over: who decodes looks at it once a symbol, since so few bits cannot
// harm.
type rangeDecoder struct {
	src  []byte
	pos  int
	rng  uint32
	code uint32
	over bool
}

func (r *rangeDecoder) next() uint32 {
	if r.pos < len(r.src) {
		b := r.src[r.pos]
		r.pos++
		return uint32(b)
	}
	r.over = true
	return 0
}

// init reads the first five bytes, of which the first is zero.
func (r *rangeDecoder) init(src []byte) bool {
	if len(src) < 5 || src[0] != 0 {
		return false
	}
	*r = rangeDecoder{src: src, pos: 5, rng: 1<<32 - 1,
		code: uint32(src[1])<<24 | uint32(src[2])<<16 | uint32(src[3])<<8 | uint32(src[4])}
	return r.code < r.rng
}

// end normalises and reports whether the chunk came out even.
func (r *rangeDecoder) end() bool {
	if r.rng < topValue {
		r.rng <<= 8
		r.code = r.code<<8 | r.next()
	}
	return !r.over && r.pos == len(r.src) && r.code == 0
}

func (r *rangeDecoder) bit(p *uint16) uint32 {
	if r.rng < topValue {
		r.rng <<= 8
		r.code = r.code<<8 | r.next()
	}
	v := uint32(*p)
	bound := r.rng >> probBits * v
	if r.code < bound {
		r.rng = bound
		*p = uint16(v + (1<<probBits-v)>>probMove)
		return 0
	}
	r.rng -= bound
	r.code -= bound
	*p = uint16(v - v>>probMove)
	return 1
}

// tree decodes bits from the highest on. len(p) is 1<<bits.
func (r *rangeDecoder) tree(p []uint16) uint32 {
	rng, code := r.rng, r.code
	n := uint32(len(p))
	m := uint32(1)
	for m < n {
		if rng < topValue {
			rng <<= 8
			code = code<<8 | r.next()
		}
		v := uint32(p[m])
		bound := rng >> probBits * v
		if code < bound {
			rng = bound
			p[m] = uint16(v + (1<<probBits-v)>>probMove)
			m <<= 1
		} else {
			rng -= bound
			code -= bound
			p[m] = uint16(v - v>>probMove)
			m = m<<1 | 1
		}
	}
	r.rng, r.code = rng, code
	return m - n
}

// reverse decodes bits from the lowest on; node m of the tree is p[m].
func (r *rangeDecoder) reverse(p []uint16, bits uint32) uint32 {
	m, v := uint32(1), uint32(0)
	for i := range bits {
		b := r.bit(&p[m])
		m = m<<1 | b
		v |= b << i
	}
	return v
}

// direct decodes bits of even odds.
func (r *rangeDecoder) direct(bits uint32) uint32 {
	v := uint32(0)
	for range bits {
		if r.rng < topValue {
			r.rng <<= 8
			r.code = r.code<<8 | r.next()
		}
		r.rng >>= 1
		b := uint32(1)
		if r.code < r.rng {
			b = 0
		}
		r.code -= r.rng & -b
		v = v<<1 | b
	}
	return v
}

// matched decodes a literal after a match: the byte that the match would
// have gone on with chooses the probabilities while it agrees.
func (r *rangeDecoder) matched(p []uint16, by uint32) uint32 {
	off, m := uint32(0x100), uint32(1)
	for m < 0x100 {
		by <<= 1
		b := by & off
		if r.bit(&p[off+b+m]) == 0 {
			m <<= 1
			off &^= b
		} else {
			m = m<<1 | 1
			off &= b
		}
	}
	return m & 0xff
}

func (r *rangeDecoder) length(l *lengths, posState uint32) uint32 {
	if r.bit(&l.choice) == 0 {
		return r.tree(l.low[posState][:])
	}
	if r.bit(&l.choice2) == 0 {
		return 8 + r.tree(l.mid[posState][:])
	}
	return 16 + r.tree(l.high[:])
}
