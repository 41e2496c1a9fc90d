package shard

import (
	"sync"
	"testing"
)

// A sampled count must be near the truth whatever the rhythm in which gets and
// puts come.
func TestPutsAreEstimated(t *testing.T) {
	for _, batch := range []int{1, 2, 3, 7, 8, 15, 16, 17, 32, 64, 100} {
		var c Traffic
		total := 0
		for total < 200_000 {
			for range batch {
				c.Get()
			}
			for range batch {
				if !c.SkipPut() {
					c.Put()
				}
			}
			total += batch
		}
		gets, puts := c.Load()
		if gets != uint64(total) {
			t.Errorf("batches of %d: %d gets counted of %d", batch, gets, total)
		}
		if off := float64(puts)/float64(total) - 1; off < -0.1 || off > 0.1 {
			t.Errorf("batches of %d: puts are off by %.1f %%", batch, off*100)
		}
	}
}

func TestCountExactly(t *testing.T) {
	CountExactly(true)
	defer CountExactly(false)
	var c Traffic
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 1000 {
				c.Get()
				if !c.SkipPut() {
					c.Put()
				}
			}
		})
	}
	wg.Wait()
	if gets, puts := c.Load(); gets != 8000 || puts != 8000 {
		t.Errorf("%d gets, %d puts", gets, puts)
	}
}
