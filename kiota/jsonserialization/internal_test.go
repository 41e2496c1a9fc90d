package jsonserialization

import (
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
	"testing"
	"time"

	absser "github.com/microsoft/kiota-abstractions-go/serialization"
)

func contentOf(f func(s *state)) string {
	w := NewJsonSerializationWriter()
	defer w.Close()
	f(w.s)
	b, err := w.GetSerializedContent()
	if err != nil {
		panic(err)
	}
	return string(b)
}

// Dates and times of day are written as their own methods say, whether their time
// can be read in place or not.
func TestDatesAndTimesInPlace(t *testing.T) {
	if !timeOnlyIsTime || !dateOnlyIsTime {
		t.Error("the types have changed: they are written through their text now, with an allocation each")
	}
	r := rand.New(rand.NewPCG(9, 9))
	for n := range 2000 {
		at := time.Unix(r.Int64N(1<<38)-1<<37, int64(r.IntN(1e9))).UTC()
		switch n % 4 {
		case 0:
			at = at.Truncate(time.Second)
		case 1:
			at = at.Truncate(time.Millisecond)
		case 2:
			at = at.In(time.FixedZone("", r.IntN(86400*2)-86400))
		}
		clock, day := absser.NewTimeOnly(at), absser.NewDateOnly(at)
		for _, whole := range []bool{false, true} {
			got := contentOf(func(s *state) { s.opt.WholeSeconds = whole; s.timeOnly("", clock) })
			if want := `"` + timeOnlyText(clock, whole) + `"`; got != want {
				t.Fatalf("%v, whole %v: got %s, want %s", at, whole, got, want)
			}
		}
		if got, want := contentOf(func(s *state) { s.dateOnly("", day) }), `"`+day.String()+`"`; got != want {
			t.Fatalf("%v: got %s, want %s", at, got, want)
		}
		if at.Year() < 0 || at.Year() > 9999 {
			continue
		}
		for layout, whole := range map[string]bool{time.RFC3339Nano: false, time.RFC3339: true} {
			got := contentOf(func(s *state) {
				s.opt.WholeSeconds = whole
				if err := s.time("", at); err != nil {
					t.Fatal(err)
				}
			})
			if want := `"` + at.Format(layout) + `"`; got != want {
				t.Fatalf("%v: got %s, want %s", at, got, want)
			}
		}
	}
}

func TestIsTime(t *testing.T) {
	for _, no := range []any{0, struct{ a, b time.Time }{}, struct{ int }{}, struct{}{}, time.Time{}} {
		if isTime(reflect.TypeOf(no)) {
			t.Errorf("%T", no)
		}
	}
}

// Every number is what strconv says, on the way for those of few digits as well.
func TestFloatsAreTheShortest(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	count := 200_000
	if testing.Short() {
		count = 20_000
	}
	w := NewJsonSerializationWriter()
	defer w.Close()
	check := func(v float64, bits int) {
		if v-v != 0 {
			return
		}
		w.s.empty()
		if err := w.s.float("", v, bits); err != nil {
			t.Fatal(err)
		}
		if got, want := string(w.s.cur[:w.s.n]), strconv.FormatFloat(v, 'f', -1, bits); got != want {
			t.Fatalf("%b, %d bits: got %s, want %s", v, bits, got, want)
		}
	}
	few := 0
	for range count {
		v := float64(r.Int64N(int64(math.Pow10(1+r.IntN(17))))) / math.Pow10(r.IntN(5))
		if r.IntN(4) == 0 {
			v = math.Nextafter(v, math.Inf(r.IntN(3)-1))
		}
		if r.IntN(2) == 0 {
			v = -v
		}
		if _, ok := thousandfold(v, 64); ok {
			few++
		}
		check(v, 64)
		f := float32(v)
		if r.IntN(8) == 0 {
			f = math.Nextafter32(f, 0)
		}
		check(float64(f), 32)
		check(math.Float64frombits(r.Uint64()), 64)
		check(float64(math.Float32frombits(r.Uint32())), 32)
	}
	if few < count/10 {
		t.Errorf("only %d of %d are of few digits", few, count)
	}
}

