package kiota

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	absser "github.com/microsoft/kiota-abstractions-go/serialization"
	upstream "github.com/microsoft/kiota-serialization-json-go"

	"github.com/eddy-go/eddy/kiota/jsonserialization"
)

// oldForms has every option that changes what is written.
var oldForms = jsonserialization.WriterOptions{
	WholeSeconds: true, PlainDurations: true, WideFloat32: true, RawNonFinite: true, RawNames: true, IgnoreCallbackErrors: true,
}

func content(t *testing.T, w absser.SerializationWriter, write func(w absser.SerializationWriter) error) string {
	t.Helper()
	if err := write(w); err != nil {
		t.Fatal(err)
	}
	b, err := w.GetSerializedContent()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Random trees of all kinds of values are the same bytes: with the default
// options those that have nothing the original loses, with the options for its
// forms all.
func TestRandomTrees(t *testing.T) {
	trees := 100_000
	if testing.Short() {
		trees = 2000
	}
	for _, old := range []bool{false, true} {
		f := &forest{rand.New(rand.NewPCG(5, 14)), old}
		var opt jsonserialization.WriterOptions
		if old {
			opt = oldForms
		}
		size, invalid := 0, 0
		for n := range trees / 2 {
			write := func(m absser.Parsable) func(w absser.SerializationWriter) error {
				return func(w absser.SerializationWriter) error { return w.WriteObjectValue("", m) }
			}(f.object(4))
			if n%5 == 0 { // without braces, as Serialize is called by Marshal of the original
				write = f.tree(4).Serialize
			}
			want := content(t, upstream.NewJsonSerializationWriter(), write)
			got := content(t, jsonserialization.NewJsonSerializationWriterWithOptions(opt), write)
			if got != want {
				at := 0
				for at < min(len(got), len(want)) && got[at] == want[at] {
					at++
				}
				from := max(0, at-60)
				t.Fatalf("tree %d, old %v: differs at %d\ngot  %.200q\nwant %.200q", n, old, at, got[from:], want[from:])
			}
			size += len(got)
			if n%5 != 0 && !json.Valid([]byte(got)) {
				invalid++
			}
		}
		if !old && invalid > 0 {
			t.Errorf("%d trees are not JSON", invalid)
		}
		t.Logf("old %v: %d trees of %d bytes are equal", old, trees/2, size)
	}
}
