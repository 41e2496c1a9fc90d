package jsonwire

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"
)

func marshal(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// numbers are integers around every power of two and of ten, and random ones.
func numbers() []uint64 {
	n := []uint64{0, math.MaxUint64}
	for i := range 64 {
		n = append(n, 1<<i-1, 1<<i, 1<<i+1)
	}
	for p := uint64(1); ; p *= 10 {
		n = append(n, p-1, p, p+1, 9*p, p/3)
		if p > math.MaxUint64/10 {
			break
		}
	}
	r := rand.New(rand.NewPCG(5, 5))
	for range 20000 {
		n = append(n, r.Uint64()>>r.IntN(64))
	}
	return n
}

func TestIntegers(t *testing.T) {
	for _, u := range numbers() {
		want := strconv.FormatUint(u, 10)
		if got := string(AppendUint([]byte("x"), u)); got != "x"+want {
			t.Fatalf("AppendUint(%d) = %s", u, got)
		}
		if got := string(AppendQuotedUint(nil, u)); got != `"`+want+`"` {
			t.Fatalf("AppendQuotedUint(%d) = %s", u, got)
		}
		for _, v := range []int64{int64(u), -int64(u)} {
			want := strconv.FormatInt(v, 10)
			if got := string(AppendInt([]byte("x"), v)); got != "x"+want {
				t.Fatalf("AppendInt(%d) = %s", v, got)
			}
			if got := string(AppendQuotedInt(nil, v)); got != `"`+want+`"` {
				t.Fatalf("AppendQuotedInt(%d) = %s", v, got)
			}
		}
	}
}

func TestIntegersStayInTheirRoom(t *testing.T) {
	for _, u := range numbers() {
		b := bytes.Repeat([]byte{0xAA}, 1+IntRoom+8)
		end := PutQuotedInt(b[:1+IntRoom], 1, int64(u))
		if got, want := string(b[1:end]), `"`+strconv.FormatInt(int64(u), 10)+`"`; got != want {
			t.Fatalf("PutQuotedInt(%d) = %s", int64(u), got)
		}
		end = PutQuotedUint(b[:1+IntRoom], 1, u)
		if got, want := string(b[1:end]), `"`+strconv.FormatUint(u, 10)+`"`; got != want {
			t.Fatalf("PutQuotedUint(%d) = %s", u, got)
		}
		if b[0] != 0xAA || !bytes.Equal(b[1+IntRoom:], bytes.Repeat([]byte{0xAA}, 8)) {
			t.Fatalf("%d was written outside of its room", u)
		}
	}
}

func FuzzAppendFloat(f *testing.F) {
	for _, v := range []float64{0, math.Copysign(0, -1), 1, -1, 0.1, 1.0 / 3, 100, 1e5, 999999, 1e6, 1e7, 16777216, 16777217, 1e15, 1e15 - 1, 1e20, 1e21, 9.99e20, 1e22, 1e-5, 1e-6, 9.9e-7, 1e-7, 1e-9, 1e-10, 1e100, 5e-324, math.MaxFloat64, math.MaxFloat32, math.SmallestNonzeroFloat32, 1 << 53, 1<<53 + 2, 123456.789, math.NaN(), math.Inf(1), math.Inf(-1)} {
		f.Add(math.Float64bits(v))
	}
	f.Fuzz(func(t *testing.T, u uint64) {
		v := math.Float64frombits(u)
		checkFloat(t, v, v, 64)
		v32 := math.Float32frombits(uint32(u))
		checkFloat(t, v32, float64(v32), 32)
		v32 = float32(v)
		checkFloat(t, v32, float64(v32), 32)
		checkFloat(t, math.Trunc(v), math.Trunc(v), 64)
	})
}

// checkFloat compares with what encoding/json makes of v, which is f.
func checkFloat(t *testing.T, v any, f float64, bitSize int) {
	t.Helper()
	got, err := AppendFloat([]byte("x"), f, bitSize)
	g, errG := AppendFloatG([]byte("x"), f, bitSize)
	if math.IsNaN(f) || math.IsInf(f, 0) {
		for _, e := range []error{err, errG} {
			var fe *FloatError
			if !errors.As(e, &fe) || math.Float64bits(fe.Value) != math.Float64bits(f) {
				t.Fatalf("%v: error %v", f, e)
			}
			if want := "json: unsupported value: " + strconv.FormatFloat(f, 'g', -1, bitSize); e.Error() != want {
				t.Fatalf("error text %q, want %q", e, want)
			}
		}
		if string(got) != "x" || string(g) != "x" {
			t.Fatalf("%v: got %q and %q with the error", f, got, g)
		}
		return
	}
	if err != nil || errG != nil {
		t.Fatalf("%v: %v, %v", f, err, errG)
	}
	if want := "x" + marshal(t, v); string(got) != want {
		t.Fatalf("AppendFloat(%v, %d) = %s, want %s", f, bitSize, got, want)
	}
	if want := "x" + strconv.FormatFloat(f, 'g', -1, bitSize); string(g) != want {
		t.Fatalf("AppendFloatG(%v, %d) = %s, want %s", f, bitSize, g, want)
	}
	b := make([]byte, FloatRoom)
	if end, err := PutFloat(b, 0, f, bitSize); err != nil || string(b[:end]) != string(got[1:]) {
		t.Fatalf("PutFloat(%v, %d) = %s, %v", f, bitSize, b[:end], err)
	}
}

func TestFloatsEqualEncodingJSON(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for range 10000 {
		v := math.Float64frombits(r.Uint64())
		checkFloat(t, v, v, 64)
		v32 := math.Float32frombits(r.Uint32())
		checkFloat(t, v32, float64(v32), 32)
		v = math.Round(r.NormFloat64()*1e6) / 100
		checkFloat(t, v, v, 64)
		v = math.Trunc(math.Exp(r.Float64()*50) - 1)
		checkFloat(t, v, v, 64)
		checkFloat(t, float32(v), float64(float32(v)), 32)
	}
}

func TestBase64EqualsEncodingJSON(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for n := range 100 {
		data := make([]byte, n)
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		got := AppendBase64(nil, data)
		if want := marshal(t, data); string(got) != want {
			t.Errorf("AppendBase64(%x) = %s, want %s", data, got, want)
		}
		if len(got) != Base64Room(n) {
			t.Errorf("Base64Room(%d) = %d, took %d", n, Base64Room(n), len(got))
		}
	}
	if got := AppendBase64([]byte("x"), nil); string(got) != "xnull" {
		t.Errorf("AppendBase64(nil) = %s", got)
	}
}

func TestTimesEqualEncodingJSON(t *testing.T) {
	zones := []*time.Location{time.UTC, time.FixedZone("", 3600), time.FixedZone("", -9*3600-1800), time.FixedZone("", 45*60+7),
		time.FixedZone("", 23*3600+59*60), time.FixedZone("", -23*3600-59*60-59), time.FixedZone("", 24*3600), time.FixedZone("", -24*3600), time.FixedZone("", 100*3600)}
	r := rand.New(rand.NewPCG(8, 8))
	for i := range 5000 {
		at := time.Unix(r.Int64N(4e11)-1e11, []int64{0, 1, 1000, 120000000, 999999999, r.Int64N(1e9)}[i%6]).In(zones[r.IntN(len(zones))])
		want, wantErr := at.MarshalJSON()
		got, err := AppendTime([]byte("x"), at)
		if wantErr != nil {
			var te *TimeError
			if !errors.As(err, &te) || !te.Time.Equal(at) || te.Reason == "" || string(got) != "x" {
				t.Fatalf("AppendTime(%v) = %s, %v, want the error %v", at, got, err, wantErr)
			}
			continue
		}
		if err != nil || string(got) != "x"+string(want) {
			t.Fatalf("AppendTime(%v) = %s, %v, want %s", at, got, err, want)
		}
		if len(got)-1 > TimeRoom {
			t.Fatalf("%s takes more than TimeRoom", got)
		}
	}
}

func TestLiteralsAndKeys(t *testing.T) {
	got := AppendKey([]byte("{"), "a\"<", 0)
	got = AppendBool(got, true)
	got = append(got, ',')
	got = AppendKey(got, "b&", NoHTML)
	got = AppendBool(got, false)
	got = append(got, ',')
	got = AppendNull(AppendKey(got, "", 0))
	got = append(got, '}')
	if want := `{"a\"\u003c":true,"b&":false,"":null}`; string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

var rawValues = []string{
	``, ` `, `null`, ` true `, `{"a": 1, "b" : [ 1 ,2 ], "c<>&": "x > y \u003c \" \\ \n` + "\u2028 \u2029 \u202a" + `"}`,
	"[\t1,\r\n 2 ]", `"  kept  inside  "`, `{`, `{"a":}`, `[1,]`, `01`, `nul`, `"a`, `1 2`, `{"a":1}}`, "\"\x01\"", `"\x"`, "\"\xff\xe2\x80\"", `[[[]], {} ]`, `-0.5e+10`,
}

func FuzzAppendRaw(f *testing.F) {
	for _, s := range rawValues {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, err := AppendRaw([]byte("x"), raw)
		if valid := json.Valid(raw); valid != (err == nil) {
			t.Fatalf("AppendRaw(%q): %v, but json.Valid says %v", raw, err, valid)
		}
		compact, errC := AppendCompact([]byte("x"), raw, NoHTML)
		escaped, errE := AppendCompact([]byte("x"), raw, 0)
		if err != nil {
			var se *SyntaxError
			if !errors.As(err, &se) || errC == nil || errE == nil {
				t.Fatalf("errors %v, %v, %v of %q", err, errC, errE, raw)
			}
			if string(got) != "x" || string(compact) != "x" || string(escaped) != "x" {
				t.Fatalf("%q left %q, %q, %q", raw, got, compact, escaped)
			}
			return
		}
		if string(got) != "x"+string(raw) {
			t.Fatalf("AppendRaw(%q) = %q", raw, got)
		}
		var want bytes.Buffer
		if err := json.Compact(&want, raw); err != nil {
			t.Fatal(err)
		}
		if errC != nil || string(compact) != "x"+want.String() {
			t.Fatalf("AppendCompact(%q) = %q, %v, want %q", raw, compact, errC, want.String())
		}
		var html bytes.Buffer
		json.HTMLEscape(&html, want.Bytes())
		if errE != nil || string(escaped) != "x"+html.String() {
			t.Fatalf("AppendCompact(%q) = %q, %v, want %q", raw, escaped, errE, html.String())
		}
	})
}

// Numbers that are finite as a float64 and not as the float32 they are said to
// come from.
func TestFloatsBeyondTheirType(t *testing.T) {
	for name, add := range map[string]func([]byte, float64, int) ([]byte, error){"AppendFloat": AppendFloat, "AppendFloatG": AppendFloatG} {
		for _, f := range []float64{1e300, -1e39, math.MaxFloat64} {
			got, err := add([]byte("x"), f, 32)
			var fault *FloatError
			if string(got) != "x" || !errors.As(err, &fault) {
				t.Errorf("%s(%v, 32): %s, %v", name, f, got, err)
			}
		}
		if got, err := add(nil, math.MaxFloat32, 32); err != nil || len(got) == 0 {
			t.Errorf("%s of the largest float32: %s, %v", name, got, err)
		}
	}
}
