package interop

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/eddy-go/eddy/easyjson"
	"github.com/eddy-go/eddy/easyjson/jwriter"
	upstream "github.com/mailru/easyjson"
	upstreamjwriter "github.com/mailru/easyjson/jwriter"

	ownpost "github.com/eddy-go/eddy/bench/internal/payload/eddy/post"
	peerpost "github.com/eddy-go/eddy/bench/internal/payload/upstream/post"
	own "github.com/eddy-go/eddy/bench/interop/eddy/zoo"
	peer "github.com/eddy-go/eddy/bench/interop/upstream/zoo"
)

// A species is one type of the zoo on both runtimes.
type species struct {
	name string
	peer func() upstream.MarshalerUnmarshaler
	own  func() easyjson.MarshalerUnmarshaler
}

func kind[P, O any, PP interface {
	*P
	upstream.MarshalerUnmarshaler
}, PO interface {
	*O
	easyjson.MarshalerUnmarshaler
}]() species {
	return species{
		reflect.TypeFor[P]().Name(),
		func() upstream.MarshalerUnmarshaler { return PP(new(P)) },
		func() easyjson.MarshalerUnmarshaler { return PO(new(O)) },
	}
}

var zoo = []species{
	kind[peer.Scalars, own.Scalars](),
	kind[peer.Quoted, own.Quoted](),
	kind[peer.Pointers, own.Pointers](),
	kind[peer.Lists, own.Lists](),
	kind[peer.Maps, own.Maps](),
	kind[peer.Embedded, own.Embedded](),
	kind[peer.Optionals, own.Optionals](),
	kind[peer.Omitted, own.Omitted](),
	kind[peer.Raws, own.Raws](),
	kind[peer.Marshalers, own.Marshalers](),
	kind[peer.Shared, own.Shared](),
	kind[peer.Unknown, own.Unknown](),
	kind[peer.Required, own.Required](),
	kind[peer.Tree, own.Tree](),
	kind[peer.Anonymous, own.Anonymous](),
	kind[peer.Members, own.Members](),
	kind[peer.Names, own.Names](),
	kind[peer.Index, own.Index](),
	kind[peer.Nothing, own.Nothing](),
	kind[peer.All, own.All](),
	kind[peer.SnakeCase, own.SnakeCase](),
	kind[peer.LowerCase, own.LowerCase](),
	kind[peer.OmitZero, own.OmitZero](),
	kind[peerpost.Small, ownpost.Small](),
	kind[peerpost.Feed, ownpost.Feed](),
}

// rounds is how many random values each test looks at for each type.
func rounds(t *testing.T) int {
	if testing.Short() {
		return 20
	}
	return 300
}

// fillBoth gives both sides the same contents.
func fillBoth(s species, seed uint64, oneKey bool) (upstream.MarshalerUnmarshaler, easyjson.MarshalerUnmarshaler) {
	p, o := s.peer(), s.own()
	newFiller(seed, oneKey).fill(reflect.ValueOf(p).Elem(), 5)
	newFiller(seed, oneKey).fill(reflect.ValueOf(o).Elem(), 5)
	return p, o
}

func TestZooIsWrittenTheSame(t *testing.T) {
	for _, s := range zoo {
		t.Run(s.name, func(t *testing.T) {
			for seed := range uint64(rounds(t)) {
				p, o := fillBoth(s, seed, true)
				want, werr := upstream.Marshal(p)
				got, gerr := easyjson.Marshal(o)
				if (werr == nil) != (gerr == nil) {
					t.Fatalf("seed %d: upstream's error %v, eddy's %v", seed, werr, gerr)
				}
				if !bytes.Equal(got, want) {
					t.Fatalf("seed %d:\neddy     %q\nupstream %q", seed, got, want)
				}
				var buf bytes.Buffer
				if n, err := easyjson.MarshalToWriter(o, &buf); n != len(want) || err != nil || !bytes.Equal(buf.Bytes(), want) {
					t.Fatalf("seed %d: MarshalToWriter wrote %d bytes (%v), want %d that equal Marshal's", seed, n, err, len(want))
				}
				if werr == nil && !json.Valid(got) {
					t.Fatalf("seed %d: no valid JSON: %q", seed, got)
				}
			}
		})
	}
}

