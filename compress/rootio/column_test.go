package rootio

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/eddy-go/eddy/compress"
)

// Ranges that begin and end inside baskets, or where they meet, give what is in
// them.
func TestRangesCutBaskets(t *testing.T) {
	for _, name := range []string{"scalars-zlib9.root/drift", "jagged-zlib1.root/clusters"} {
		file, treeName, _ := strings.Cut(name, "/")
		f := openFixture(t, file)
		tree, err := f.Tree(treeName)
		if err != nil {
			t.Fatal(err)
		}
		rnd := rand.New(rand.NewPCG(1, 2))
		for _, b := range tree.Branches() {
			all := entries(t, b)
			r := anyReader(t, b)
			edges := []int64{0, 1, b.Entries() - 1, b.Entries()}
			for _, p := range b.parts {
				edges = append(edges, p.first, p.end-1, p.end)
			}
			rounds := 40
			if few() {
				rounds = 10
			}
			for range rounds {
				from, to := edges[rnd.IntN(len(edges))], edges[rnd.IntN(len(edges))]
				if rnd.IntN(2) == 0 {
					from = rnd.Int64N(b.Entries() + 1)
				}
				if from > to {
					from, to = to, from
				}
				var got [][]any
				err := r.batches(context.Background(), from, to, func(values []any) error {
					got = append(got, values)
					return nil
				}, Workers(1+rnd.IntN(3)))
				if err != nil || !equalEntries(got, all[from:to]) {
					t.Fatalf("%s: entries %d to %d: %d entries, error %v", b.Name(), from, to, len(got), err)
				}
				if b.Jagged() {
					continue
				}
				n := int(min(to-from, 3000))
				values, err := r.read(context.Background(), from, n, Workers(1+rnd.IntN(3)))
				if err != nil || !equalEntries([][]any{values}, [][]any{slices.Concat(all[from:][:n]...)}) {
					t.Fatalf("%s: Read of %d entries from %d: %d values, error %v", b.Name(), n, from, len(values), err)
				}
			}
		}
	}
}

func equalEntries(a, b [][]any) bool {
	return slices.EqualFunc(a, b, func(x, y []any) bool { return slices.Equal(x, y) })
}

func TestRangesThatAreNone(t *testing.T) {
	tree, err := openFixture(t, "scalars-zlib9.root").Tree("drift")
	if err != nil {
		t.Fatal(err)
	}
	c := columnOf[int32](t, tree, "tick")
	for _, r := range [][2]int64{{-1, 5}, {0, 40001}, {7, 6}, {40001, -1}, {1 << 62, 1<<62 + 1}} {
		n := 0
		for _, err := range c.Batches(context.Background(), r[0], r[1]) {
			n++
			var e *Error
			if !errors.Is(err, ErrRange) || !errors.As(err, &e) || e.Offset != tree.Key().Offset {
				t.Errorf("entries %d to %d: %v", r[0], r[1], err)
			}
		}
		if n != 1 {
			t.Errorf("entries %d to %d: %d steps", r[0], r[1], n)
		}
	}
	for range c.Batches(context.Background(), 40000, 40000) {
		t.Error("a batch of no entries")
	}
	if n, err := c.Read(context.Background(), make([]int32, 5), 40000); n != 0 || err != nil {
		t.Errorf("Read at the end: %d, %v", n, err)
	}
	if _, err := c.Read(context.Background(), make([]int32, 5), 40001); !errors.Is(err, ErrRange) {
		t.Errorf("Read behind the end: %v", err)
	}
	for range Steps(context.Background(), 0, -1, nil) {
		t.Error("a step of no columns")
	}
}

// Columns in step have the same entries in each step, whatever baskets they
// are in and in whatever order they are named.
func TestColumnsInStep(t *testing.T) {
	for _, name := range []string{"scalars-zlib9.root/drift", "jagged-zlib1.root/clusters"} {
		file, treeName, _ := strings.Cut(name, "/")
		f := openFixture(t, file)
		tree, err := f.Tree(treeName)
		if err != nil {
			t.Fatal(err)
		}
		rnd := rand.New(rand.NewPCG(3, 4))
		branches := tree.Branches()
		all := map[string][][]any{}
		for _, b := range branches {
			all[b.Name()] = entries(t, b)
		}
		rounds := 10
		if few() {
			rounds = 3
		}
		for range rounds {
			rnd.Shuffle(len(branches), func(i, j int) { branches[i], branches[j] = branches[j], branches[i] })
			some := branches[:1+rnd.IntN(len(branches))]
			var readers []*reader
			var cols []AnyColumn
			for _, b := range some {
				r := anyReader(t, b)
				readers = append(readers, r)
				cols = append(cols, r.column)
			}
			from := rnd.Int64N(tree.Entries())
			to := from + rnd.Int64N(tree.Entries()-from) + 1
			got := make([][][]any, len(some))
			next := from
			for s, err := range Steps(context.Background(), from, to, cols, Workers(1+rnd.IntN(3))) {
				if err != nil {
					t.Fatal(err)
				}
				if s.First != next {
					t.Fatalf("a step from %d, not %d", s.First, next)
				}
				next = s.End
				for i, r := range readers {
					r.inStep(s, func(values []any) { got[i] = append(got[i], values) })
				}
			}
			for i, b := range some {
				if !equalEntries(got[i], all[b.Name()][from:to]) {
					t.Fatalf("%s: entries %d to %d differ", b.Name(), from, to)
				}
			}
		}
	}
}

