package jlexer

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"
)

// Error texts are part of what programs that move here rely on.
func TestErrorTexts(t *testing.T) {
	long := strings.Repeat("x", 300)
	for _, c := range []struct {
		data string
		read func(*Lexer)
		want string
	}{
		{`5`, func(l *Lexer) { _ = l.String() }, "parse error: expected string near offset 1 of '5'"},
		{`"abc"`, func(l *Lexer) { l.Int() }, "parse error: expected number near offset 5 of 'abc'"},
		{`"abcdefghijklmn"`, func(l *Lexer) { l.Int() }, "parse error: expected number near offset 16 of 'abcdefghij...'"},
		{`1`, func(l *Lexer) { l.Bool() }, "parse error: expected bool near offset 1 of '1'"},
		{`1`, func(l *Lexer) { l.Null() }, "parse error: expected null near offset 1 of '1'"},
		{`1`, func(l *Lexer) { l.Delim('{') }, "parse error: expected { near offset 1 of '1'"},
		{`{"a":[`, func(l *Lexer) { l.Delim('{'); _ = l.String(); l.WantColon(); l.Int() }, "parse error: expected number near offset 6 of 'a'"},
		{`300`, func(l *Lexer) { l.Int8() }, `parse error: strconv.ParseInt: parsing "300": value out of range near offset 0 of '300'`},
		{`-1`, func(l *Lexer) { l.Uint() }, `parse error: strconv.ParseUint: parsing "-1": invalid syntax near offset 0 of '-1'`},
		{`1.5`, func(l *Lexer) { l.Int() }, `parse error: strconv.ParseInt: parsing "1.5": invalid syntax near offset 0 of '1.5'`},
		{` "x"`, func(l *Lexer) { l.IntStr() }, `parse error: strconv.ParseInt: parsing "x": invalid syntax near offset 1 of 'x'`},
		{`1e999`, func(l *Lexer) { l.Float64() }, `parse error: strconv.ParseFloat: parsing "1e999": value out of range near offset 0 of '1e999'`},
		{`[1 2]`, func(l *Lexer) { l.Interface() }, "parse error: syntax error near offset 3 of '[1 2]'"},
		{`[1 2, ` + long, func(l *Lexer) { l.Interface() }, "parse error: syntax error near offset 3 of '2, xxxxxxx...'"},
		{`["` + long + `" 2]`, func(l *Lexer) { l.Interface() }, "parse error: syntax error near offset 304 of '..." + long[:57] + `" 2]'`},
		{`"a\x"`, func(l *Lexer) { _ = l.String() }, `parse error: incorrectly escaped bytes near offset 5 of '"a\x"'`},
		{`"\u12"`, func(l *Lexer) { _ = l.String() }, `parse error: incorrectly escaped \uXXXX sequence near offset 6 of '"\u12"'`},
		{`"abc`, func(l *Lexer) { _ = l.String() }, `parse error: unterminated string literal near offset 4 of '"abc'`},
		{"\"a\nb\"", func(l *Lexer) { _ = l.String() }, "parse error: control character in string literal near offset 2 of '\"a\nb\"'"},
		{`[1]x`, func(l *Lexer) { l.Interface(); l.Consumed() }, "parse error: invalid character 'x' after top-level value near offset 3 of 'x'"},
		{`[1,]`, func(l *Lexer) { l.SkipRecursive() }, "parse error: skipped array/object json value is invalid near offset 3 of ']'"},
		{`[1`, func(l *Lexer) { l.SkipRecursive() }, "parse error: EOF reached while skipping array/object or token near offset 2 of ''"},
		{`"a="`, func(l *Lexer) { l.Bytes() }, "parse error: illegal base64 data at input byte 1 near offset 0 of ''"},
		{``, func(l *Lexer) { l.Int() }, "EOF"},
		{`[1`, func(l *Lexer) { l.Interface() }, "EOF"},
	} {
		l := Lexer{Data: []byte(c.data)}
		c.read(&l)
		if l.Error() == nil || l.Error().Error() != c.want {
			t.Errorf("%s: %v; want %s", c.data, l.Error(), c.want)
		}
		if l.Ok() || l.CurrentToken() != TokenUndef || !l.IsDelim('x') || l.IsNull() {
			t.Errorf("%s: after an error Ok is %v, the token %d", c.data, l.Ok(), l.CurrentToken())
		}
		first := l.Error()
		l.AddError(errors.New("later"))
		if s, n, b, v := l.String(), l.Int(), l.Raw(), l.Interface(); s != "" || n != 0 || b != nil || v != nil || l.Error() != first {
			t.Errorf("%s: after an error %q, %d, %q, %v, %v", c.data, s, n, b, v, l.Error())
		}
	}
}

func TestErrorIsTyped(t *testing.T) {
	l := Lexer{Data: []byte("[1,01]")}
	l.Interface()
	var le *LexerError
	if !errors.As(l.Error(), &le) || le.Offset != 4 {
		t.Errorf("%#v", l.Error())
	}
	l = Lexer{Data: []byte(" ")}
	l.FetchToken()
	if l.Error() != io.EOF {
		t.Errorf("the end is %v", l.Error())
	}
}

