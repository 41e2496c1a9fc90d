package jsonwire

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// randomValue appends a random document.
func randomValue(b []byte, r *rand.Rand, depth int) []byte {
	space := func() {
		if r.IntN(4) == 0 {
			b = append(b, " \t\r\n"[r.IntN(4)])
		}
	}
	str := func() {
		b = append(b, '"')
		b = append(b, randomBody(r)...)
		b = append(b, '"')
	}
	space()
	n := r.IntN(4)
	switch kind := r.IntN(8); {
	case kind < 2 && depth > 0:
		b = append(b, '[')
		space()
		for i := range n {
			if i > 0 {
				b = append(b, ',')
			}
			b = randomValue(b, r, depth-1)
		}
		b = append(b, ']')
	case kind < 4 && depth > 0:
		b = append(b, '{')
		space()
		for i := range n {
			if i > 0 {
				b = append(b, ',')
				space()
			}
			str()
			space()
			b = append(b, ':')
			b = randomValue(b, r, depth-1)
		}
		b = append(b, '}')
	case kind < 5:
		b = append(b, goodNumbers[r.IntN(len(goodNumbers))]...)
	case kind < 6:
		b = append(b, []string{"true", "false", "null"}[r.IntN(3)]...)
	default:
		str()
	}
	space()
	return b
}

// compareValid checks Valid, Check and Skip against json.Valid.
func compareValid(t *testing.T, src []byte) {
	t.Helper()
	want := json.Valid(src)
	if got := Valid(src); got != want {
		t.Fatalf("Valid(%q) = %v", src, got)
	}
	err := Check(src)
	if (err == nil) != want {
		t.Fatalf("Check(%q) = %v", src, err)
	}
	if err != nil {
		var s *SyntaxError
		if !errors.As(err, &s) || s.Offset < 0 || s.Offset > len(src) || s.Err == nil {
			t.Fatalf("Check(%q) = %#v", src, err)
		}
		if errors.Is(err, io.ErrUnexpectedEOF) && s.Offset != len(src) {
			t.Fatalf("Check(%q) = %v", src, err)
		}
		return
	}
	// The same as part of something longer.
	const before = `[ `
	for _, after := range []string{"", ",", "]", " ]", `,"next"`} {
		end, err := Skip([]byte(before+string(src)+after), len(before), MaxDepth)
		if want := len(before) + len(bytes.TrimRight(src, " \t\r\n")); err != nil || end != want {
			t.Fatalf("Skip(%q) = %d, %v; want %d", before+string(src)+after, end, err, want)
		}
	}
}

func TestValidAgreesWithEncodingJSON(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	for range 3000 {
		src := randomValue(nil, r, 5)
		if !json.Valid(src) { // an escape that is not one
			t.Fatalf("%q is not valid", src)
		}
		compareValid(t, src)
		for range 4 { // and with one fault, or none after all
			bad := bytes.Clone(src)
			switch at := r.IntN(len(bad)); r.IntN(4) {
			case 0:
				bad = bad[:at]
			case 1:
				bad = append(bad[:at], bad[at+1:]...)
			case 2:
				bad[at] = `{}[]",:\0-.e1tfn x`[r.IntN(18)]
			default:
				bad[at] = byte(r.Uint32())
			}
			compareValid(t, bad)
		}
	}
}

