package payload

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode/utf8"
)

func TestSizes(t *testing.T) {
	for _, c := range []struct {
		name     string
		doc      []byte
		min, max int
	}{
		{"small", Small(), 81, 81},
		{"medium", Medium(), 8_700, 9_300},
		{"large", Large(), 430_000, 450_000},
	} {
		if len(c.doc) < c.min || len(c.doc) > c.max {
			t.Errorf("%s: %d bytes, want %d to %d", c.name, len(c.doc), c.min, c.max)
		}
		if !json.Valid(c.doc) || !utf8.Valid(c.doc) {
			t.Errorf("%s: no valid JSON", c.name)
		}
	}
}

func TestTheSameEachTime(t *testing.T) {
	if !bytes.Equal(Medium(), Medium()) || !bytes.Equal(Large(), Large()) {
		t.Error("two calls made different documents")
	}
}

// What the documents are for: if a kind of content is gone, the table no longer
// shows what it is meant to show.
func TestContents(t *testing.T) {
	doc := Large()
	for _, want := range []string{"ка", "水", "な", "é", "🌊", `\"`, `\n`, "&", "null", "true", "false", "[]", "<3"} {
		if !bytes.Contains(doc, []byte(want)) {
			t.Errorf("no %s in the large document", want)
		}
	}
	multi := 0
	for _, c := range doc {
		if c >= utf8.RuneSelf {
			multi++
		}
	}
	if share := float64(multi) / float64(len(doc)); share < 0.1 || share > 0.6 {
		t.Errorf("%.0f%% of the bytes belong to characters beyond ASCII, want a mixture", share*100)
	}
}