func TestAddError(t *testing.T) {
	own := errors.New("own")
	l := Lexer{Data: []byte(`[1,2]`)}
	l.Delim('[')
	l.AddError(nil)
	if !l.Ok() || l.Int() != 1 {
		t.Fatalf("after AddError(nil): %v", l.Error())
	}
	l.AddError(own)
	l.AddNonFatalError(errors.New("later"))
	if l.Error() != own || l.Int() != 0 || !l.IsDelim(']') {
		t.Fatalf("after AddError: %v", l.Error())
	}
	l = Lexer{Data: []byte(`[1,2]`)}
	l.Delim('[')
	l.Int()
	l.AddNonFatalError(own)
	if l.Ok() || l.Error().Error() != "parse error: own near offset 1 of '1'" {
		t.Fatalf("after AddNonFatalError: %v", l.Error())
	}
}

// ints reads as generated code reads []int.
func ints(l *Lexer) (v []int) {
	l.Delim('[')
	for !l.IsDelim(']') {
		v = append(v, l.Int())
		l.WantComma()
	}
	l.Delim(']')
	return v
}

func TestMultipleErrorsAreCollected(t *testing.T) {
	for _, c := range []struct {
		data    string
		want    []int
		offsets []int
	}{
		{`[1,2]`, []int{1, 2}, nil},
		{`[1,"2",3]`, []int{1, 0, 3}, []int{3}},
		{`[ {"a":[1,2]} , [[]], null, true, 2]`, []int{0, 0, 0, 0, 2}, []int{2, 16, 22, 28}},
		{`[1.5, 99999999999999999999, "x"]`, []int{0, math.MaxInt, 0}, []int{1, 6, 28}},
		{`{"a":1}`, nil, []int{0}},
		{`"x"`, nil, []int{0}},
	} {
		l := Lexer{Data: []byte(c.data), UseMultipleErrors: true}
		got := ints(&l)
		l.Consumed()
		var offsets []int
		for _, e := range l.GetNonFatalErrors() {
			offsets = append(offsets, e.Offset)
		}
		if !l.Ok() || !reflect.DeepEqual(offsets, c.offsets) {
			t.Errorf("%s: errors at %v, want %v; fatal %v", c.data, offsets, c.offsets, l.Error())
		}
		if len(got) != len(c.want) {
			t.Errorf("%s: %v, want %v", c.data, got, c.want)
		}
	}
	// A wrong delimiter is no value that could be skipped.
	for _, data := range []string{`[}`, `[1}`, `[1,}`, `["x"}`, `[1}]`} {
		l := Lexer{Data: []byte(data), UseMultipleErrors: true}
		ints(&l)
		if l.Ok() {
			t.Errorf("%s was read with %v", data, l.GetNonFatalErrors())
		}
	}
}

func TestStrings(t *testing.T) {
	for text, want := range map[string]string{
		`""`: "", `"a"`: "a", `"\u00e9\ud83d\ude00"`: "é😀", `"a\"\\\/\b\f\n\r\t"`: "a\"\\/\b\f\n\r\t", "\"\xff\"": "\ufffd", `"\ud800"`: "\ufffd",
		`"1234567"`: "1234567", `"12345678"`: "12345678", `"` + strings.Repeat("вода", 400) + `"`: strings.Repeat("вода", 400),
		`"` + strings.Repeat(`\n`, 1000) + `"`: strings.Repeat("\n", 1000), "\"" + strings.Repeat("\xff", 600) + "\"": strings.Repeat("\ufffd", 600),
	} {
		for name, read := range map[string]func(*Lexer) string{
			"String": (*Lexer).String, "StringIntern": (*Lexer).StringIntern, "UnsafeString": (*Lexer).UnsafeString,
			"UnsafeBytes":     func(l *Lexer) string { return string(l.UnsafeBytes()) },
			"UnsafeFieldName": func(l *Lexer) string { return l.UnsafeFieldName(false) },
			"JsonNumber":      func(l *Lexer) string { return string(l.JsonNumber()) },
		} {
			for _, tail := range []string{"", "          "} {
				l := Lexer{Data: []byte(text + tail)}
				got := read(&l)
				l.Consumed()
				if got != want || !l.Ok() {
					t.Errorf("%s of %.40s is %.40q, %v; want %.40q", name, text, got, l.Error(), want)
				}
			}
		}
	}
	l := Lexer{Data: []byte(`"a\u0062"`)}
	if got := l.UnsafeFieldName(true); got != `a\u0062` || !l.Ok() {
		t.Errorf("UnsafeFieldName(true) is %q, %v", got, l.Error())
	}
	for _, text := range []string{`"\x"`, `1`, `null`, `"`, "\"\n\""} {
		l := Lexer{Data: []byte(text)}
		if got := l.UnsafeFieldName(true); got != "" || l.Ok() {
			t.Errorf("UnsafeFieldName(true) of %s is %q", text, got)
		}
		l = Lexer{Data: []byte(text)}
		if l.Skip(); text[0] == '"' && l.Ok() {
			t.Errorf("Skip took %s", text)
		}
	}
}

