package eddy

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/eddy-go/eddy/internal/shard"
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
// Cost: Get and Put without waiting are one atomic exchange each, about half
// of what a channel of buffers takes. They do not allocate once the buffers
// are made. The pool itself takes some 30 bytes for each buffer it may hold.
type FixedPool struct {
	name        string
	size, limit int

	idle    idleSet       // which buffers are in the pool
	buffers fixedBuffers  // all that were made
	mu      sync.Mutex    // held to make buffers, to wait, and to serve those who wait
	waiting waitlist      // while it is not empty, the idle set is, and is frozen
	closed  bool          // the idle set is frozen
	counts  fixedCounters // of what happened under mu
}

type fixedCounters struct {
	gets, waits, foreign, refused uint64
}

// NewFixedPool returns a pool of at most n buffers of size bytes each. It
// panics if n or size is less than one, or n more than 2^30, or size more than
// the address space has.
func NewFixedPool(n, size int) *FixedPool { return NewNamedFixedPool("", n, size) }

// NewNamedFixedPool is NewFixedPool with a name for [Stats] and [Pools].
func NewNamedFixedPool(name string, n, size int) *FixedPool {
	if n < 1 || size < 1 || n > 1<<30 || uint64(size) > 1<<46 {
		panic(fmt.Sprintf("eddy: NewFixedPool(%d, %d): out of range", n, size))
	}
	p := &FixedPool{name: name, size: size, limit: n}
	p.idle.init(n)
	p.buffers.init(n)
	register(p)
	return p
}

// Size returns the length of each buffer.
func (p *FixedPool) Size() int { return p.size }

// Limit returns how many buffers there can be.
func (p *FixedPool) Limit() int { return p.limit }

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
	i := p.idle.take()
	if i < 0 {
		return p.getSlow(ctx)
	}
	return p.buffer(i), nil
}

// TryGet is Get without waiting: it returns false when no buffer is there, or
// the pool is closed.
func (p *FixedPool) TryGet() ([]byte, bool) {
	i := p.idle.take()
	if i >= 0 {
		return p.buffer(i), true
	}
	p.mu.Lock()
	if p.closed || p.buffers.made == p.limit {
		p.mu.Unlock()
		return nil, false
	}
	return p.make(), true
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
	i := p.buffers.find(arrayOf(b))
	if i < 0 {
		return p.refuse(&p.counts.foreign, ErrForeign, b)
	}
	if debug {
		debugPutFixed(p, i)
	}
	switch p.idle.put(i) {
	case putDone:
		return nil
	case putTwice:
		return p.refuse(&p.counts.refused, ErrDoublePut, b)
	}
	return p.putSlow(i, b)
}

// PutClear zeroes b and gives it back; see [BytePool.PutClear]. It zeroes
// nothing that Put would refuse.
func (p *FixedPool) PutClear(b []byte) error {
	if b == nil {
		return nil
	}
	if i := p.buffers.find(arrayOf(b)); i >= 0 && !p.idle.has(i) {
		clear(sliceAt(arrayOf(b), p.size))
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
	p.idle.freeze()
	for i := p.idle.takeFrozen(); i >= 0; i = p.idle.takeFrozen() {
		p.buffers.forget(i)
	}
	for w := p.waiting.remove(); w != nil; w = p.waiting.remove() {
		w.give(-1)
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
	s := Stats{
		Name:      p.name,
		Kind:      "fixed",
		Gets:      p.counts.gets + p.idle.taken(),
		Misses:    uint64(p.buffers.made),
		Waits:     p.counts.waits,
		Foreign:   p.counts.foreign,
		Refused:   p.counts.refused,
		Allocated: uint64(p.buffers.made) * uint64(p.size),
		Held:      int64(p.idle.len()) * int64(p.size),
		InUse:     int64(p.inUse()),
	}
	s.Puts = s.Gets - uint64(s.InUse)
	return s
}

// count is nil: a FixedPool knows its buffers.
func (p *FixedPool) count() *shard.Traffic { return nil }

// inUse returns how many buffers are out. The caller holds mu.
func (p *FixedPool) inUse() int {
	return p.buffers.made - p.buffers.forgotten - p.idle.len()
}

func (p *FixedPool) buffer(i int) []byte {
	if debug {
		debugGetFixed(p, i)
	}
	return p.buffers.at(i, p.size)
}

func (p *FixedPool) refuse(count *uint64, err error, b []byte) error {
	p.mu.Lock()
	*count++
	p.mu.Unlock()
	if debug {
		return debugRefused(err, arrayOf(b))
	}
	return err
}

// getSlow is Get when no buffer was idle.
func (p *FixedPool) getSlow(ctx context.Context) ([]byte, error) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, ErrClosed
	}
	if p.buffers.made < p.limit {
		return p.make(), nil
	}
	p.idle.freeze()
	if i := p.idle.takeFrozen(); i >= 0 {
		// One came back before the set was frozen, so nobody waits.
		p.counts.gets++
		p.thaw()
		p.mu.Unlock()
		return p.buffer(i), nil
	}
	w := p.waiting.add()
	p.counts.waits++
	p.mu.Unlock()
	return p.wait(ctx, w)
}

// putSlow is Put while others wait, or after Close.
func (p *FixedPool) putSlow(i int, b []byte) error {
	p.mu.Lock()
	if p.idle.has(i) || !p.buffers.known(i) {
		p.mu.Unlock()
		return p.refuse(&p.counts.refused, ErrDoublePut, b)
	}
	p.release(i)
	p.mu.Unlock()
	return nil
}

// release passes buffer i to the waiter that came first, or else back to the
// pool. The caller holds mu.
func (p *FixedPool) release(i int) {
	switch w := p.waiting.remove(); {
	case w != nil:
		p.counts.gets++
		w.give(i)
	case p.closed:
		p.buffers.forget(i)
	default:
		p.idle.putFrozen(i)
	}
	p.thaw()
}

// thaw lets the idle set serve again once nobody waits. The caller holds mu.
func (p *FixedPool) thaw() {
	if p.waiting.first == nil && !p.closed {
		p.idle.thaw()
	}
}

// make allocates a buffer. The caller holds mu, which make gives up: others
// need not wait while the runtime zeroes memory.
func (p *FixedPool) make() []byte {
	p.counts.gets++
	i := p.buffers.made
	p.buffers.made++
	p.mu.Unlock()
	b := make([]byte, p.size)
	p.buffers.add(i, arrayOf(b))
	if debug {
		debugMadeFixed(p, i)
	}
	return p.buffer(i)
}
