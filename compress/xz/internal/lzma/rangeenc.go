package lzma

import "math/bits"

// rangeEncoder writes bits to out. A byte of 0xff, or the one before it, can
// still be raised by a carry, so those are held back: cache, and as many 0xff
// behind it as pending says.
type rangeEncoder struct {
	out     []byte
	low     uint64
	rng     uint32
	cache   byte
	pending int
}

func (r *rangeEncoder) init(out []byte) {
	// The first byte that comes out is the cache's zero, as the format has it.
	*r = rangeEncoder{out: out, rng: 1<<32 - 1, pending: 1}
}

func (r *rangeEncoder) shift() {
	if uint32(r.low) < 0xff000000 || r.low>>32 != 0 {
		carry := byte(r.low >> 32)
		for ; r.pending > 0; r.pending-- {
			r.out = append(r.out, r.cache+carry)
			r.cache = 0xff
		}
		r.cache = byte(r.low >> 24)
	}
	r.pending++
	r.low = r.low & 0x00ffffff << 8
}

func (r *rangeEncoder) flush() {
	for range 5 {
		r.shift()
	}
}

// size returns how long the output becomes if it is flushed now.
func (r *rangeEncoder) size(start int) int { return len(r.out) - start + r.pending + 4 }

func (r *rangeEncoder) bit(p *uint16, b uint32) {
	v := uint32(*p)
	bound := r.rng >> probBits * v
	if b == 0 {
		r.rng = bound
		*p = uint16(v + (1<<probBits-v)>>probMove)
	} else {
		r.low += uint64(bound)
		r.rng -= bound
		*p = uint16(v - v>>probMove)
	}
	if r.rng < topValue {
		r.rng <<= 8
		r.shift()
	}
}

func (r *rangeEncoder) tree(p []uint16, v uint32) {
	m := uint32(1)
	for i := bits.Len(uint(len(p))) - 2; i >= 0; i-- {
		b := v >> i & 1
		r.bit(&p[m], b)
		m = m<<1 | b
	}
}

func (r *rangeEncoder) reverse(p []uint16, bits, v uint32) {
	m := uint32(1)
	for i := range bits {
		b := v >> i & 1
		r.bit(&p[m], b)
		m = m<<1 | b
	}
}

func (r *rangeEncoder) direct(bits, v uint32) {
	for i := int(bits) - 1; i >= 0; i-- {
		r.rng >>= 1
		if v>>i&1 != 0 {
			r.low += uint64(r.rng)
		}
		if r.rng < topValue {
			r.rng <<= 8
			r.shift()
		}
	}
}

func (r *rangeEncoder) matched(p []uint16, by, v uint32) {
	off, m := uint32(0x100), uint32(1)
	for i := 7; i >= 0; i-- {
		by <<= 1
		b := v >> i & 1
		r.bit(&p[off+by&off+m], b)
		m = m<<1 | b
		if b == 0 {
			off &^= by
		} else {
			off &= by
		}
	}
}

func (r *rangeEncoder) length(l *lengths, posState, n uint32) {
	switch {
	case n < 8:
		r.bit(&l.choice, 0)
		r.tree(l.low[posState][:], n)
	case n < 16:
		r.bit(&l.choice, 1)
		r.bit(&l.choice2, 0)
		r.tree(l.mid[posState][:], n-8)
	default:
		r.bit(&l.choice, 1)
		r.bit(&l.choice2, 1)
		r.tree(l.high[:], n-16)
	}
}
