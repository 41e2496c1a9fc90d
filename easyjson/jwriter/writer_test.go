package jwriter

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/eddy-go/eddy/jsonwire"
)

// formed returns what write writes, checked with each way out.
func formed(t *testing.T, w Writer, write func(w *Writer)) (string, error) {
	t.Helper()
	a, b, c := w, w, w
	write(&a)
	size := a.Size()
	data, err := a.BuildBytes()
	write(&b)
	var out bytes.Buffer
	n, errDump := b.DumpTo(&out)
	write(&c)
	var read []byte
	r, errRead := c.ReadCloser()
	if errRead == nil {
		read, _ = io.ReadAll(r)
		r.Close()
	}
	if !bytes.Equal(data, out.Bytes()) || !bytes.Equal(data, read) || n != len(data) {
		t.Errorf("BuildBytes %q, DumpTo %q, ReadCloser %q", data, out.Bytes(), read)
	}
	if (err == nil) != (errDump == nil) || (err == nil) != (errRead == nil) {
		t.Errorf("errors: BuildBytes %v, DumpTo %v, ReadCloser %v", err, errDump, errRead)
	}
	if err == nil && size != len(data) {
		t.Errorf("Size() = %d of %d bytes", size, len(data))
	}
	if a.Size() != 0 || b.Size() != 0 || c.Size() != 0 {
		t.Error("the Writer is not empty afterwards")
	}
	return string(data), err
}

func TestValues(t *testing.T) {
	for _, c := range []struct {
		want  string
		write func(w *Writer)
	}{
		{`{"a":[1,-2]}`, func(w *Writer) {
			w.RawByte('{')
			w.RawString(`"a":`)
			w.RawByte('[')
			w.Int(1)
			w.RawByte(',')
			w.Int(-2)
			w.RawByte(']')
			w.RawByte('}')
		}},
		{`255,65535,4294967295,18446744073709551615,18446744073709551615`, func(w *Writer) {
			w.Uint8(math.MaxUint8)
			w.RawByte(',')
			w.Uint16(math.MaxUint16)
			w.RawByte(',')
			w.Uint32(math.MaxUint32)
			w.RawByte(',')
			w.Uint64(math.MaxUint64)
			w.RawByte(',')
			w.Uint64(math.MaxUint64)
		}},
		{`-128 -32768 -2147483648 -9223372036854775808 7 8`, func(w *Writer) {
			w.Int8(math.MinInt8)
			w.RawByte(' ')
			w.Int16(math.MinInt16)
			w.RawByte(' ')
			w.Int32(math.MinInt32)
			w.RawByte(' ')
			w.Int64(math.MinInt64)
			w.RawByte(' ')
			w.Int(7)
			w.RawByte(' ')
			w.Uint(8)
		}},
		{`"255""65535""4294967295""7""18446744073709551615""9"`, func(w *Writer) {
			w.Uint8Str(math.MaxUint8)
			w.Uint16Str(math.MaxUint16)
			w.Uint32Str(math.MaxUint32)
			w.UintStr(7)
			w.Uint64Str(math.MaxUint64)
			w.UintptrStr(9)
		}},
		{`"-128""-32768""-2147483648""-7""-9223372036854775808"`, func(w *Writer) {
			w.Int8Str(math.MinInt8)
			w.Int16Str(math.MinInt16)
			w.Int32Str(math.MinInt32)
			w.IntStr(-7)
			w.Int64Str(math.MinInt64)
		}},
		{`true false`, func(w *Writer) { w.Bool(true); w.RawByte(' '); w.Bool(false) }},
		{`"a\"b\\c\n\r\t\u0008\u000c\u0000\u003c\u003e\u0026\u2028\ufffdя"`, func(w *Writer) { w.String("a\"b\\c\n\r\t\b\f\x00<>&\u2028\xffя") }},
		{`null "" "AAEC"`, func(w *Writer) {
			w.Base64Bytes(nil)
			w.RawByte(' ')
			w.Base64Bytes([]byte{})
			w.RawByte(' ')
			w.Base64Bytes([]byte{0, 1, 2})
		}},
		{`null,{"x":1}`, func(w *Writer) { w.Raw(nil, nil); w.RawByte(','); w.Raw([]byte(`{"x":1}`), nil) }},
		{`"te\"xt","","more"`, func(w *Writer) {
			w.RawText([]byte(`te"xt`), nil)
			w.RawByte(',')
			w.RawText(nil, nil)
			w.RawByte(',')
			w.RawBytesString([]byte("more"), nil)
		}},
		{`1.5 1e+06 1e-07 100000 0.1 3.4028235e+38`, func(w *Writer) {
			w.Float64(1.5)
			w.RawByte(' ')
			w.Float64(1e6)
			w.RawByte(' ')
			w.Float64(1e-7)
			w.RawByte(' ')
			w.Float64(1e5)
			w.RawByte(' ')
			w.Float32(0.1)
			w.RawByte(' ')
			w.Float32(math.MaxFloat32)
		}},
		{`"1e+06""0.1"`, func(w *Writer) { w.Float64Str(1e6); w.Float32Str(0.1) }},
	} {
		if got, err := formed(t, Writer{}, c.write); err != nil || got != c.want {
			t.Errorf("got %s, %v\nwant %s", got, err, c.want)
		}
	}
}

