package jsonserialization

import (
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
