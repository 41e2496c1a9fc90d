package jsonwire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"
)

// standard returns what encoding/json of Go 1.26 makes of s. Its successor
// writes invalid UTF-8 as a raw U+FFFD, so that is put in by hand.
func standard(t testing.TB, s string, e Escape) string {
	t.Helper()
	var out strings.Builder
	out.WriteByte('"')
	for s != "" {
		valid := s
		if i := invalidAt(s); i >= 0 {
			valid = s[:i]
		}
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(e&NoHTML == 0)
		if err := enc.Encode(valid); err != nil {
			t.Fatal(err)
		}
		text := strings.TrimSuffix(b.String(), "\n")
		out.WriteString(text[1 : len(text)-1])
		if s = s[len(valid):]; s != "" {
			out.WriteString(`\ufffd`)
			s = s[1:]
		}
	}
	out.WriteByte('"')
	text := out.String()
	if e&LongControls != 0 {
		text = strings.NewReplacer(`\\`, `\\`, `\b`, `\u0008`, `\f`, `\u000c`).Replace(text)
	}
	return text
}

// invalidAt returns the offset of the first byte of s that is not UTF-8, or -1.
func invalidAt(s string) int {
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// fragments are pieces of text of all the kinds that are formed differently.
var fragments = []string{
	"a", "plain ", "seven b", "eight by", "fifteen bytes..", "exactly sixteen.", "a line of thirty-two plain bytes",
	`"`, `\`, "/", "<", ">", "&", "^", "|", "~", "\x7f", "\x00", "\x1f", "\b", "\f", "\n", "\r", "\t",
	"ж", "Привет", "ёлка ", "߿", "\u0080", "中", "文字符", "。", "ࠀ", "\ud7ff", "\ue000", "\uffff", "\ufffd",
	"\u2027", "\u2028", "\u2029", "\u202a", "😀", "🎉🎉", "\U00010000", "\U0010ffff", "é", "e\u0301",
	"\x80", "\xbf", "\xc0", "\xc1\x81", "\xc2", "\xe0\x9f\xbf", "\xe0\xa0", "\xe2\x80", "\xe4\xb8", "\xed\xa0\x80",
	"\xf0\x8f\xbf\xbf", "\xf0\x9f\x98", "\xf0\x9f", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xf8\x88\x80\x80\x80", "\xff",
}

// text returns a random text of about n bytes that stays with a kind of
// fragment for a while.
func text(r *rand.Rand, n int) string {
	var b strings.Builder
	for b.Len() < n {
		f := fragments[r.IntN(len(fragments))]
		for range 1 + r.IntN(4)*r.IntN(4) {
			b.WriteString(f)
		}
	}
	return b.String()
}

func seeds(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, s := range fragments {
		f.Add(s, byte(0))
		f.Add("0123456"+s+"0123456", byte(1))
		f.Add("0123456789abcdef0123456789abc"+s+strings.Repeat("ы", 20)+s, byte(2))
	}
	for i := range 50 {
		f.Add(text(r, 1+i*5), byte(i))
	}
}

func TestStringsEqualEncodingJSON(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	n := 20000
	if testing.Short() {
		n = 2000
	}
	for i := range n {
		s := text(r, r.IntN(1+i%300))
		e := Escape(i % 4)
		if got, want := string(AppendString([]byte("x"), s, e)), "x"+standard(t, s, e); got != want {
			t.Fatalf("AppendString(%q, %d)\n got %s\nwant %s", s, e, got, want)
		}
	}
}

// Each fragment at each offset to the words and blocks.
func TestStringsAtAllOffsets(t *testing.T) {
	for _, f := range fragments {
		for _, fill := range []string{"x", "ф"} {
			for n := range 70 {
				s := strings.Repeat(fill, n) + f + strings.Repeat(fill, 70-n)
				e := Escape(n % 4)
				if got, want := string(AppendString(nil, s, e)), standard(t, s, e); got != want {
					t.Fatalf("AppendString(%q, %d)\n got %s\nwant %s", s, e, got, want)
				}
			}
		}
	}
}

func FuzzAppendString(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, s string, o byte) {
		e := Escape(o) & (NoHTML | LongControls)
		got := AppendString(nil, s, e)
		if want := standard(t, s, e); string(got) != want {
			t.Fatalf("AppendString(%q, %d)\n got %s\nwant %s", s, e, got, want)
		}
		if e == 0 || e == NoHTML {
			if !json.Valid(got) {
				t.Fatalf("AppendString(%q, %d) is not JSON: %s", s, e, got)
			}
		}
		if b := AppendStringBytes(nil, []byte(s), e); !bytes.Equal(b, got) {
			t.Fatalf("AppendStringBytes(%q) = %s, not %s", s, b, got)
		}
	})
}

// The processor's blocks against encoding/json, and not beyond their room.
func TestBlocksEqualEncodingJSON(t *testing.T) {
	if !haveBlocks {
		// Then TestStringsEqualEncodingJSON has covered the words. A
		// processor that cannot do it must not be asked.
		if runtime.GOARCH == "amd64" {
			return
		}
		if stored, done := formBlocks(nil, nil, 0, 0, nil); stored+done != 0 {
			t.Errorf("formBlocks without blocks = %d, %d", stored, done)
		}
		return
	}
	r := rand.New(rand.NewPCG(3, 3))
	for i := range 20000 {
		s := text(r, r.IntN(200))
		e := Escape(i % 4)
		room := len(s) + blockSize + r.IntN(1+i%100)
		b := bytes.Repeat([]byte{0xAA}, 1+room+blockSize)
		end, done := formRuns(b[:1+room], 1, s, 0, e)
		if len(s) == 0 {
			if end != 1 || done != 0 {
				t.Fatalf("formRuns(%q) = %d, %d", s, end, done)
			}
			continue
		}
		if want := standard(t, s[:done], e); `"`+string(b[1:end])+`"` != want {
			t.Fatalf("formRuns(%q, %d) = %d, %q\nwant %s", s, e, done, b[1:end], want)
		}
		if !utf8.ValidString(s[:done]) {
			t.Fatalf("formRuns(%q, %d) passed %q", s, e, s[:done])
		}
		for j, c := range b {
			if c != 0xAA && (j < 1 || j > room) {
				t.Fatalf("formRuns(%q, %d) wrote at %d outside of its room 1..%d", s, e, j, room)
			}
		}
		// It stops only in front of what it must stop for.
		if done == len(s) {
			continue
		}
		rest := s[done:]
		if c := rest[0]; c < utf8.RuneSelf && len(standard(t, rest[:1], e)) > len(`"x"`) {
			if 1+room-end-len(standard(t, rest[:1], e))+2 >= len(rest)-1+blockSize {
				t.Fatalf("formRuns(%q, %d) stopped in front of %q with %d bytes of room", s, e, rest, 1+room-end)
			}
			continue
		}
		const reach = blockSize + utf8.UTFMax
		bad := invalidAt(rest)
		if (bad < 0 || bad >= reach) && !strings.ContainsAny(rest[:min(len(rest), reach)], "\u2028\u2029") {
			t.Fatalf("formRuns(%q, %d) stopped in front of %q", s, e, rest)
		}
	}
}

// Form into rooms of all sizes, between bytes that must not change.
func TestFormTakesWhatRoomThereIs(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for i := range 4000 {
		s := text(r, r.IntN(60))
		e := Escape(i % 4)
		room := FormSlack + r.IntN(60)
		var got []byte
		for rest, calls := s, 0; ; calls++ {
			b := bytes.Repeat([]byte{0xAA}, 5+room+40)
			next, done := Form(b[:5+room], 5, rest, e)
			if next < 5 || next > 5+room || done > len(rest) {
				t.Fatalf("Form(%q) = %d, %d with room %d", rest, next, done, room)
			}
			for j, c := range b {
				if c != 0xAA && (j < 5 || j >= 5+room) {
					t.Fatalf("Form(%q) wrote at %d outside of its room 5..%d", rest, j, 5+room)
				}
			}
			if !utf8.ValidString(string(b[5:next])) {
				t.Fatalf("Form(%q) stopped inside a character: %q", rest, b[5:next])
			}
			got = append(got, b[5:next]...)
			if rest = rest[done:]; rest == "" {
				break
			}
			if done == 0 {
				t.Fatalf("Form(%q) made no progress with room %d", rest, room)
			}
		}
		if want := standard(t, s, e); `"`+string(got)+`"` != want {
			t.Fatalf("Form(%q) in rooms of %d\n got %q\nwant %s", s, room, got, want)
		}
	}
}

func TestFormWithoutRoomDoesNothing(t *testing.T) {
	for room := range FormSlack {
		b := make([]byte, room)
		next, done := Form(b, 0, "\x01\x01\x01\x01", 0)
		if next > room || done > next {
			t.Errorf("Form with room %d = %d, %d", room, next, done)
		}
	}
	if next, done := Form(make([]byte, 3), 5, "abc", 0); next != 5 || done != 0 {
		t.Errorf("Form behind the end = %d, %d", next, done)
	}
	defer func() {
		if recover() == nil {
			t.Error("Form at a negative index did not panic")
		}
	}()
	Form(make([]byte, 100), -1, "abc", 0)
}

func TestStringRoomIsEnough(t *testing.T) {
	for _, s := range []string{"", "\x01", strings.Repeat("\x01", 100), strings.Repeat("\xff", 33), strings.Repeat("\u2028", 50), strings.Repeat("ab<", 30)} {
		room := StringRoom(len(s))
		b := bytes.Repeat([]byte{0xAA}, room+8)
		end := PutString(b[:room], 0, s, 0)
		if got, want := string(b[:end]), standard(t, s, 0); got != want {
			t.Errorf("PutString(%q) = %s, want %s", s, got, want)
		}
		if !bytes.Equal(b[room:], bytes.Repeat([]byte{0xAA}, 8)) {
			t.Errorf("PutString(%q) wrote outside of its room", s)
		}
	}
}

func TestPutPanicsWithoutRoom(t *testing.T) {
	for name, put := range map[string]func(b []byte){
		"PutString": func(b []byte) { PutString(b, 0, "abc", 0) },
		"PutText":   func(b []byte) { PutText(b, 0, `,"name":`) },
		"PutBool":   func(b []byte) { PutBool(b, 0, true) },
		"PutUint":   func(b []byte) { PutUint(b, 0, 1<<40) },
		"PutInt":    func(b []byte) { PutInt(b, 0, -1<<40) },
		"PutFloat":  func(b []byte) { PutFloat(b, 0, 1.5, 64) },

		"PutInt, huge":        func(b []byte) { PutInt(b, 0, math.MinInt64) },
		"PutUint, huge":       func(b []byte) { PutUint(b, 0, math.MaxUint64) },
		"PutQuotedInt":        func(b []byte) { PutQuotedInt(b, 0, -1<<40) },
		"PutQuotedInt, short": func(b []byte) { PutQuotedInt(b, 0, 1) },
		"PutQuotedUint":       func(b []byte) { PutQuotedUint(b, 0, 1<<40) },
	} {
		t.Run(name, func(t *testing.T) {
			b := bytes.Repeat([]byte{0xAA}, 64)
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
				if !bytes.Equal(b, bytes.Repeat([]byte{0xAA}, 64)) {
					t.Error("something was written")
				}
			}()
			put(b[:4:4])
		})
	}
}

func TestPutText(t *testing.T) {
	for n := range 70 {
		s := fmt.Sprintf("%070d", 0)[:n]
		s = strings.Map(func(r rune) rune { return 'a' + rune(n)%26 }, s)
		b := bytes.Repeat([]byte{0xAA}, n+20)
		if end := PutText(b, 10, s); end != 10+n || string(b[10:end]) != s {
			t.Errorf("PutText(%q) = %d, %q", s, end, b[10:end])
		}
		for i, c := range b {
			if c != 0xAA && (i < 10 || i >= 10+n) {
				t.Errorf("PutText of %d bytes wrote at %d", n, i-10)
			}
		}
	}
	b := make([]byte, 16)
	if end := PutText(b, PutBool(b, PutBool(b, 0, true), false), "abcdefg"); string(b[:end]) != "truefalseabcdefg" {
		t.Errorf("got %q", b[:end])
	}
}
