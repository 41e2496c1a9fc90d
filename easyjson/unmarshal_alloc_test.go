//go:build !eddydebug

package easyjson_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/eddy-go/eddy/easyjson"
	"github.com/eddy-go/eddy/internal/race"
)

// someValue hides its type from the compiler.
var someValue easyjson.Unmarshaler

func TestUnmarshalAllocations(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector makes pools drop what they hold")
	}
	text := `{"text":"a text","nocopy":"another","else":[1,2,{"a":null}]}`
	data := []byte(text)
	var n note
	someValue = &n
	known := strings.NewReader("")
	unknown := struct{ io.Reader }{known}
	for _, c := range []struct {
		name string
		want float64
		read func() error
	}{
		// The lexer, which escapes into an Unmarshaler of unknown type, and the memory for strings.
		{"Unmarshal", 2, func() error { return easyjson.Unmarshal(data, someValue) }},
		// And the input, which is v's, once: it is read into pooled memory.
		{"a reader of known length", 3, func() error { known.Reset(text); return easyjson.UnmarshalFromReader(known, someValue) }},
		{"a reader of unknown length", 3, func() error { known.Reset(text); return easyjson.UnmarshalFromReader(&unknown, someValue) }},
	} {
		var err error
		if got := testing.AllocsPerRun(100, func() { err = errors.Join(err, c.read()) }); got != c.want || err != nil {
			t.Errorf("%s: %v allocations, %v; want %v", c.name, got, err, c.want)
		}
		if n.Text != "a text" || n.Nocopy != "another" {
			t.Fatalf("%s: %q", c.name, n)
		}
	}
}
