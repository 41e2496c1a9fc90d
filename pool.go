package eddy

import (
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/eddy-go/eddy/internal/shard"
)

// A Pool holds values of type T for reuse.
//
// The zero value is ready for use and makes values with new(T). The exported
// fields may be set before the first use and must not change afterwards; a
// Pool must not be copied.
//
// Get gives a value to the caller, in the state in which Reset left it or New
// made it; Put takes it back, and nothing may use it afterwards. What the pool
// holds is gone after two idle collections, as with [sync.Pool], which it
// stands on. Once warm, neither method allocates.
type Pool[T any] struct {
	// Name is what [Stats] and [Pools] call the pool.
	Name string

	// New makes a value when the pool has none; nil means new(T).
	New func() *T

	// Reset prepares a value for its next user and is called by Put. It
	// returns false to refuse a value that should not be kept, such as one
	// that has grown too large. It is called by one goroutine at a time for
	// each value. Nil means that values are kept as they are.
	Reset func(*T) bool

	// Drop is told of each value that Reset refused, and can release what
	// the value owns. Nil means that it is left to the garbage collector.
	Drop func(*T)

	traffic shard.Traffic
	misses  atomic.Uint64
	refused atomic.Uint64
	listed  sync.Once
	values  sync.Pool
}

// Get returns a value that belongs to the caller, who should give it back with
// Put.
func (p *Pool[T]) Get() *T {
	p.traffic.Get()
	v, _ := p.values.Get().(*T)
	if v == nil {
		v = p.miss()
	}
	if debug {
		debugGetValue(v)
	}
	return v
}

// Put takes v back; the caller must not use it afterwards. Put of nil does
// nothing.
func (p *Pool[T]) Put(v *T) {
	if v == nil {
		return
	}
	if debug {
		debugPutValue(p, v)
	}
	p.traffic.Put()
	if p.Reset != nil && !p.Reset(v) {
		p.refuse(v)
		return
	}
	p.values.Put(v)
}

//go:noinline
func (p *Pool[T]) miss() *T {
	p.listed.Do(func() { register(p) })
	p.misses.Add(1)
	v := new(T)
	if p.New != nil {
		v = p.New()
	}
	if v == nil {
		panic("eddy: Pool.New returned nil")
	}
	if debug {
		debugMadeValue(p, v)
	}
	return v
}

//go:noinline
func (p *Pool[T]) refuse(v *T) {
	p.refused.Add(1)
	if p.Drop != nil {
		p.Drop(v)
	}
}

// Stats returns what the pool has done since it was made. Allocated counts
// the size of T for each value made, not what the values refer to.
func (p *Pool[T]) Stats() Stats {
	s := Stats{
		Name:    p.Name,
		Kind:    "values",
		Misses:  p.misses.Load(),
		Refused: p.refused.Load(),
	}
	s.Allocated = s.Misses * uint64(reflect.TypeFor[T]().Size())
	s.Gets, s.Puts, s.InUse = p.traffic.Load()
	return s
}

func (p *Pool[T]) count() *shard.Traffic { return &p.traffic }
