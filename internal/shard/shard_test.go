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
		if gets, puts := c.Load(); gets != 8000 || puts != want {
			t.Errorf("counting %v: %d gets, %d puts", on, gets, puts)
		}
	}
	CountPuts(false)
}
