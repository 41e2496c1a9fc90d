package zstd

import (
	"io"
	"testing"

	"github.com/eddy-go/eddy/compress/internal/codectest"
)

func TestStreams(t *testing.T) {
	codectest.Streams{
		Codec:     Codec{},
		Levels:    []int{1, 0, 6, 11},
		Bad:       23,
		NewReader: func(r io.Reader) codectest.Reader { return NewReader(r) },
		NewWriter: func(w io.Writer, level int) codectest.Writer { return NewWriter(w, level) },
	}.Run(t)
}
