package zlib

import (
	"io"
	"testing"

	"github.com/eddy-go/eddy/compress/internal/codectest"
)

func TestStreams(t *testing.T) {
	codectest.Streams{
		Codec:     Codec{},
		Levels:    []int{-2, -1, 0, 1, 6, 9},
		Bad:       10,
		NewReader: func(r io.Reader) codectest.Reader { return NewReader(r) },
		NewWriter: func(w io.Writer, level int) codectest.Writer { return NewWriter(w, level) },
	}.Run(t)
}
