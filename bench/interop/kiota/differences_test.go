package kiota

import (
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	absser "github.com/microsoft/kiota-abstractions-go/serialization"
	upstream "github.com/microsoft/kiota-serialization-json-go"

	"github.com/eddy-go/eddy/kiota/jsonserialization"
)

// outcome is what a writer makes of a call: its content, or that it failed.
func outcome(w absser.SerializationWriter, write func(w absser.SerializationWriter) error) (result string) {
	defer func() {
		if recover() != nil {
			result = "panic"
		}
	}()
	defer w.Close()
	if write(w) != nil {
		return "error"
	}
	b, err := w.GetSerializedContent()
	if err != nil {
		return "error"
	}
	return string(b)
}

// The differences that the documentation lists, and that they are ones still: a
// line that fails because the original has changed can go there as well.
func TestDifferences(t *testing.T) {
	type writer = absser.SerializationWriter
	at := time.Date(2024, 5, 6, 7, 8, 9, 120_000_000, time.UTC)
	failing := func(absser.Parsable) error { return errors.New("fault") }
	var none *tree
	for _, c := range []struct {
		name         string
		write        func(w writer) error
		ours, theirs string
	}{
		{"content taken twice", func(w writer) error {
			one := &tree{calls: []func(writer) error{func(w writer) error { return w.WriteNullValue("k") }}}
			w.WriteObjectValue("", one)
			w.WriteObjectValue("", one)
			w.GetSerializedContent()
			return nil
		}, `{"k":null}{"k":null}`, `{"k":null}{"k":null}}`},
		{"a name that injects", func(w writer) error { return w.WriteAdditionalData(map[string]any{`a":1,"admin`: true}) },
			`"a\":1,\"admin":true`, `"a":1,"admin":true`},
		{"NaN", func(w writer) error { return w.WriteFloat64Value("k", ref(math.NaN())) }, "error", `"k":NaN`},
		{"infinity", func(w writer) error { return w.WriteFloat64Value("k", ref(math.Inf(1))) }, "error", `"k":+Inf`},
		{"an untyped object of nothing", func(w writer) error {
			return w.WriteObjectValue("", &tree{calls: []func(writer) error{func(w writer) error { return w.WriteObjectValue("k", absser.NewUntypedObject(nil)) }}})
		}, `{"k":null}`, `{"k":}`},
		{"an untyped array of nothing", func(w writer) error { return w.WriteObjectValue("k", absser.NewUntypedArray(nil)) }, `"k":null`, `"k":`},
		{"nothing in an untyped array", func(w writer) error {
			return w.WriteObjectValue("", absser.NewUntypedArray([]absser.UntypedNodeable{nil, absser.NewUntypedString("a")}))
		}, `[null,"a"]`, `[,"a"]`},
		{"a callback before that fails", func(w writer) error {
			w.SetOnBeforeSerialization(failing)
			return w.WriteObjectValue("", new(tree))
		}, "error", `{}`},
		{"a callback after that fails", func(w writer) error {
			w.SetOnAfterObjectSerialization(failing)
			return w.WriteObjectValue("", new(tree))
		}, "error", `{}`},
		{"a fraction of a second", func(w writer) error { return w.WriteTimeValue("", &at) }, `"2024-05-06T07:08:09.12Z"`, `"2024-05-06T07:08:09Z"`},
		{"a fraction in a time of day", func(w writer) error { return w.WriteTimeOnlyValue("", absser.NewTimeOnly(at)) }, `"07:08:09.12"`, `"07:08:09"`},
		{"milliseconds", func(w writer) error { return w.WriteISODurationValue("", absser.NewDuration(0, 0, 0, 0, 0, 1, 500)) }, `"PT1.5S"`, `"PT1S"`},
		{"no duration", func(w writer) error { return w.WriteISODurationValue("", absser.NewDuration(0, 0, 0, 0, 0, 0, 0)) }, `"PT0S"`, `"P"`},
		{"weeks and days", func(w writer) error { return w.WriteISODurationValue("", absser.NewDuration(0, 1, 2, 0, 0, 0, 0)) }, `"P9D"`, "panic"},
		{"a float32", func(w writer) error { return w.WriteFloat32Value("", ref(float32(0.1))) }, `0.1`, `0.10000000149011612`},
		{"a nil pointer of an object", func(w writer) error { return w.WriteObjectValue("k", none) }, ``, "panic"},
		{"a year beyond RFC 3339", func(w writer) error { return w.WriteTimeValue("", ref(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC))) },
			"error", `"10000-01-01T00:00:00Z"`},
		{"a year before RFC 3339", func(w writer) error { return w.WriteTimeValue("", ref(time.Date(-5, 1, 1, 0, 0, 0, 0, time.UTC))) },
			"error", `"-0005-01-01T00:00:00Z"`},
		{"a zone beyond a day", func(w writer) error {
			return w.WriteTimeValue("", ref(time.Date(2024, 1, 1, 0, 0, 0, 0, time.FixedZone("", 25*3600))))
		}, "error", `"2024-01-01T00:00:00+25:00"`},
		{"a duration below zero", func(w writer) error { return w.WriteISODurationValue("", absser.NewDuration(0, 0, -1, 0, 0, 0, 0)) }, `"-P1D"`, `"P"`},
		{"callbacks for what is merged", func(w writer) error {
			w.SetOnBeforeSerialization(func(p absser.Parsable) error { return w.WriteBoolValue("", ref(p == nil)) })
			return w.WriteObjectValue("", nil, new(tree))
		}, `{false}`, `true{false}`},
		{"content inside of Serialize", func(w writer) error {
			return w.WriteObjectValue("", &tree{calls: []func(writer) error{func(w writer) error {
				_, err := w.GetSerializedContent()
				return err
			}}})
		}, "error", `{}`},
		{"nil to merge", func(w writer) error { return w.WriteObjectValue("", new(tree), nil) }, `{}`, "panic"},
	} {
		if got := outcome(jsonserialization.NewJsonSerializationWriter(), c.write); got != c.ours {
			t.Errorf("%s: %s, want %s", c.name, got, c.ours)
		}
		if got := outcome(upstream.NewJsonSerializationWriter(), c.write); got != c.theirs {
			t.Errorf("%s: the original has changed: %s, was %s", c.name, got, c.theirs)
		}
	}

	// An error in additional data, which only the last of a map returns.
	lost := 0
	for range 100 {
		data := map[string]any{"a": 1, "b": func() {}, "c": 2, "d": 3}
		write := func(w writer) error { return w.WriteAdditionalData(data) }
		if outcome(upstream.NewJsonSerializationWriter(), write) != "error" {
			lost++
		}
		if outcome(jsonserialization.NewJsonSerializationWriter(), write) != "error" {
			t.Error("an error is lost")
		}
	}
	if lost == 0 {
		t.Error("the original has changed: it returns errors in additional data")
	}
}

