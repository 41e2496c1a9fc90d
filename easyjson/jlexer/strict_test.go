package jlexer

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"
)

// readAny reads data as one value of any type.
func readAny(data []byte) (any, error) {
	l := Lexer{Data: data}
	v := l.Interface()
	l.Consumed()
	return v, l.Error()
}

// skipAll skips data as one value.
func skipAll(data []byte) error {
	l := Lexer{Data: data}
	l.SkipRecursive()
	l.Consumed()
	return l.Error()
}

// Texts that easyjson's lexer takes and RFC 8259 does not, and others near them.
var malformed = []string{
	"", " ", "01", "-01", "00", "1.", "1.e1", ".5", "-", "-.5", "+1", "1e", "1e+", "1E-", "0x10", "1_0", "Inf", "NaN", "1.2.3", "--1", "1-1",
	"[01]", "[1.]", "[-]", `{"a":01}`, `{"a":1.}`,
	"\"\n\"", "\"a\tb\"", "\"\x00\"", "\"\x1f\"", "[\"\r\"]", "{\"\n\":1}",
	`"\x"`, `"\u12"`, `"\u12g4"`, `"\`, `"\"`, `"`, `"abc`, `"\ud83d\u"`,
	"[", "]", "{", "}", "[}", "{]", "[1}", `{"a":1]`, "[[1}]", `{"a":[}]}`, "[1,2}", "[,]", "[1,]", "[,1]", "[1,,2]", "[1 2]", "[1:2]", "{,}", `{"a"}`,
	`{"a":}`, `{"a":1,}`, `{,"a":1}`, `{"a" 1}`, `{"a",1}`, `{"a":1 "b":2}`, `{"a"::1}`, `{1:2}`, `{null:1}`, `{a:1}`, `{"a":1}}`, "[]]", "1 2", "[] []",
	"nul", "nulll", "tru", "truee", "fals", "True", "null1", "true[", "falsex", "[truex]", "a", "'a'", "//", ",", ":", "\x00", "[\x00]", "1\x00",
}

var wellFormed = []string{
	"0", "-0", "-0.0", "10", "1.5", "1e5", "1E+05", "-1.25e-3", "123456789012345678901234567890", "0.000000000000000000000000000001", "1e-400",
	`""`, `"a"`, `"\u00e9\n\"\\\/"`, `"\ud83d\ude00"`, `"\ud83d"`, `"\ude00\ud83d"`, `"\ud83dx"`, `"\ud83d\ud83d\ude00"`, "\"\xff\"", "\"a\xc3\"", "\"\xed\xa0\x80\"",
	"\"\xff\\n\xc0\x80 and \xf0\x9f\x98\x80\"", "[]", "{}", "[[]]", "[{}]", `{"a":{}}`, `{"a":1,"a":2}`, `{"\u0061":1}`, "{\"\xff\":1}", " [ 1 , 2 ] ", "\t{\r\n\"a\" : [ ] }",
	"true", "false", "null", "[true,false,null]", `{"a":[{"b":[null]}],"c":"d"}`,
}

// The lexer takes what encoding/json takes, and reads the same from it; both by reading and by skipping.
func TestAcceptsWhatEncodingJSONAccepts(t *testing.T) {
	for _, text := range malformed {
		if json.Valid([]byte(text)) {
			t.Fatalf("%q is not malformed", text)
		}
		if v, err := readAny([]byte(text)); err == nil {
			t.Errorf("Interface took %q as %v", text, v)
		}
		if err := skipAll([]byte(text)); err == nil {
			t.Errorf("SkipRecursive took %q", text)
		}
		inside := `{"x":[` + text + `]}`
		if text = strings.TrimSpace(text); text == "" || json.Valid([]byte(inside)) { // "[] 1" and the like can be inside
			continue
		}
		if v, err := readAny([]byte(inside)); err == nil {
			t.Errorf("Interface took %q as %v", inside, v)
		}
		if err := skipAll([]byte(inside)); err == nil {
			t.Errorf("SkipRecursive took %q", inside)
		}
	}
	for _, text := range wellFormed {
		compareAny(t, []byte(text))
		compareAny(t, []byte(`{"x":[`+text+`,`+text+`]}`))
	}
}

// compareAny checks that Interface and SkipRecursive agree with encoding/json about data.
func compareAny(t *testing.T, data []byte) {
	t.Helper()
	var want any
	wantErr := json.Unmarshal(data, &want)
	got, err := readAny(data)
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("Interface of %q: %v; encoding/json: %v", data, err, wantErr)
	}
	if err == nil && !reflect.DeepEqual(got, want) {
		t.Fatalf("Interface of %q is %#v; want %#v", data, got, want)
	}
	if err := skipAll(data); (err == nil) != json.Valid(data) {
		t.Fatalf("SkipRecursive of %q: %v; json.Valid: %v", data, err, json.Valid(data))
	}
	checkError(t, data, err)
}

