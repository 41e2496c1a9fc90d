package interop

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/eddy-go/eddy/easyjson"
	"github.com/eddy-go/eddy/easyjson/jlexer"
	"github.com/eddy-go/eddy/easyjson/jwriter"
	upstream "github.com/mailru/easyjson"
	upstreamjwriter "github.com/mailru/easyjson/jwriter"

	own "github.com/eddy-go/eddy/bench/interop/eddy/zoo"
	peer "github.com/eddy-go/eddy/bench/interop/upstream/zoo"
)

// Here upstream is wrong and eddy differs on purpose. Each test looks at both,
// so that it says when upstream has changed.

func TestErrorsOfMethodsReachTheCaller(t *testing.T) {
	p, o := peer.Marshalers{Level: -1}, own.Marshalers{Level: -1}

	var out bytes.Buffer
	if _, err := upstream.MarshalToWriter(p, &out); err != nil || json.Valid(out.Bytes()) {
		t.Errorf("upstream's MarshalToWriter now reports the error: %v, %s", err, out.Bytes())
	}
	out.Reset()
	if n, err := easyjson.MarshalToWriter(o, &out); err == nil || n != 0 || out.Len() != 0 {
		t.Errorf("MarshalToWriter wrote %q, error %v; want nothing and the method's error", out.Bytes(), err)
	}
	if doc, err := easyjson.Marshal(o); err == nil {
		t.Errorf("Marshal returned %q without an error", doc)
	}
}

func TestInterfacesWithMarshalJSON(t *testing.T) {
	easyPeer, jsonPeer := peer.Pair{A: 1, B: 2}, peer.Celsius(3)
	p := peer.Asks{Before: 1, Easy: &easyPeer, JSON: &jsonPeer, After: 2}
	easyOwn, jsonOwn := own.Pair{A: 1, B: 2}, own.Celsius(3)
	o := own.Asks{Before: 1, Easy: &easyOwn, JSON: &jsonOwn, After: 2}

	if doc, err := upstream.Marshal(p); err != nil || json.Valid(doc) {
		t.Errorf("upstream now writes %s, error %v", doc, err)
	}
	if doc, err := easyjson.Marshal(o); !errors.Is(err, jwriter.ErrNoValue) {
		t.Errorf("Marshal wrote %s with the error %v, want ErrNoValue", doc, err)
	}
	// Read back, both call the methods.
	const doc = `{"Before":5,"Easy":[3,4],"JSON":{"celsius":6},"After":7}`
	if err := upstream.Unmarshal([]byte(doc), &p); err != nil {
		t.Fatal(err)
	}
	if err := easyjson.Unmarshal([]byte(doc), &o); err != nil {
		t.Fatal(err)
	}
	if easyOwn != (own.Pair{A: 3, B: 4}) || jsonOwn != 6 || o.After != 7 || dump(p) != dump(o) {
		t.Errorf("read %s, upstream %s", dump(o), dump(p))
	}
}

func TestRawValuesAreChecked(t *testing.T) {
	const bad = `{"a" 1}`
	if doc, err := upstream.Marshal(peer.Raws{Easy: []byte(bad), Num: "1"}); err != nil || !strings.Contains(string(doc), bad) {
		t.Errorf("upstream now checks raw values: %s, %v", doc, err)
	}
	if doc, err := easyjson.Marshal(own.Raws{Easy: []byte(bad), Num: "1"}); err == nil {
		t.Errorf("Marshal took a raw value that is not JSON: %s", doc)
	}
	w := jwriter.Writer{Flags: jwriter.RawUnchecked}
	own.Raws{Easy: []byte(bad), Num: "1"}.MarshalEasyJSON(&w)
	if doc, err := w.BuildBytes(); err != nil || !strings.Contains(string(doc), bad) {
		t.Errorf("with RawUnchecked: %s, %v", doc, err)
	}
}