func TestZooIsWrittenTheSameWithOptions(t *testing.T) {
	for _, s := range zoo {
		t.Run(s.name, func(t *testing.T) {
			for seed := range uint64(rounds(t) / 4) {
				p, o := fillBoth(s, seed, true)
				for flags := range 4 {
					pw := upstreamjwriter.Writer{NoEscapeHTML: true, Flags: upstreamjwriter.Flags(flags)}
					ow := jwriter.Writer{NoEscapeHTML: true, Flags: jwriter.Flags(flags)}
					p.MarshalEasyJSON(&pw)
					o.MarshalEasyJSON(&ow)
					if ow.Size() != pw.Size() {
						t.Errorf("seed %d, flags %d: Size %d, want %d", seed, flags, ow.Size(), pw.Size())
					}
					want, werr := pw.BuildBytes()
					got, gerr := ow.BuildBytes()
					if werr != nil || gerr != nil || !bytes.Equal(got, want) {
						t.Fatalf("seed %d, flags %d:\neddy     %q (%v)\nupstream %q (%v)", seed, flags, got, gerr, want, werr)
					}
				}
			}
		})
	}
}

// With several entries a map's order is open, so what was written is read back.
func TestZooSurvivesARoundTrip(t *testing.T) {
	for _, s := range zoo {
		t.Run(s.name, func(t *testing.T) {
			for seed := range uint64(rounds(t)) {
				p, o := fillBoth(s, seed, false)
				doc, err := easyjson.Marshal(o)
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				theirs, err := upstream.Marshal(p)
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				for _, in := range [][]byte{doc, theirs} {
					if stricter := sameReading(t, s, in, fmt.Sprint("seed ", seed)); stricter {
						t.Fatalf("seed %d: eddy does not read %q", seed, in)
					}
				}
			}
		})
	}
}

// sameReading has both sides read in: both must take it and find the same,
// or both refuse it. Eddy alone may refuse what is not JSON, and nothing else;
// then it reports true.
func sameReading(t *testing.T, s species, in []byte, what string) (stricter bool) {
	t.Helper()
	p, o := s.peer(), s.own()
	kept := bytes.Clone(in)
	werr, gerr := upstream.Unmarshal(in, p), easyjson.Unmarshal(in, o)
	if !bytes.Equal(in, kept) {
		t.Errorf("%s: reading changed its input", what)
	}
	switch {
	case werr == nil && gerr != nil && !json.Valid(in):
		return true
	case (werr == nil) != (gerr == nil):
		t.Errorf("%s: upstream's error %v, eddy's %v, reading %q", what, werr, gerr, in)
	case werr == nil:
		if want, got := dump(p), dump(o); got != want {
			t.Errorf("%s: reading %q\neddy     %s\nupstream %s", what, in, got, want)
		}
	}
	return false
}

