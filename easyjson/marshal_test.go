package easyjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/eddy-go/eddy/easyjson/jlexer"
	"github.com/eddy-go/eddy/easyjson/jwriter"
	"github.com/eddy-go/eddy/jsonwire"
)

// marshalFunc is a Marshaler of what it does.
type marshalFunc func(w *jwriter.Writer)

func (f marshalFunc) MarshalEasyJSON(w *jwriter.Writer) { f(w) }

// page is written as generated code writes it.
type page struct {
	ID   int
	Text string
	Next *page
}

func (p *page) MarshalEasyJSON(w *jwriter.Writer) {
	w.RawByte('{')
	w.RawString(`"id":`)
	w.Int(p.ID)
	w.RawString(`,"text":`)
	w.String(p.Text)
	w.RawString(`,"next":`)
	if p.Next == nil {
		w.RawString("null")
	} else {
		p.Next.MarshalEasyJSON(w)
	}
	w.RawByte('}')
}

func (p *page) standard() string {
	if p == nil {
		return "null"
	}
	text, _ := json.Marshal(p.Text)
	return fmt.Sprintf(`{"id":%d,"text":%s,"next":%s}`, p.ID, text, p.Next.standard())
}

// pages are small, larger than a writer's own array, and larger than a chunk.
func pages() []*page {
	list := []*page{{1, "a", nil}, {2, strings.Repeat("текст <&> ", 900), nil}}
	var long *page
	for i := range 400 {
		long = &page{i, strings.Repeat("some text, ", 90), long}
	}
	return append(list, long)
}

func TestMarshal(t *testing.T) {
	for _, p := range pages() {
		want := p.standard()
		got, err := Marshal(p)
		if err != nil || string(got) != want {
			t.Errorf("Marshal of %d bytes: %v", len(want), err)
		}
		var out bytes.Buffer
		n, err := MarshalToWriter(p, &out)
		if err != nil || n != len(want) || out.String() != want {
			t.Errorf("MarshalToWriter of %d bytes: %d, %v", len(want), n, err)
		}
		rec := httptest.NewRecorder()
		started, n, err := MarshalToHTTPResponseWriter(p, rec)
		if !started || err != nil || n != len(want) || rec.Body.String() != want {
			t.Errorf("MarshalToHTTPResponseWriter of %d bytes: %v, %d, %v", len(want), started, n, err)
		}
		if h := rec.Header(); h.Get("Content-Type") != "application/json" || h.Get("Content-Length") != strconv.Itoa(len(want)) {
			t.Errorf("headers %v", h)
		}
	}
}

func TestMarshalNil(t *testing.T) {
	var none *page
	for _, v := range []Marshaler{nil, none, marshalFunc(nil)} {
		a, err := Marshal(v)
		if string(a) != "null" || err != nil {
			t.Errorf("Marshal(%T) = %s, %v", v, a, err)
		}
		copy(a, "XXXX") // it is the caller's
		if b, _ := Marshal(v); string(b) != "null" {
			t.Errorf("Marshal(%T) = %s, after an earlier result was changed", v, b)
		}
		var out bytes.Buffer
		if n, err := MarshalToWriter(v, &out); n != 4 || err != nil || out.String() != "null" {
			t.Errorf("MarshalToWriter(%T) = %d, %v, %s", v, n, err, out.String())
		}
		rec := httptest.NewRecorder()
		started, n, err := MarshalToHTTPResponseWriter(v, rec)
		if !started || n != 4 || err != nil || rec.Body.String() != "null" || rec.Header().Get("Content-Length") != "4" {
			t.Errorf("MarshalToHTTPResponseWriter(%T) = %v, %d, %v, %s", v, started, n, err, rec.Body)
		}
	}
	if _, err := MarshalToWriter(nil, shortWriter{2}); err != io.ErrShortWrite {
		t.Errorf("short write of null: %v", err)
	}
	if got, err := Marshal(empty{}); string(got) != "{}" || err != nil {
		t.Errorf("a value of no size is not nil: %s, %v", got, err)
	}
}

type empty struct{}

func (empty) MarshalEasyJSON(w *jwriter.Writer) { w.RawString("{}") }

type shortWriter struct{ n int }

func (s shortWriter) Write(p []byte) (int, error) { return min(len(p), s.n), nil }

