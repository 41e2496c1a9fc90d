package eddy

import (
	"context"
	"testing"

	"github.com/eddy-go/eddy/internal/race"
)

func TestSteadyStateDoesNotAllocate(t *testing.T) {
	if race.Enabled {
		t.Skip("sync.Pool drops values at random under the race detector")
	}
	if debug {
		t.Skip("debug builds record a stack with each buffer")
	}
	var bytes, reserved BytePool
	reserved.Reserve = 8 << 20
	values := Pool[[100]int]{Reset: func(*[100]int) bool { return true }}
	fixed := NewFixedPool(2, 4096)
	ctx := context.Background()
	for name, op := range map[string]func(){
		"Get and Put":         func() { bytes.Put(bytes.Get(1000)) },
		"default Get and Put": func() { Put(Get(100)) },
		"PutClear":            func() { bytes.PutClear(bytes.Get(1000)) },
		"large":               func() { bytes.Put(bytes.Get(1 << 20)) },
		"reserved":            func() { reserved.Put(reserved.Get(1 << 20)) },
		"Grow": func() {
			b := bytes.Get(100)
			for range 10 {
				b = bytes.Grow(b, cap(b))
			}
			bytes.Put(b)
		},
		"Pool": func() { values.Put(values.Get()) },
		"FixedPool": func() {
			b, err := fixed.Get(ctx)
			if err != nil || fixed.Put(b) != nil {
				panic(err)
			}
		},
		"FixedPool.TryGet": func() {
			b, ok := fixed.TryGet()
			if !ok || fixed.Put(b) != nil {
				panic("no buffer")
			}
		},
	} {
		// Averaged over enough runs that a collection in the middle, which
		// empties a sync.Pool, does not count.
		if n := testing.AllocsPerRun(1000, op); n >= 1 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}
