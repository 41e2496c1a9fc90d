package jsonwire

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

var goodNumbers = []string{
	"0", "-0", "7", "-7", "10", "1234567890", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "-9223372036854775809",
	"9999999999999999999", "18446744073709551615", "18446744073709551616", "100000000000000000000", "0.0", "-0.0", "0.5", "12.75", "1e0", "1E5", "1e+5", "1e-5",
	"1.5e22", "1.5e23", "9007199254740991", "9007199254740992", "9007199254740993", "9007199254740991e22", "9007199254740991e-22", "0.1", "0.2", "0.3", "3.14159",
	"1e22", "1e23", "1e-22", "1e-23", "1e308", "1e309", "-1e309", "5e-324", "2e-324", "1e999999999999", "1e-999999999999", "0e999999999999", "0.00001e5",
	"1.7976931348623157e308", "1.7976931348623159e308", "2.2250738585072014e-308", "123456789012345678901234567890e-10", "0.000000000000000000000001e24",
}

var badNumbers = map[string]int{ // and where ScanNumber has to stop
	"": 0, "-": 1, "+1": 0, ".5": 0, "-.5": 1, "01": 1, "-01": 2, "00": 1, "1.": 2, "1.e5": 2, "1.x": 2, "1e": 2, "1e+": 3, "1e-x": 3, "1.5e": 4, "x": 0, "-x": 1, "--1": 1,
	"0.": 2, "-0.": 3, " 1": 0,
}

func TestScanNumber(t *testing.T) {
	for _, text := range goodNumbers {
		compareNumber(t, text)
	}
	for text, at := range badNumbers {
		for _, tail := range []string{"", ",", " ", "]x"} {
			if text != "" && text[len(text)-1] != ' ' && strings.ContainsAny(tail, "]") && at == 0 {
				continue
			}
			if _, end, ok := ScanNumber([]byte("["+text+tail), 1); ok || end != 1+at {
				t.Errorf("ScanNumber(%q) = %d, %v; want %d", text+tail, end, ok, 1+at)
			}
		}
	}
	// What follows a number is the caller's business.
	for text, end := range map[string]int{"1x": 1, "0x1": 1, "1.5.5": 3, "1e5e5": 3, "1-1": 1, "12]": 2} {
		if _, got, ok := ScanNumber([]byte(text), 0); !ok || got != end {
			t.Errorf("ScanNumber(%q) = %d, %v; want %d", text, got, ok, end)
		}
	}
}

// compareNumber checks all that ScanNumber says of a good number against package strconv.
func compareNumber(t *testing.T, text string) {
	t.Helper()
	for _, src := range []string{text, text + ",", text + " ", text + "]}"} {
		n, end, ok := ScanNumber([]byte("["+src), 1)
		if !ok || end != 1+len(text) {
			t.Fatalf("ScanNumber(%q) = %d, %v", src, end, ok)
		}
		if n.Integer != !strings.ContainsAny(text, ".eE") || n.Neg != (text[0] == '-') {
			t.Fatalf("ScanNumber(%q) = %+v", src, n)
		}
		i, iErr := strconv.ParseInt(text, 10, 64)
		if got, ok := n.Int64(); ok != (iErr == nil) || ok && got != i {
			t.Fatalf("Int64 of %q is %d, %v; want %d, %v", text, got, ok, i, iErr)
		}
		u, uErr := strconv.ParseUint(text, 10, 64)
		if got, ok := n.Uint64(); ok && (uErr != nil || got != u) || !ok && uErr == nil && len(text) < 20 {
			t.Fatalf("Uint64 of %q is %d, %v; want %d, %v", text, got, ok, u, uErr)
		}
		f, fErr := strconv.ParseFloat(text, 64)
		if got, ok := n.Float64(); ok && math.Float64bits(got) != math.Float64bits(f) {
			t.Fatalf("Float64 of %q is %v; want %v", text, got, f)
		}
		if got, err := ParseFloat([]byte(text), n); math.Float64bits(got) != math.Float64bits(f) || (err == nil) != (fErr == nil) {
			t.Fatalf("ParseFloat(%q) = %v, %v; want %v, %v", text, got, err, f, fErr)
		}
	}
}

func TestRandomNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for range 10000 {
		var b []byte
		switch r.IntN(4) {
		case 0:
			b = strconv.AppendInt(b, int64(r.Uint64())>>r.IntN(64), 10)
		case 1:
			b = strconv.AppendFloat(b, math.Float64frombits(r.Uint64()), "efg"[r.IntN(3)], -1, 64)
		case 2:
			b = strconv.AppendFloat(b, float64(r.Int64N(1<<53))/math.Pow10(r.IntN(24)), 'f', -1, 64)
		default:
			b = strconv.AppendInt(b, int64(r.Uint64()>>r.IntN(64)), 10)
			b = append(b, '.')
			b = strconv.AppendUint(b, r.Uint64()>>r.IntN(64), 10)
			b = append(b, 'e')
			b = strconv.AppendInt(b, int64(r.IntN(60)-30), 10)
		}
		if json.Valid(b) { // not NaN and Inf
			compareNumber(t, string(b))
		}
	}
}
