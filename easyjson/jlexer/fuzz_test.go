package jlexer

import (
	"encoding/json"
	"strings"
	"testing"
)

// seeds gives a fuzz target the texts of the tables.
func seeds(f *testing.F) {
	for _, text := range malformed {
		f.Add([]byte(text))
	}
	for _, text := range wellFormed {
		f.Add([]byte(text))
		f.Add([]byte(`{"x":[` + text + `, "` + text + `"]}`))
	}
}

// FuzzAny compares reading and skipping with encoding/json.
func FuzzAny(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		compareAny(t, data)
	})
}

// FuzzString reads data as the inside of a string literal in every way that there is.
func FuzzString(f *testing.F) {
	for _, text := range wellFormed {
		f.Add([]byte(text))
	}
	f.Add([]byte(`\ud83d\ude00\u00`))
	f.Add([]byte("0123456789\xed\xa0\x80\xf4\x8f\xbf\xbf"))
	f.Fuzz(func(t *testing.T, body []byte) {
		literal := append(append([]byte{'"'}, body...), '"')
		var want string
		wantErr := json.Unmarshal(literal, &want)
		for name, read := range map[string]func(*Lexer) string{
			"String": (*Lexer).String, "StringIntern": (*Lexer).StringIntern, "UnsafeString": (*Lexer).UnsafeString,
			"UnsafeBytes": func(l *Lexer) string { return string(l.UnsafeBytes()) },
			"second": func(l *Lexer) string {
				l.Delim('[')
				_ = l.String()
				l.WantComma()
				s := l.String()
				l.WantComma()
				l.Delim(']')
				return s
			},
		} {
			data := literal
			if name == "second" {
				data = append(append(append(append([]byte{'['}, literal...), ','), literal...), ']')
			}
			l := Lexer{Data: data}
			got := read(&l)
			l.Consumed()
			if (l.Error() == nil) != (wantErr == nil) || wantErr == nil && got != want {
				t.Fatalf("%s of %q is %q, %v; want %q, %v", name, literal, got, l.Error(), want, wantErr)
			}
		}
	})
}

// FuzzNumber reads data as every type of number. Where it is no number both have to say so; …Str methods take more.
func FuzzNumber(f *testing.F) {
	for _, text := range []string{"0", "-1", "18446744073709551615", "1.5e-7", "9007199254740993", "1e400", "01", "1.", "-", "123456789012345678.25"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		number := text != "" && (text[0] == '-' || text[0]-'0' <= 9) && strings.TrimSpace(text) == text
		if number && json.Valid([]byte(text)) {
			compareNumber(t, text)
		}
		compareAny(t, []byte(text))
	})
}

// FuzzMultiple drives a lexer that goes on after errors through a document in ways that generated code may: it has to
// end, within the input, and with its depth in order.
func FuzzMultiple(f *testing.F) {
	for _, text := range wellFormed {
		f.Add([]byte(`[`+text+`,{"a":`+text+`}]`), uint64(0x123456789))
	}
	for _, text := range malformed {
		f.Add([]byte(`[`+text), uint64(0xfedcba987))
	}
	f.Fuzz(func(t *testing.T, data []byte, ways uint64) {
		l := Lexer{Data: data, UseMultipleErrors: true}
		var read func(depth int)
		read = func(depth int) {
			ways = ways>>4 | ways<<60
			switch way := ways & 15; {
			case way < 4 && depth < 50:
				l.Delim('[')
				for !l.IsDelim(']') {
					read(depth + 1)
					l.WantComma()
				}
				l.Delim(']')
			case way < 8 && depth < 50:
				l.Delim('{')
				for !l.IsDelim('}') {
					l.UnsafeFieldName(way == 7)
					l.WantColon()
					read(depth + 1)
					l.WantComma()
				}
				l.Delim('}')
			case way == 8:
				l.Int8()
			case way == 9:
				l.Float64()
			case way == 10:
				_ = l.String()
			case way == 11:
				l.Interface()
			case way == 12:
				l.Raw()
			case way == 13:
				l.Bytes()
			case way == 14:
				if l.IsNull() {
					l.Skip()
				} else {
					l.Bool()
				}
			default:
				l.UintStr()
			}
		}
		read(0)
		l.Consumed()
		if l.GetPos() > len(data) {
			t.Fatalf("position %d of %d", l.GetPos(), len(data))
		}
		checkError(t, data, l.Error())
		if l.Ok() && l.depth != 0 {
			t.Fatalf("depth %d after %q", l.depth, data)
		}
		if l.Ok() && len(l.GetNonFatalErrors()) == 0 && !json.Valid(data) {
			t.Fatalf("%q was read without an error", data)
		}
	})
}
