package rootio

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/eddy-go/eddy/compress"
)

// watched is a file that tells of its reads.
type watched struct {
	io.ReaderAt
	on atomic.Pointer[func()]
}

func (w *watched) ReadAt(p []byte, off int64) (int, error) {
	if f := w.on.Load(); f != nil {
		(*f)()
	}
	return w.ReaderAt.ReadAt(p, off)
}

func openWatched(t testing.TB, name, tree string) (*watched, *Tree) {
	t.Helper()
	data := fixtureBytes(t, name)
	w := &watched{ReaderAt: bytes.NewReader(data)}
	f, err := Open(w, int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	tr, err := f.Tree(tree)
	if err != nil {
		t.Fatal(err)
	}
	return w, tr
}

// allColumns returns columns of all branches, as Steps wants them.
func allColumns(t testing.TB, tree *Tree) (cols []AnyColumn) {
	t.Helper()
	for _, b := range tree.Branches() {
		cols = append(cols, anyReader(t, b).column)
	}
	return cols
}

// A loop that is cancelled at any read of the file, or left at any step, leaves
// no goroutine and no buffer.
func TestCancelAtAnyMoment(t *testing.T) {
	for _, fixture := range [][2]string{{"scalars-zlib9.root", "drift"}, {"jagged-zlib1.root", "clusters"}} {
		w, tree := openWatched(t, fixture[0], fixture[1])
		cols := allColumns(t, tree)
		for _, workers := range []int{1, 2, 4} {
			reads := 0
			for k := 1; ; k += 1 + k/4 {
				ctx, cancel := context.WithCancel(context.Background())
				var n atomic.Int64
				on := func() {
					if n.Add(1) == int64(k) {
						cancel()
					}
				}
				w.on.Store(&on)
				var last error
				entries := int64(0)
				nothingLeft(t, func() {
					for s, err := range Steps(ctx, 0, -1, cols, Workers(workers), ReadAhead(200<<10)) {
						if last = err; err == nil {
							entries = s.End
						}
					}
				})
				w.on.Store(nil)
				cancel()
				if reads = int(n.Load()); reads < k {
					if last != nil || entries != tree.Entries() {
						t.Errorf("%d entries, error %v", entries, last)
					}
					break
				}
				if last == nil && entries != tree.Entries() || last != nil && !errors.Is(last, context.Canceled) {
					t.Fatalf("cancelled at read %d: %d entries, error %v", k, entries, last)
				}
			}
			if reads < 9 {
				t.Errorf("%d reads", reads)
			}
		}
	}
}

func TestLeaveAtAnyStep(t *testing.T) {
	_, tree := openWatched(t, "jagged-zlib1.root", "clusters")
	cols := allColumns(t, tree)
	for _, workers := range []int{1, 3} {
		for leave := range 12 {
			nothingLeft(t, func() {
				n := 0
				for _, err := range Steps(context.Background(), 0, -1, cols, Workers(workers)) {
					if err != nil {
						t.Fatal(err)
					}
					if n++; n > leave {
						break
					}
				}
			})
			nothingLeft(t, func() {
				defer func() {
					if v := recover(); v != "enough" {
						t.Errorf("recovered %v", v)
					}
				}()
				for range Steps(context.Background(), 0, -1, cols, Workers(workers)) {
					panic("enough")
				}
			})
			nothingLeft(t, func() {
				var wg sync.WaitGroup
				wg.Go(func() {
					for range Steps(context.Background(), 0, -1, cols, Workers(workers)) {
						runtime.Goexit()
					}
				})
				wg.Wait()
			})
		}
	}
}

func TestCancelledBeforeItBegins(t *testing.T) {
	w, tree := openWatched(t, "jagged-zlib1.root", "clusters")
	on := func() { t.Error("a read") }
	w.on.Store(&on)
	defer w.on.Store(nil)
	cause, cancel := context.WithCancel(context.Background())
	cancel()
	n := 0
	for _, err := range Steps(cause, 0, -1, allColumns(t, tree)) {
		n++
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
	if n != 1 {
		t.Errorf("%d steps", n)
	}
}

// A cancelled loop that waits for a worker ends though the worker's read takes
// long, once the read is over.
func TestCancelWhileAWorkerReads(t *testing.T) {
	w, tree := openWatched(t, "scalars-zlib9.root", "drift")
	ctx, cancel := context.WithCancel(context.Background())
	hold := make(chan struct{})
	var reads atomic.Int64
	on := func() {
		if reads.Add(1) > 3 {
			<-hold
		}
	}
	w.on.Store(&on)
	go func() {
		for reads.Load() <= 3 {
			time.Sleep(time.Millisecond)
		}
		cancel()
		close(hold)
	}()
	nothingLeft(t, func() {
		var last error
		for _, err := range Steps(ctx, 0, -1, allColumns(t, tree), Workers(2)) {
			last = err
		}
		if !errors.Is(last, context.Canceled) {
			t.Error(last)
		}
	})
}

// A file that panics when it is read panics on the caller's goroutine.
func TestPanicsAreTheCallers(t *testing.T) {
	w, tree := openWatched(t, "scalars-zlib9.root", "drift")
	for _, workers := range []int{1, 3} {
		for k := 1; k < 20; k += 3 {
			var n atomic.Int64
			on := func() {
				if n.Add(1) == int64(k) {
					panic(errors.New("a broken disk"))
				}
			}
			w.on.Store(&on)
			nothingLeft(t, func() {
				defer func() {
					err, _ := recover().(error)
					var p *compress.PanicError
					if !errors.As(err, &p) || p.Value.(error).Error() != "a broken disk" {
						t.Errorf("recovered %v", err)
					}
				}()
				for range Steps(context.Background(), 0, -1, allColumns(t, tree), Workers(workers)) {
				}
			})
			w.on.Store(nil)
		}
	}
}

// However slow the loop is, no more than ReadAhead is taken for what it has not
// come to.
func TestMemoryIsBounded(t *testing.T) {
	for _, fixture := range [][2]string{{"scalars-zlib9.root", "drift"}, {"scalars-none.root", "drift"}, {"jagged-zlib1.root", "clusters"}} {
		for _, ahead := range []int64{0, 100 << 10, 300 << 10} {
			w, tree := openWatched(t, fixture[0], fixture[1])
			var cols []*column
			for _, c := range allColumns(t, tree) {
				cols = append(cols, c.self())
			}
			nothingLeft(t, func() {
				r := newRun(context.Background(), 0, tree.Entries(), cols, nil, []Option{Workers(3), ReadAhead(ahead)})
				defer r.close()
				check := func() (held, used int64) {
					r.mu.Lock()
					defer r.mu.Unlock()
					for _, st := range r.streams {
						if st.now != nil {
							held += st.now.charged
						}
						for _, c := range st.made {
							if c.order < r.needed {
								held += c.charged
							}
						}
					}
					if r.used > max(ahead, held)+held {
						t.Errorf("%d bytes are used, of which the step has %d and %d may be read ahead", r.used, held, ahead)
					}
					return held, r.used
				}
				on := func() { check() }
				w.on.Store(&on)
				for e := int64(0); e < tree.Entries(); {
					end := tree.Entries()
					for _, st := range r.streams {
						if st.now == nil || st.now.end <= e {
							if err := r.next(st); err != nil {
								t.Fatal(err)
							}
						}
						end = min(end, st.now.end)
					}
					if e = end; e < tree.Entries()/8 {
						// The loop stands still until the workers do.
						for last := int64(-1); ; {
							_, used := check()
							if used == last {
								break
							}
							last = used
							time.Sleep(5 * time.Millisecond)
						}
					}
					check()
				}
			})
		}
	}
}

// With read-ahead workers do get ahead of a loop that stands still.
func TestReadsAhead(t *testing.T) {
	w, tree := openWatched(t, "scalars-zlib9.root", "drift")
	var reads atomic.Int64
	on := func() { reads.Add(1) }
	w.on.Store(&on)
	first := true
	for _, err := range columnOf[float64](t, tree, "level").Batches(context.Background(), 0, -1, Workers(2)) {
		if err != nil {
			t.Fatal(err)
		}
		if first {
			// The step has no more than four baskets.
			for range 1000 {
				if reads.Load() > 4 {
					break
				}
				time.Sleep(5 * time.Millisecond)
			}
			if reads.Load() <= 4 {
				t.Error("nothing is read ahead")
			}
			first = false
		}
	}
	// With one worker no goroutine is started.
	routines := goroutines()
	for range columnOf[float64](t, tree, "level").Batches(context.Background(), 0, -1, Workers(1)) {
		if n := goroutines(); n > routines {
			t.Fatalf("%d goroutines, and %d before", n, routines)
		}
	}
}

// Columns and trees are used by many goroutines at the same time.
func TestColumnsAreShared(t *testing.T) {
	_, tree := openWatched(t, "scalars-zlib9.root", "drift")
	tick := columnOf[int32](t, tree, "tick")
	mode := columnOf[uint8](t, tree, "mode")
	nothingLeft(t, func() {
		var wg sync.WaitGroup
		errs := make([]error, 6)
		for i := range errs {
			wg.Go(func() {
				var a, b float64
				for s, err := range Steps(context.Background(), 0, -1, []AnyColumn{tick, mode}, Workers(1+i%3)) {
					if err != nil {
						errs[i] = err
						return
					}
					a += sum(tick.Batch(s).Values)
					b += sum(mode.Batch(s).Values)
				}
				if a != 676161339 || b != 1043747 {
					errs[i] = fmt.Errorf("sums %v and %v", a, b)
				}
			})
		}
		wg.Wait()
		for _, err := range errs {
			if err != nil {
				t.Error(err)
			}
		}
	})
}

// Baskets that follow each other in the file are read at once, as long as they
// can be read.
func TestNeighboursAreReadAtOnce(t *testing.T) {
	var want [][]any
	for i := range 100 {
		want = append(want, []any{fmt.Sprint("entry ", i)})
	}
	b := &madeBranch{name: "s", leaves: []*made{leafOf("TLeafC", "s")}, baskets: inBaskets(want, 10, 10, 10, 10, 10, 10, 10, 10, 20), offsets: true}
	data := madeFile(t, &madeTree{name: "made", entries: 100, branches: []*madeBranch{b}}, false, nil)
	w := &watched{ReaderAt: bytes.NewReader(data)}
	f, err := Open(w, int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	tree, err := f.Tree("made")
	if err != nil {
		t.Fatal(err)
	}
	reads := 0
	on := func() { reads++ }
	w.on.Store(&on)
	if got := entries(t, tree.Branches()[0], Workers(1)); !equalEntries(got, want) {
		t.Error(got)
	}
	if reads != 1 {
		t.Errorf("%d reads of %d baskets", reads, tree.Branches()[0].Baskets())
	}
	// The last one is out of the file's reach.
	w.ReaderAt = short{bytes.NewReader(data), b.baskets[8].seek}
	var got []string
	err = nil
	for batch, e := range columnOf[string](t, tree, "s").Batches(t.Context(), 0, -1, Workers(1)) {
		if err = e; err == nil {
			got = append(got, batch.Values...)
		}
	}
	var e *Error
	if len(got) != 80 || !errors.As(err, &e) || e.Offset != b.baskets[8].seek || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%d strings, error %v", len(got), err)
	}
}

// short is a file that ends early.
type short struct {
	io.ReaderAt
	end int64
}

func (s short) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) > s.end {
		return 0, io.EOF
	}
	return s.ReaderAt.ReadAt(p, off)
}
