// Package shard holds event counters that many goroutines can add to without
// passing one cache line around.
package shard

import (
	"sync/atomic"
)

// cells is a power of two. Sixteen are enough to make two goroutines that run
// at the same time on a large machine rarely meet, at 1 KiB a counter.
const cells = 16

// A cell is the counters of the goroutines that meet there.
type cell struct {
	gets, puts atomic.Uint64
	_          [48]byte // a cache line each
}

// Traffic counts what goes out of a pool, and, if asked to, what comes back.
// The zero value is ready for use.
//
// One atomic addition in a Get and Put costs nothing that can be measured: the
// loads around it hide it. A second one, in Put, costs a third of both. So
// puts are counted on demand. (They cannot be sampled for less: whatever
// changes from one Put to the next without a counter of its own, such as the
// count of gets, stands still when the Puts are another goroutine's.)
type Traffic struct {
	cells [cells]cell
	base  atomic.Int64 // gets less puts when counting began
}

// counting is whether puts are counted.
var counting atomic.Bool

// CountPuts turns the counting of puts on or off, for the whole process.
func CountPuts(on bool) { counting.Store(on) }

// Get counts one get.
func (t *Traffic) Get() { t.cells[index()].gets.Add(1) }

// Put counts one put, if puts are counted.
func (t *Traffic) Put() {
	if counting.Load() {
		t.put()
	}
}

//go:noinline
func (t *Traffic) put() { t.cells[index()].puts.Add(1) }

// Load returns the number of gets, and of puts while they were counted, and
// the gets less the puts since counting began; 0 if puts are not counted now.
func (t *Traffic) Load() (gets, puts uint64, inUse int64) {
	for i := range t.cells {
		puts += t.cells[i].puts.Load()
		gets += t.cells[i].gets.Load()
	}
	if counting.Load() {
		inUse = int64(gets-puts) - t.base.Load()
	}
	return gets, puts, inUse
}

// Begin makes what is out now count as not in use, since nothing will be known
// of its return.
func (t *Traffic) Begin() {
	t.base.Store(0)
	gets, puts, _ := t.Load()
	t.base.Store(int64(gets - puts))
}
