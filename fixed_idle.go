package eddy

import (
	"math/bits"
	"sync/atomic"
)

// idleSet says which buffers of a FixedPool are in the pool, in words of 32.
// One exchange of a word takes or puts a buffer, finds out whether it was put
// twice, and counts: from the low end a word is
//
//	32 bits  one a buffer: set while it is in the pool
//	 1 bit   frozen: take and put fail, so that they cannot overtake a waiter
//	31 bits  how often a buffer was taken
//
// The mutex of the pool is held to freeze, to thaw, and to change a frozen set.
type idleSet struct {
	words []idleWord
}

type idleWord struct {
	bits atomic.Uint64
	// wraps is how often the counter in bits began anew.
	wraps atomic.Uint64
	_     [48]byte // a cache line each
}

const (
	idleBits  = 1<<32 - 1
	frozenBit = 1 << 32
	takenOne  = 1 << 33
	takenBits = 31
)

func (s *idleSet) init(n int) { s.words = make([]idleWord, (n+31)/32) }

// take returns a buffer that was in the pool, or -1.
func (s *idleSet) take() int {
	for i := range s.words {
		w := &s.words[i]
		for {
			old := w.bits.Load()
			if old&idleBits == 0 {
				break
			}
			if old&frozenBit != 0 {
				return -1
			}
			b := bits.TrailingZeros64(old)
			if w.bits.CompareAndSwap(old, old&^(1<<b)+takenOne) {
				if old>>33 == 1<<takenBits-1 {
					w.wraps.Add(1)
				}
				return i*32 + b
			}
		}
	}
	return -1
}

type putResult int

const (
	putDone putResult = iota
	putTwice
	putFrozen
)

// put enters buffer i.
func (s *idleSet) put(i int) putResult {
	w, bit := &s.words[i/32], uint64(1)<<(i%32)
	for {
		old := w.bits.Load()
		if old&bit != 0 {
			return putTwice
		}
		if old&frozenBit != 0 {
			return putFrozen
		}
		if w.bits.CompareAndSwap(old, old|bit) {
			return putDone
		}
	}
}

// has reports whether buffer i is in the pool.
func (s *idleSet) has(i int) bool {
	return s.words[i/32].bits.Load()>>(i%32)&1 != 0
}

// freeze makes take and put fail.
func (s *idleSet) freeze() {
	for i := range s.words {
		s.words[i].bits.Or(frozenBit)
	}
}

func (s *idleSet) thaw() {
	for i := range s.words {
		s.words[i].bits.And(^uint64(frozenBit))
	}
}

// takeFrozen is take in a frozen set, and does not count.
func (s *idleSet) takeFrozen() int {
	for i := range s.words {
		w := &s.words[i].bits
		if old := w.Load(); old&idleBits != 0 {
			b := bits.TrailingZeros64(old)
			w.And(^(uint64(1) << b))
			return i*32 + b
		}
	}
	return -1
}

// putFrozen is put in a frozen set.
func (s *idleSet) putFrozen(i int) { s.words[i/32].bits.Or(1 << (i % 32)) }

// len returns how many buffers are in the pool.
func (s *idleSet) len() int {
	n := 0
	for i := range s.words {
		n += bits.OnesCount64(s.words[i].bits.Load() & idleBits)
	}
	return n
}

// taken returns how often take returned a buffer.
func (s *idleSet) taken() uint64 {
	var n uint64
	for i := range s.words {
		n += s.words[i].bits.Load()>>33 + s.words[i].wraps.Load()<<takenBits
	}
	return n
}