func TestSkipErrors(t *testing.T) {
	for _, c := range []struct {
		text string
		at   int
		err  error
	}{
		{"", 0, io.ErrUnexpectedEOF}, {" ", 1, io.ErrUnexpectedEOF}, {"[", 1, io.ErrUnexpectedEOF}, {"[1", 2, io.ErrUnexpectedEOF}, {"[1,", 3, io.ErrUnexpectedEOF},
		{"{", 1, io.ErrUnexpectedEOF}, {`{"a`, 3, io.ErrUnexpectedEOF}, {`{"a"`, 4, io.ErrUnexpectedEOF}, {`{"a":`, 5, io.ErrUnexpectedEOF}, {`{"a":1`, 6, io.ErrUnexpectedEOF},
		{`{"a":1,`, 7, io.ErrUnexpectedEOF}, {`"abc`, 4, io.ErrUnexpectedEOF}, {`"\`, 2, io.ErrUnexpectedEOF}, {"tru", 3, io.ErrUnexpectedEOF}, {"-", 1, io.ErrUnexpectedEOF},
		{"1.", 2, io.ErrUnexpectedEOF}, {"1e+", 3, io.ErrUnexpectedEOF},
		{"[}", 1, ErrCharacter}, {"{]", 1, ErrCharacter}, {"[1}", 2, ErrCharacter}, {`{"a":1]`, 6, ErrCharacter}, {"[1,]", 3, ErrCharacter}, {"{1:2}", 1, ErrCharacter},
		{`{"a" 1}`, 5, ErrCharacter}, {`{"a":1,}`, 7, ErrCharacter}, {"x", 0, ErrCharacter}, {"[1 2]", 3, ErrCharacter}, {"[01]", 2, ErrNumber}, {"[1.]", 3, ErrNumber},
		{"[-x]", 2, ErrNumber}, {"[1ex]", 3, ErrNumber}, {"[trux]", 4, ErrLiteral}, {"nul1", 3, ErrLiteral}, {"[falsy]", 5, ErrLiteral},
		{"\"a\nb\"", 2, ErrControl}, {`"a\xb"`, 2, ErrEscape}, {`["\u12g4"]`, 2, ErrUnicodeEscape},
	} {
		end, err := Skip([]byte(c.text), 0, MaxDepth)
		var s *SyntaxError
		if !errors.Is(err, c.err) || !errors.As(err, &s) || s.Offset != c.at || end != c.at {
			t.Errorf("Skip(%q) = %d, %v; want %v at %d", c.text, end, err, c.err, c.at)
		}
	}
	if err := Check([]byte("[1] 2")); !errors.Is(err, ErrCharacter) || err.Error() != "jsonwire: unexpected character at offset 4" {
		t.Errorf("%v", err)
	}
}

func TestSkipDepth(t *testing.T) {
	for _, limit := range []int{0, 1, 2, 63, 64, 65, 200, MaxDepth} {
		for _, c := range [][3]string{{"[", "", "]"}, {`{"a":`, "1", "}"}, {`[{"a":`, "[]", "}]"}} {
			levels := strings.Count(c[0], "[") + strings.Count(c[0], "{")
			for n := max(0, limit/levels-1); n <= limit/levels+1; n++ {
				depth := n*levels + strings.Count(c[1], "[")
				text := strings.Repeat(c[0], n) + c[1] + strings.Repeat(c[2], n)
				if text == "" {
					continue
				}
				_, err := Skip([]byte(text), 0, limit)
				if (depth <= limit) != (err == nil) || err != nil && !errors.Is(err, ErrDepth) {
					t.Fatalf("depth %d of %s with limit %d: %v", depth, c[0], limit, err)
				}
			}
		}
	}
	// Levels of either kind keep apart beyond the first 64 as well.
	r := rand.New(rand.NewPCG(25, 26))
	for range 300 {
		var open, shut []byte
		for range 60 + r.IntN(200) {
			if r.IntN(2) == 0 {
				open, shut = append(open, '['), append(shut, ']')
			} else {
				open, shut = append(open, `{"":`...), append(shut, '}')
			}
		}
		for i, j := 0, len(shut)-1; i < j; i, j = i+1, j-1 {
			shut[i], shut[j] = shut[j], shut[i]
		}
		text := append(append(open, '0'), shut...)
		compareValid(t, text)
		i := len(open) + 1 + r.IntN(len(shut))
		text[i] ^= ']' ^ '}'
		compareValid(t, text)
	}
	if _, err := Skip(bytes.Repeat([]byte("["), 1<<20), 0, 1<<30); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a million brackets: %v", err)
	}
}

func TestSkipSpace(t *testing.T) {
	for text, want := range map[string]int{"": 0, " ": 1, " \t\r\n1": 4, "1 ": 0, "\v": 0, "\u00a0": 0, "\x00": 0} {
		if got := SkipSpace([]byte(text), 0); got != want {
			t.Errorf("SkipSpace(%q) = %d", text, got)
		}
	}
}

func TestReadingAllocatesNothing(t *testing.T) {
	src := []byte(`{"a":[1,2.5,-3e7,true,false,null,"text \u00e9\n вода",{"b":` + strings.Repeat("[", 60) + strings.Repeat("]", 60) + `}]}`)
	body := []byte(`text \u00e9\n вода`)
	dst := make([]byte, 0, 64)
	sum := 0
	if n := testing.AllocsPerRun(100, func() {
		if !Valid(src) {
			sum -= 1 << 30
		}
		end, flags := ScanString(src, 1)
		dst, _ = AppendUnescaped(dst[:0], body, flags|Escaped)
		num, _, _ := ScanNumber(src, 6)
		f, _ := ParseFloat([]byte("1.2345678901234567890123"), num)
		sum += end + int(f) + len(dst)
	}); n != 0 || sum <= 0 {
		t.Errorf("%v allocations, %d", n, sum)
	}
}

var sink int

func BenchmarkScanString(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"ascii", "the quick brown fox, "}, {"cyrillic", "вода река мост, "}, {"accents", "rivière où être ça "}, {"cjk", "水流河海天地人山。"}, {"emoji", "hello 😀 world 🌊 "},
		{"escapes", `line\nand \"more\" `}, {"invalid", "\xff\xfe and \xc0 "},
	} {
		src := []byte(`"` + strings.Repeat(c.text, 1+1000/len(c.text)) + `"`)
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				end, _ := ScanString(src, 0)
				sink += end
			}
		})
		b.Run(c.name+"/json.Valid", func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				if json.Valid(src) {
					sink++
				}
			}
		})
	}
}

func BenchmarkValid(b *testing.B) {
	r := rand.New(rand.NewPCG(27, 28))
	src := []byte("[")
	for i := 0; len(src) < 9000; i++ {
		src = append(src, `{"id":`+strconv.Itoa(r.Int())+`,"name":"a name","text":"some text that is a little longer than a word, вода","ok":true,"none":null},`...)
	}
	src = append(src, "1]"...)
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		if Valid(src) {
			sink++
		}
	}
}