// oddDocuments are of the kinds that people send by mistake, and of those that
// are right but seldom.
var oddDocuments = []string{
	``, ` `, `null`, `{}`, `[]`, `[null]`, ` { } `, `{"I":1} `, `{"I":1}x`, `{"I":1,}`, `{"I" : 1 , "S" : "x" }`,
	`{"I":"1"}`, `{"I":1.5}`, `{"I":99999999999999999999}`, `{"U":-1}`, `{"U8":256}`, `{"I8":-129}`, `{"F32":1e39}`, `{"F64":1e999}`,
	`{"S":1}`, `{"S":"a\u0041\ud83c\udf0a\n\/"}`, `{"S":"\ud83c"}`, `{"S":"\x"}`, `{"S":"open`, `{"B":1}`, `{"B":tru}`, `{"B":null,"S":null}`,
	`{"unknown":{"a":[1,2,{"b":null}]},"I":7}`, `{"I":1,"I":2}`, `{"\u0049":3}`, `{"i":4}`,
	`{"i":"5","ptr":"6","f64":"1.5","u":"x"}`, `{"Known":"k","more":[1],"again":{"x":"y"}}`,
	`{"id":1}`, `{"id":1,"name":"n"}`, `{"id":null,"name":null}`, `{"user_id":1,"nope":2}`, `{"user_id":1,"list_of_thing":[{"long_name":"x"}]}`,
	`{"userId":1,"data":"raw","sum":"abcd","имя":3}`, `{"\u0438\u043c\u044f":3}`,
	`{"Arr":[1]}`, `{"Arr":[1,2,3,4,5]}`, `{"ArrB":"AQID"}`, `{"Bytes":"!"}`, `{"Bytes":"AQI="}`, `{"Ints":[1,null,3]}`, `{"Ints":{}}`, `{"Ints":[1 2]}`,
	`{"Str":{"a":"b","c":null}}`, `{"Int":{"1":"x","-2":"y"}}`, `{"Int":{"x":"y"}}`, `{"Text":{"level-4":1}}`, `{"Text":{"no":1}}`,
	`{"Easy": {"a" : 1}, "Std":[ 1 ], "Num":12, "Any":{"x":[1,"y",null,true]}}`, `{"Num":"12"}`, `{"Num":true}`,
	`{"Level":"level-7","PLevel":null,"Temp":{"celsius":3},"Pair":[1,2],"Time":"2024-01-02T03:04:05Z"}`, `{"Level":7}`, `{"Time":"x"}`,
	`{"Value":1,"Left":{"Value":2},"By":{"k":{"Value":3}}}`, `["a","b",null]`, `{"a":{"i":"3"}}`, `{"intern":"x","nocopy":"y\n","bytes":"AQI="}`,
	`{"<a>&b":1,"\u003ca\u003e\u0026b":2}`, `{"In":{"A":1,"B":[{"C":"x"}]},"P":{"D":true}}`,
	`{"V":1,"b":true,"I":null,"OI":3,"ob":false,"oi":null}`,
}

func TestZooReadsOddDocuments(t *testing.T) {
	docs := slices.Concat(oddDocuments, notJSON)
	stricter := map[string]bool{}
	for _, s := range zoo {
		t.Run(s.name, func(t *testing.T) {
			for _, doc := range docs {
				if sameReading(t, s, []byte(doc), "document") {
					stricter[doc] = true
				}
			}
		})
	}
	for _, doc := range notJSON {
		if !stricter[doc] {
			t.Errorf("no type has upstream read %q and eddy refuse it", doc)
		}
	}
}

// notJSON is what upstream reads although RFC 8259 does not allow it.
var notJSON = []string{
	`{"Known":"a","x":"\x"}`, "{\"S\":\"a\tb\"}", "{\"S\":\"\x01\"}", `{"I":01}`, `{"F64":1.}`, `{"F64":-.5}`, `{"Any":[01]}`,
}

// dump is what a reader of the value can see, without its types' paths.
func dump(v any) string {
	var b bytes.Buffer
	dumpValue(&b, reflect.ValueOf(v))
	return b.String()
}

func FuzzZooReading(f *testing.F) {
	for i, doc := range slices.Concat(oddDocuments, notJSON) {
		f.Add(uint8(i), []byte(doc))
	}
	for i, s := range zoo {
		_, o := fillBoth(s, uint64(i), false)
		doc, err := easyjson.Marshal(o)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(i), doc)
	}
	f.Fuzz(func(t *testing.T, which uint8, doc []byte) {
		// Upstream keeps what is not UTF-8, and would overflow the stack; see faults_test.go.
		if !utf8.Valid(doc) || len(doc) > 1<<16 {
			return
		}
		sameReading(t, zoo[int(which)%len(zoo)], doc, "fuzzed")
	})
}

func FuzzZooWriting(f *testing.F) {
	for i := range zoo {
		f.Add(uint8(i), uint64(i))
	}
	f.Fuzz(func(t *testing.T, which uint8, seed uint64) {
		p, o := fillBoth(zoo[int(which)%len(zoo)], seed, true)
		want, werr := upstream.Marshal(p)
		got, gerr := easyjson.Marshal(o)
		if (werr == nil) != (gerr == nil) || !bytes.Equal(got, want) {
			t.Errorf("eddy     %q (%v)\nupstream %q (%v)", got, gerr, want, werr)
		}
	})
}
