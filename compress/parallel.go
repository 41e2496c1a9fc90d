package compress

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/eddy-go/eddy"
)

// Parallel compresses or decompresses many blocks on several goroutines and
// gives the results in the order of the blocks.
//
// Every result lies in a buffer of Pool from when work on it begins until the
// caller has seen it. So memory for results never exceeds Pool.Limit() times
// Pool.Size(), however slow the caller is; beside that there is the codec's
// state for each worker. A Parallel may be used by several goroutines at the
// same time, which then share Pool; one that holds results of a pool, inside
// yield, must not begin another run with the same pool.
type Parallel struct {
	Codec Codec

	// Pool gives the buffers of results. Its Size is the largest result:
	// for compression it must be the CompressBound of the largest block.
	// Two buffers a worker keep the workers busy.
	Pool *eddy.FixedPool

	// Workers is how many blocks are worked on at the same time; 0 means
	// GOMAXPROCS.
	Workers int
}

// A Block is compressed data.
type Block struct {
	Data []byte
	// Size of the data decompressed; negative if it is not known, and then
	// it may be anything up to the pool's Size.
	Size int
}

// A BlockError says which block failed.
type BlockError struct {
	Index int // counted from zero
	Err   error
}

func (e *BlockError) Error() string { return fmt.Sprintf("block %d: %v", e.Index, e.Err) }
func (e *BlockError) Unwrap() error { return e.Err }

// A PanicError is what Parallel panics with when a codec panicked on another
// goroutine.
type PanicError struct {
	Index int // of the block, counted from zero
	Value any // of the codec's panic; nil if it called runtime.Goexit
	Stack []byte
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("block %d: codec panics: %v\n\n%s", e.Index, e.Value, e.Stack)
}

// Unwrap returns the value, if that is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// Compress compresses the blocks and calls yield with each result, in order
// and on the calling goroutine. The result belongs to yield until it returns.
// A block must stay as it is until its result was given or Compress returned,
// and is not used after that.
//
// The first error ends the run: ctx's, yield's as it is, or a codec's as a
// *BlockError, which comes in its block's place, after the results before it.
// When Compress returns no goroutine of it is left and all buffers are back.
// A codec's panic is one of Compress, with a *PanicError, in its block's place.
func (p *Parallel) Compress(ctx context.Context, blocks iter.Seq[[]byte], yield func([]byte) error) error {
	return p.run(ctx, func(give func(Block) bool) {
		for b := range blocks {
			if !give(Block{Data: b}) {
				return
			}
		}
	}, yield, func(buf []byte, b Block) ([]byte, error) {
		if p.Codec.CompressBound(len(b.Data)) > len(buf) {
			return nil, fmt.Errorf("%w: its bound is over the pool's %d bytes", ErrTooLarge, len(buf))
		}
		return p.Codec.AppendCompress(buf[:0], b.Data)
	})
}

// Decompress decompresses the blocks, as Compress compresses them.
func (p *Parallel) Decompress(ctx context.Context, blocks iter.Seq[Block], yield func([]byte) error) error {
	return p.run(ctx, blocks, yield, func(buf []byte, b Block) ([]byte, error) {
		if b.Size < 0 {
			return p.Codec.AppendDecompress(buf[:0], b.Data, len(buf))
		}
		if b.Size > len(buf) {
			return nil, fmt.Errorf("%w: %d bytes are over the pool's %d", ErrLimit, b.Size, len(buf))
		}
		_, err := p.Codec.Decompress(buf[:b.Size:b.Size], b.Data)
		return buf[:b.Size], err
	})
}

// task is one block on its way.
type task struct {
	block Block
	buf   []byte // of the pool
	out   []byte // in buf
	err   error
	crash *PanicError
	done  chan struct{} // of capacity one
}

