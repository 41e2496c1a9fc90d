package table

import (
	"runtime"
	"sync"
	"time"
)

// An observation is one timed batch.
type observation struct {
	value  float64 // ns per operation, or the unit of the case
	bytes  float64 // allocated per operation
	allocs float64
}

// maxBatch keeps a row that does nothing from running for ever.
const maxBatch = 1 << 30

// calibrate finds how many operations take about the target.
func calibrate(im *Impl, parallel bool, target time.Duration) int {
	n := 1
	for {
		start := time.Now()
		runBatch(im, n, parallel, nil, nil)
		took := time.Since(start)
		if took >= target/2 || n >= maxBatch {
			return max(1, int(float64(n)*float64(target)/float64(max(took, 1))))
		}
		// Aim below the target, and never trust one tiny timing by more than 50 times.
		next := float64(n) * float64(target) / float64(max(took, 1)) * 0.8
		n = int(min(max(next, float64(n)*2), float64(n)*50, maxBatch))
	}
}

// runBatch runs n operations, on GOMAXPROCS goroutines if parallel. before
// and after run when no goroutine is at work, so that what starting them costs
// is in neither the time nor the allocations.
func runBatch(im *Impl, n int, parallel bool, before, after func()) {
	if before == nil {
		before = func() {}
	}
	if after == nil {
		after = func() {}
	}
	procs := runtime.GOMAXPROCS(0)
	if !parallel || procs == 1 {
		before()
		im.Run(n)
		after()
		return
	}
	var ready, done sync.WaitGroup
	start := make(chan struct{})
	ready.Add(procs)
	done.Add(procs)
	for i := range procs {
		share := n / procs
		if i < n%procs {
			share++
		}
		go func() {
			defer done.Done()
			ready.Done()
			<-start
			if share > 0 {
				im.Run(share)
			}
		}()
	}
	ready.Wait()
	before()
	close(start)
	done.Wait()
	after()
}

// observe takes one sample of a row. The collection before it keeps one row's
// garbage from being paid for by the next, and the warm-up lets pools that the
// collection emptied fill again.
func observe(im *Impl, n int, parallel bool) observation {
	if im.Sample != nil {
		return observation{value: im.Sample()}
	}
	runtime.GC()
	runBatch(im, max(1, n/8), parallel, nil, nil)

	var m0, m1 runtime.MemStats
	var t0 time.Time
	var took time.Duration
	runBatch(im, n, parallel,
		func() { runtime.ReadMemStats(&m0); t0 = time.Now() },
		func() { took = time.Since(t0); runtime.ReadMemStats(&m1) })
	ops := float64(n)
	return observation{
		value:  float64(took) / ops,
		bytes:  float64(m1.TotalAlloc-m0.TotalAlloc) / ops,
		allocs: float64(m1.Mallocs-m0.Mallocs) / ops,
	}
}
