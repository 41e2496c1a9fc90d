package shard

import (
	"sync"
	"testing"
)

func TestCounts(t *testing.T) {
	for _, on := range []bool{false, true} {
		CountPuts(on)
		var c Traffic
		work := make(chan bool)
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for range 1000 {
					c.Get()
					work <- true
				}
			})
		}
		for range 4 { // the puts are other goroutines'
			wg.Go(func() {
				for range 2000 {
					<-work
					c.Put()
				}
			})
		}
		wg.Wait()
		want := uint64(0)
		if on {
			want = 8000
		}
		if gets, puts, inUse := c.Load(); gets != 8000 || puts != want || inUse != 0 {
			t.Errorf("counting %v: %d gets, %d puts, %d in use", on, gets, puts, inUse)
		}
		c.Get()
		if _, _, inUse := c.Load(); on && inUse != 1 || !on && inUse != 0 {
			t.Errorf("counting %v: %d in use", on, inUse)
		}
		c.Begin()
		if _, _, inUse := c.Load(); inUse != 0 {
			t.Errorf("counting %v: %d in use from the beginning", on, inUse)
		}
	}
	CountPuts(false)
}
