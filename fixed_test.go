package eddy

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

func mustGet(t *testing.T, p *FixedPool) []byte {
	t.Helper()
	b, err := p.Get(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func mustPut(t *testing.T, p *FixedPool, b []byte) {
	t.Helper()
	if err := p.Put(b); err != nil {
		t.Fatal(err)
	}
}

func TestFixedPoolMakesAtMostN(t *testing.T) {
	for _, n := range []int{1, 3, 32, 33, 100} {
		p := NewFixedPool(n, 100)
		seen := map[*byte]bool{}
		var bufs [][]byte
		for range n {
			b := mustGet(t, p)
			if len(b) != 100 || cap(b) != 100 || seen[&b[0]] {
				t.Fatalf("length %d, capacity %d, given before: %v", len(b), cap(b), seen[&b[0]])
			}
			seen[&b[0]] = true
			bufs = append(bufs, b)
		}
		if _, ok := p.TryGet(); ok {
			t.Fatal("one too many")
		}
		for _, b := range bufs {
			mustPut(t, p, b[:5])
		}
		collect()
		for i := range n {
			if bufs[i] = mustGet(t, p); !seen[&bufs[i][0]] {
				t.Fatal("a buffer was made anew")
			}
		}
		if s := p.Stats(); s.Misses != uint64(n) || s.InUse != int64(n) || s.Gets != 2*uint64(n) || s.Held != 0 || s.Allocated != uint64(100*n) {
			t.Errorf("%+v", s)
		}
		for _, b := range bufs {
			mustPut(t, p, b)
		}
	}
}

func TestFixedPoolIsLazy(t *testing.T) {
	p := NewFixedPool(1000, 1<<20)
	mustPut(t, p, mustGet(t, p))
	mustPut(t, p, mustGet(t, p))
	if s := p.Stats(); s.Allocated != 1<<20 || s.Held != 1<<20 {
		t.Errorf("%+v", s)
	}
}

func TestFixedPoolRefuses(t *testing.T) {
	p, q := NewFixedPool(4, 64), NewFixedPool(4, 64)
	b, other := mustGet(t, p), mustGet(t, q)
	for name, foreign := range map[string][]byte{
		"of another pool": other,
		"made elsewhere":  make([]byte, 64),
		"a part":          b[1:],
		"without length":  {},
	} {
		if err := p.Put(foreign); !errors.Is(err, ErrForeign) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := p.Put(nil); err != nil {
		t.Error(err)
	}
	mustPut(t, p, b)
	if err := p.Put(b); !errors.Is(err, ErrDoublePut) {
		t.Errorf("double: %v", err)
	}
	if s := p.Stats(); s.Foreign != 4 || s.Refused != 1 || s.InUse != 0 {
		t.Errorf("%+v", s)
	}
	one, two := mustGet(t, p), mustGet(t, p)
	if &one[0] == &two[0] {
		t.Error("a refused buffer was given out twice")
	}
	mustPut(t, p, one)
	mustPut(t, p, two)
	mustPut(t, q, other)
}

func TestFixedPoolPutClear(t *testing.T) {
	p := NewFixedPool(1, 64)
	b := mustGet(t, p)
	for i := range b {
		b[i] = 9
	}
	if err := p.PutClear(b[:1]); err != nil {
		t.Fatal(err)
	}
	if !Debug { // which fills it with something else
		for i, c := range b {
			if c != 0 {
				t.Fatalf("byte %d is %d", i, c)
			}
		}
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if err := p.PutClear(nil); err != nil {
		t.Error(err)
	}
	foreign := []byte{1, 2, 3}
	if err := p.PutClear(foreign); !errors.Is(err, ErrForeign) || foreign[0] != 1 {
		t.Errorf("%v, %v", err, foreign)
	}
}

func TestFixedPoolContext(t *testing.T) {
	p := NewFixedPool(1, 8)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := p.Get(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	b := mustGet(t, p)
	ctx, cancel = context.WithCancel(context.Background())
	done := make(chan error)
	go func() { _, err := p.Get(ctx); done <- err }()
	waitFor(t, p, 1)
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	mustPut(t, p, b)
	mustPut(t, p, mustGet(t, p))
	if s := p.Stats(); s.InUse != 0 || s.Waits != 1 {
		t.Errorf("%+v", s)
	}
}

// waitFor waits until n goroutines wait in p.
func waitFor(t *testing.T, p *FixedPool, n int) {
	t.Helper()
	for {
		p.mu.Lock()
		waiting := 0
		for w := p.waiting.first; w != nil; w = w.next {
			waiting++
		}
		p.mu.Unlock()
		if waiting == n {
			return
		}
		runtime.Gosched()
	}
}

func TestFixedPoolClose(t *testing.T) {
	p := NewNamedFixedPool("closing", 3, 8)
	out, idle := mustGet(t, p), mustGet(t, p)
	mustPut(t, p, idle)
	third := mustGet(t, p)
	fourth := mustGet(t, p)
	done := make(chan error)
	go func() { _, err := p.Get(context.Background()); done <- err }()
	waitFor(t, p, 1)
	var inUse *InUseError
	if err := p.Close(); !errors.As(err, &inUse) || inUse.InUse != 3 || inUse.Name != "closing" {
		t.Errorf("%v", err)
	}
	if err := <-done; !errors.Is(err, ErrClosed) {
		t.Errorf("waiter: %v", err)
	}
	if _, err := p.Get(context.Background()); !errors.Is(err, ErrClosed) {
		t.Errorf("%v", err)
	}
	if _, ok := p.TryGet(); ok {
		t.Error("a closed pool gave a buffer")
	}
	for i, b := range [][]byte{out, third, fourth} {
		mustPut(t, p, b)
		if err := p.Put(b); err == nil {
			t.Error("put twice after Close")
		}
		err := p.Close()
		if left := 2 - i; (err != nil) != (left > 0) || errors.As(err, &inUse) && inUse.InUse != left {
			t.Errorf("with %d left: %v", left, err)
		}
	}
}

func TestFixedPoolOutOfRange(t *testing.T) {
	for _, c := range [][2]int{{0, 1}, {1, 0}, {-1, 1}, {1, -1}, {1<<30 + 1, 1}} {
		if panicOf(func() { NewFixedPool(c[0], c[1]) }) == nil {
			t.Errorf("NewFixedPool(%d, %d) did not panic", c[0], c[1])
		}
	}
}

// One buffer, a thousand waiters, half of which give up: the others are served
// in the order in which they came, TryGet overtakes nobody, and the buffer is
// there in the end.
func TestFixedPoolIsFair(t *testing.T) {
	const waiters = 1000
	p := NewFixedPool(1, 16)
	held := mustGet(t, p)

	type arrival struct {
		err error
		n   int
	}
	cancels := make([]context.CancelFunc, waiters)
	results := make(chan arrival, waiters)
	var turn, got atomic.Int32
	var wg sync.WaitGroup
	for i := range waiters {
		ctx, cancel := context.WithCancel(context.Background())
		cancels[i] = cancel
		wg.Go(func() {
			b, err := p.Get(ctx)
			if err == nil {
				got.Add(1)
				if last := turn.Swap(int32(i)); int(last) > i {
					t.Errorf("waiter %d was served after %d", i, last)
				}
				b[0]++ // the race detector sees if two have it
				err = p.Put(b)
			}
			results <- arrival{err, i}
		})
		waitFor(t, p, i+1)
	}

	rng := rand.New(rand.NewPCG(5, 6))
	cancelled := map[int]bool{}
	for _, i := range rng.Perm(waiters)[:waiters/2] {
		cancelled[i] = true
	}
	// Half of those who give up do so while the others are being served.
	early := 0
	for i := range cancelled {
		if early++; early <= waiters/4 {
			cancels[i]()
		}
	}
	var foreign atomic.Int32
	wg.Go(func() {
		for range 200 {
			if errors.Is(p.Put(make([]byte, 16)), ErrForeign) {
				foreign.Add(1)
			}
			runtime.Gosched()
		}
	})
	wg.Go(func() {
		late := 0
		for i := range cancelled {
			if late++; late > waiters/4 {
				cancels[i]()
			}
		}
	})
	// Nobody comes to wait any more, so whoever gets the buffer out of turn
	// while somebody waits has overtaken him.
	served := make(chan bool)
	var barged atomic.Int32
	var bargers sync.WaitGroup
	for range 2 {
		bargers.Go(func() {
			for {
				select {
				case <-served:
					return
				default:
				}
				b, ok := p.TryGet()
				if !ok {
					runtime.Gosched()
					continue
				}
				barged.Add(1)
				p.mu.Lock()
				waiting := p.waiting.first != nil
				p.mu.Unlock()
				if waiting {
					t.Error("TryGet overtook those who wait")
				}
				if err := p.Put(b); err != nil {
					t.Error(err)
				}
			}
		})
	}
	held[0] = 0
	mustPut(t, p, held)
	wg.Wait()
	close(served)
	bargers.Wait()
	close(results)
	count := 0
	for r := range results {
		switch {
		case r.err == nil:
			count++
		case !errors.Is(r.err, context.Canceled) || !cancelled[r.n]:
			t.Errorf("waiter %d: %v", r.n, r.err)
		}
	}
	if s := p.Stats(); s.Waits != waiters {
		t.Errorf("%+v", s)
	}
	if count != int(got.Load()) || count < waiters/2 {
		t.Errorf("%d of %d were served", count, waiters/2)
	}
	if foreign.Load() != 200 {
		t.Errorf("%d foreign buffers refused", foreign.Load())
	}
	if s := p.Stats(); s.Gets != uint64(1+got.Load()+barged.Load()) || s.InUse != 0 {
		t.Errorf("%d served, %d by TryGet: %+v", got.Load(), barged.Load(), s)
	}
	b, ok := p.TryGet()
	if !ok || &b[0] != &held[0] {
		t.Fatal("the buffer was lost")
	}
	mustPut(t, p, b)
	if err := p.Put(b); !errors.Is(err, ErrDoublePut) {
		t.Errorf("double Put: %v", err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	for _, cancel := range cancels {
		cancel()
	}
}

// Few buffers, many goroutines, some of them impatient: nobody has another's
// buffer, and all are there in the end.
func TestFixedPoolUnderLoad(t *testing.T) {
	for _, n := range []int{1, 4, 40} {
		p := NewFixedPool(n, 32)
		var wg sync.WaitGroup
		for g := range 3 * n {
			wg.Go(func() {
				rng := rand.New(rand.NewPCG(uint64(g), 7))
				for range 300 {
					ctx, cancel := context.Background(), func() {}
					if rng.IntN(4) == 0 {
						ctx, cancel = context.WithCancel(ctx)
						go cancel()
					}
					b, err := p.Get(ctx)
					if rng.IntN(4) == 0 && err != nil {
						b, _ = p.TryGet()
					}
					for i := range b {
						b[i] = byte(g)
					}
					if err := p.Put(b); err != nil {
						t.Error(err)
					}
					cancel()
				}
			})
		}
		wg.Wait()
		if s := p.Stats(); s.InUse != 0 || s.Gets != s.Puts || s.Misses > uint64(n) {
			t.Errorf("%+v", s)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestFixedPoolCountsBeyondItsWord(t *testing.T) {
	p := NewFixedPool(1, 8)
	mustPut(t, p, mustGet(t, p))
	p.idle.words[0].bits.Or((1<<takenBits - 2) << 33)
	for range 5 {
		mustPut(t, p, mustGet(t, p))
	}
	if s := p.Stats(); s.Gets != 1+(1<<takenBits-2)+5 || s.InUse != 0 {
		t.Errorf("%+v", s)
	}
}