// run is the state of one call. All but the workers' part runs on the
// caller's goroutine.
type run struct {
	p     *Parallel
	ctx   context.Context
	yield func([]byte) error
	work  func(buf []byte, b Block) ([]byte, error)

	ring  []task // in order; those that are out are first, first+1, ...
	first int
	out   int
	index int // of the block at first

	workers int
	limit   int
	queue   chan *task // never full
	stop    atomic.Bool
	wg      sync.WaitGroup
}

func (p *Parallel) run(ctx context.Context, blocks iter.Seq[Block], yield func([]byte) error, work func([]byte, Block) ([]byte, error)) (err error) {
	n := p.Pool.Limit()
	r := &run{p: p, ctx: ctx, yield: yield, work: work, limit: p.Workers,
		ring: make([]task, n), queue: make(chan *task, n)}
	if r.limit <= 0 {
		r.limit = runtime.GOMAXPROCS(0)
	}
	defer r.end() // also if blocks or yield panic
	for b := range blocks {
		if err = r.add(b); err != nil {
			return err
		}
	}
	for r.out > 0 {
		if err = r.take(); err != nil {
			return err
		}
	}
	return nil
}

// add hands b to a worker, once there is a buffer for it.
func (r *run) add(b Block) error {
	if err := r.ctx.Err(); err != nil {
		return err
	}
	// What is ready is given at once.
	for r.out > 0 && len(r.ring[r.first].done) > 0 {
		if err := r.take(); err != nil {
			return err
		}
	}
	buf, ok := r.p.Pool.TryGet()
	for !ok {
		if r.out == 0 {
			// Others have all buffers.
			var err error
			if buf, err = r.p.Pool.Get(r.ctx); err != nil {
				return err
			}
			break
		}
		if err := r.take(); err != nil {
			return err
		}
		buf, ok = r.p.Pool.TryGet()
	}
	t := &r.ring[(r.first+r.out)%len(r.ring)]
	if t.done == nil {
		t.done = make(chan struct{}, 1)
	}
	t.block, t.buf, t.out, t.err, t.crash = b, buf, nil, nil, nil
	r.out++
	r.queue <- t
	if r.workers < min(r.limit, r.out) {
		r.workers++
		r.wg.Go(r.worker)
	}
	return nil
}

// take waits for the oldest block, gives its result and puts its buffer back.
func (r *run) take() error {
	t := &r.ring[r.first]
	select {
	case <-t.done:
	case <-r.ctx.Done():
	}
	// Also when both were so: a caller that has cancelled gets no more.
	if err := r.ctx.Err(); err != nil {
		return err
	}
	if t.crash != nil {
		t.crash.Index = r.index
		panic(t.crash)
	}
	if t.err != nil {
		return &BlockError{Index: r.index, Err: t.err}
	}
	err := r.yield(t.out)
	r.putFirst()
	return err
}

// putFirst gives the oldest buffer back.
func (r *run) putFirst() {
	t := &r.ring[r.first]
	r.p.Pool.Put(t.buf)
	t.block, t.buf, t.out = Block{}, nil, nil
	r.first = (r.first + 1) % len(r.ring)
	r.out--
	r.index++
}

func (r *run) worker() {
	for t := range r.queue {
		if !r.stop.Load() {
			r.do(t)
		}
		t.done <- struct{}{}
	}
}

// do does a task; that it went wrong is for the caller's goroutine to tell.
func (r *run) do(t *task) {
	returned := false
	defer func() {
		if returned {
			return
		}
		t.crash = &PanicError{Value: recover(), Stack: debug.Stack()}
		if t.crash.Value == nil { // no recovery from runtime.Goexit: the worker ends
			t.done <- struct{}{}
		}
	}()
	t.out, t.err = r.work(t.buf, t.block)
	returned = true
}

// end waits until no worker uses memory of the caller or of the pool.
func (r *run) end() {
	r.stop.Store(true)
	close(r.queue)
	r.wg.Wait()
	for r.out > 0 {
		r.putFirst()
	}
}