func TestNoEscapeHTML(t *testing.T) {
	got, err := formed(t, Writer{NoEscapeHTML: true}, func(w *Writer) { w.String("<a&b>\"\b") })
	if want := `"<a&b>\"\u0008"`; got != want || err != nil {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}

func TestStdFormat(t *testing.T) {
	write := func(w *Writer) {
		for _, f := range []float64{1e6, 1e-7, 1e21, 1.5, 1e20} {
			w.Float64(f)
			w.RawByte(' ')
		}
		w.Float32(1e7)
		w.Float64Str(1e6)
		w.String("\b\f\x01")
	}
	const want = `1000000 1e-7 1e+21 1.5 100000000000000000000 10000000"1000000""\b\f\u0001"`
	if got, err := formed(t, Writer{Flags: StdFormat}, write); got != want || err != nil {
		t.Errorf("by Flags: got %s, %v", got, err)
	}
	Compat = StdFormat
	defer func() { Compat = 0 }()
	if got, err := formed(t, Writer{}, write); got != want || err != nil {
		t.Errorf("by Compat: got %s, %v", got, err)
	}
}

// Strings of all lengths, which end and begin at all places of arrays and
// chunks, with and without escapes.
func TestStringsAcrossChunks(t *testing.T) {
	for _, unit := range []string{"x", "я", "文", "😀", "\x01", "\xff", "<", "\u2028", "plain and < & >, русский 文字\n"} {
		for _, n := range []int{1, 7, 100, 500, 4096, 33_000, 70_000, 200_000} {
			s := strings.Repeat(unit, 1+n/len(unit))
			want := string(jsonwire.AppendString(nil, s, jsonwire.LongControls))
			for _, before := range []int{0, 3, 60_000, 65_000, 65_535} {
				prefix := strings.Repeat(" ", before)
				var w Writer
				w.RawString(prefix)
				w.String(s)
				w.String("")
				got, err := w.BuildBytes()
				if err != nil || string(got) != prefix+want+`""` {
					t.Fatalf("%d times %q behind %d bytes: other bytes, %v", n, unit, before, err)
				}
			}
		}
	}
}

func TestBase64AcrossChunks(t *testing.T) {
	for _, n := range []int{1, 2, 3, 1000, 3071, 3072, 3073, 50_000, 300_000} {
		data := bytes.Repeat([]byte{0xFB, 0xFF, 7, 1}, n/4+1)[:n]
		var w Writer
		w.Base64Bytes(data)
		got, err := w.BuildBytes()
		if want := `"` + base64.StdEncoding.EncodeToString(data) + `"`; string(got) != want || err != nil {
			t.Errorf("%d bytes: other base64, %v", n, err)
		}
	}
}

func TestRawStringOfAllLengths(t *testing.T) {
	for n := range 80 {
		s := strings.Repeat("abcdefghij", 8)[:n]
		var w Writer
		want := ""
		for range 50 {
			w.RawString(s)
			w.RawByte('|')
			want += s + "|"
		}
		if got, err := w.BuildBytes(); string(got) != want || err != nil {
			t.Errorf("length %d: got %q, %v", n, got, err)
		}
	}
}

func TestNoDocumentWithAnError(t *testing.T) {
	failed := errors.New("failed")
	for name, write := range map[string]func(w *Writer){
		"Raw":            func(w *Writer) { w.Raw(nil, failed) },
		"RawText":        func(w *Writer) { w.RawText(nil, failed) },
		"RawBytesString": func(w *Writer) { w.RawBytesString(nil, failed) },
		"Error":          func(w *Writer) { w.Error = failed },
		"first of two":   func(w *Writer) { w.Raw(nil, failed); w.Float64(math.NaN()); w.Raw(nil, errors.New("later")) },
	} {
		for _, n := range []int{0, 100_000} {
			got, err := formed(t, Writer{}, func(w *Writer) {
				w.RawString(`{"a":` + strings.Repeat(" ", n))
				write(w)
				w.RawByte('}')
			})
			if !errors.Is(err, failed) || got != "" {
				t.Errorf("%s: got %.50q, %v", name, got, err)
			}
		}
	}
}

func TestFloatsWithoutAForm(t *testing.T) {
	for _, f := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for name, write := range map[string]func(w *Writer){
			"Float64":    func(w *Writer) { w.Float64(f) },
			"Float64Str": func(w *Writer) { w.Float64Str(f) },
			"Float32":    func(w *Writer) { w.Float32(float32(f)) },
			"Float32Str": func(w *Writer) { w.Float32Str(float32(f)) },
		} {
			got, err := formed(t, Writer{}, write)
			var fe *jsonwire.FloatError
			if !errors.As(err, &fe) || got != "" {
				t.Errorf("%s(%v): got %q, %v", name, f, got, err)
			}
			_, std := json.Marshal(f)
			if err.Error() != std.Error() {
				t.Errorf("%s(%v): %q, where encoding/json says %q", name, f, err, std)
			}
		}
	}
}

