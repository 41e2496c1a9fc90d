package eddy

import (
	"sync"
	"weak"

	"github.com/eddy-go/eddy/internal/shard"
)

// Stats is what a pool has done since it was made.
//
// The counts are read one after the other while the pool is in use, so they may
// disagree by what happened in between.
type Stats struct {
	Name string // as the pool was named
	Kind string // "bytes", "values" or "fixed"

	Gets   uint64 // exact
	Puts   uint64 // while CountPuts was on; always in a FixedPool
	Misses uint64 // Gets that had to allocate
	Waits  uint64 // Gets that had to wait, in a FixedPool
	InUse  int64  // Gets less Puts since CountPuts was turned on, else 0; always in a FixedPool

	// Drops, by cause: Puts that were left to the garbage collector.
	Oversize uint64 // larger than MaxSize
	Foreign  uint64 // not from Get, or moved by append
	Refused  uint64 // by Reset; in a FixedPool, put twice

	Allocated uint64 // bytes allocated by the Misses
	Held      int64  // bytes that survive collections: idle in a reserve or a FixedPool
}

// CountPuts makes pools count each Put from now on, or stop to. It is off at
// first, since it costs a few nanoseconds a Put. What is out when it is turned
// on is not known to [Stats].InUse then or later: turn it on early, in the main
// function of a program that wants to see its leaks, or in TestMain.
func CountPuts(on bool) {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	for _, l := range registry.pools {
		l.begin()
	}
	shard.CountPuts(on)
}

// Pools returns the Stats of every pool in the process that has been used and
// is still reachable, in the order of first use. The list does not keep a pool
// from being collected.
func Pools() []Stats {
	registry.mu.Lock()
	registry.prune()
	pools := append([]listed(nil), registry.pools...)
	registry.mu.Unlock()
	all := make([]Stats, 0, len(pools))
	for _, l := range pools {
		if s, ok := l.stats(); ok {
			all = append(all, s)
		}
	}
	return all
}

// listed asks a pool that may have been collected.
type listed struct {
	stats func() (Stats, bool)
	alive func() bool
	begin func() // see shard.Traffic.Begin
}

var registry list

type list struct {
	mu    sync.Mutex
	pools []listed
	limit int // of len(pools), at which the collected ones are taken out
}

// register puts a pool on the list. P is a pool type; the list holds it weakly.
func register[P any, Q interface {
	*P
	Stats() Stats
	count() *shard.Traffic
}](pool Q) {
	w := weak.Make((*P)(pool))
	l := listed{
		stats: func() (Stats, bool) {
			if p := w.Value(); p != nil {
				return Q(p).Stats(), true
			}
			return Stats{}, false
		},
		alive: func() bool { return w.Value() != nil },
		begin: func() {
			if p := w.Value(); p != nil && Q(p).count() != nil {
				Q(p).count().Begin()
			}
		},
	}
	registry.mu.Lock()
	defer registry.mu.Unlock()
	if len(registry.pools) >= registry.limit {
		registry.prune()
		registry.limit = 2*len(registry.pools) + 16
	}
	registry.pools = append(registry.pools, l)
}

// prune takes out the pools that were collected. The caller holds mu.
func (r *list) prune() {
	kept := r.pools[:0]
	for _, l := range r.pools {
		if l.alive() {
			kept = append(kept, l)
		}
	}
	clear(r.pools[len(kept):])
	r.pools = kept
}
