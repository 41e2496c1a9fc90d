package eddy

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	rdebug "runtime/debug"
	"sync"
	"testing"

	"github.com/eddy-go/eddy/internal/race"
)

// warm keeps pools from being emptied by a collection during a test.
func warm(t *testing.T) {
	t.Helper()
	old := rdebug.SetGCPercent(-1)
	t.Cleanup(func() { rdebug.SetGCPercent(old) })
}

func TestGetGivesLengthAndClass(t *testing.T) {
	var p BytePool
	for _, n := range []int{0, 1, 63, 64, 65, 80, 81, 1000, 3455, 3456, 3457, 3584, 7168, 1 << 15, 1<<15 + 1, 1 << 20, 5 << 20, 64 << 20} {
		b := p.Get(n)
		if len(b) != n {
			t.Errorf("Get(%d): length %d", n, len(b))
		}
		if i := classOf(cap(b)); int(classSize[i]) != cap(b) {
			t.Errorf("Get(%d): capacity %d is no class", n, cap(b))
		}
		p.Put(b)
	}
	if s := p.Stats(); s.Foreign+s.Oversize != 0 {
		t.Errorf("own buffers dropped: %+v", s)
	}
}

func TestGetOfANegativeLengthPanics(t *testing.T) {
	var p BytePool
	for _, n := range []int{-1, math.MinInt} {
		if text := fmt.Sprint(panicOf(func() { p.Get(n) })); text == "<nil>" {
			t.Errorf("Get(%d) did not panic", n)
		}
		if text := fmt.Sprint(panicOf(func() { p.Grow(nil, n) })); text == "<nil>" {
			t.Errorf("Grow(nil, %d) did not panic", n)
		}
	}
	if panicOf(func() { p.Grow(make([]byte, 1), math.MaxInt) }) == nil {
		t.Error("Grow beyond the largest length did not panic")
	}
}

func panicOf(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

func TestPutBuffersComeBack(t *testing.T) {
	if race.Enabled || Debug {
		t.Skip("buffers are dropped at random or kept aside in such builds")
	}
	warm(t)
	for _, n := range []int{1, 100, 3000, 40000, 1 << 20} {
		var p BytePool
		b := p.Get(n)
		p.Put(b[:0])
		if c := p.Get(n); &c[0] != &b[0] {
			t.Errorf("%d bytes: another buffer came back", n)
		}
		if s := p.Stats(); s.Misses != 1 || s.Gets != 2 || s.Allocated != uint64(cap(b)) {
			t.Errorf("%d bytes: %+v", n, s)
		}
	}
}

func TestPutDropsWhatIsNoClass(t *testing.T) {
	if Debug {
		t.Skip("debug builds report it")
	}
	var p BytePool
	p.Put(nil)
	p.Put(make([]byte, 0))
	p.Put(make([]byte, 10))
	p.Put(make([]byte, 100, 1000))
	p.Put(make([]byte, 50000))
	b := p.Get(1000)
	p.Put(b[1:]) // the capacity tells that the start is gone
	if s := p.Stats(); s.Foreign != 4 || s.Oversize != 0 {
		t.Errorf("%+v", s)
	}
	p.Put(b)
}

func TestCeiling(t *testing.T) {
	for _, max := range []int{0, 1000, 1024, 100 << 10} {
		p := BytePool{MaxSize: max}
		ceiling := max
		if max == 0 {
			ceiling = DefaultMaxSize
		}
		b := p.Get(ceiling + 1)
		if len(b) != ceiling+1 {
			t.Fatalf("length %d", len(b))
		}
		p.Put(b)
		if s := p.Stats(); s.Oversize != 1 {
			t.Errorf("MaxSize %d: %+v", max, s)
		}
		// At the ceiling itself a capacity may be rounded up beyond it: then
		// the buffer is made to measure instead.
		b = p.Get(ceiling)
		if cap(b) > ceiling {
			t.Errorf("MaxSize %d: capacity %d", max, cap(b))
		}
		p.Put(b)
		if s := p.Stats(); s.Foreign != 0 {
			t.Errorf("MaxSize %d: an own buffer is called foreign: %+v", max, s)
		}
	}
}

func TestGetOfNothing(t *testing.T) {
	for _, p := range []*BytePool{{Name: "empty a"}, {Name: "empty b", MaxSize: 10}} {
		b := p.Get(0)
		if len(b) != 0 || p.MaxSize != 0 && cap(b) > p.MaxSize {
			t.Errorf("length %d, capacity %d", len(b), cap(b))
		}
		p.Put(b)
		if n := len(named(p.Name)); n != 1 {
			t.Errorf("listed %d times", n)
		}
	}
}

func TestGrowKeepsContents(t *testing.T) {
	var p BytePool
	rng := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		var b []byte
		var want []byte
		for len(want) < 40_000 {
			n := rng.IntN(1 << rng.IntN(14))
			b = p.Grow(b, n)
			if cap(b)-len(b) < n {
				t.Fatalf("Grow(%d) left room for %d", n, cap(b)-len(b))
			}
			for range n {
				c := byte(rng.Uint32())
				b, want = append(b, c), append(want, c)
			}
			if n == 0 {
				break
			}
		}
		if !bytes.Equal(b, want) {
			t.Fatal("contents changed")
		}
		p.Put(b)
	}
	if s := p.Stats(); s.Foreign != 0 {
		t.Errorf("%+v", s)
	}
}