// checkError checks that an error says something that is so.
func checkError(t *testing.T, data []byte, err error) {
	t.Helper()
	var le *LexerError
	switch {
	case err == nil || err == io.EOF:
	case !errors.As(err, &le):
		t.Fatalf("the error of %q is %T", data, err)
	case le.Offset < 0 || le.Offset > len(data):
		t.Fatalf("the error of %q is at %d: %v", data, le.Offset, err)
	case le.Reason == "" || len(le.Data) > max(wideLen, len(data)):
		t.Fatalf("the error of %q: %#v", data, le)
	}
}

func TestTruncatedEverywhere(t *testing.T) {
	doc := `{"id":1234567890123,"name":"caf\u00e9 \ud83d\ude00 вода 水","list":[1.5e-7,true,false,null,[],{}],"obj":{"a":{"b":["x",-1]}}}`
	for n := range len(doc) {
		data := []byte(doc[:n])
		if v, err := readAny(data); err == nil {
			t.Errorf("%q was read as %v", data, v)
		} else {
			checkError(t, data, err)
		}
		if err := skipAll(data); err == nil {
			t.Errorf("%q was skipped", data)
		}
		l := Lexer{Data: data}
		if b := l.Raw(); b != nil || l.Ok() {
			t.Errorf("%q was taken raw: %q", data, b)
		}
	}
	compareAny(t, []byte(doc))
}

// list reads nested arrays as generated code reads type list []list.
func list(l *Lexer) (deepest int) {
	l.Delim('[')
	for !l.IsDelim(']') {
		deepest = max(deepest, list(l))
		l.WantComma()
	}
	l.Delim(']')
	return deepest + 1
}

func TestDepthIsBounded(t *testing.T) {
	nested := func(n int, open, shut string) []byte {
		return []byte(strings.Repeat(open, n) + strings.Repeat(shut, n))
	}
	const limit = 10000
	for _, n := range []int{1, 63, 64, 65, 128, 129, limit, limit + 1, 1_000_000} {
		objects := strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n)
		for _, data := range [][]byte{nested(n, "[", "]"), []byte(objects)} {
			if n <= limit+1 {
				compareAny(t, data)
			}
			want := json.Valid(data)
			if _, err := readAny(data); (err == nil) != want {
				t.Fatalf("Interface of depth %d: %v", n, err)
			}
			if err := skipAll(data); (err == nil) != want {
				t.Fatalf("SkipRecursive of depth %d: %v", n, err)
			}
		}
		l := Lexer{Data: nested(n, "[", "]")}
		got := list(&l)
		if ok := n <= limit; l.Ok() != ok || ok && got != n || !ok && !strings.Contains(l.Error().Error(), "exceeded max depth") {
			t.Fatalf("a recursive type of depth %d: %d, %v", n, got, l.Error())
		}
		for _, multiple := range []bool{false, true} { // no closing brackets
			l := Lexer{Data: []byte(strings.Repeat("[", n)), UseMultipleErrors: multiple}
			l.Interface()
			if l.Ok() {
				t.Fatalf("%d brackets are a value", n)
			}
		}
	}
}

// Skipping with UseMultipleErrors goes back over a delimiter, which must not count twice.
func TestDepthCountsRewoundDelimitersOnce(t *testing.T) {
	data := "[" + strings.Repeat(`[{"a":[]}],{"b":{}},`, 20000) + "1]"
	l := Lexer{Data: []byte(data), UseMultipleErrors: true}
	n := 0
	l.Delim('[')
	for !l.IsDelim(']') {
		switch n % 4 {
		case 0:
			l.Int()
		case 1:
			l.Delim('(')
		case 2:
			l.SkipRecursive()
		default:
			l.Delim('[')
			for !l.IsDelim(']') {
				l.WantComma()
			}
			l.Delim(']')
		}
		n++
		l.WantComma()
	}
	l.Delim(']')
	l.Consumed()
	if !l.Ok() || n != 40001 || l.depth != 0 {
		t.Fatalf("%d values, depth %d, %v", n, l.depth, l.Error())
	}
	if len(l.GetNonFatalErrors()) == 0 {
		t.Fatalf("%d errors", len(l.GetNonFatalErrors()))
	}
}

