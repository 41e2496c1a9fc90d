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
	"math"
	"os"
	"slices"
	"strings"
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
