//go:build !eddydebug

package easyjson

import "github.com/eddy-go/eddy/easyjson/jwriter"

func getWriter() *jwriter.Writer  { return writers.Get() }
func putWriter(w *jwriter.Writer) { writers.Put(w) }
