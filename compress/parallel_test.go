package compress_test

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/eddy-go/eddy"
	"github.com/eddy-go/eddy/compress"
	"github.com/eddy-go/eddy/compress/internal/shapes"
	"github.com/eddy-go/eddy/compress/lz4"
	"github.com/eddy-go/eddy/compress/zlib"
	"github.com/eddy-go/eddy/compress/zstd"
)

var codecs = []compress.Codec{zlib.Codec{Level: 1}, lz4.Codec{}, zstd.Codec{Level: 1}}

// someBlocks are blocks of several shapes and of sizes up to 8 KiB, of which
// some are empty.
func someBlocks(n int) [][]byte {
	r := shapes.Rand(9)
	blocks := make([][]byte, n)
	for i := range blocks {
		blocks[i] = shapes.All[i%len(shapes.All)].Gen(r, max(0, r.IntN(9<<10)-1<<10))
	}
	return blocks
}

// settled fails the test if goroutines are left.
func settled(t *testing.T, before int) {
	t.Helper()
	for range 200 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

// allBack fails the test if a buffer of the pool is out.
func allBack(t *testing.T, p *eddy.FixedPool) {
	t.Helper()
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestParallelGivesResultsInOrder(t *testing.T) {
	before := runtime.NumGoroutine()
	blocks := someBlocks(300)
	for _, c := range codecs {
		for _, buffers := range []int{1, 2, 7, 400} {
			pool := eddy.NewFixedPool(buffers, c.CompressBound(8<<10))
			p := compress.Parallel{Codec: c, Pool: pool, Workers: 3}
			var packed []compress.Block
			err := p.Compress(context.Background(), slices.Values(blocks), func(z []byte) error {
				size := len(blocks[len(packed)])
				if len(packed)%3 == 0 {
					size = -1
				}
				packed = append(packed, compress.Block{Data: bytes.Clone(z), Size: size})
				return nil
			})
			if err != nil || len(packed) != len(blocks) {
				t.Fatal(len(packed), err)
			}
			i := 0
			err = p.Decompress(context.Background(), slices.Values(packed), func(b []byte) error {
				if !bytes.Equal(b, blocks[i]) {
					t.Fatalf("%T: block %d differs", c, i)
				}
				i++
				return nil
			})
			if err != nil || i != len(blocks) {
				t.Fatal(i, err)
			}
			allBack(t, pool)
		}
	}
	settled(t, before)
}

// endless repeats the blocks.
func endless(blocks [][]byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for {
			for _, b := range blocks {
				if !yield(b) {
					return
				}
			}
		}
	}
}

func TestParallelMemoryWithABlockedConsumer(t *testing.T) {
	before := runtime.NumGoroutine()
	pool := eddy.NewFixedPool(5, codecs[0].CompressBound(9<<10))
	p := compress.Parallel{Codec: codecs[0], Pool: pool, Workers: 4}
	ctx, cancel := context.WithCancel(context.Background())
	pulled, blocked, wait := 0, make(chan struct{}), make(chan struct{})
	source := func(yield func([]byte) bool) {
		for b := range endless(someBlocks(50)) {
			pulled++
			if !yield(b) {
				return
			}
		}
	}
	done := make(chan error)
	go func() {
		done <- p.Compress(ctx, source, func([]byte) error {
			close(blocked)
			<-wait
			return errors.New("consumer gave up")
		})
	}()
	<-blocked
	time.Sleep(20 * time.Millisecond) // workers do what they can meanwhile
	s := pool.Stats()
	if s.InUse > 5 || s.Allocated > 5*uint64(pool.Size()) || pulled > 6 {
		t.Fatalf("%d buffers, %d bytes, %d blocks pulled", s.InUse, s.Allocated, pulled)
	}
	close(wait)
	if err := <-done; err == nil || err.Error() != "consumer gave up" {
		t.Fatal(err)
	}
	cancel()
	allBack(t, pool)
	settled(t, before)
}

func TestParallelCancelled(t *testing.T) {
	before := runtime.NumGoroutine()
	blocks := someBlocks(50)
	for at := range 12 {
		pool := eddy.NewFixedPool(4, codecs[2].CompressBound(9<<10))
		p := compress.Parallel{Codec: codecs[2], Pool: pool}
		ctx, cancel := context.WithCancel(context.Background())
		n := 0
		err := p.Compress(ctx, endless(blocks), func([]byte) error {
			if n++; n > at {
				cancel()
			}
			return nil
		})
		if !errors.Is(err, context.Canceled) || n < at+1 {
			t.Fatal(n, err)
		}
		// While all buffers are elsewhere, a run waits, and can be cancelled.
		var held [][]byte
		for range 4 {
			b, _ := pool.TryGet()
			held = append(held, b)
		}
		ctx, cancel = context.WithTimeout(context.Background(), time.Millisecond)
		if err := p.Compress(ctx, endless(blocks), func([]byte) error { return nil }); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
		cancel()
		for _, b := range held {
			pool.Put(b)
		}
		allBack(t, pool)
	}
	settled(t, before)
}

func TestParallelErrors(t *testing.T) {
	before := runtime.NumGoroutine()
	c := zlib.Codec{}
	pool := eddy.NewFixedPool(3, 1000)
	p := compress.Parallel{Codec: c, Pool: pool}
	ctx := context.Background()
	good, _ := c.AppendCompress(nil, []byte("water"))
	bad := bytes.Clone(good)
	bad[len(bad)-1] ^= 1
	big, _ := c.AppendCompress(nil, make([]byte, 2000))
	for _, tc := range []struct {
		name  string
		block compress.Block
		want  error
	}{
		{"damaged", compress.Block{Data: bad, Size: 5}, compress.ErrChecksum},
		{"size lies", compress.Block{Data: good, Size: 6}, compress.ErrSize},
		{"larger than the pool's", compress.Block{Data: big, Size: 2000}, compress.ErrLimit},
		{"larger, size unknown", compress.Block{Data: big, Size: -1}, compress.ErrLimit},
	} {
		n := 0
		ok := compress.Block{Data: good, Size: 5}
		err := p.Decompress(ctx, slices.Values([]compress.Block{ok, ok, ok, ok, tc.block, ok}), func(b []byte) error {
			if string(b) != "water" {
				t.Errorf("%s: %q", tc.name, b)
			}
			n++
			return nil
		})
		var be *compress.BlockError
		if n != 4 || !errors.As(err, &be) || be.Index != 4 || !errors.Is(err, tc.want) {
			t.Errorf("%s: %d results, %v", tc.name, n, err)
		}
	}
	err := p.Compress(ctx, slices.Values([][]byte{make([]byte, 2000)}), func([]byte) error { return nil })
	if !errors.Is(err, compress.ErrTooLarge) {
		t.Error(err)
	}
	func() {
		defer func() {
			if recover() != "consumer" {
				t.Error("the panic is lost")
			}
		}()
		p.Compress(ctx, endless([][]byte{{1}}), func([]byte) error { panic("consumer") })
	}()
	allBack(t, pool)
	settled(t, before)
}

// slow is a codec that takes its time and counts.
type slow struct {
	zlib.Codec
	calls, running atomic.Int32
}

func (s *slow) AppendCompress(dst, src []byte) ([]byte, error) {
	s.calls.Add(1)
	s.running.Add(1)
	defer s.running.Add(-1)
	time.Sleep(2 * time.Millisecond)
	return s.Codec.AppendCompress(dst, src)
}

func TestParallelEndsWithNoWorkGoingOn(t *testing.T) {
	c := new(slow)
	pool := eddy.NewFixedPool(100, c.CompressBound(10))
	p := compress.Parallel{Codec: c, Pool: pool, Workers: 3}
	gone := errors.New("consumer is gone")
	blocks := make([][]byte, 100)
	if err := p.Compress(context.Background(), slices.Values(blocks), func([]byte) error { return gone }); err != gone {
		t.Fatal(err)
	}
	if n := c.running.Load(); n != 0 {
		t.Fatalf("%d calls are going on", n)
	}
	if n := c.calls.Load(); n == 100 {
		t.Fatal("all blocks were compressed for nobody")
	}
	allBack(t, pool)
}

func TestParallelSharedPool(t *testing.T) {
	blocks := someBlocks(200)
	pool := eddy.NewFixedPool(3, codecs[1].CompressBound(9<<10))
	var wg sync.WaitGroup
	for range 4 {
		p := compress.Parallel{Codec: codecs[1], Pool: pool, Workers: 2}
		wg.Go(func() {
			i := 0
			err := p.Compress(context.Background(), slices.Values(blocks), func(z []byte) error {
				got := make([]byte, len(blocks[i]))
				if _, err := p.Codec.Decompress(got, z); err != nil || !bytes.Equal(got, blocks[i]) {
					t.Errorf("block %d: %v", i, err)
				}
				i++
				return nil
			})
			if err != nil || i != len(blocks) {
				t.Error(i, err)
			}
		})
	}
	wg.Wait()
	allBack(t, pool)
}

// panicking is a codec that does not return for blocks of one byte.
type panicking struct {
	zlib.Codec
	stop func()
}

func (c panicking) AppendCompress(dst, src []byte) ([]byte, error) {
	if len(src) == 1 {
		c.stop()
	}
	return c.Codec.AppendCompress(dst, src)
}

func TestParallelCodecPanics(t *testing.T) {
	errCodec := errors.New("codec")
	for name, stop := range map[string]func(){"panic": func() { panic(errCodec) }, "Goexit": runtime.Goexit} {
		before := runtime.NumGoroutine()
		pool := eddy.NewFixedPool(3, 2000)
		p := compress.Parallel{Codec: panicking{stop: stop}, Pool: pool, Workers: 2}
		given := 0
		func() {
			defer func() {
				e, ok := recover().(*compress.PanicError)
				if !ok || e.Index != 2 || given != 2 || len(e.Stack) == 0 {
					t.Errorf("%s: %v after %d blocks", name, e, given)
				}
				if ok && name == "panic" && !errors.Is(e, errCodec) {
					t.Errorf("%s: the value is %v", name, e.Value)
				}
			}()
			blocks := [][]byte{nil, nil, {0}, nil, nil, nil, nil, nil}
			err := p.Compress(context.Background(), slices.Values(blocks), func([]byte) error { given++; return nil })
			t.Errorf("%s: %v", name, err)
		}()
		if err := pool.Close(); err != nil {
			t.Errorf("%s: buffers are out: %v", name, err)
		}
		settled(t, before)
	}
}

// gated is a codec whose calls wait.
type gated struct {
	zlib.Codec
	calls chan struct{} // gets one for each call
	gate  chan struct{} // closed when they may go on
}

func (g gated) AppendCompress(dst, src []byte) ([]byte, error) {
	g.calls <- struct{}{}
	<-g.gate
	return g.Codec.AppendCompress(dst, src)
}

func TestParallelGivesNothingOnceCancelled(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, n := range []int{1, 3} { // all are out, or one more is to be added
		g := gated{calls: make(chan struct{}, 10), gate: make(chan struct{})}
		pool := eddy.NewFixedPool(2, 2000)
		ctx, cancel := context.WithCancel(context.Background())
		go func() {
			<-g.calls
			cancel()
			close(g.gate)
		}()
		p := compress.Parallel{Codec: g, Pool: pool, Workers: 1}
		err := p.Compress(ctx, slices.Values(make([][]byte, n)), func([]byte) error {
			t.Errorf("%d blocks: a result after the cancel", n)
			return nil
		})
		if err != context.Canceled {
			t.Errorf("%d blocks: %v", n, err)
		}

		// A context that has ended already begins nothing.
		for len(g.calls) > 0 {
			<-g.calls
		}
		pulled := 0
		err = p.Compress(ctx, func(yield func([]byte) bool) {
			for pulled++; pulled <= n && yield(nil); pulled++ {
			}
		}, func([]byte) error { return nil })
		if err != context.Canceled || len(g.calls) > 0 || pulled > 1 {
			t.Errorf("%d blocks, cancelled before: %d pulled, %d calls, %v", n, pulled, len(g.calls), err)
		}
		allBack(t, pool)
	}
	settled(t, before)
}
