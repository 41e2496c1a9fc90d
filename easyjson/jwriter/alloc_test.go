package jwriter

import (
	"io"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/eddy-go/eddy"
	"github.com/eddy-go/eddy/internal/race"
)

func TestAllocations(t *testing.T) {
	if race.Enabled || eddy.Debug {
		t.Skip("pools do not keep what they are given")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // which empties pools
	text := strings.Repeat("Text, текст и 文字 <&>\n", 5)
	data := []byte(text)
	for _, n := range []int{1, 50, 3000} {
		form := func(w *Writer) {
			for range n {
				w.RawString(`,"name":`)
				w.String(text)
				w.Int(123456)
				w.Float64(1.25)
				w.Bool(true)
				w.RawText(data, nil)
				w.Base64Bytes(data)
				w.Raw([]byte(`{"a":1}`), nil)
			}
		}
		if got := testing.AllocsPerRun(20, func() {
			var w Writer
			form(&w)
			w.DumpTo(io.Discard)
		}); got != 0 {
			t.Errorf("%d values to a writer: %v allocations", n, got)
		}
		if got := testing.AllocsPerRun(20, func() {
			var w Writer
			form(&w)
			w.BuildBytes()
		}); got != 1 {
			t.Errorf("%d values to a slice: %v allocations", n, got)
		}
		if got := testing.AllocsPerRun(20, func() {
			var w Writer
			form(&w)
			w.Raw(nil, io.EOF)
			w.BuildBytes()
		}); got != 0 {
			t.Errorf("%d values and an error: %v allocations", n, got)
		}
	}
}
