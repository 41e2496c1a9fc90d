//go:build !eddydebug

package easyjson

import (
	"github.com/eddy-go/eddy"
	"github.com/eddy-go/eddy/easyjson/internal/hook"
	"github.com/eddy-go/eddy/easyjson/jwriter"
)

// writers are for the time of one call of Marshal or its siblings. A method
// that kept its Writer beyond the call would meet another document in it, so
// debug builds have a fresh one for each call.
var writers = eddy.Pool[jwriter.Writer]{
	Name: "easyjson.writers",
	New: func() *jwriter.Writer {
		w := new(jwriter.Writer)
		hook.Pin(&w.Buffer)
		return w
	},
}

func getWriter() *jwriter.Writer { return writers.Get() }

// putWriter takes w back after it was emptied.
func putWriter(w *jwriter.Writer) {
	w.Flags, w.Error, w.NoEscapeHTML = 0, nil, false
	writers.Put(w)
}