func TestLenientIsEasyjsonsWay(t *testing.T) {
	SetLenient(true)
	defer SetLenient(false)
	for text, want := range map[string]any{
		"01": 1.0, "[01,1.]": []any{1.0, 1.0}, "-.5": -0.5, "1.e2": 100.0, "\"a\nb\"": "a\nb", "\"\xff\"": "\xff", "\"\xff\\n\"": "\xff\n", "{\"\x01\":1}": map[string]any{"\x01": 1.0},
		"\"\xed\xa0\x80\"": "\xed\xa0\x80", "1e5": 1e5, `"\u00e9"`: "é",
	} {
		if got, err := readAny([]byte(text)); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q is %#v, %v; want %#v", text, got, err, want)
		}
	}
	l := Lexer{Data: []byte("007")}
	if got := l.Int(); got != 7 || !l.Ok() {
		t.Errorf("007 is %d, %v", got, l.Error())
	}
	// What easyjson never took stays refused.
	for _, text := range []string{"[1,]", "[}", "1.2.3", "1e2e3", "-", "1e", "[1 2]", `"\x"`, `"`, "0x1", strings.Repeat("[", 10001) + strings.Repeat("]", 10001)} {
		if got, err := readAny([]byte(text)); err == nil {
			t.Errorf("%.40q is %v", text, got)
		}
	}
	// What is skipped is checked strictly, as easyjson does.
	if err := skipAll([]byte("[01]")); err == nil {
		t.Error("[01] was skipped")
	}
}

func TestNumbersAgreeWithEncodingJSON(t *testing.T) {
	for _, text := range []string{
		"0", "-0", "1", "-1", "127", "128", "-128", "-129", "255", "256", "32767", "32768", "-32768", "-32769", "65535", "65536", "2147483647", "2147483648",
		"-2147483648", "-2147483649", "4294967295", "4294967296", "9007199254740993", "999999999999999999", "1000000000000000000", "9223372036854775807",
		"9223372036854775808", "-9223372036854775808", "-9223372036854775809", "9999999999999999999", "10000000000000000000", "18446744073709551615",
		"18446744073709551616", "99999999999999999999", "1.0", "1e2", "0.1", "-0.0", "3.4028235e38", "3.4028236e38", "1e-45", "1e309", "-1e309", "5e-324", "1e-324",
		"1.7976931348623157e308", "0.30000000000000004", "123456789012345678e-5", "9007199254740993e0", "1e22", "1e23", "9007199254740991e22", "1e-22", "4.35", "0.000001",
		"2.2250738585072011e-308", "1" + strings.Repeat("0", 400), "0." + strings.Repeat("0", 400) + "1", "1e99999999999999999999", "1e-99999999999999999999",
		"1." + strings.Repeat("1", 40), strings.Repeat("9", 19), strings.Repeat("9", 20) + ".5", "1.5e+00000000000000001",
	} {
		compareNumber(t, text)
	}
}

// compareNumber reads text as every type of number.
func compareNumber(t *testing.T, text string) {
	t.Helper()
	compareOne(t, text, (*Lexer).Int, (*Lexer).IntStr)
	compareOne(t, text, (*Lexer).Int8, (*Lexer).Int8Str)
	compareOne(t, text, (*Lexer).Int16, (*Lexer).Int16Str)
	compareOne(t, text, (*Lexer).Int32, (*Lexer).Int32Str)
	compareOne(t, text, (*Lexer).Int64, (*Lexer).Int64Str)
	compareOne(t, text, (*Lexer).Uint, (*Lexer).UintStr)
	compareOne(t, text, (*Lexer).Uint8, (*Lexer).Uint8Str)
	compareOne(t, text, (*Lexer).Uint16, (*Lexer).Uint16Str)
	compareOne(t, text, (*Lexer).Uint32, (*Lexer).Uint32Str)
	compareOne(t, text, (*Lexer).Uint64, (*Lexer).Uint64Str)
	compareOne(t, text, nil, (*Lexer).UintptrStr)
	compareOne(t, text, (*Lexer).Float32, (*Lexer).Float32Str)
	compareOne(t, text, (*Lexer).Float64, (*Lexer).Float64Str)
}

func compareOne[T comparable](t *testing.T, text string, read, readStr func(*Lexer) T) {
	t.Helper()
	var want T
	wantErr := json.Unmarshal([]byte(text), &want)
	for _, c := range []struct {
		read func(*Lexer) T
		text string
	}{{read, text}, {readStr, `"` + text + `"`}, {read, " " + text + "\n"}} {
		if c.read == nil {
			continue
		}
		l := Lexer{Data: []byte(c.text)}
		got := c.read(&l)
		l.Consumed()
		if (l.Error() == nil) != (wantErr == nil) {
			t.Fatalf("%s as %T: %v; encoding/json: %v", c.text, want, l.Error(), wantErr)
		}
		if l.Ok() && fmt.Sprint(got) != fmt.Sprint(want) || signbit(got) != signbit(want) && l.Ok() {
			t.Fatalf("%s as %T is %v; want %v", c.text, want, got, want)
		}
		checkError(t, []byte(c.text), l.Error())
	}
}

func signbit(v any) bool {
	switch v := v.(type) {
	case float32:
		return math.Signbit(float64(v))
	case float64:
		return math.Signbit(v)
	}
	return false
}