func TestGrowCopiesEachByteAFewTimes(t *testing.T) {
	p := BytePool{MaxSize: 1 << 20}
	var b []byte
	copied := 0
	for len(b) < 8<<20 {
		if cap(b) == len(b) {
			copied += len(b)
		}
		b = p.Grow(b, 1)
		b = b[:min(cap(b), len(b)+1000)]
	}
	if copied > 6*len(b) {
		t.Errorf("%d bytes copied for %d", copied, len(b))
	}
	p.Put(b)
}

func TestGrowWithRoomReturnsTheSame(t *testing.T) {
	var p BytePool
	b := p.Get(100)[:10]
	if c := p.Grow(b, cap(b)-10); &c[0] != &b[0] || len(c) != 10 {
		t.Error("moved without need")
	}
	p.Put(b)
}

func TestPutClearLeavesNothing(t *testing.T) {
	if Debug {
		t.Skip("debug builds overwrite what is put")
	}
	var p BytePool
	b := p.Get(1000)
	all := b[:cap(b)]
	for i := range all {
		all[i] = 7
	}
	p.PutClear(b[:3])
	for i, c := range all {
		if c != 0 {
			t.Fatalf("byte %d is %d", i, c)
		}
	}
}

func TestDefaultPool(t *testing.T) {
	b := Grow(Get(10), 1000)
	if len(b) != 10 || cap(b) < 1010 {
		t.Errorf("length %d, capacity %d", len(b), cap(b))
	}
	Put(b)
	PutClear(Get(10))
	if Default().Stats().Gets < 3 {
		t.Error("the functions do not use the default pool")
	}
}

// Each buffer is marked while it is out, so that a buffer that two goroutines
// have at the same time shows.
func TestNoBufferIsSharedByTwo(t *testing.T) {
	p := BytePool{Reserve: 1 << 20}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(g), 1))
			var held [4][]byte
			for i := range 1000 {
				k := rng.IntN(len(held))
				if b := held[k]; b != nil {
					for j, c := range b {
						if c != byte(g) {
							t.Errorf("goroutine %d found %d at %d", g, c, j)
							return
						}
					}
					p.Put(b)
				}
				b := p.Get(1 + rng.IntN(1<<(4+i%14)))
				for j := range b {
					b[j] = byte(g)
				}
				held[k] = b
			}
			for _, b := range held {
				p.Put(b)
			}
		})
	}
	wg.Wait()
}
