package rootio

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/eddy-go/eddy/compress"
)

// A run is one loop over entries. Chunks of all columns are made in the order
// of their first entries; workers decode them in that order, and the caller
// those that no worker has begun when they are needed.
type run struct {
	ctx     context.Context
	step    Step
	streams []*stream
	from    int64
	to      int64
	dst     []byte // for the values of all entries, if there is one column of fixed size
	options

	mu      sync.Mutex
	work    sync.Cond // there is something to do for a worker
	change  sync.Cond // a chunk is decoded, or there is memory, or the run ends
	queue   []*chunk  // made and not begun, in order
	order   int       // of the next chunk
	needed  int       // chunks below are needed now, and need not wait for memory
	used    int64     // memory of all chunks
	workers int       // started
	stopped bool
	idle    []*chunk
	wg      sync.WaitGroup
	unwatch func() bool // of ctx
	watched chan struct{}
}

// A stream is a column in a run.
type stream struct {
	col  *column
	next int      // the part that the next chunk begins with
	made []*chunk // and not yet taken, in order
	now  *chunk   // that of the step
}

type chunkState uint8

const (
	chunkQueued chunkState = iota
	chunkBegun
	chunkDone
)

// chunkSize is how many bytes of values baskets are joined to.
const chunkSize = 64 << 10

func newRun(ctx context.Context, from, to int64, cols []*column, dst []byte, opts []Option) *run {
	r := &run{ctx: ctx, from: from, to: to, dst: dst, options: options{ahead: DefaultReadAhead}}
	for _, o := range opts {
		o(&r.options)
	}
	if r.options.workers <= 0 {
		r.options.workers = runtime.GOMAXPROCS(0)
	}
	r.work.L, r.change.L = &r.mu, &r.mu
	r.streams = make([]*stream, len(cols))
	for i, c := range cols {
		st := &stream{col: c}
		for st.next < len(c.b.parts) && c.b.parts[st.next].end <= from {
			st.next++
		}
		r.streams[i] = st
	}
	r.step = Step{First: from, End: from, streams: r.streams}
	if len(cols) > 8 {
		r.step.index = make(map[*column]int, len(cols))
		for i, c := range cols {
			r.step.index[c] = i
		}
	}
	if ctx.Done() != nil {
		r.watched = make(chan struct{})
		r.unwatch = context.AfterFunc(ctx, func() {
			defer close(r.watched)
			r.mu.Lock()
			defer r.mu.Unlock()
			r.change.Broadcast()
		})
	}
	return r
}

// close ends the run: no worker is left, and all memory is in its pools.
func (r *run) close() {
	r.mu.Lock()
	r.stopped = true
	r.work.Broadcast()
	r.change.Broadcast()
	r.mu.Unlock()
	r.wg.Wait()
	if r.unwatch != nil && !r.unwatch() {
		<-r.watched
	}
	for _, st := range r.streams {
		if st.now != nil {
			st.now.free()
		}
		for _, c := range st.made {
			c.free()
		}
	}
}

// next makes st's next chunk that of the step.
func (r *run) next(st *stream) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if st.now != nil {
		if st.now.late != nil {
			return st.now.late
		}
		r.release(st.now)
		st.now = nil
	}
	for len(st.made) == 0 {
		if !r.make() {
			return st.col.b.fault(fmt.Errorf("%w: entries in no basket", compress.ErrCorrupt))
		}
	}
	c := st.made[0]
	st.made = st.made[:copy(st.made, st.made[1:])]
	st.now = c
	if r.needed <= c.order {
		r.needed = c.order + 1
		r.change.Broadcast()
	}
	r.makeAhead()
	if c.state == chunkQueued {
		for i, q := range r.queue {
			if q == c {
				r.queue = append(r.queue[:i], r.queue[i+1:]...)
				break
			}
		}
		r.do(c)
	}
	for c.state != chunkDone {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		r.change.Wait()
	}
	if c.crash != nil {
		panic(c.crash)
	}
	return c.err
}

// release takes a chunk back. The caller holds mu.
func (r *run) release(c *chunk) {
	r.mu.Unlock()
	c.free()
	r.mu.Lock()
	r.settle(c)
	r.idle = append(r.idle, c)
}

