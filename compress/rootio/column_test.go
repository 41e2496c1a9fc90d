package rootio

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/eddy-go/eddy/compress"
)

// fixtureBranch is what expected.json says of a branch.
type fixtureBranch struct {
	Name, Type, Counter string
	Entries, Count      int64
	Sum                 float64
	Bytes               int64
	First, Last         any
	SHA256              string
	Values              string `json:"sha256_values"`
	Counts              string `json:"sha256_counts"`
}

type fixtureFile struct {
	File  string
	Trees []struct {
		Tree, Title string
		Cycle       int
		Entries     int64
		Branches    []fixtureBranch
	}
}

func fixtureFiles(t testing.TB) []fixtureFile {
	t.Helper()
	b, err := os.ReadFile("testdata/expected.json")
	if err != nil {
		t.Fatal(err)
	}
	var all struct{ Files []fixtureFile }
	if err := json.Unmarshal(b, &all); err != nil {
		t.Fatal(err)
	}
	return all.Files
}

// digest collects values as expected.json does.
type digest struct {
	values, counts bytes.Buffer
	sum            float64
	n              int64
	texts          []string
	first, last    any
}

func (d *digest) add(v any) {
	d.n++
	if d.first == nil {
		d.first = v
	}
	d.last = v
	switch v := v.(type) {
	case string:
		d.texts = append(d.texts, v)
		return
	case bool:
		if v {
			d.sum++
		}
	case uint8:
		d.sum += float64(v)
	case int32:
		d.sum += float64(v)
	case int64:
		d.sum += float64(v)
	case float32:
		d.sum += float64(v)
	case float64:
		d.sum += v
	default:
		panic(fmt.Sprintf("%T", v))
	}
	d.values.Write(littleEndian(v))
}

func littleEndian(v any) []byte {
	le := binary.LittleEndian
	switch v := v.(type) {
	case bool:
		if v {
			return []byte{1}
		}
		return []byte{0}
	case uint8:
		return []byte{v}
	case int32:
		return le.AppendUint32(nil, uint32(v))
	case int64:
		return le.AppendUint64(nil, uint64(v))
	case float32:
		return le.AppendUint32(nil, math.Float32bits(v))
	case float64:
		return le.AppendUint64(nil, math.Float64bits(v))
	}
	panic(fmt.Sprintf("%T", v))
}

func (d *digest) check(t *testing.T, want fixtureBranch) {
	t.Helper()
	values := d.values.Bytes()
	if d.texts != nil {
		values = []byte(strings.Join(d.texts, "\n"))
	}
	hash := func(parts ...[]byte) string {
		h := sha256.New()
		for _, p := range parts {
			h.Write(p)
		}
		return hex.EncodeToString(h.Sum(nil))
	}
	if got := hash(values, d.counts.Bytes()); got != want.SHA256 {
		t.Errorf("values have the hash %s, not %s", got, want.SHA256)
	}
	if want.Values != "" {
		if got := hash(values); got != want.Values {
			t.Errorf("flat values have the hash %s, not %s", got, want.Values)
		}
		if got := hash(d.counts.Bytes()); got != want.Counts {
			t.Errorf("counts have the hash %s, not %s", got, want.Counts)
		}
	}
	if d.n != want.Count {
		t.Errorf("%d values, not %d", d.n, want.Count)
	}
	if d.texts == nil && d.sum != want.Sum {
		t.Errorf("a sum of %v, not %v", d.sum, want.Sum)
	}
	for _, c := range []struct{ got, want any }{{d.first, want.First}, {d.last, want.Last}} {
		b, _ := json.Marshal(c.got)
		var v any
		json.Unmarshal(b, &v)
		if v != c.want {
			t.Errorf("a value at an end is %v, not %v", v, c.want)
		}
	}
}

// reader reads a branch of any type as slices of entries.
type reader struct {
	column AnyColumn
	// batches gives each entry, its values flat.
	batches func(ctx context.Context, from, to int64, entry func(values []any) error, opts ...Option) error
	// inStep adds the entries of a step.
	inStep func(s *Step, entry func(values []any))
	read   func(ctx context.Context, from int64, entries int, opts ...Option) ([]any, error)
	append func(ctx context.Context, from, to int64, opts ...Option) (values []any, ends []int, err error)
}

func anys[T Value](values []T) []any {
	all := make([]any, len(values))
	for i, v := range values {
		all[i] = v
	}
	return all
}

func readerOf[T Value](t testing.TB, b *Branch) *reader {
	t.Helper()
	c, err := NewColumn[T](b)
	if err != nil {
		t.Fatal(err)
	}
	return &reader{
		column: c,
		batches: func(ctx context.Context, from, to int64, entry func([]any) error, opts ...Option) error {
			next := from
			for batch, err := range c.Batches(ctx, from, to, opts...) {
				if err != nil {
					return err
				}
				if batch.First != next {
					t.Fatalf("%s: a batch of entry %d, not %d", b.Name(), batch.First, next)
				}
				var flat []T
				for i := range batch.Len() {
					if err := entry(anys(batch.Entry(i))); err != nil {
						return err
					}
					flat = append(flat, batch.Entry(i)...)
				}
				if !slices.Equal(flat, batch.Flat()) && !strings.Contains(fmt.Sprint(flat), "NaN") {
					t.Fatalf("%s: Flat is not what Entry gives", b.Name())
				}
				next += int64(batch.Len())
			}
			return nil
		},
		inStep: func(s *Step, entry func([]any)) {
			batch := c.Batch(s)
			if batch.First != s.First || batch.Len() != s.Len() {
				t.Fatalf("%s: a batch of %d entries from %d in a step of %d from %d", b.Name(), batch.Len(), batch.First, s.Len(), s.First)
			}
			for i := range batch.Len() {
				entry(anys(batch.Entry(i)))
			}
		},
		read: func(ctx context.Context, from int64, entries int, opts ...Option) ([]any, error) {
			dst := make([]T, entries*b.Width())
			n, err := c.Read(ctx, dst, from, opts...)
			return anys(dst[:n]), err
		},
		append: func(ctx context.Context, from, to int64, opts ...Option) ([]any, []int, error) {
			values, ends, err := c.Append(ctx, nil, nil, from, to, opts...)
			return anys(values), ends, err
		},
	}
}

