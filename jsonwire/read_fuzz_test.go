package jsonwire

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func FuzzValid(f *testing.F) {
	for _, text := range []string{
		`{"a":[1,2.5e-7,true,false,null,"\u00e9"],"b":{}}`, "[[[[]]]]", "[}", `{"a" 1}`, "01", "\"\x01\"", `"\ud83d"`, " 1 ", "[1,]", "-", "{\"\":{\"\":[]}}",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		compareValid(t, src)
	})
}

func FuzzScanString(f *testing.F) {
	for _, p := range pieces {
		f.Add([]byte(p + p + "12345" + p))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		long := append([]byte(strings.Repeat("text", 20)), body...)
		compareString(t, append(long, long...))
		src := append([]byte{'"'}, body...)
		for _, tail := range []string{"", `"`, `"  more than a word`} {
			src := append(bytes.Clone(src), tail...)
			end, flags := ScanString(src, 0)
			wantEnd, wantFlags := slowScan(src, 0)
			if end != wantEnd || flags != wantFlags {
				t.Fatalf("ScanString(%q) = %d, %b; want %d, %b", src, end, flags, wantEnd, wantFlags)
			}
		}
		compareString(t, body)
	})
}

func FuzzScanNumber(f *testing.F) {
	for _, text := range goodNumbers {
		f.Add(text)
	}
	for text := range badNumbers {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		number := text != "" && (text[0] == '-' || text[0]-'0' <= 9) && json.Valid([]byte(text)) && !isSpace(text[len(text)-1])
		if number {
			compareNumber(t, text)
			return
		}
		if _, end, ok := ScanNumber([]byte(text), 0); ok && end == len(text) {
			t.Fatalf("ScanNumber took %q", text)
		}
	})
}
