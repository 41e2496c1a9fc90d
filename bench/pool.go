package main

import (
	"math"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/eddy-go/eddy/bench/internal/table"
)

func init() { register("pool", poolTable) }

// Burst cases take this many buffers of this size at once.
const (
	burstCount = 64
	burstSize  = 1 << 20
)

func poolTable() (*table.Table, error) {
	t := &table.Table{
		Name:  "pool",
		Title: "get a buffer, touch its first and last byte, give it back",
		Peer:  "syncpool_ptr",
	}
	for _, c := range []struct {
		name  string
		main  bool
		sizes []int
	}{
		{"64", true, []int{64}},
		{"1K", false, []int{1 << 10}},
		{"4K", true, []int{4 << 10}},
		{"32K", false, []int{32 << 10}},
		{"1M", true, []int{1 << 20}},
		{"mixed", true, mixedSizes()},
	} {
		t.Cases = append(t.Cases,
			table.Case{Name: c.name, Main: c.main, Impls: poolLoops(c.sizes)},
			table.Case{Name: c.name + "_parallel", Main: c.name == "mixed", Parallel: true, Impls: poolLoops(c.sizes)})
	}
	t.Cases = append(t.Cases, burstCase(), retainedCase(), wasteCase())
	return t, nil
}

// mixedSizes is spread evenly over the logarithm from 64 B to 64 KiB. Its length
// is a power of two.
func mixedSizes() []int {
	r := rand.New(rand.NewPCG(7, 64))
	sizes := make([]int, 1024)
	for i := range sizes {
		sizes[i] = int(math.Exp2(6 + 10*r.Float64()))
	}
	return sizes
}

// burstCase: a service idle for three collections gets a burst of large requests.
func burstCase() table.Case {
	c := table.Case{Name: "burst_after_idle", Main: true}
	for _, p := range pools(burstSize, burstCount) {
		var get func() handle
		c.Impls = append(c.Impls, table.Impl{
			Name: p.name, Config: p.config,
			Check: func() error {
				get = p.open(burstSize)
				if err := checkPool(get, burstSize); err != nil {
					return err
				}
				burst(get)
				return nil
			},
			Sample: func() float64 {
				for range 3 {
					runtime.GC()
				}
				return float64(burst(get))
			},
			Done: func() { get = nil },
		})
	}
	return c
}

// burst takes all buffers and returns how long that took, with all given back.
func burst(get func() handle) time.Duration {
	var held [burstCount]handle
	start := time.Now()
	for i := range held {
		h := get()
		h.b[0], h.b[len(h.b)-1] = 1, 1
		held[i] = h
	}
	took := time.Since(start)
	for _, h := range held {
		h.put()
	}
	return took
}

// retainedCase: what a pool keeps from the garbage collector once a burst is over.
func retainedCase() table.Case {
	c := table.Case{Name: "retained_after_burst", Main: true, Unit: "MiB"}
	for _, p := range pools(burstSize, burstCount) {
		c.Impls = append(c.Impls, table.Impl{
			Name: p.name, Config: p.config,
			Sample: func() float64 {
				before := liveHeap()
				get := p.open(burstSize)
				burst(get)
				held := int64(liveHeap()) - int64(before)
				runtime.KeepAlive(get)
				return float64(max(held, 0)>>10) / 1024
			},
		})
	}
	return c
}

// liveHeap counts the heap's bytes after two collections.
func liveHeap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// wasteCase: capacity beyond what was asked for, over sizes from 64 B to 1 MiB
// spread evenly over the logarithm. Only pools with size classes have a row, and
// make, which shows the figure of exact capacities.
func wasteCase() table.Case {
	r := rand.New(rand.NewPCG(11, 1<<20))
	sizes := make([]int, 4096)
	for i := range sizes {
		sizes[i] = int(math.Exp2(6 + 14*r.Float64()))
	}
	c := table.Case{Name: "waste", Main: true, Unit: "%"}
	for _, p := range pools(0, 1) {
		if !p.classes {
			continue
		}
		c.Impls = append(c.Impls, table.Impl{
			Name: p.name, Config: p.config,
			Sample: func() float64 {
				sum := 0.0
				for _, n := range sizes {
					h := p.open(n)()
					sum += float64(cap(h.b))/float64(n) - 1
					h.put()
				}
				return sum / float64(len(sizes)) * 100
			},
		})
	}
	return c
}
