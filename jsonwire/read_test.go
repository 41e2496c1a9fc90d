package jsonwire

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// slowScan is ScanString, byte by byte, from the words of its contract.
func slowScan(src []byte, pos int) (int, StringFlags) {
	var flags StringFlags
	for i := pos + 1; i < len(src); {
		switch c := src[i]; {
		case c == '"':
			return i + 1, flags
		case c == '\\':
			flags |= Escaped
			i += 2
		case c < ' ':
			flags |= RawControl
			i++
		default:
			r, n := utf8.DecodeRune(src[i:])
			if r == utf8.RuneError && n == 1 {
				flags |= InvalidUTF8
			}
			i += n
		}
	}
	return len(src), flags | Unterminated
}

// pieces are what random strings are made of: every kind of character, and what is almost one.
var pieces = []string{
	"a", "plain ASCII text", " ", "\x7f", "é", "ß", "ж", "вода", "\u0080", "\u07ff", "水", "河海", "\u0800", "\ud7ff", "\ue000",
	"\uffff", "😀", "🌊", "\U00010000", "\U0010ffff", `\n`, `\\`, `\"`, `\/`, `\u00e9`, `\ud83d\ude00`, `\ud83d`, `\ude00`, `\uD83D\u0041`,
	"\xc0\x80", "\xc1\xbf", "\xc2", "\xdf", "\x80", "\xbf", "\xe0\x80\x80", "\xe0\x9f\xbf", "\xe0\xa0", "\xed\xa0\x80", "\xed\xbf\xbf",
	"\xef\xbf", "\xf0\x8f\xbf\xbf", "\xf0\x90\x80", "\xf4\x90\x80\x80", "\xf4\x8f\xbf", "\xf5\x80\x80\x80", "\xff", "\xfe",
}

// randomBody returns the bytes between the quotes of a string literal: valid but for its UTF-8.
func randomBody(r *rand.Rand) []byte {
	var b []byte
	for range r.IntN(12) {
		p := pieces[r.IntN(len(pieces))]
		for range 1 + r.IntN(4) {
			b = append(b, p...)
		}
	}
	return b
}

func TestScanStringAgreesWithBytewise(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	check := func(src []byte) {
		t.Helper()
		for pos := range src {
			if src[pos] != '"' {
				continue
			}
			end, flags := ScanString(src, pos)
			wantEnd, wantFlags := slowScan(src, pos)
			if end != wantEnd || flags != wantFlags {
				t.Fatalf("ScanString(%q, %d) = %d, %b; want %d, %b", src, pos, end, flags, wantEnd, wantFlags)
			}
		}
	}
	for range 8000 {
		src := append([]byte{'"'}, randomBody(r)...)
		if r.IntN(8) > 0 {
			src = append(src, '"')
		}
		if r.IntN(4) == 0 {
			src[r.IntN(len(src))] = byte(r.Uint32())
		}
		src = append(src, "        , \"next\" : 1"[:r.IntN(20)]...)
		check(src)
		check(src[:r.IntN(len(src)+1)])
	}
	// Behind what is long enough for blocks.
	for range 8000 {
		src := []byte{'"'}
		long := pieces[r.IntN(20)] // those that are characters
		for n := r.IntN(120); len(src) < n; {
			src = append(src, long...)
		}
		src = append(append(src, randomBody(r)...), '"')
		check(append(src, "       , \"next\" : 1"[:r.IntN(20)]...))
	}
	// Every pair of bytes at every place of a word.
	for a := range 256 {
		for b := range 256 {
			src := []byte(`"xxxxxxxxxxxxxxxx"`)
			at := 1 + (a*7+b)%14
			src[at], src[at+1] = byte(a), byte(b)
			check(src)
			src = []byte(`"` + strings.Repeat("x", 140) + `"`)
			at = 40 + (a*7+b)%90
			src[at], src[at+1] = byte(a), byte(b)
			check(src)
		}
	}
}

// What blocks pass over is plain text, whole characters, and all of it that whole blocks hold.
func TestScanRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 8000 {
		var src []byte
		for n := r.IntN(100); len(src) < n; {
			src = append(src, pieces[r.IntN(20)]...)
		}
		if r.IntN(2) == 0 {
			src = append(src, pieces[r.IntN(len(pieces))]...)
		}
		from := r.IntN(4)
		src = append([]byte("..."[:from]), src...)
		end := scanRuns(src, from)
		run := src[from:end]
		if !utf8.Valid(run) || bytes.ContainsFunc(run, func(c rune) bool { return c < ' ' || c == '"' || c == '\\' }) {
			t.Fatalf("scanRuns(%q, %d) passed %q", src, from, run)
		}
		if !haveBlocks && end != from {
			t.Fatalf("scanRuns(%q, %d) = %d", src, from, end)
		}
		if rest := src[end:]; haveBlocks && len(rest) >= 16+3 {
			block := rest[:16+3] // what stopped it begins in the block that follows, which begins up to three bytes on
			if utf8.Valid(rest) && !bytes.ContainsFunc(block, func(c rune) bool { return c < ' ' || c == '"' || c == '\\' }) {
				t.Fatalf("scanRuns(%q, %d) = %d: stopped at %q", src, from, end, block)
			}
		}
	}
}

func TestUnescapedAgreesWithEncodingJSON(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 8000 {
		body := randomBody(r)
		if r.IntN(6) == 0 && len(body) > 0 {
			body[r.IntN(len(body))] = `\ux0"`[r.IntN(5)]
		}
		compareString(t, body)
	}
}

// compareString checks that a literal with body between its quotes reads as encoding/json reads it.
func compareString(t *testing.T, body []byte) {
	t.Helper()
	literal := append(append([]byte{'"'}, body...), '"')
	var want string
	wantErr := json.Unmarshal(literal, &want)
	end, flags := ScanString(literal, 0)
	if end != len(literal) || flags&(Unterminated|RawControl) != 0 {
		if wantErr == nil {
			t.Fatalf("ScanString(%q) = %d, %b; encoding/json takes it", literal, end, flags)
		}
		return
	}
	prefix := []byte("kept ")
	got, err := AppendUnescaped(prefix, body, flags)
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("AppendUnescaped(%q): %v; encoding/json: %v", body, err, wantErr)
	}
	if checkErr := CheckEscapes(body); (checkErr == nil) != (err == nil) {
		t.Fatalf("CheckEscapes(%q) = %v, AppendUnescaped %v", body, checkErr, err)
	}
	if err != nil {
		if !bytes.Equal(got, prefix) {
			t.Fatalf("AppendUnescaped(%q) with an error left %q in dst", body, got)
		}
		return
	}
	if string(got) != "kept "+want {
		t.Fatalf("AppendUnescaped(%q) = %q; want %q", body, got, want)
	}
	if flags&InvalidUTF8 == 0 && len(want) > len(body) {
		t.Fatalf("%q is longer than its literal %q", want, body)
	}
}