func TestReadingDifferences(t *testing.T) {
	read := func(doc string) (ours, theirs absser.ParseNode) {
		a, err := jsonserialization.NewJsonParseNode([]byte(doc))
		if err != nil {
			t.Fatal(err)
		}
		b, err := upstream.NewJsonParseNode([]byte(doc))
		if err != nil {
			t.Fatal(err)
		}
		return a, b
	}
	ours, theirs := read("9007199254740993")
	a, _ := ours.GetInt64Value()
	b, _ := theirs.GetInt64Value()
	if *a != 9007199254740993 || *b == *a {
		t.Errorf("2^53+1 is %d, %d", *a, *b)
	}
	ours, theirs = read("9223372036854775807")
	a, err := ours.GetInt64Value()
	if _, err2 := theirs.GetInt64Value(); err != nil || *a != math.MaxInt64 || err2 == nil {
		t.Errorf("the largest int64: %v, %v, %v", a, err, err2)
	}
	ours, theirs = read(`"2024-05-06T07:08:09"`)
	for i, n := range []absser.ParseNode{ours, theirs} {
		n.GetTimeValue()
		if s, _ := n.GetStringValue(); (*s == "2024-05-06T07:08:09") != (i == 0) {
			t.Errorf("after it was read as a time: %s", *s)
		}
	}
	ours, theirs = read(`"PT5S"`)
	c, _ := ours.GetISODurationValue()
	d, _ := theirs.GetISODurationValue()
	if c.GetSeconds() != 5 || d.GetSeconds() != 0 {
		t.Errorf("PT5S is %v, %v", c, d)
	}
	for _, c := range []struct{ doc, ours, theirs string }{
		{`"P1W2D"`, "9D", "1W"}, {`"P1Y1W"`, "1Y7D", "1Y"}, {`"-P1D"`, "-1D", "1D"},
	} {
		ours, theirs = read(c.doc)
		for i, n := range []absser.ParseNode{ours, theirs} {
			if d, err := n.GetISODurationValue(); err != nil || days(d) != [2]string{c.ours, c.theirs}[i] {
				t.Errorf("%s read by %T: %s, %v", c.doc, n, days(d), err)
			}
		}
	}
	for doc, want := range map[string][2]bool{"1.00000000000000000001": {false, true}, "1e-400": {false, true}, "9223372036854775807.0": {true, false}, "12e1": {true, true}} {
		ours, theirs = read(doc)
		for i, n := range []absser.ParseNode{ours, theirs} {
			if v, err := n.GetInt64Value(); (err == nil) != want[i] {
				t.Errorf("%s as an integer of %T: %v, %v", doc, n, v, err)
			}
		}
	}
	ours, theirs = read("3.4028235e38")
	for i, n := range []absser.ParseNode{ours, theirs} {
		if v, err := n.GetFloat32Value(); (err == nil) != (i == 0) {
			t.Errorf("the largest float32 of %T: %v, %v", n, v, err)
		}
	}
	ours, theirs = read(`{}`)
	nothing := func(absser.ParseNode) (absser.Parsable, error) { return nil, nil }
	if _, err := ours.GetObjectValue(nothing); !errors.Is(err, jsonserialization.ErrNilObject) {
		t.Error(err)
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the original has changed: it takes a factory that returns nothing")
			}
		}()
		theirs.GetObjectValue(nothing)
	}()
	if _, err := upstream.NewJsonParseNodeFactory().GetRootParseNode("application/json; charset=utf-8", []byte(`1`)); err == nil {
		t.Error("the original has changed: it takes content types with parameters")
	}
}

// days is the part of a duration above hours.
func days(d *absser.ISODuration) string {
	s := ""
	for _, p := range []struct {
		n    int
		unit string
	}{{d.GetYears(), "Y"}, {d.GetWeeks(), "W"}, {d.GetDays(), "D"}} {
		if p.n != 0 {
			s += fmt.Sprint(p.n, p.unit)
		}
	}
	if s == "" {
		return "0"
	}
	return s
}
