package eddy

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
)

func named(prefix string) []Stats {
	var found []Stats
	for _, s := range Pools() {
		if strings.HasPrefix(s.Name, prefix) {
			found = append(found, s)
		}
	}
	return found
}

func TestPoolsListsWhatWasUsed(t *testing.T) {
	bytes := &BytePool{Name: "list a"}
	values := &Pool[int]{Name: "list b"}
	unused := &BytePool{Name: "list unused"}
	bytes.Put(bytes.Get(100))
	values.Put(values.Get())
	fixed := NewNamedFixedPool("list c", 2, 100)
	if b, ok := fixed.TryGet(); !ok || fixed.Put(b) != nil {
		t.Error("fixed pool")
	}
	got := named("list ")
	if len(got) != 3 || got[0].Name != "list a" || got[1].Name != "list b" || got[2].Name != "list c" {
		t.Errorf("%+v", got)
	}
	for _, s := range got {
		if s.Gets != 1 || s.Misses != 1 {
			t.Errorf("%+v", s)
		}
	}
	runtime.KeepAlive(bytes)
	runtime.KeepAlive(values)
	runtime.KeepAlive(unused)
	runtime.KeepAlive(fixed)
}

func TestPoolsDoesNotKeepPools(t *testing.T) {
	const n = 10000
	use := func() {
		for i := range n / 2 {
			p := &BytePool{Name: fmt.Sprint("weak ", i)}
			p.Put(p.Get(10))
			q := &Pool[[]byte]{Name: fmt.Sprint("weak ", i)}
			q.Put(q.Get())
			if i%1000 == 0 {
				NewNamedFixedPool("weak", 1, 1)
			}
		}
	}
	use()
	for range 4 { // sync.Pool itself holds on to a pool for two collections
		runtime.GC()
	}
	if got := named("weak"); len(got) != 0 {
		t.Errorf("%d of %d collected pools are listed", len(got), n)
	}
	registry.mu.Lock()
	defer registry.mu.Unlock()
	if len(registry.pools) > 100 {
		t.Errorf("the list itself has %d entries", len(registry.pools))
	}
}

func TestCountsBalance(t *testing.T) {
	CountPuts(true)
	defer CountPuts(false)
	p := BytePool{MaxSize: 100 << 10}
	v := Pool[int]{}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range 1000 {
				p.Put(p.Get(i * 200)) // some of them over the ceiling
				v.Put(v.Get())
			}
		})
	}
	wg.Wait()
	// Taken here, put there.
	work := make(chan []byte)
	wg.Go(func() {
		for b := range work {
			p.Put(b)
		}
	})
	for range 1000 {
		work <- p.Get(10)
	}
	close(work)
	wg.Wait()
	leaked := p.Get(100)
	if s := p.Stats(); s.InUse != 1 || s.Gets != 5001 || s.Puts != 5000 {
		t.Errorf("%+v", s)
	}
	p.Put(leaked)
	if s := p.Stats(); s.InUse != 0 {
		t.Errorf("%+v", s)
	}
	if s := v.Stats(); s.InUse != 0 || s.Puts != 4000 {
		t.Errorf("%+v", s)
	}
}

func TestPutsAreNotCountedUnasked(t *testing.T) {
	var p BytePool
	for range 10 {
		p.Put(p.Get(10))
	}
	if s := p.Stats(); s.Gets != 10 || s.Puts != 0 || s.InUse != 0 {
		t.Errorf("%+v", s)
	}
}

func TestInUseBeginsWithCounting(t *testing.T) {
	p := &BytePool{}
	for range 1000 {
		p.Put(p.Get(10))
	}
	early := p.Get(10)
	CountPuts(true)
	defer CountPuts(false)
	for range 10 {
		p.Put(p.Get(10))
	}
	b := p.Get(10)
	if s := p.Stats(); s.InUse != 1 || s.Gets != 1012 || s.Puts != 10 {
		t.Errorf("%+v", s)
	}
	p.Put(b)
	CountPuts(false)
	p.Put(p.Get(10))
	if s := p.Stats(); s.InUse != 0 {
		t.Errorf("%+v", s)
	}
	CountPuts(true)
	if s := p.Stats(); s.InUse != 0 {
		t.Errorf("%+v", s)
	}
	CountPuts(false)
	p.Put(early)
}
