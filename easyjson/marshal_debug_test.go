//go:build eddydebug

package easyjson

import (
	"strings"
	"testing"

	"github.com/eddy-go/eddy/easyjson/jwriter"
)

// In debug builds, a Writer that was kept beyond its call is dead.
func TestLateUseOfAWriterPanics(t *testing.T) {
	var kept *jwriter.Writer
	if _, err := Marshal(marshalFunc(func(w *jwriter.Writer) { kept = w; w.RawString("1") })); err != nil {
		t.Fatal(err)
	}
	for name, use := range map[string]func(){
		"RawByte":   func() { kept.RawByte('x') },
		"RawString": func() { kept.RawString("x") },
		"String":    func() { kept.String("x") },
		"Int":       func() { kept.Int(1) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if p, _ := recover().(string); !strings.Contains(p, "after its memory went back") {
					t.Errorf("panic %q", p)
				}
			}()
			use()
		})
	}
}
