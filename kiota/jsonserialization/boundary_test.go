package jsonserialization_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	absser "github.com/microsoft/kiota-abstractions-go/serialization"

	"github.com/eddy-go/eddy/kiota/jsonserialization"
)

// quoted returns s as encoding/json writes it without escaping HTML. Invalid
// UTF-8 is replaced before, for its form depends on the version of Go.
func quoted(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		valid := len(s)
		for i, r := range s {
			if r == utf8.RuneError {
				if _, n := utf8.DecodeRuneInString(s[i:]); n == 1 {
					valid = i
					break
				}
			}
		}
		var out bytes.Buffer
		enc := json.NewEncoder(&out)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(s[:valid]); err != nil {
			panic(err)
		}
		text := strings.TrimSuffix(out.String(), "\n")
		b.WriteString(text[1 : len(text)-1])
		if s = s[valid:]; s != "" {
			b.WriteString(`\ufffd`)
			s = s[1:]
		}
	}
	return `"` + b.String() + `"`
}

var alphabets = []string{"abcdefgh", "\x00\x01\n\t\"\\\u2028", "grüßeПривет", "漢字かな", "a😀b", "\xff\xc0a\xe2\x80", "<&>"}

func randomString(r *rand.Rand, n int) string {
	from := alphabets[r.IntN(len(alphabets))]
	var b strings.Builder
	for b.Len() < n {
		i := r.IntN(len(from))
		b.WriteString(from[i : i+1+r.IntN(len(from)-i)])
	}
	return b.String()[:n]
}

// Values of every size at every distance from the end of a chunk.
func TestValuesAcrossChunks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	rounds := 20
	if testing.Short() {
		rounds = 5
	}
	for range rounds {
		var want strings.Builder
		w := jsonserialization.NewJsonSerializationWriter()
		for n := 0; n < 20; n++ {
			if n > 0 {
				want.WriteByte(',')
			}
			size := r.IntN(40)
			switch r.IntN(8) {
			case 0:
				size = r.IntN(200_000)
			case 1, 2, 3:
				size = r.IntN(10_000)
			}
			name := randomString(r, 1+r.IntN(10))
			if r.IntN(20) == 0 {
				name = randomString(r, 70_000)
			}
			want.WriteString(quoted(name) + ":")
			switch r.IntN(5) {
			case 0:
				b := []byte(randomString(r, size))
				want.WriteString(`"` + base64.StdEncoding.EncodeToString(b) + `"`)
				w.WriteByteArrayValue(name, b)
			case 1:
				s := strings.ToValidUTF8(randomString(r, size), "?")
				b, err := json.Marshal(s)
				if err != nil {
					t.Fatal(err)
				}
				want.Write(b)
				w.WriteAnyValue(name, s)
			case 2:
				want.WriteString("[" + strings.Repeat("-1,", size) + "0]")
				list := make([]int32, size+1)
				for i := range size {
					list[i] = -1
				}
				w.WriteCollectionOfInt32Values(name, list)
			case 3:
				// A name that may be taken back.
				w.WriteObjectValue(name, composed{func(w absser.SerializationWriter) error { return nil }})
				w.WriteNullValue(name)
				want.WriteString("null")
			default:
				s := randomString(r, size)
				want.WriteString(quoted(s))
				w.WriteStringValue(name, &s)
			}
		}
		b, err := w.GetSerializedContent()
		w.Close()
		if err != nil {
			t.Fatal(err)
		}
		got := string(b)
		if got != want.String() {
			i := 0
			for i < min(len(got), want.Len()) && got[i] == want.String()[i] {
				i++
			}
			t.Fatalf("differs at %d of %d: %.40q, want %.40q", i, len(got), got[max(0, i-10):], want.String()[max(0, i-10):])
		}
		if !json.Valid([]byte("{" + got + "}")) {
			t.Fatal("not JSON")
		}
	}
}

// Long strings are formed in pieces, none of which ends inside of a rune, also where
// stray bytes hide where it begins.
func TestRunesAtTheEndsOfPieces(t *testing.T) {
	const piece = 8 << 10
	for _, r := range []string{"é", "漢", "😀", "\xf0\x9f", "\xe6\xbc", "\xff", "\xed\xa0\x80"} {
		for _, more := range []string{"", "\x9f", "\x9f\x9f\x9f", strings.Repeat("\x9f", 9), "\xf0", "漢漢", "é\x9f\x9f\x9f"} {
			for at := piece - 12; at < piece+4; at++ {
				s := strings.Repeat("a", at) + r + more + "z"
				for what, f := range map[string]func(w *writer) error{
					quoted(s):             func(w *writer) error { return w.WriteStringValue("", &s) },
					quoted(s) + ":null":   func(w *writer) error { return w.WriteNullValue(s) },
					"[" + quoted(s) + "]": func(w *writer) error { return w.WriteCollectionOfStringValues("", []string{s}) },
				} {
					if got, err := written(f); err != nil || got != what {
						t.Fatalf("%q behind %d: got %.60q, %v", r+more, at, got[at-2:], err)
					}
				}
			}
		}
	}
}