func TestNothingIsWrittenWithAnError(t *testing.T) {
	failed := errors.New("failed")
	for name, v := range map[string]Marshaler{
		"an error":        marshalFunc(func(w *jwriter.Writer) { w.RawString(`{"a":`); w.Raw(nil, failed); w.RawByte('}') }),
		"a large one":     marshalFunc(func(w *jwriter.Writer) { w.String(strings.Repeat("x", 300_000)); w.Error = failed }),
		"a missing value": marshalFunc(func(w *jwriter.Writer) { w.RawString(`{"a":`); w.RawByte('}') }),
		"an invalid raw":  &RawMessage{'{'},
	} {
		if got, err := Marshal(v); err == nil || got != nil {
			t.Errorf("%s: Marshal = %.40q, %v", name, got, err)
		}
		calls := 0
		n, err := MarshalToWriter(v, countWriter{&calls})
		if err == nil || n != 0 || calls != 0 {
			t.Errorf("%s: MarshalToWriter = %d, %v, %d calls", name, n, err, calls)
		}
		rec := httptest.NewRecorder()
		started, n, err := MarshalToHTTPResponseWriter(v, rec)
		if started || n != 0 || err == nil || rec.Body.Len() != 0 || len(rec.Header()) != 0 {
			t.Errorf("%s: MarshalToHTTPResponseWriter = %v, %d, %v; %v", name, started, n, err, rec)
		}
	}
}

// What failed leaves nothing behind for the next document.
func TestDocumentAfterAnError(t *testing.T) {
	v := marshalFunc(func(w *jwriter.Writer) { w.RawString("left over"); w.Error = io.EOF })
	for name, marshal := range map[string]func(){
		"Marshal":                     func() { Marshal(v) },
		"MarshalToWriter":             func() { MarshalToWriter(v, io.Discard) },
		"MarshalToHTTPResponseWriter": func() { MarshalToHTTPResponseWriter(v, httptest.NewRecorder()) },
	} {
		for range 10 {
			marshal()
			if got, err := Marshal(&page{ID: 1}); string(got) != `{"id":1,"text":"","next":null}` || err != nil {
				t.Fatalf("after %s: %s, %v", name, got, err)
			}
		}
	}
}

type countWriter struct{ calls *int }

func (c countWriter) Write(p []byte) (int, error) { *c.calls++; return len(p), nil }

func TestShortWrite(t *testing.T) {
	for _, p := range pages() {
		if n, err := MarshalToWriter(p, shortWriter{5}); n != 5 || err != io.ErrShortWrite {
			t.Errorf("MarshalToWriter = %d, %v", n, err)
		}
		started, n, err := MarshalToHTTPResponseWriter(p, shortResponse{httptest.NewRecorder(), 7})
		if !started || n != 7 || err != io.ErrShortWrite {
			t.Errorf("MarshalToHTTPResponseWriter = %v, %d, %v", started, n, err)
		}
	}
}

type shortResponse struct {
	http.ResponseWriter
	n int
}

func (s shortResponse) Write(p []byte) (int, error) { return min(len(p), s.n), nil }

// What one document sets does not reach the next one, though they share a
// Writer.
func TestOptionsEndWithTheCall(t *testing.T) {
	set := marshalFunc(func(w *jwriter.Writer) {
		w.NoEscapeHTML, w.Flags, w.Error = true, jwriter.StdFormat|jwriter.NilMapAsEmpty, errors.New("failed")
	})
	for range 10 {
		if _, err := Marshal(set); err == nil {
			t.Fatal("no error")
		}
		got, err := Marshal(marshalFunc(func(w *jwriter.Writer) {
			if w.Flags != 0 || w.NoEscapeHTML || w.Error != nil || w.Size() != 0 {
				t.Errorf("a Writer begins as %+v", w)
			}
			w.String("<")
			w.Float64(1e6)
		}))
		if string(got) != `"\u003c"1e+06` || err != nil {
			t.Fatalf("got %s, %v", got, err)
		}
	}
}

// A method may take the document out itself, or put another Writer in its place.
func TestMethodsThatTakeOver(t *testing.T) {
	loses(t) // a Writer that is overwritten
	for range 3 {
		var inner []byte
		got, err := Marshal(marshalFunc(func(w *jwriter.Writer) {
			w.RawString("1")
			inner, _ = w.BuildBytes()
			w.RawString("2")
		}))
		if string(inner) != "1" || string(got) != "2" || err != nil {
			t.Errorf("got %s inside, %s, %v", inner, got, err)
		}
		got, err = Marshal(marshalFunc(func(w *jwriter.Writer) {
			w.RawString("lost")
			*w = jwriter.Writer{}
			w.RawString("3")
		}))
		if string(got) != "3" || err != nil {
			t.Errorf("got %s, %v", got, err)
		}
		got, err = Marshal(marshalFunc(func(w *jwriter.Writer) {
			w.RawString("[")
			part, _ := Marshal(&page{ID: 4})
			w.Raw(part, nil)
			w.RawString("]")
		}))
		if string(got) != `[{"id":4,"text":"","next":null}]` || err != nil {
			t.Errorf("got %s, %v", got, err)
		}
	}
}

