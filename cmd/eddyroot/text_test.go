package main

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

func TestFloatsReadBack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 20000 {
		f := math.Float64frombits(r.Uint64())
		if i%2 == 0 {
			f = math.Trunc(r.NormFloat64() * math.Pow(10, float64(r.IntN(40)-10)))
		}
		text := string(textOf[float64](false)(nil, f))
		if back, err := strconv.ParseFloat(text, 64); err != nil || back != f && f == f {
			t.Fatalf("%v is written %s and read %v, %v", f, text, back, err)
		}
		g := math.Float32frombits(r.Uint32())
		text = string(textOf[float32](false)(nil, g))
		if back, err := strconv.ParseFloat(text, 32); err != nil || float32(back) != g && g == g {
			t.Fatalf("%v is written %s and read %v, %v", g, text, back, err)
		}
	}
	for _, c := range []struct {
		f    float64
		text string
	}{
		{0, "0"}, {math.Copysign(0, -1), "-0"}, {1e6, "1000000"}, {1e20, "100000000000000000000"}, {1e21, "1e+21"}, {1e-6, "0.000001"}, {1e-7, "1e-07"},
		{math.NaN(), "NaN"}, {math.Inf(1), "Inf"}, {math.Inf(-1), "-Inf"}, {0.1, "0.1"},
	} {
		if got := string(textOf[float64](false)(nil, c.f)); got != c.text {
			t.Errorf("%v: %s, want %s", c.f, got, c.text)
		}
	}
	if got := string(textOf[float32](false)(nil, 0.1)); got != "0.1" {
		t.Errorf("float32 0.1: %s", got)
	}
}

func TestNumbersAsText(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{string(textOf[bool](false)([]byte("x"), true)), "xtrue"},
		{string(textOf[int8](false)(nil, math.MinInt8)), "-128"},
		{string(textOf[int16](false)(nil, math.MinInt16)), "-32768"},
		{string(textOf[int32](false)(nil, math.MinInt32)), "-2147483648"},
		{string(textOf[int64](false)(nil, math.MinInt64)), "-9223372036854775808"},
		{string(textOf[uint8](false)(nil, math.MaxUint8)), "255"},
		{string(textOf[uint16](false)(nil, math.MaxUint16)), "65535"},
		{string(textOf[uint32](false)(nil, math.MaxUint32)), "4294967295"},
		{string(textOf[uint64](false)(nil, math.MaxUint64)), "18446744073709551615"},
		{string(textOf[string](false)(nil, `a"b`)), `a"b`},
		{string(textOf[string](true)(nil, `a"b`)), `"a\"b"`},
	} {
		if c.got != c.want {
			t.Errorf("%s, want %s", c.got, c.want)
		}
	}
}

func FuzzFieldsReadBack(f *testing.F) {
	for _, s := range []string{"", "plain", `a "quote"`, "a,b", "line\nfeed", "cr\r\n", `"`, `""`, "\xff\x00", " blank "} {
		f.Add(s, "next")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		line := append(appendField(nil, a), ',')
		line = append(appendField(line, b), '\n')
		rows, err := csv.NewReader(strings.NewReader(string(line))).ReadAll()
		// The reader of the standard library makes \r\n in a field \n.
		norm := func(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }
		if err != nil || len(rows) != 1 || len(rows[0]) != 2 || rows[0][0] != norm(a) || rows[0][1] != norm(b) {
			t.Errorf("%q is read as %q, %v", line, rows, err)
		}
	})
}

func FuzzQuotedStringsReadBack(f *testing.F) {
	for _, s := range []string{"", "plain", `a "quote" \`, "\n\r\t\x00\x1f", "ж€\U0001F600", "\xff bad", "\u2028"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var back string
		text := appendQuoted(nil, s)
		if err := json.Unmarshal(text, &back); err != nil || back != string([]rune(s)) {
			t.Errorf("%q is written %s and read %q, %v", s, text, back, err)
		}
	})
}
