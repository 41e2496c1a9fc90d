// Package shard holds event counters that many goroutines can add to without
// passing one cache line around.
package shard

import (
	"sync/atomic"
)

// cells is a power of two. Sixteen are enough to make two goroutines that run
// at the same time on a large machine rarely meet, at 1 KiB a counter.
const cells = 16

type cell struct {
	gets, puts atomic.Uint64
	_          [48]byte // a cache line each
}

// Traffic counts what goes out of a pool and what comes back. The zero value
// is ready for use.
//
// Gets are counted exactly. One atomic addition between the loads of a Get is
// hidden by them; a second one in Put would not be, so Puts are sampled, one
// in Sample on average. The sampling needs no random number: the count of gets
// in the same cell, multiplied by the golden ratio, is evenly spread whatever
// the rhythm of the caller.
type Traffic struct {
	cells [cells]cell
}

// Sample is how many puts one counted put stands for.
const Sample = 16

// exact makes every put count one, for tests that look for leaks.
var exact atomic.Bool

// CountExactly turns sampling off or on for the whole process. Puts counted
// before and after a change add up, so turn it before the first use.
func CountExactly(on bool) { exact.Store(on) }

// Exactly reports whether puts are counted one by one.
func Exactly() bool { return exact.Load() }

// Get counts one get.
func (t *Traffic) Get() { t.cells[index()].gets.Add(1) }

// Put counts one put, or, once in Sample calls, Sample of them.
func (t *Traffic) Put() {
	c := &t.cells[index()]
	if c.gets.Load()*0x9E3779B97F4A7C15>>60 == 0 || exact.Load() {
		c.count()
	}
}

func (c *cell) count() {
	if exact.Load() {
		c.puts.Add(1)
		return
	}
	c.puts.Add(Sample)
}

// Load returns the exact number of gets and the estimated number of puts.
func (t *Traffic) Load() (gets, puts uint64) {
	for i := range t.cells {
		puts += t.cells[i].puts.Load()
		gets += t.cells[i].gets.Load()
	}
	return gets, puts
}
