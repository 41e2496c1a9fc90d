package jsonserialization_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	absser "github.com/microsoft/kiota-abstractions-go/serialization"

	"github.com/eddy-go/eddy/kiota/jsonserialization"
)

func TestNumbers(t *testing.T) {
	const no = "no"
	get := func(v any, err error) string {
		if err != nil {
			if v != nil && !reflect.ValueOf(v).IsNil() {
				return "a value and an error"
			}
			return no
		}
		return fmt.Sprint(reflect.ValueOf(v).Elem().Interface())
	}
	for _, c := range []struct{ doc, i8, u8, i32, i64, f32, f64 string }{
		{"0", "0", "0", "0", "0", "0", "0"},
		{"-0", "0", "0", "0", "0", "-0", "-0"},
		{"127", "127", "127", "127", "127", "127", "127"},
		{"128", no, "128", "128", "128", "128", "128"},
		{"-128", "-128", no, "-128", "-128", "-128", "-128"},
		{"256", no, no, "256", "256", "256", "256"},
		{"1.0", "1", "1", "1", "1", "1", "1"},
		{"1.5", no, no, no, no, "1.5", "1.5"},
		{"12e1", "120", "120", "120", "120", "120", "120"},
		{"2147483647", no, no, "2147483647", "2147483647", "2.1474836e+09", "2.147483647e+09"},
		{"2147483648", no, no, no, "2147483648", "2.1474836e+09", "2.147483648e+09"},
		{"9007199254740993", no, no, no, "9007199254740993", "9.007199e+15", "9.007199254740992e+15"},
		{"9223372036854775807", no, no, no, "9223372036854775807", "9.223372e+18", "9.223372036854776e+18"},
		{"-9223372036854775808", no, no, no, "-9223372036854775808", "-9.223372e+18", "-9.223372036854776e+18"},
		{"9223372036854775808", no, no, no, no, "9.223372e+18", "9.223372036854776e+18"},
		{"9223372036854775807.0", no, no, no, "9223372036854775807", "9.223372e+18", "9.223372036854776e+18"},
		{"922337203685477580.7e1", no, no, no, "9223372036854775807", "9.223372e+18", "9.223372036854776e+18"},
		{"922337203685477580.8e1", no, no, no, no, "9.223372e+18", "9.223372036854776e+18"},
		{"9223372036854775808e0", no, no, no, no, "9.223372e+18", "9.223372036854776e+18"},
		{"-9223372036854775808e0", no, no, no, "-9223372036854775808", "-9.223372e+18", "-9.223372036854776e+18"},
		{"-9223372036854775809e0", no, no, no, no, "-9.223372e+18", "-9.223372036854776e+18"},
		{"9007199254740993.0", no, no, no, "9007199254740993", "9.007199e+15", "9.007199254740992e+15"},
		{"9007199254740993e0", no, no, no, "9007199254740993", "9.007199e+15", "9.007199254740992e+15"},
		{"9007199254740993.5", no, no, no, no, "9.007199e+15", "9.007199254740994e+15"},
		{"9007199254740993000e-3", no, no, no, "9007199254740993", "9.007199e+15", "9.007199254740992e+15"},
		{"100000000000000000000000e-21", "100", "100", "100", "100", "100", "100"},
		{"0.00000000000000000000012e+23", "12", "12", "12", "12", "12", "12"},
		{"1.00000000000000000000000000", "1", "1", "1", "1", "1", "1"},
		{"1.00000000000000000000000001", no, no, no, no, "1", "1"},
		{"1e18", no, no, no, "1000000000000000000", "1e+18", "1e+18"},
		{"1E19", no, no, no, no, "1e+19", "1e+19"},
		{"0e99999999999999999999", "0", "0", "0", "0", "0", "0"},
		{"-0.0", "0", "0", "0", "0", "-0", "-0"},
		{"10.10e1", "101", "101", "101", "101", "101", "101"},
		{"3.4028235e38", no, no, no, no, "3.4028235e+38", "3.4028235e+38"},
		{"3.4028236e38", no, no, no, no, no, "3.4028236e+38"},
		{"-9223372036854775808.0", no, no, no, "-9223372036854775808", "-9.223372e+18", "-9.223372036854776e+18"},
		{"0.1", no, no, no, no, "0.1", "0.1"},
		{"16777217.5", no, no, no, no, "1.6777218e+07", "1.67772175e+07"},
		{"3.40283e+38", no, no, no, no, no, "3.40283e+38"},
		{"1e-400", no, no, no, no, "0", "0"},
		{"1e-99999999999999999999", no, no, no, no, "0", "0"},
		{"true", no, no, no, no, no, no},
		{`"1"`, no, no, no, no, no, no},
		{`[1]`, no, no, no, no, no, no},
		{`{}`, no, no, no, no, no, no},
	} {
		n := parse(t, c.doc)
		i8, e1 := n.GetInt8Value()
		u8, e2 := n.GetByteValue()
		i32, e3 := n.GetInt32Value()
		i64, e4 := n.GetInt64Value()
		f32, e5 := n.GetFloat32Value()
		f64, e6 := n.GetFloat64Value()
		got := []string{get(i8, e1), get(u8, e2), get(i32, e3), get(i64, e4), get(f32, e5), get(f64, e6)}
		if want := []string{c.i8, c.u8, c.i32, c.i64, c.f32, c.f64}; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %v, want %v", c.doc, got, want)
		}
	}
}

