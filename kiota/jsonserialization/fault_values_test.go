package jsonserialization_test

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	absser "github.com/microsoft/kiota-abstractions-go/serialization"

	"github.com/eddy-go/eddy/kiota/jsonserialization"
)

func TestNonFiniteNumbersAreErrors(t *testing.T) {
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		v32 := float32(v)
		for what, f := range map[string]func(w *writer) error{
			"float64": func(w *writer) error { return w.WriteFloat64Value("k", &v) },
			"float32": func(w *writer) error { return w.WriteFloat32Value("k", &v32) },
			"untyped": func(w *writer) error { return w.WriteObjectValue("k", absser.NewUntypedDouble(v)) },
			"added":   func(w *writer) error { return w.WriteAdditionalData(map[string]any{"k": v}) },
		} {
			w := jsonserialization.NewJsonSerializationWriter()
			w.WriteNullValue("a")
			err := f(w)
			var ve *jsonserialization.ValueError
			var me *jsonserialization.MemberError
			if !errors.As(err, &ve) || !errors.As(err, &me) || me.Name != "k" {
				t.Errorf("%s %v: %v", what, v, err)
			}
			w.WriteNullValue("b")
			if b, err := w.GetSerializedContent(); string(b) != `"a":null,"b":null` {
				t.Errorf("%s: a value that failed has changed the content: %s, %v", what, b, err)
			}
			w.Close()
		}
		for _, list := range []func(w *writer) error{
			func(w *writer) error { return w.WriteCollectionOfFloat64Values("k", []float64{1, v}) },
			func(w *writer) error { return w.WriteCollectionOfFloat32Values("k", []float32{1, v32}) },
		} {
			w := jsonserialization.NewJsonSerializationWriter()
			if err := list(w); err == nil || !strings.Contains(err.Error(), "k[1]") {
				t.Errorf("collection: %v", err)
			}
			if b, err := w.GetSerializedContent(); err == nil || len(b) > 0 {
				t.Errorf("half a collection looks whole: %s", b)
			}
			w.Close()
		}
	}
	for _, v := range []float64{math.Inf(1), math.Inf(-1), math.NaN()} {
		want := `"k":` + strconv.FormatFloat(v, 'f', -1, 64)
		got, err := writtenWith(jsonserialization.WriterOptions{RawNonFinite: true}, func(w *writer) error { return w.WriteFloat64Value("k", &v) })
		if err != nil || got != want {
			t.Errorf("with RawNonFinite: %s, %v, want %s", got, err, want)
		}
	}
}

func TestFractionsOfSeconds(t *testing.T) {
	at := time.Date(2024, 5, 6, 7, 8, 9, 120_000_000, time.UTC)
	f := func(w *writer) error {
		return errors.Join(w.WriteTimeValue("t", &at), w.WriteTimeOnlyValue("o", absser.NewTimeOnly(at)),
			w.WriteTimeOnlyValue("n", absser.NewTimeOnly(at.Add(3))), w.WriteTimeOnlyValue("w", absser.NewTimeOnly(at.Truncate(time.Minute))))
	}
	got, err := written(f)
	if want := `"t":"2024-05-06T07:08:09.12Z","o":"07:08:09.12","n":"07:08:09.120000003","w":"07:08:00"`; err != nil || got != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
	got, err = writtenWith(jsonserialization.WriterOptions{WholeSeconds: true}, f)
	if want := `"t":"2024-05-06T07:08:09Z","o":"07:08:09","n":"07:08:09","w":"07:08:00"`; err != nil || got != want {
		t.Errorf("with WholeSeconds: got %s, %v, want %s", got, err, want)
	}
	for _, bad := range []time.Time{time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(-1, 1, 1, 0, 0, 0, 0, time.UTC),
		at.In(time.FixedZone("", 24*3600))} {
		var ve *jsonserialization.ValueError
		if got, err := written(func(w *writer) error { return w.WriteTimeValue("k", &bad) }); !errors.As(err, &ve) {
			t.Errorf("%v: %s, %v", bad, got, err)
		}
	}
}

