package jsonwire

import (
	"bytes"
	"encoding/json"
	"testing"
)

// standard returns what encoding/json makes of s under the options that Escape
// has a name for.
func standard(t testing.TB, s string, e Escape) string {
	t.Helper()
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(e&NoHTML == 0)
	if err := enc.Encode(s); err != nil {
		t.Fatal(err)
	}
	return string(bytes.TrimSuffix(out.Bytes(), []byte("\n")))
}

func FuzzAppendString(f *testing.F) {
	for _, s := range []string{"", "a", "plain text of more than eight bytes", "\"\\/\b\f\n\r\t\x00\x1f\x7f", "<a href='x'>&</a>", "Привет, мир! Ёлка и ещё", "中文字符，标点。", "e\u0301 \u2028\u2029 \u202a", "😀 one 😀two", "\xff\xc0\x80\xed\xa0\x80\xf4\x90\x80\x80\xf0\x8f\xbf\xbf\xe0\x9f\xbf", "a\xe4\xb8", "0123456\xf0\x9f\x98"} {
		f.Add(s, byte(0))
		f.Add(s, byte(1))
	}
	f.Fuzz(func(t *testing.T, s string, o byte) {
		e := Escape(o) & NoHTML
		got := AppendString(nil, s, e)
		if want := standard(t, s, e); string(got) != want {
			t.Fatalf("AppendString(%q, %d)\n got %s\nwant %s", s, e, got, want)
		}
	})
}
