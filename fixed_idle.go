package eddy

import (
	"math/bits"
	"sync/atomic"

	"github.com/eddy-go/eddy/internal/shard"
)

// idleSet says which buffers of a FixedPool are in the pool, in words of up to
// 32. One exchange of a word takes or puts a buffer, finds out whether it was
// put twice, and counts: from the low end a word is
//
//	32 bits  one a buffer: set while it is in the pool
//	 1 bit   frozen: take and put fail, so that they cannot overtake a waiter
//	31 bits  how often a buffer was taken
//
// Buffers are spread over several words, and goroutines begin to look at
// different ones, and have their buffers made there: then two processors do not
// pass one cache line around. Buffer i is bit i>>shift of word i&mask.
//
// The mutex of the pool is held to freeze, to thaw, to change a frozen set, and
// to make buffers.
type idleSet struct {
	words []idleWord // a power of two
	shift uint
	mask  uintptr
}

type idleWord struct {
	bits atomic.Uint64
	// wraps is how often the counter in bits began anew.
	wraps atomic.Uint64
	made  int      // buffers of this word that exist
	limit int      // and that may
	_     [32]byte // a cache line each
}

const (
	idleBits  = 1<<32 - 1
	frozenBit = 1 << 32
	takenOne  = 1 << 33
	takenBits = 31
)

// spread is over how many words the buffers of a small pool are spread.
const spread = 8

func (s *idleSet) init(n int) {
	for 1<<s.shift < min(n, spread) || 32<<s.shift < n {
		s.shift++
	}
	s.words = make([]idleWord, 1<<s.shift)
	s.mask = uintptr(len(s.words) - 1)
	for w := range s.words {
		s.words[w].limit = (n - w + len(s.words) - 1) >> s.shift
	}
}

// take returns a buffer that was in the pool, or -1.
func (s *idleSet) take() int {
	here := shard.Here()
	for k := range s.words {
		i := (here + uintptr(k)) & s.mask
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
				return b<<s.shift | int(i)
			}
		}
	}
	return -1
}

// next returns the number of a buffer to be made. There must be one left.
func (s *idleSet) next() int {
	here := shard.Here()
	for k := range s.words {
		i := (here + uintptr(k)) & s.mask
		if w := &s.words[i]; w.made < w.limit {
			w.made++
			return (w.made-1)<<s.shift | int(i)
		}
	}
	panic("eddy: more buffers than the pool may have")
}

// of returns the word of buffer i and its bit there.
func (s *idleSet) of(i int) (*idleWord, uint64) {
	return &s.words[uintptr(i)&s.mask], 1 << (uint(i) >> s.shift & 31)
}

type putResult int

const (
	putDone putResult = iota
	putTwice
	putFrozen
)

// put enters buffer i.
func (s *idleSet) put(i int) putResult {
	w, bit := s.of(i)
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
	w, bit := s.of(i)
	return w.bits.Load()&bit != 0
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
			return b<<s.shift | i
		}
	}
	return -1
}

// putFrozen is put in a frozen set.
func (s *idleSet) putFrozen(i int) {
	w, bit := s.of(i)
	w.bits.Or(bit)
}

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
