package zoo

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http/httptest"
	"reflect"
	"testing"
	"time"

	eddyjwriter "github.com/eddy-go/eddy/easyjson/jwriter"
	"github.com/mailru/easyjson"
	"github.com/mailru/easyjson/buffer"
	"github.com/mailru/easyjson/jlexer"
	"github.com/mailru/easyjson/jwriter"
	"github.com/mailru/easyjson/opt"
)

// A value that was made for the drop-in's package serves eddy's as well.
var _ *eddyjwriter.Writer = (*jwriter.Writer)(nil)

func ptr[T any](v T) *T { return &v }

func sample() *All {
	return &All{
		Scalars:  Scalars{B: true, S: "вода & <水>", I: -1, I8: -128, U64: 1<<64 - 1, F32: 0.5, F64: 1e-9, NS: "n", NF: 2.25},
		Quoted:   Quoted{I: 7, U8: 255, F64: 1.5, Ptr: ptr(int64(9))},
		Pointers: Pointers{I: ptr(3), S: ptr(""), Map: &map[string]int{"a": 1}, Of: []*Scalars{nil, {I: 5}}},
		Lists: Lists{
			Ints: []int{1, 2}, Strs: []string{}, Nested: [][]string{{"x"}, nil}, Bytes: []byte("bytes"),
			Blob: Blob("blob"), Arr: [3]int{1, 2, 3}, ArrB: [4]byte{1, 2, 3, 4}, Any: []interface{}{"a", 1.5, nil, true},
		},
		Embedded:   Embedded{Deep: Deep{Base: Base{ID: 4, Kind: "k"}, Depth: 2}, Extra: &Extra{Note: "n"}, Own: "o"},
		Optionals:  Optionals{B: opt.OBool(false), S: opt.OString("s"), I64: opt.OInt64(-5), F64: opt.OFloat64(0.25), OI: opt.OInt(0)},
		Omitted:    Omitted{S: "s", A: map[string]interface{}{"k": []interface{}{1.0}}, Raw: easyjson.RawMessage(`{"raw":[1]}`)},
		Raws:       Raws{Easy: easyjson.RawMessage(`[1]`), Std: json.RawMessage(`{"a":null}`), Num: "12.5", Any: "x"},
		Marshalers: Marshalers{Level: 3, PLevel: ptr(Level(4)), Temp: 21.5, Pair: Pair{1, 2}, Time: time.Unix(1e9, 5).UTC(), Levels: []Level{1}},
		Shared:     Shared{Intern: "i", NoCopy: "n", Interns: []string{"i", "i"}, Bytes: []byte{1}},
		Tree:       Tree{Value: 1, Left: &Tree{Value: 2, Kids: []Tree{{Value: 3}}}, By: map[string]*Tree{"k": {}}},
		Members:    Members{HTML: 1, Cyrillic: 2, Emoji: 3},
		Names:      Names{"a", "b"},
	}
}

func TestGeneratedCodeRunsOnTheDropIn(t *testing.T) {
	in := sample()
	doc, err := easyjson.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	if !json.Valid(doc) {
		t.Fatalf("no valid JSON: %s", doc)
	}
	var back All
	if err := easyjson.Unmarshal(doc, &back); err != nil {
		t.Fatal(err)
	}
	again, err := easyjson.Marshal(&back)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(again, doc) {
		t.Errorf("read back and written again:\n%s\nwant\n%s", again, doc)
	}
	if !reflect.DeepEqual(back.Scalars, in.Scalars) || !reflect.DeepEqual(back.Marshalers, in.Marshalers) || !reflect.DeepEqual(back.Tree, in.Tree) {
		t.Errorf("read back\n%+v\nwant\n%+v", back, *in)
	}

	// The methods of encoding/json that were generated as well.
	std, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	var viaStd All
	if err := json.Unmarshal(std, &viaStd); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(viaStd, back) {
		t.Error("encoding/json on the generated methods reads something else")
	}
}

func TestForwards(t *testing.T) {
	v := Names{"a", "<b>"}
	const want = `["a","\u003cb\u003e"]`

	var out bytes.Buffer
	if n, err := easyjson.MarshalToWriter(v, &out); n != len(want) || err != nil || out.String() != want {
		t.Errorf("MarshalToWriter: %d, %v, %s", n, err, out.String())
	}
	rec := httptest.NewRecorder()
	if started, n, err := easyjson.MarshalToHTTPResponseWriter(v, rec); !started || n != len(want) || err != nil || rec.Body.String() != want {
		t.Errorf("MarshalToHTTPResponseWriter: %v, %d, %v, %s", started, n, err, rec.Body)
	}
	var back Names
	if err := easyjson.UnmarshalFromReader(bytes.NewReader([]byte(want)), &back); err != nil || !reflect.DeepEqual(back, v) {
		t.Errorf("UnmarshalFromReader: %v, %v", back, err)
	}
	err := easyjson.Unmarshal([]byte(`["a",1]`), &back)
	if le := (*jlexer.LexerError)(nil); !errors.As(err, &le) || le.Offset == 0 {
		t.Errorf("err = %v, want a LexerError with an offset", err)
	}

	w := jwriter.Writer{Flags: jwriter.NilMapAsEmpty | jwriter.NilSliceAsEmpty}
	Index(nil).MarshalEasyJSON(&w)
	Names(nil).MarshalEasyJSON(&w)
	if got, err := w.BuildBytes(); string(got) != "{}[]" || err != nil {
		t.Errorf("with both flags: %s, %v", got, err)
	}
	w = jwriter.Writer{NoEscapeHTML: true}
	v.MarshalEasyJSON(&w)
	if got, err := w.BuildBytes(); string(got) != `["a","<b>"]` || err != nil {
		t.Errorf("NoEscapeHTML: %s, %v", got, err)
	}

	var b buffer.Buffer
	b.AppendString("abc")
	if got := string(b.BuildBytes()); got != "abc" {
		t.Errorf("buffer: %s", got)
	}
	l := jlexer.Lexer{Data: []byte(`true`)}
	if l.CurrentToken() != jlexer.TokenBool && !l.Bool() || l.Error() != nil {
		t.Errorf("lexer: %v", l.Error())
	}
}

// Types that keep what they do not know, and types that refuse it.
func TestUnknownMembers(t *testing.T) {
	const doc = `{"Known":"k","more":{"x":[1]}}`
	var u Unknown
	if err := easyjson.Unmarshal([]byte(doc), &u); err != nil {
		t.Fatal(err)
	}
	if got, err := easyjson.Marshal(u); err != nil || string(got) != doc {
		t.Errorf("written again: %s, %v", got, err)
	}
	var s SnakeCase
	if err := easyjson.Unmarshal([]byte(`{"user_id":1,"nope":2}`), &s); err == nil {
		t.Error("an unknown member was taken")
	}
}