// settle counts what a chunk really holds. The caller holds mu.
func (r *run) settle(c *chunk) {
	n := c.memory()
	if n < c.charged {
		r.change.Broadcast()
	}
	r.used += n - c.charged
	c.charged = n
}

// make makes the next chunk, of the column of which it begins first. It
// returns false at the end. The caller holds mu.
func (r *run) make() bool {
	var st *stream
	for _, s := range r.streams {
		parts := s.col.b.parts
		if s.next == len(parts) || parts[s.next].first >= r.to {
			continue
		}
		if st == nil || parts[s.next].first < st.col.b.parts[st.next].first {
			st = s
		}
	}
	if st == nil {
		return false
	}
	var c *chunk
	if n := len(r.idle); n > 0 {
		c = r.idle[n-1]
		r.idle = r.idle[:n-1]
	} else {
		c = &chunk{charge: r.charge}
	}
	parts := st.col.b.parts[st.next:]
	n, size := 0, int64(0)
	for n < len(parts) && parts[n].first < r.to {
		s := parts[n].size(st.col.b)
		if n > 0 && size+s > chunkSize {
			break
		}
		size += s
		n++
	}
	st.next += n
	c.col, c.file, c.parts = st.col, st.col.b.tree.file, parts[:n]
	c.first, c.end = parts[0].first, parts[n-1].end
	c.base = lead
	if r.dst != nil && c.first >= r.from && c.end <= r.to {
		size := int64(st.col.b.layout.stride)
		c.values.b, c.base = r.dst[(c.first-r.from)*size:(c.end-r.from)*size], 0
	}
	c.order, c.state, c.err, c.late, c.crash = r.order, chunkQueued, nil, nil, nil
	r.order++
	r.queue = append(r.queue, c)
	st.made = append(st.made, c)
	return true
}

// size estimates how many bytes of values a part has.
func (p *part) size(b *Branch) int64 {
	switch {
	case p.embedded != nil:
		return int64(len(p.embedded.data))
	case b.layout.form == fixed:
		return min(p.end-p.first, 1<<31) * int64(b.layout.stride)
	case b.zip > 0 && b.raw > b.zip && b.raw/b.zip < 1000:
		return int64(p.nbytes) * (b.raw / b.zip)
	}
	return int64(p.nbytes)
}

// makeAhead makes chunks for the workers, and starts workers. The caller holds
// mu.
func (r *run) makeAhead() {
	if r.options.workers < 2 {
		return
	}
	for len(r.queue) < 2*r.options.workers && r.used <= r.ahead && r.make() {
		if r.workers < r.options.workers && r.workers < r.order-1 {
			r.workers++
			r.wg.Go(r.worker)
		}
		r.work.Signal()
	}
}

func (r *run) worker() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for {
		for len(r.queue) == 0 && !r.stopped {
			r.work.Wait()
		}
		if r.stopped {
			return
		}
		c := r.queue[0]
		r.queue = r.queue[:copy(r.queue, r.queue[1:])]
		r.do(c)
		r.makeAhead()
	}
}

// do decodes a chunk. The caller holds mu, which is free meanwhile. That a
// chunk's decoding panicked is for the goroutine of the caller to tell.
func (r *run) do(c *chunk) {
	c.state = chunkBegun
	r.mu.Unlock()
	returned := false
	defer func() {
		if !returned {
			c.crash = &compress.PanicError{Index: c.order, Value: recover(), Stack: debug.Stack()}
		}
		r.mu.Lock()
		c.state = chunkDone
		r.settle(c)
		r.change.Broadcast()
	}()
	c.err = c.decode()
	returned = true
}

// charge waits until c, which is no longer to be read ahead or does not have to
// wait for others' memory, may hold n bytes.
func (r *run) charge(c *chunk, n int64) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for n > c.charged && r.used+n-c.charged > r.ahead && c.order >= r.needed {
		if r.stopped {
			return context.Canceled
		}
		if err := r.ctx.Err(); err != nil {
			return err
		}
		r.change.Wait()
	}
	r.used += n - c.charged
	c.charged = n
	return nil
}