func TestFloatsAreRoundedOnce(t *testing.T) {
	for _, s := range []string{"0.1", "16777216", "16777217", "8388608.5", "1e10", "1.00000017881393421514957253748434595763683319091796875",
		"1.00000017881393432617187499", "7.038531e-26", "123456.789e-7", "5e-324", "1.4e-45", "0.7e-45"} {
		want64, _ := strconv.ParseFloat(s, 64)
		want32, _ := strconv.ParseFloat(s, 32)
		n := parse(t, s)
		if f, err := n.GetFloat64Value(); err != nil || *f != want64 {
			t.Errorf("%s: %v, %v, want %v", s, f, err, want64)
		}
		if f, err := n.GetFloat32Value(); err != nil || *f != float32(want32) {
			t.Errorf("%s: %v, %v, want %v", s, f, err, want32)
		}
	}
}

// A float32 is rounded from what is written and not from the nearest float64, which
// may be in the middle between two of them where the number is not.
func TestFloat32IsRoundedOnce(t *testing.T) {
	differ := 0
	for odd := int64(1); odd < 4000; odd += 2 {
		middle := (1<<24 + odd) << 31
		for d := int64(-1); d <= 1; d++ {
			s := fmt.Sprintf("%de1", middle/10+d)
			want64, _ := strconv.ParseFloat(s, 64)
			want, _ := strconv.ParseFloat(s, 32)
			if float32(want64) != float32(want) {
				differ++
			}
			if f, err := parse(t, s).GetFloat32Value(); err != nil || *f != float32(want) {
				t.Fatalf("%s: %v, %v, want %v", s, *f, err, float32(want))
			}
		}
	}
	if differ == 0 {
		t.Error("no number is rounded differently")
	}
}

func TestExactIntegersInRawValues(t *testing.T) {
	for doc, exact := range map[string]bool{
		"9007199254740992": false, "9007199254740993": true, "-9007199254740993": true, "9007199254740994": false,
		"9223372036854775807": true, "9223372036854775808": false, "9007199254740993.0": false, "1": false,
	} {
		n := parse(t, doc)
		raw, err := n.GetRawValue()
		if _, is := raw.(*int64); err != nil || is != exact {
			t.Errorf("%s: %T, %v", doc, raw, err)
		}
		v, err := n.GetObjectValue(absser.CreateUntypedNodeFromDiscriminatorValue)
		if _, is := v.(*absser.UntypedLong); err != nil || is != exact {
			t.Errorf("%s: %T, %v", doc, v, err)
		}
		n, err = jsonserialization.NewJsonParseNodeWithOptions([]byte(doc), jsonserialization.ParseOptions{FloatIntegers: true})
		if err != nil {
			t.Fatal(err)
		}
		if raw, err := n.GetRawValue(); err != nil || reflect.TypeOf(raw) != reflect.TypeFor[*float64]() {
			t.Errorf("%s, with FloatIntegers: %T, %v", doc, raw, err)
		}
	}
}

func TestTimes(t *testing.T) {
	zone := time.FixedZone("east", 5*3600)
	defer func(l *time.Location) { time.Local = l }(time.Local)
	time.Local = zone
	n := parse(t, `"2024-05-06T07:08:09"`)
	for range 3 { // reading does not add to the string
		v, err := n.GetTimeValue()
		if want := time.Date(2024, 5, 6, 7, 8, 9, 0, zone); err != nil || !v.Equal(want) {
			t.Errorf("got %v, %v, want %v", v, err, want)
		}
		if s, err := n.GetStringValue(); err != nil || *s != "2024-05-06T07:08:09" {
			t.Errorf("the string is %q, %v", *s, err)
		}
	}
	for _, s := range []string{"2024-05-06T07:08:09Z", "2024-05-06T07:08:09.5+02:00", "2024-05-06T07:08:09.123456789-11:30"} {
		want, err := time.Parse(time.RFC3339, s)
		if err != nil {
			t.Fatal(err)
		}
		if v, err := parse(t, `"`+s+`"`).GetTimeValue(); err != nil || !v.Equal(want) {
			t.Errorf("%s: %v, %v", s, v, err)
		}
	}
	for _, s := range []string{`""`, `"yesterday"`, `"2024-13-06T07:08:09Z"`, `1`} {
		if v, err := parse(t, s).GetTimeValue(); v != nil || err == nil {
			t.Errorf("%s: %v, %v", s, v, err)
		}
	}
}

