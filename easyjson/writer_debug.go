//go:build eddydebug

package easyjson

import (
	"github.com/eddy-go/eddy/easyjson/internal/hook"
	"github.com/eddy-go/eddy/easyjson/jwriter"
)

func getWriter() *jwriter.Writer { return new(jwriter.Writer) }

// putWriter gives the memory of w back and makes later use of w panic.
func putWriter(w *jwriter.Writer) {
	w.Free()
	hook.Retire(&w.Buffer)
}