// What the Unsafe methods return is a part of the input where that is the value, and cannot be appended to in place.
func TestAliases(t *testing.T) {
	l := Lexer{Data: []byte(`["abc","def",[1],"ghi","j\u006b"]`)}
	l.Delim('[')
	s := l.UnsafeString()
	l.WantComma()
	b := l.UnsafeBytes()
	l.WantComma()
	raw := l.Raw()
	l.WantComma()
	own := l.String()
	l.WantComma()
	escaped := l.UnsafeBytes()
	_, _ = append(b, "!!!!"...), append(raw, "!!!!"...)
	_ = append(escaped, "!!!!"...)
	if string(l.Data) != `["abc","def",[1],"ghi","j\u006b"]` || own != "ghi" {
		t.Fatalf("appending wrote to the input: %s, %q", l.Data, own)
	}
	for i := range l.Data {
		l.Data[i] = '#'
	}
	if s != "###" || string(b) != "###" || string(raw) != "###" || own != "ghi" || string(escaped) != "jk" {
		t.Errorf("%q, %q and %q should be parts of the input; %q and %q not", s, b, raw, own, escaped)
	}
}

func TestBytes(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 100, 1000} {
		want := []byte(strings.Repeat("w\xff", n))
		text := base64.StdEncoding.EncodeToString(want)
		for _, data := range []string{`"` + text + `"`, `"` + strings.ReplaceAll(text, "/", `\/`) + `"`} {
			l := Lexer{Data: []byte(data)}
			if got := l.Bytes(); string(got) != string(want) || !l.Ok() {
				t.Errorf("%s is %q, %v", data, got, l.Error())
			}
		}
	}
	for _, text := range []string{`1`, `"a"`, `"a==="`, `"é"`, `"\x"`} {
		l := Lexer{Data: []byte(text)}
		if got := l.Bytes(); got != nil || l.Ok() {
			t.Errorf("Bytes took %s as %q", text, got)
		}
	}
}

func TestJsonNumber(t *testing.T) {
	for text, want := range map[string]json.Number{`10`: "10", `-1.5e-7`: "-1.5e-7", `"12"`: "12", `"foo"`: "foo", `null`: ""} {
		l := Lexer{Data: []byte(text)}
		if got := l.JsonNumber(); got != want || !l.Ok() {
			t.Errorf("%s is %q, %v", text, got, l.Error())
		}
	}
	for _, text := range []string{`01`, `[1]`, `{}`, `true`, `a`, ``} {
		l := Lexer{Data: []byte(text)}
		if got := l.JsonNumber(); got != "" || l.Ok() {
			t.Errorf("%s is %q", text, got)
		}
	}
}

func TestStrMethodsTakeWhatStrconvTakes(t *testing.T) {
	l := Lexer{Data: []byte(`["+5","007","Inf","0x1p4"]`)}
	l.Delim('[')
	a := l.IntStr()
	l.WantComma()
	b := l.UintStr()
	l.WantComma()
	c := l.Float64Str()
	l.WantComma()
	d := l.Float32Str()
	if a != 5 || b != 7 || c <= 1e308 || d != 16 || !l.Ok() {
		t.Errorf("%d, %d, %v, %v, %v", a, b, c, d, l.Error())
	}
}

func TestPositions(t *testing.T) {
	l := Lexer{Data: []byte(` {"a":null,"b":[1,{"c":2}],"d":true} `)}
	if !l.IsStart() || l.GetPos() != 0 {
		t.Error("not at the start")
	}
	if l.CurrentToken() != TokenDelim || l.GetPos() != 2 || l.IsStart() {
		t.Errorf("token %d, position %d", l.CurrentToken(), l.GetPos())
	}
	l.Delim('{')
	l.UnsafeFieldName(false)
	l.WantColon()
	if l.CurrentToken() != TokenNull || !l.IsNull() {
		t.Errorf("token %d", l.CurrentToken())
	}
	l.Skip()
	l.WantComma()
	l.Skip()
	l.WantColon()
	if raw := l.Raw(); string(raw) != `[1,{"c":2}]` || l.GetPos() != 26 {
		t.Errorf("%s, position %d", raw, l.GetPos())
	}
	l.WantComma()
	if name := l.String(); name != "d" {
		t.Errorf("%q after Raw", name)
	}
	l.WantColon()
	if l.CurrentToken() != TokenBool || !l.Bool() {
		t.Error("no bool")
	}
	l.WantComma()
	l.Delim('}')
	l.Consumed()
	if !l.Ok() || l.GetPos() != len(l.Data) {
		t.Errorf("%v, position %d", l.Error(), l.GetPos())
	}
}