func TestDurations(t *testing.T) {
	parsed := func(s string) *absser.ISODuration {
		d, err := absser.ParseISODuration(s)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	const fails = "error"
	for _, c := range []struct {
		d     *absser.ISODuration
		want  string
		plain string // with PlainDurations
	}{
		{absser.NewDuration(0, 0, 0, 0, 0, 0, 0), "PT0S", "P"},
		{absser.NewDuration(0, 0, 0, 0, 0, 0, 1), "PT0.001S", "P"},
		{absser.NewDuration(0, 0, 0, 0, 0, 0, 1500), "PT1.5S", "PT1S"},
		{absser.NewDuration(0, 0, 0, 0, 0, 59, 1050), "PT1M0.05S", "PT1M"},
		{absser.NewDuration(0, 0, 0, 0, 0, 3661, 0), "PT1H1M1S", "PT1H1M1S"},
		{absser.NewDuration(0, 0, 0, 49, 0, 0, 0), "P2DT1H", "P2DT1H"},
		{absser.NewDuration(0, 2, 0, 0, 0, 0, 0), "P2W", "P2W"},
		{absser.NewDuration(0, 0, 14, 0, 0, 0, 0), "P2W", "P2W"},
		{absser.NewDuration(0, 0, 15, 0, 0, 0, 0), "P15D", "P15D"},
		{absser.NewDuration(0, 1, 2, 0, 0, 0, 0), "P9D", fails},
		{absser.NewDuration(0, 1, 0, 0, 0, 0, 5), "P7DT0.005S", fails},
		{absser.NewDuration(0, 0, 7, 5, 0, 0, 0), "P7DT5H", fails},
		{absser.NewDuration(1, 1, 0, 0, 0, 0, 0), "P1Y7D", fails},
		{absser.NewDuration(1, 0, 14, 0, 0, 0, 0), "P1Y14D", "P1Y14D"},
		{absser.NewDuration(1, 0, 2, 3, 4, 5, 6), "P1Y2DT3H4M5.006S", "P1Y2DT3H4M5S"},
		{absser.FromDuration(-90 * time.Second), "-PT1M30S", "P"},
		{absser.NewDuration(0, 0, -1, 0, 0, 0, 500), "-PT23H59M59.5S", "P"},
		{absser.NewDuration(0, 0, 1, 0, 0, 0, -500), "PT23H59M59.5S", "P1D"},
		{absser.NewDuration(-1, 0, 0, -1, 0, 0, 0), "-P1YT1H", "PT"},
		{absser.NewDuration(1, 0, -1, 0, 0, 0, 0), fails, "P1Y"},
		{parsed("P1Y2M3DT4H5M6.7S"), "P1Y2M3DT4H5M6.7S", "P1Y2M3DT4H5M6S"},
		{parsed("P14M"), "P1Y2M", "P1Y2M"},
		{parsed("P1MT0.25S"), "P1MT0.25S", "P1M"},
		{parsed("P1MT2H0.25S"), "P1MT2H0.25S", "P1MT2H"},
	} {
		for plain, want := range map[bool]string{false: c.want, true: c.plain} {
			before := *c.d
			got, err := writtenWith(jsonserialization.WriterOptions{PlainDurations: plain}, func(w *writer) error {
				return w.WriteISODurationValue("", c.d)
			})
			if before != *c.d {
				t.Errorf("%+v was changed to %+v", before, *c.d)
			}
			var ve *jsonserialization.ValueError
			if want == fails && errors.As(err, &ve) {
				continue
			}
			if err != nil || got != `"`+want+`"` {
				t.Errorf("%+v, plain %v: got %s, %v, want %s", *c.d, plain, got, err, want)
			}
		}
	}
	if math.MaxInt > math.MaxInt32 {
		if got, err := written(func(w *writer) error {
			return w.WriteISODurationValue("k", absser.NewDuration(0, math.MaxInt, 0, 0, 0, 0, 0))
		}); err == nil {
			t.Errorf("weeks beyond all bounds: %s", got)
		}
		// The sum of what is allowed fits, whatever the sign; more is refused.
		for _, sign := range []int64{1, -1} {
			most := int(sign * (1<<42 - 1))
			for i := range 6 {
				var p [6]int
				p[i] = most
				set := func() *absser.ISODuration { return absser.NewDuration(p[0], p[1], p[2], p[3], p[4], p[5], 0) }
				got, err := written(func(w *writer) error { return w.WriteISODurationValue("", set()) })
				if err != nil || strings.HasPrefix(got, `"-`) != (sign < 0) || strings.Count(got, "-") > 1 {
					t.Errorf("part %d of %d: %s, %v", i, most, got, err)
				}
				p[i] += int(sign)
				var ve *jsonserialization.ValueError
				if got, err := written(func(w *writer) error { return w.WriteISODurationValue("", set()) }); !errors.As(err, &ve) {
					t.Errorf("part %d of %d: %s, %v", i, p[i], got, err)
				}
			}
			got, err := written(func(w *writer) error {
				return w.WriteISODurationValue("", absser.NewDuration(0, most, most, most, most, most, 0))
			})
			if err != nil || strings.HasPrefix(got, `"-`) != (sign < 0) {
				t.Errorf("all parts at their limit: %s, %v", got, err)
			}
		}
	}
}

func TestFloat32HasItsOwnDigits(t *testing.T) {
	f := func(w *writer) error { return w.WriteFloat32Value("k", ptr(float32(0.1))) }
	if got, err := written(f); err != nil || got != `"k":0.1` {
		t.Errorf("got %s, %v", got, err)
	}
	if got, err := writtenWith(jsonserialization.WriterOptions{WideFloat32: true}, f); err != nil || got != `"k":0.10000000149011612` {
		t.Errorf("with WideFloat32: %s, %v", got, err)
	}
}

func TestFloatsHaveNoExponents(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", math.Copysign(0, -1): "-0", 1e21: "1" + strings.Repeat("0", 21), 1e-7: "0.0000001", -2.5: "-2.5",
		1 << 53: "9007199254740992", math.MaxFloat64: "17976931348623157" + strings.Repeat("0", 292),
		math.SmallestNonzeroFloat64: "0." + strings.Repeat("0", 323) + "5", -math.MaxFloat64: "-17976931348623157" + strings.Repeat("0", 292),
	} {
		if got, err := written(func(w *writer) error { return w.WriteFloat64Value("", &v) }); err != nil || got != want {
			t.Errorf("got %s, %v, want %s", got, err, want)
		}
	}
}