func TestReadDurations(t *testing.T) {
	for s, want := range map[string]*absser.ISODuration{
		"PT5S":             absser.NewDuration(0, 0, 0, 0, 0, 5, 0),
		"PT0S":             absser.NewDuration(0, 0, 0, 0, 0, 0, 0),
		"PT4.006S":         absser.NewDuration(0, 0, 0, 0, 0, 4, 6),
		"PT0.5S":           absser.NewDuration(0, 0, 0, 0, 0, 0, 500),
		"PT1.0019S":        absser.NewDuration(0, 0, 0, 0, 0, 1, 1),
		"P1W":              absser.NewDuration(0, 1, 0, 0, 0, 0, 0),
		"P0Y2W0D":          absser.NewDuration(0, 2, 0, 0, 0, 0, 0),
		"P1W2D":            absser.NewDuration(0, 0, 9, 0, 0, 0, 0),
		"P1Y1W":            absser.NewDuration(1, 0, 7, 0, 0, 0, 0),
		"P1WT1H":           absser.NewDuration(0, 0, 7, 1, 0, 0, 0),
		"P2WT0.001S":       absser.NewDuration(0, 0, 14, 0, 0, 0, 1),
		"-P1D":             absser.NewDuration(0, 0, -1, 0, 0, 0, 0),
		"-P1W2D":           absser.NewDuration(0, 0, -9, 0, 0, 0, 0),
		"P306783378W1D":    absser.NewDuration(0, 0, math.MaxInt32, 0, 0, 0, 0),
		"P1Y2DT3H4M5.006S": absser.NewDuration(1, 0, 2, 3, 4, 5, 6),
		"-PT1M30S":         absser.NewDuration(0, 0, 0, 0, -1, -30, 0),
		"P90D":             absser.NewDuration(0, 0, 90, 0, 0, 0, 0),
	} {
		if d, err := parse(t, `"`+s+`"`).GetISODurationValue(); err != nil || *d != *want {
			t.Errorf("%s: %+v, %v, want %+v", s, d, err, *want)
		}
	}
	// The rest is what ParseISODuration says.
	for _, s := range []string{"P", "", "P1M", "P1Y2M", "PT", "P1DT", "P1H", "PT1D", "P2D1W", "PT1M1H", "P1.5D", "PT1.S", "P99999999999D", "1D", "-",
		"P2T3H", "P1Y2T3H4M", "P1TT1H", "P1W2T3H", "P1W1W"} {
		want, werr := absser.ParseISODuration(s)
		d, err := parse(t, `"`+s+`"`).GetISODurationValue()
		if (err == nil) != (werr == nil) || err == nil && *d != *want {
			t.Errorf("%s: %+v, %v, want %+v, %v", s, d, err, want, werr)
		}
	}
	for _, s := range []string{"P306783378W2D", "-P306783378W2D", "P2147483647W2147483647D", "-P2147483647W1D"} {
		if d, err := parse(t, `"`+s+`"`).GetISODurationValue(); d != nil || err == nil {
			t.Errorf("%s: %+v, %v", s, d, err)
		}
	}
}

// What is read can be printed and written, and read again. String panics on whole
// weeks of days beside a time of day, which these have not.
func TestDurationsCanBePrinted(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	for range 5000 {
		var b strings.Builder
		if r.IntN(4) == 0 {
			b.WriteByte('-')
		}
		b.WriteByte('P')
		date, clock := false, false
		for _, unit := range "YWD" {
			if r.IntN(3) == 0 {
				fmt.Fprintf(&b, "%d%c", 7*r.IntN(30)+1, unit)
				date = true
			}
		}
		if r.IntN(2) == 0 || !date {
			b.WriteByte('T')
			for _, unit := range "HMS" {
				if r.IntN(2) == 0 || unit == 'S' && !clock {
					fmt.Fprintf(&b, "%d%c", r.IntN(5), unit)
					clock = true
				}
			}
		}
		s := b.String()
		d, err := parse(t, `"`+s+`"`).GetISODurationValue()
		if err != nil {
			t.Fatalf("%s: %v", s, err)
		}
		if !clock || d.GetDays()%7 != 0 {
			_ = d.String() // must not panic
		}
		doc, err := written(func(w *writer) error { return w.WriteISODurationValue("", d) })
		if err != nil {
			t.Fatalf("%s: %v", s, err)
		}
		again, err := parse(t, doc).GetISODurationValue()
		if err != nil {
			t.Fatalf("%s, written %s: %v", s, doc, err)
		}
		if twice, _ := written(func(w *writer) error { return w.WriteISODurationValue("", again) }); twice != doc {
			t.Fatalf("%s is written %s, and that %s", s, doc, twice)
		}
	}
}