func TestRawIsChecked(t *testing.T) {
	for _, raw := range []string{`{"a":}`, `{`, `01`, `nul`, `1 2`, ` `, `"a`, `[1,]`, "\"\n\"", `}`} {
		write := func(w *Writer) { w.RawString(`{"r":`); w.Raw([]byte(raw), nil); w.RawByte('}') }
		got, err := formed(t, Writer{}, write)
		var se *jsonwire.SyntaxError
		if !errors.As(err, &se) || got != "" {
			t.Errorf("Raw(%q): got %q, %v", raw, got, err)
		}
		got, err = formed(t, Writer{Flags: RawUnchecked | MissingValues}, write)
		if err != nil || got != `{"r":`+raw+`}` {
			t.Errorf("unchecked Raw(%q): got %q, %v", raw, got, err)
		}
	}
	// As it is, whitespace and all.
	raw := ` { "a" : [ 1 , "<>" ] } `
	if got, err := formed(t, Writer{}, func(w *Writer) { w.Raw([]byte(raw), nil) }); got != raw || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}

// Members without a value, as code generated for fields of interface types
// leaves them, wherever they are.
func TestMissingValues(t *testing.T) {
	// Each document is written piece by piece as such code does it.
	docs := [][]string{
		{`{`, `"a":`, `}`},
		{`{`, `"a":`, `,"b":`, `1`, `}`},
		{`{`, `"b":`, `1`, `,"a":`, `}`},
		{`{`, `"o":`, `{`, `"a":`, `}`, `,"b":`, `1`, `}`},
		{`{`, `"o":`, `{`, `"a":`, `}`, `}`},
		{`{`, `"o":`, `{`, `"a":`, `}`, `}`, ` `},
		{`[`, `{`, `"a":`, `}`, `,`, `{`, `"a":`, `1`, `}`, `]`},
		{`{`, `"l":`, `[`, `{`, `"a":`, `}`, `]`, `,"b":`, `2`, `}`},
		{`{`, `"l":`, `[`, `{`, `"a":`, `}`, `]`, `}`},
		// Lists of two, of which none or the first was written.
		{`{`, `"l":`, `[`, `,`, `]`, `,"b":`, `1`, `}`},
		{`{`, `"l":`, `[`, `42`, `,`, `]`, `}`},
		{`{`, `"m":`, `{`, `"k":`, `,"l":`, `42`, `}`, `}`},
	}
	for _, doc := range docs {
		write := func(w *Writer) {
			for _, piece := range doc {
				if len(piece) == 1 {
					w.RawByte(piece[0])
				} else {
					w.RawString(piece)
				}
			}
		}
		whole := strings.Join(doc, "")
		if doc[len(doc)-1] != " " {
			if got, err := formed(t, Writer{}, write); err != ErrNoValue || got != "" {
				t.Errorf("%s: got %q, %v", whole, got, err)
			}
		}
		if got, err := formed(t, Writer{Flags: MissingValues}, write); err != nil || got != whole {
			t.Errorf("%s with MissingValues: got %q, %v", whole, got, err)
		}
	}
	// What looks like it and is not.
	for _, doc := range [][]string{
		{`{`, `"a:":`, `":"`, `,"b":`, `":}"`, `,"c":`, `"},{"`, `}`},
		{`[`, `":},{"`, `,"x"`, `]`},
		{`{`, `"o":`, `{`, `}`, `,"l":`, `[`, `]`, `,"m":`, `[`, `[`, `]`, `]`, `,"n":`, `{`, `"o":`, `{`, `}`, `}`, `}`},
		// Strings in pieces.
		{`"`, `a:`, `,b`, `"`}, {`[`, `"smile :]`, `, ok"`, `]`}, {`{`, `"time":`, `"12:`, `,30"`, `}`}, {`{"a":"x,]`, `,:}`, `,"`, `}`},
		{`":"`}, {`{`, `"a":`, `true`, `,"b":`, `null`, `,"c":`, `":]"`, `}`},
	} {
		write := func(w *Writer) {
			for _, piece := range doc {
				w.RawString(piece)
			}
		}
		if got, err := formed(t, Writer{}, write); err != nil || !json.Valid([]byte(got)) {
			t.Errorf("%q: %v", got, err)
		}
	}
}

