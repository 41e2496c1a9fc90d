package eddy

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// Errors of a FixedPool.
var (
	// ErrClosed is returned by Get once the pool is closed.
	ErrClosed = errors.New("eddy: pool is closed")

	// ErrForeign is returned by Put for a slice that does not begin where a
	// buffer of the pool does.
	ErrForeign = errors.New("eddy: put of a buffer that is not the pool's")

	// ErrDoublePut is returned by Put for a buffer that is in the pool.
	ErrDoublePut = errors.New("eddy: buffer was put twice")
)

// InUseError is returned by Close of a FixedPool of which buffers are out.
type InUseError struct {
	Name  string // of the pool
	InUse int    // buffers that were not put back
}

func (e *InUseError) Error() string {
	return fmt.Sprintf("eddy: pool %q closed with %d buffers in use", e.Name, e.InUse)
}

// A FixedPool holds at most n buffers of one size: a bound on memory, which
// makes those who want more wait, in order, until a buffer comes back.
//
// Buffers are made when first needed and then kept, also across collections,
// until the pool is closed or itself collected. Unlike the other pools, a
// FixedPool knows its buffers: it refuses, with an error, what is not its own
// and what it already has.
//
// A FixedPool is not for buffers of different sizes, and not for callers that
// hold one buffer while they wait for a second one of the same pool: with n
// such callers all would wait for ever.
//
// Cost: Get and Put without waiting take half of what a channel of buffers
// does. They do not allocate once the buffers are made.
type FixedPool struct {
	size, limit int

	mu      sync.Mutex
	name    string
	index   addressIndex // of slots, by address
	slots   []slot
	idle    []int32 // slots that are in the pool, the last put on top
	making  int     // slots promised to a Get that is allocating
	waiting waitlist
	closed  bool
	stats   Stats
}

type slot struct {
	buf []byte
	out bool
}

// NewFixedPool returns a pool of at most n buffers of size bytes each. It
// panics if n or size is less than one, or n more than 2^31-1.
func NewFixedPool(n, size int) *FixedPool {
	if n < 1 || size < 1 || n > 1<<31-1 {
		panic(fmt.Sprintf("eddy: NewFixedPool(%d, %d): out of range", n, size))
	}
	p := &FixedPool{size: size, limit: n}
	p.stats.Kind = "fixed"
	register(p)
	return p
}

// SetName sets what [Stats] and [Pools] call the pool, and returns the pool.
func (p *FixedPool) SetName(name string) *FixedPool {
	p.mu.Lock()
	p.name = name
	p.mu.Unlock()
	return p
}

// Size returns the length of each buffer.
func (p *FixedPool) Size() int { return p.size }

// Cap returns how many buffers there can be.
func (p *FixedPool) Cap() int { return p.limit }

// Get returns a buffer, of which length and capacity are the pool's size and
// the contents are undefined. The caller should give it back with Put.
//
// While all buffers are out, Get waits. Waiters are served in the order in
// which they came, and nobody overtakes them. Get returns ctx's error if ctx
// is done before a buffer is there, and ErrClosed if the pool is closed.
func (p *FixedPool) Get(ctx context.Context) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, ErrClosed
	}
	if len(p.idle) > 0 {
		// Nobody waits: a buffer goes to the pool only when nobody does.
		b := p.take()
		p.mu.Unlock()
		return b, nil
	}
	if len(p.slots)+p.making < p.limit {
		return p.make(), nil
	}
	w := p.waiting.add()
	p.stats.Waits++
	p.mu.Unlock()
	return p.wait(ctx, w)
}

// TryGet is Get without waiting: it returns false when no buffer is there, or
// the pool is closed.
func (p *FixedPool) TryGet() ([]byte, bool) {
	p.mu.Lock()
	if len(p.idle) > 0 {
		b := p.take()
		p.mu.Unlock()
		return b, true
	}
	if !p.closed && len(p.slots)+p.making < p.limit {
		return p.make(), true
	}
	p.mu.Unlock()
	return nil, false
}

// Put takes b back, whatever its length; the caller must not use it
// afterwards. It returns ErrForeign or ErrDoublePut, and takes nothing, when b
// does not begin where a buffer that is out does. Put of nil does nothing.
// After Close a buffer that comes back is left to the garbage collector, and
// the pool forgets it.
func (p *FixedPool) Put(b []byte) error {
	if b == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	i := p.index.find(p.slots, arrayOf(b))
	if i < 0 {
		p.stats.Foreign++
		return ErrForeign
	}
	s := &p.slots[i]
	if !s.out {
		p.stats.Refused++
		return ErrDoublePut
	}
	if debug {
		p.debugRenew(i)
	}
	p.release(i)
	return nil
}

// release gives the buffer of slot i to the waiter that came first, or else
// back to the pool. The caller holds mu.
func (p *FixedPool) release(i int32) {
	p.stats.Puts++
	s := &p.slots[i]
	if w := p.waiting.remove(); w != nil {
		p.stats.Gets++
		w.give(s.buf)
		return
	}
	s.out = false
	if p.closed {
		s.buf = nil
		return
	}
	p.idle = append(p.idle, i)
}

// PutClear zeroes b and gives it back; see [BytePool.PutClear]. It zeroes
// nothing that Put would refuse.
func (p *FixedPool) PutClear(b []byte) error {
	p.mu.Lock()
	i := p.index.find(p.slots, arrayOf(b))
	ours := i >= 0 && p.slots[i].out
	p.mu.Unlock()
	if ours {
		clear(b[:cap(b)])
	}
	return p.Put(b)
}

// Close releases the idle buffers and makes every Get, also those that wait,
// return ErrClosed. It returns an *InUseError when buffers are out; they may
// still be used and put. Closing again only reports again.
func (p *FixedPool) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for _, i := range p.idle {
		p.slots[i].buf = nil
	}
	p.idle = nil
	for w := p.waiting.remove(); w != nil; w = p.waiting.remove() {
		w.give(nil)
	}
	if out := p.inUse(); out > 0 {
		return &InUseError{Name: p.name, InUse: out}
	}
	return nil
}

// Stats returns what the pool has done since it was made. All counts are
// exact.
func (p *FixedPool) Stats() Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.stats
	s.Name = p.name
	s.InUse = int64(p.inUse())
	s.Held = int64(len(p.idle)) * int64(p.size)
	return s
}

func (p *FixedPool) inUse() int { return int(p.stats.Gets - p.stats.Puts) }

// take removes the buffer that was put last. The caller holds mu.
func (p *FixedPool) take() []byte {
	last := len(p.idle) - 1
	s := &p.slots[p.idle[last]]
	p.idle = p.idle[:last]
	s.out = true
	p.stats.Gets++
	return s.buf
}

// make allocates a buffer. The caller holds mu, which make gives up: others
// need not wait while the runtime zeroes memory.
func (p *FixedPool) make() []byte {
	p.making++
	p.stats.Gets++
	p.stats.Misses++
	p.stats.Allocated += uint64(p.size)
	p.mu.Unlock()
	b := make([]byte, p.size)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.making--
	p.slots = append(p.slots, slot{buf: b, out: true})
	p.index.add(p.slots)
	return b
}