func TestMethodThatPanics(t *testing.T) {
	loses(t) // a Writer that a panic runs past
	for range 20 {
		func() {
			defer func() { recover() }()
			Marshal(marshalFunc(func(w *jwriter.Writer) { w.RawString("half a document"); panic("now") }))
		}()
		if got, err := Marshal(&page{ID: 1}); string(got) != `{"id":1,"text":"","next":null}` || err != nil {
			t.Fatalf("after a panic: %s, %v", got, err)
		}
	}
}

func TestMarshalConcurrently(t *testing.T) {
	list := pages()
	var standards []string
	for _, p := range list {
		standards = append(standards, p.standard())
	}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 30 {
				p, want := list[(g+i)%len(list)], standards[(g+i)%len(list)]
				if got, err := Marshal(p); string(got) != want || err != nil {
					t.Errorf("Marshal of %d bytes: other bytes, %v", len(want), err)
				}
				var out bytes.Buffer
				if _, err := MarshalToWriter(p, &out); out.String() != want || err != nil {
					t.Errorf("MarshalToWriter of %d bytes: other bytes, %v", len(want), err)
				}
			}
		})
	}
	wg.Wait()
}

func TestRawMessage(t *testing.T) {
	for _, c := range []struct{ raw, want string }{{"", "null"}, {"null", "null"}, {`{"a": [1]}`, `{"a": [1]}`}} {
		v := RawMessage(c.raw)
		if got, err := Marshal(&v); string(got) != c.want || err != nil {
			t.Errorf("Marshal(%q) = %s, %v", c.raw, got, err)
		}
		if got, err := v.MarshalJSON(); string(got) != c.want || err != nil {
			t.Errorf("MarshalJSON of %q = %s, %v", c.raw, got, err)
		}
		if v.IsDefined() != (c.raw != "") {
			t.Errorf("IsDefined() = %v of %q", v.IsDefined(), c.raw)
		}
	}
	for _, raw := range []string{"{", "1,2", "]"} {
		v := RawMessage(raw)
		_, err := Marshal(&v)
		var se *jsonwire.SyntaxError
		if !errors.As(err, &se) {
			t.Errorf("Marshal(%q): %v", raw, err)
		}
	}
	for name, read := range map[string]func(v *RawMessage, data []byte) error{
		"UnmarshalJSON": (*RawMessage).UnmarshalJSON,
		"Unmarshal":     func(v *RawMessage, data []byte) error { return Unmarshal(data, v) },
	} {
		data := []byte(`{"k":[1,2]}`)
		var v RawMessage
		if err := read(&v, data); err != nil || string(v) != string(data) {
			t.Errorf("%s: %s, %v", name, v, err)
		}
		clear(data)
		if string(v) != `{"k":[1,2]}` {
			t.Errorf("%s: the value refers to the input: %q", name, v)
		}
	}
}

// The names that a lexer gives to UnmarshalUnknown are part of the input.
func TestUnknownFieldsProxyKeepsNames(t *testing.T) {
	var u UnknownFieldsProxy
	data := []byte(`{"name":1}`)
	in := jlexer.Lexer{Data: data}
	in.Delim('{')
	key := in.UnsafeString()
	in.WantColon()
	u.UnmarshalUnknown(&in, key)
	clear(data)
	got, err := Marshal(marshalFunc(func(w *jwriter.Writer) { u.MarshalUnknowns(w, true) }))
	if string(got) != `"name":1` || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestUnknownFieldsProxy(t *testing.T) {
	var u UnknownFieldsProxy
	data := []byte(`{"b":1,"a<":"x","c":{"d":[true]}}`)
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		t.Fatal(err)
	}
	for k, raw := range members {
		if err := Unmarshal(raw, unknownMember{&u, k}); err != nil {
			t.Fatal(err)
		}
		clear(raw)
	}
	for _, first := range []bool{true, false} {
		got, err := Marshal(marshalFunc(func(w *jwriter.Writer) { u.MarshalUnknowns(w, first) }))
		want := `"a\u003c":"x","b":1,"c":{"d":[true]}`
		if !first {
			want = "," + want
		}
		if string(got) != want || err != nil {
			t.Errorf("got %s, %v, want %s", got, err, want)
		}
	}
	if got, err := Marshal(marshalFunc(func(w *jwriter.Writer) { new(UnknownFieldsProxy).MarshalUnknowns(w, true) })); len(got) != 0 || err != nil {
		t.Errorf("no members: %s, %v", got, err)
	}
}