func anyReader(t testing.TB, b *Branch) *reader {
	t.Helper()
	switch b.Kind() {
	case Bool:
		return readerOf[bool](t, b)
	case Int8:
		return readerOf[int8](t, b)
	case Int16:
		return readerOf[int16](t, b)
	case Int32:
		return readerOf[int32](t, b)
	case Int64:
		return readerOf[int64](t, b)
	case Uint8:
		return readerOf[uint8](t, b)
	case Uint16:
		return readerOf[uint16](t, b)
	case Uint32:
		return readerOf[uint32](t, b)
	case Uint64:
		return readerOf[uint64](t, b)
	case Float32:
		return readerOf[float32](t, b)
	case Float64:
		return readerOf[float64](t, b)
	case String:
		return readerOf[string](t, b)
	}
	t.Fatalf("%s: %v", b.Name(), b.Err())
	return nil
}

// entries reads all entries of a branch.
func entries(t testing.TB, b *Branch, opts ...Option) (all [][]any) {
	t.Helper()
	err := anyReader(t, b).batches(context.Background(), b.First(), -1, func(values []any) error {
		all = append(all, values)
		return nil
	}, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Every value of every branch of the fixtures is the expected one, in batches
// and read at once, with one worker and with several.
func TestFixtureValues(t *testing.T) {
	for _, file := range fixtureFiles(t) {
		if len(file.Trees) == 0 {
			continue
		}
		t.Run(file.File, func(t *testing.T) {
			f := openFixture(t, file.File)
			for _, want := range file.Trees {
				tree, err := f.Tree(want.Tree)
				if err != nil {
					t.Fatal(err)
				}
				if tree.Name() != want.Tree || tree.Title() != want.Title || tree.Entries() != want.Entries || tree.Key().Cycle != want.Cycle {
					t.Errorf("tree %q, %q of %d entries, cycle %d", tree.Name(), tree.Title(), tree.Entries(), tree.Key().Cycle)
				}
				if len(tree.Branches()) != len(want.Branches) {
					t.Errorf("%d branches, not %d", len(tree.Branches()), len(want.Branches))
				}
				for _, wb := range want.Branches {
					b, err := tree.Branch(wb.Name)
					if err != nil {
						t.Fatal(err)
					}
					testFixtureBranch(t, b, wb)
				}
			}
		})
	}
}

func testFixtureBranch(t *testing.T, b *Branch, want fixtureBranch) {
	t.Helper()
	ctx := context.Background()
	if typ, jagged := strings.CutPrefix(want.Type, "[]"); b.Kind().String() != typ || b.Jagged() != jagged || b.Entries() != want.Entries {
		t.Errorf("%s: kind %v, jagged %v, %d entries", b.Name(), b.Kind(), b.Jagged(), b.Entries())
	}
	if want.Counter != "" && (b.Counter() == nil || b.Counter().Name() != want.Counter) {
		t.Errorf("%s is counted by %v", b.Name(), b.Counter())
	}
	r := anyReader(t, b)
	collect := func(d *digest) func([]any) error {
		return func(values []any) error {
			for _, v := range values {
				d.add(v)
			}
			if b.Jagged() {
				binary.Write(&d.counts, binary.LittleEndian, int32(len(values)))
			}
			return nil
		}
	}
	workers := []int{1, 2, 3}
	if few() {
		workers = workers[1:2]
	}
	if want.Entries > 1e6 {
		workers = []int{2}
		if few() {
			return // boxed values, one by one, of tens of megabytes
		}
	}
	for _, w := range workers {
		var d digest
		if err := r.batches(ctx, 0, want.Entries, collect(&d), Workers(w)); err != nil {
			t.Errorf("%s: %v", b.Name(), err)
		}
		d.check(t, want)
	}
	if want.Entries > 1e6 {
		return
	}
	var d digest
	values, ends, err := r.append(ctx, 0, -1)
	if err != nil {
		t.Error(err)
	}
	if !b.Jagged() {
		collect(&d)(values)
		d.check(t, want)
		values, err = r.read(ctx, 0, int(want.Entries)+10, Workers(2))
		if err != nil {
			t.Error(err)
		}
		d = digest{}
		collect(&d)(values)
		d.check(t, want)
		return
	}
	if int64(len(ends)) != want.Entries {
		t.Fatalf("%d ends", len(ends))
	}
	start := 0
	for _, end := range ends {
		collect(&d)(values[start:end])
		start = end
	}
	d.check(t, want)
	if _, err := r.read(ctx, 0, 1); !errors.Is(err, compress.ErrUnsupported) {
		t.Errorf("Read of a jagged branch: %v", err)
	}
}

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