// Many columns, of which some are the same branch.
func TestManyColumnsInStep(t *testing.T) {
	tree, err := openFixture(t, "scalars-zlib9.root").Tree("drift")
	if err != nil {
		t.Fatal(err)
	}
	var cols []AnyColumn
	for range 20 {
		cols = append(cols, columnOf[uint8](t, tree, "mode"), columnOf[int32](t, tree, "tick"))
	}
	var first, last float64
	for s, err := range Steps(context.Background(), 0, -1, cols, Workers(2)) {
		if err != nil {
			t.Fatal(err)
		}
		first += sum(cols[0].(*Column[uint8]).Batch(s).Values)
		last += sum(cols[39].(*Column[int32]).Batch(s).Values)
	}
	if first != 1043747 || last != 676161339 {
		t.Errorf("sums %v and %v", first, last)
	}
}

func TestBatchOfAnotherColumnPanics(t *testing.T) {
	tree, err := openFixture(t, "scalars-zlib9.root").Tree("drift")
	if err != nil {
		t.Fatal(err)
	}
	mode := columnOf[uint8](t, tree, "mode")
	other := columnOf[uint8](t, tree, "mode")
	for s, err := range Steps(context.Background(), 0, -1, []AnyColumn{mode}) {
		if err != nil {
			t.Fatal(err)
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			other.Batch(s)
		}()
	}
}

func TestColumnsOfAnotherType(t *testing.T) {
	tree, err := openFixture(t, "scalars-zlib9.root").Tree("drift")
	if err != nil {
		t.Fatal(err)
	}
	b, err := tree.Branch("tick")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewColumn[uint32](b); !errors.Is(err, ErrType) || !strings.Contains(err.Error(), "uint32") {
		t.Error(err)
	}
	if _, err := NewColumn[string](b); !errors.Is(err, ErrType) {
		t.Error(err)
	}
	if _, err := tree.Branch("tock"); !errors.Is(err, ErrNoBranch) {
		t.Error(err)
	}
}

// breaker is a file of which reads fail from some number on.
type breaker struct {
	io.ReaderAt
	left atomic.Int64
	err  error
}

func (b *breaker) ReadAt(p []byte, off int64) (int, error) {
	if b.left.Add(-1) < 0 {
		return 0, b.err
	}
	return b.ReaderAt.ReadAt(p, off)
}

// An error comes behind the entries before it, and names the basket's record.
func TestErrorsInTheirPlace(t *testing.T) {
	data := fixtureBytes(t, "scalars-zlib9.root")
	f := open(t, data)
	tree, err := f.Tree("drift")
	if err != nil {
		t.Fatal(err)
	}
	b, err := tree.Branch("level")
	if err != nil {
		t.Fatal(err)
	}
	p := b.parts[9]
	data[p.seek+int64(p.nbytes)-1] ^= 1 // of the checksum
	for _, workers := range []int{1, 2, 4} {
		c := columnOf[float64](t, tree, "level")
		n := int64(0)
		var last error
		for batch, err := range c.Batches(context.Background(), 0, -1, Workers(workers)) {
			if last != nil {
				t.Fatal("a step behind an error")
			}
			if last = err; err == nil {
				n += int64(batch.Len())
			}
		}
		var e *Error
		if !errors.As(last, &e) || !errors.Is(last, compress.ErrChecksum) || e.Offset != p.seek || e.Class != "TBasket" || e.Name != "level" {
			t.Errorf("error %v", last)
		}
		if n != p.first {
			t.Errorf("%d entries before the error, which is in those from %d", n, p.first)
		}
		// The others are not touched by it.
		if _, _, err := columnOf[int32](t, tree, "tick").Append(context.Background(), nil, nil, 0, -1); err != nil {
			t.Error(err)
		}
		if _, err := c.Read(context.Background(), make([]float64, 40000), 0, Workers(workers)); !errors.Is(err, compress.ErrChecksum) {
			t.Error(err)
		}
	}
}

func TestReadErrorsOfTheFile(t *testing.T) {
	data := fixtureBytes(t, "scalars-zlib9.root")
	lost := errors.New("the disk is gone")
	for _, workers := range []int{1, 3} {
		r := &breaker{ReaderAt: bytes.NewReader(data), err: lost}
		r.left.Store(1 << 30)
		f, err := Open(r, int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		tree, err := f.Tree("drift")
		if err != nil {
			t.Fatal(err)
		}
		c := columnOf[float64](t, tree, "noise")
		r.left.Store(int64(6 - 2*workers))
		_, _, err = c.Append(context.Background(), nil, nil, 0, -1, Workers(workers))
		var e *Error
		if !errors.Is(err, lost) || !errors.As(err, &e) || e.Offset == 0 {
			t.Errorf("error %v", err)
		}
	}
}