func TestFloatsThatJSONDoesNotHave(t *testing.T) {
	for _, f := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if doc, err := easyjson.Marshal(own.Scalars{F64: f}); err == nil {
			t.Errorf("Marshal wrote %s", doc)
		}
		if doc, err := easyjson.Marshal(own.Scalars{F32: float32(f)}); err == nil {
			t.Errorf("Marshal wrote %s", doc)
		}
		// Since v0.9.2 upstream refuses them too.
		if doc, err := upstream.Marshal(peer.Scalars{F64: f}); err == nil {
			t.Errorf("upstream wrote %s", doc)
		}
	}
}

func TestInvalidUTF8IsReplacedInReading(t *testing.T) {
	doc := []byte("{\"S\":\"a\xffb\"}")
	var p peer.Scalars
	if err := upstream.Unmarshal(doc, &p); err != nil || p.S != "a\xffb" {
		t.Errorf("upstream now reads %q, error %v", p.S, err)
	}
	var o own.Scalars
	if err := easyjson.Unmarshal(doc, &o); err != nil || o.S != "a\ufffdb" {
		t.Errorf("read %q, error %v, want U+FFFD as encoding/json has it", o.S, err)
	}
}

// With the options of package jlexer and jwriter everything is upstream's way.
func TestUpstreamsWayAsAnOption(t *testing.T) {
	jlexer.SetLenient(true)
	defer jlexer.SetLenient(false)
	for _, doc := range []string{"{\"S\":\"a\tb\"}", "{\"S\":\"\x01\"}", `{"I":01}`, `{"F64":1.}`, `{"F64":-.5}`, "{\"S\":\"a\xffb\"}"} {
		var p peer.Scalars
		var o own.Scalars
		werr, gerr := upstream.Unmarshal([]byte(doc), &p), easyjson.Unmarshal([]byte(doc), &o)
		if werr != nil || gerr != nil || dump(p) != dump(o) {
			t.Errorf("%q: lenient read %s (%v), upstream %s (%v)", doc, dump(o), gerr, dump(p), werr)
		}
	}

	easyOwn, jsonOwn := own.Pair{A: 1, B: 2}, own.Celsius(3)
	w := jwriter.Writer{Flags: jwriter.MissingValues}
	own.Asks{Before: 1, Easy: &easyOwn, JSON: &jsonOwn, After: 2}.MarshalEasyJSON(&w)
	got, err := w.BuildBytes()
	easyPeer, jsonPeer := peer.Pair{A: 1, B: 2}, peer.Celsius(3)
	uw := upstreamjwriter.Writer{}
	peer.Asks{Before: 1, Easy: &easyPeer, JSON: &jsonPeer, After: 2}.MarshalEasyJSON(&uw)
	want, uerr := uw.BuildBytes()
	if err != nil || uerr != nil || !bytes.Equal(got, want) {
		t.Errorf("with MissingValues %s (%v), upstream %s (%v)", got, err, want, uerr)
	}
}

// A document of a million open arrays ends with an error, not the process.
// Upstream is not asked: its lexer would overflow the stack.
func TestDepthIsBounded(t *testing.T) {
	var o own.Raws
	doc := `{"Any":` + strings.Repeat("[", 1<<20) + strings.Repeat("]", 1<<20) + "}"
	if err := easyjson.Unmarshal([]byte(doc), &o); err == nil {
		t.Error("a million open arrays were read")
	}
}

// Short writes are no success.
func TestShortWrite(t *testing.T) {
	v := own.Names{"a long enough name", "and another"}
	for limit := range 10 {
		if _, err := easyjson.MarshalToWriter(v, &shortWriter{limit}); err == nil {
			t.Errorf("a writer that took %d bytes and said nothing passed for success", limit)
		}
	}
	if _, err := upstream.MarshalToWriter(peer.Names{"a long enough name", "and another"}, &shortWriter{3}); err != nil {
		t.Errorf("upstream now reports short writes: %v", err)
	}
}

type shortWriter struct{ n int }

func (w *shortWriter) Write(p []byte) (int, error) { return min(w.n, len(p)), nil }