// Parts of a document go out as they are, by whatever method: what they are a
// part of is not known.
func TestPartsOfDocuments(t *testing.T) {
	var out strings.Builder
	var w Writer
	for _, part := range []string{`{"key":`, `1,"l":[1`, `,2],"time":"12:`, `:30 :}`, `,"}`, `}`} {
		w.RawString(part)
		if _, err := w.DumpTo(&out); err != nil {
			t.Errorf("%s: %v", part, err)
		}
	}
	if got, want := out.String(), `{"key":1,"l":[1,2],"time":"12::30 :},"}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	w.String("key")
	w.RawByte(':')
	if got, err := w.BuildBytes(); string(got) != `"key":` || err != nil {
		t.Errorf("got %s, %v", got, err)
	}
}

// In a document of several chunks the beginning is not in Buf.
func TestMissingValuesOfLongDocuments(t *testing.T) {
	for _, tail := range []string{`,"a":`, `,"o":{"a":`} {
		var w Writer
		w.RawString(`{"long":`)
		w.String(strings.Repeat("x", 300_000))
		w.RawString(tail)
		w.RawString(strings.Repeat("}", strings.Count(tail, ":")))
		if got, err := w.BuildBytes(); err != ErrNoValue {
			t.Errorf("%s: %d bytes, %v", tail, len(got), err)
		}
	}
}

func TestErrSaysWhyThereIsNoDocument(t *testing.T) {
	var w Writer
	w.RawString(`{"a":`)
	if err := w.Err(); err != ErrNoValue {
		t.Errorf("Err() = %v behind a colon", err)
	}
	w.Free()
	w.Int(1)
	if err := w.Err(); err != nil {
		t.Errorf("Err() = %v", err)
	}
	if got, err := w.BuildBytes(); string(got) != "1" || err != nil {
		t.Errorf("got %q, %v after Free", got, err)
	}
}

func TestBuildBytesReuse(t *testing.T) {
	for _, n := range []int{5, 1000, 100_000} {
		var w Writer
		w.RawString(strings.Repeat(" ", n))
		reuse := make([]byte, 0, n)
		got, err := w.BuildBytes(reuse)
		if err != nil || len(got) != n || &got[0] != &reuse[:1][0] {
			t.Errorf("%d bytes did not go into the slice given: %v", n, err)
		}
	}
}

func FuzzStringEqualsEncodingJSON(f *testing.F) {
	f.Add("text", "more <&> \x7f \u2028", 3, 1.5)
	f.Add("", "\xff\xfe", 70000, 1e21)
	f.Add(strings.Repeat("я", 100), "\\\"", 4090, math.Copysign(0, -1))
	f.Fuzz(func(t *testing.T, a, b string, n int, x float64) {
		v := map[string]any{"k": []any{strings.ToValidUTF8(a, "?"), strings.ToValidUTF8(b, "?"), n, x}}
		want, err := json.Marshal(v)
		w := Writer{Flags: StdFormat}
		w.RawString(`{"k":[`)
		w.String(strings.ToValidUTF8(a, "?"))
		w.RawByte(',')
		w.String(strings.ToValidUTF8(b, "?"))
		w.RawByte(',')
		w.Int(n)
		w.RawByte(',')
		w.Float64(x)
		w.RawString("]}")
		got, err2 := w.BuildBytes()
		if (err == nil) != (err2 == nil) || string(got) != string(want) {
			t.Fatalf("got %s, %v\nwant %s, %v", got, err2, want, err)
		}
	})
}
