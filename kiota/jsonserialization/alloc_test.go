package jsonserialization_test

import (
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	absser "github.com/microsoft/kiota-abstractions-go/serialization"

	"github.com/eddy-go/eddy/kiota/jsonserialization"
)

func TestAllocations(t *testing.T) {
	if raceEnabled || debugEnabled {
		t.Skip("the race detector and eddydebug allocate")
	}
	var (
		at    = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
		id    = uuid.MustParse("6ba7b810-9dad-11d1-80b4-00c04fd430c8")
		span  = absser.NewDuration(0, 0, 1, 2, 3, 4, 500)
		clock = absser.NewTimeOnly(at)
		day   = absser.NewDateOnly(at)
		text  = "some text"
		big   = int64(1 << 40)
		ratio = 0.25
		yes   = true
		blob  = []byte("bytes")
		tags  = []string{"a", "b"}
	)
	simple := write(func(w absser.SerializationWriter) error {
		w.WriteStringValue("text", &text)
		w.WriteBoolValue("yes", &yes)
		w.WriteInt64Value("big", &big)
		w.WriteFloat64Value("ratio", &ratio)
		w.WriteTimeValue("at", &at)
		w.WriteUUIDValue("id", &id)
		w.WriteByteArrayValue("blob", blob)
		w.WriteISODurationValue("span", span)
		return w.WriteCollectionOfStringValues("tags", tags)
	})
	dated := write(func(w absser.SerializationWriter) error {
		w.WriteTimeOnlyValue("clock", clock)
		w.WriteDateOnlyValue("day", day)
		return w.WriteObjectValue("simple", simple)
	})
	strings20 := []byte(`["` + strings.Repeat(`text","`, 19) + `text"]`)
	doc := []byte(mixedJSON)
	numbers4 := []byte(`[1,2,3,4]`)
	many := make([]absser.Parsable, 2000)
	for i := range many {
		many[i] = simple
	}
	// A collection would take away what the pools hold.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	reused := jsonserialization.NewJsonSerializationWriter()
	defer reused.Close()
	for _, c := range []struct {
		name string
		want float64
		f    func()
	}{
		{"an object: the writer and its content", 2, func() {
			w := jsonserialization.NewJsonSerializationWriter()
			w.WriteObjectValue("", simple)
			w.GetSerializedContent()
			w.Close()
		}},
		{"dates and times of day", 2, func() {
			w := jsonserialization.NewJsonSerializationWriter()
			w.WriteObjectValue("", dated)
			w.GetSerializedContent()
			w.Close()
		}},
		{"a writer that is reset", 1, func() {
			reused.WriteObjectValue("", simple)
			reused.GetSerializedContent()
			reused.Reset()
		}},
		{"a large collection", 2, func() {
			w := jsonserialization.NewJsonSerializationWriter()
			w.WriteCollectionOfObjectValues("", many)
			w.GetSerializedContent()
			w.Close()
		}},
		{"a document: its content, its nodes, and what they share", 3, func() {
			jsonserialization.NewJsonParseNode(doc)
		}},
		{"strings of a document, 16 at a time", 3 + 2 + 1, func() {
			n, _ := jsonserialization.NewJsonParseNode(strings20)
			n.GetCollectionOfPrimitiveValues("string")
		}},
		{"numbers, each one", 3 + 1 + 4, func() {
			n, _ := jsonserialization.NewJsonParseNode(numbers4)
			n.GetCollectionOfPrimitiveValues("int64")
		}},
	} {
		if got := testing.AllocsPerRun(100, c.f); got > c.want {
			t.Errorf("%s: %v allocations, want %v", c.name, got, c.want)
		}
	}
}
