package gzip

import (
	"testing"

	"github.com/eddy-go/eddy/compress"
	"github.com/eddy-go/eddy/compress/internal/codectest"
)

var suite = codectest.Suite{
	Levels:  []compress.Codec{Codec{Stored}, Codec{HuffmanOnly}, Codec{Default}, Codec{1}, Codec{2}, Codec{3}, Codec{4}, Codec{5}, Codec{6}, Codec{7}, Codec{8}, Codec{9}},
	Bad:     []compress.Codec{Codec{10}, Codec{-3}, Codec{1<<31 - 1}},
	Checked: true,
	Ends:    true,
}

func TestCodec(t *testing.T) { codectest.Run(t, suite) }

func FuzzRoundTrip(f *testing.F) { suite.FuzzRoundTrip(f) }