// What is full is never moved or written to again.
func TestChunksStay(t *testing.T) {
	w := NewJsonSerializationWriter()
	defer w.Close()
	s := w.s
	type chunk struct {
		first *byte
		size  int
		sum   uint32
	}
	var seen []chunk
	sum := func(c []byte) uint32 { return crc32.ChecksumIEEE(c) }
	text, none := "text of some length, to have fewer rounds", model(func(absser.SerializationWriter) error { return nil })
	items := make([]absser.Parsable, 12_000)
	for i := range items {
		items[i] = model(func(w absser.SerializationWriter) error {
			for i, c := range seen {
				if f := s.full[i]; &f[0] != c.first || len(f) != c.size {
					t.Fatalf("chunk %d has been moved", i)
				}
			}
			for _, f := range s.full[len(seen):] {
				if cap(f) > chunkSize {
					t.Fatalf("a chunk of %d bytes", cap(f))
				}
				seen = append(seen, chunk{&f[0], len(f), sum(f)})
			}
			if len(s.cur) > chunkSize {
				t.Fatalf("a chunk of %d bytes", len(s.cur))
			}
			w.WriteObjectValue("none", composedModel{none})
			return w.WriteStringValue("k", &text)
		})
	}
	if err := w.WriteCollectionOfObjectValues("", items); err != nil {
		t.Fatal(err)
	}
	if len(seen) < 8 {
		t.Fatalf("only %d chunks", len(seen))
	}
	for i, c := range seen {
		if sum(s.full[i]) != c.sum {
			t.Errorf("chunk %d has been written to", i)
		}
	}
}

type model func(w absser.SerializationWriter) error

func (f model) Serialize(w absser.SerializationWriter) error { return f(w) }
func (f model) GetFieldDeserializers() map[string]func(absser.ParseNode) error {
	return nil
}

type composedModel struct{ model }

func (composedModel) GetIsComposedType() bool { return true }

// Pooled states keep neither names, nor content, nor options, nor large lists.
func TestStatesKeepNothing(t *testing.T) {
	w := NewJsonSerializationWriterWithOptions(WriterOptions{RawNames: true, WholeSeconds: true})
	s := w.s
	text := string(make([]byte, 10_000))
	for range 100 {
		w.WriteStringValue("k", &text)
	}
	if err := w.WriteAdditionalData(map[string]any{"name b": 1, "name a": map[string]any{"x": 1}}); err != nil {
		t.Fatal(err)
	}
	names := s.names[:cap(s.names)]
	if len(names) == 0 {
		t.Fatal("names are sorted elsewhere")
	}
	for _, n := range names {
		if n != "" {
			t.Errorf("the name %q is kept", n)
		}
	}
	chunks := s.full[:cap(s.full)]
	if len(chunks) == 0 {
		t.Fatal("content is kept elsewhere")
	}
	w.Close()
	for i, c := range chunks {
		if c != nil {
			t.Errorf("chunk %d is kept", i)
		}
	}
	for _, c := range []struct {
		s    *state
		want bool
	}{
		{&state{opt: WriterOptions{RawNames: true}}, true},
		{&state{full: make([][]byte, 0, maxScratch), names: make([]string, 0, maxScratch)}, true},
		{&state{full: make([][]byte, 0, maxScratch+1)}, false},
		{&state{names: make([]string, 0, maxScratch+1)}, false},
	} {
		if got := c.s.reset(); got != c.want || c.s.opt != (WriterOptions{}) {
			t.Errorf("%d chunks, %d names: kept %v, options %+v", cap(c.s.full), cap(c.s.names), got, c.s.opt)
		}
	}
	for _, c := range []struct {
		s    *scan
		want bool
	}{
		{&scan{records: make([]record, 1, maxScan), open: make([]opened, 1, maxScan)}, true},
		{&scan{records: make([]record, 0, maxScan+1)}, false},
		{&scan{open: make([]opened, 0, maxScan+1)}, false},
	} {
		if got := scans.Reset(c.s); got != c.want || len(c.s.records)+len(c.s.open) != 0 {
			t.Errorf("%d records, %d open: kept %v", cap(c.s.records), cap(c.s.open), got)
		}
	}
}

// A state that has anything of an earlier user is noticed in eddydebug builds.
func TestClean(t *testing.T) {
	if !new(state).clean() {
		t.Error("a new state is not clean")
	}
	for i, s := range []*state{
		{cur: []byte{1}}, {n: 1}, {full: [][]byte{{1}}}, {size: 1}, {comma: true}, {depth: 1}, {failed: ErrDepth}, {names: []string{""}},
		{opt: WriterOptions{RawNames: true}},
	} {
		if s.clean() {
			t.Errorf("state %d is clean", i)
		}
	}
}

// Names of large objects are not compared with each other, for that would take
// time that grows with the square of their number: such an object counts as one
// that may have repeated names.
func TestNamesOfLargeObjectsAreNotCompared(t *testing.T) {
	for _, c := range []struct {
		members int
		want    bool
	}{{indexed / 2, false}, {1000, true}} {
		doc := []byte("{")
		for i := range c.members {
			doc = fmt.Appendf(doc, `"name%d":0,`, i)
		}
		n, err := NewJsonParseNode(append(doc, `"":0}`...))
		if err != nil {
			t.Fatal(err)
		}
		if n.repeats != c.want {
			t.Errorf("%d members: %v", c.members, n.repeats)
		}
	}
}
