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

// limit is what the spread count must not exceed for a put to be counted: a
// sixteenth of all numbers, or all of them.
var limit atomic.Uint64

const sampled = 1<<60 - 1

// golden is 2^64 over the golden ratio: multiples of it are evenly spread.
const golden = 0x9E3779B97F4A7C15

func init() { limit.Store(sampled) }

// CountExactly turns sampling off or on for the whole process. What was
// counted before stays, so turn it before the first use.
func CountExactly(on bool) {
	if on {
		limit.Store(1<<64 - 1)
	} else {
		limit.Store(sampled)
	}
}

// Get counts one get.
func (t *Traffic) Get() { t.cells[index()].gets.Add(1) }

// SkipPut reports whether this put is one that need not be counted. If it
// returns false the caller must call Put. The two are apart so that the
// compiler can put the first into its caller.
func (t *Traffic) SkipPut() bool {
	return t.cells[index()].gets.Load()*golden > limit.Load()
}

// Put counts the put that SkipPut returned false for, and those it skipped.
//
//go:noinline
func (t *Traffic) Put() {
	c := &t.cells[index()]
	if limit.Load() == sampled {
		c.puts.Add(Sample)
		return
	}
	c.puts.Add(1)
}

// Load returns the exact number of gets and the estimated number of puts.
func (t *Traffic) Load() (gets, puts uint64) {
	for i := range t.cells {
		puts += t.cells[i].puts.Load()
		gets += t.cells[i].gets.Load()
	}
	return gets, puts
}
