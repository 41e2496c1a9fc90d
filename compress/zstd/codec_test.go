package zstd

import (
	"testing"

	"github.com/eddy-go/eddy/compress"
	"github.com/eddy-go/eddy/compress/internal/codectest"
)

var suite = codectest.Suite{
	Levels:  []compress.Codec{Codec{}, Codec{1}, Codec{3}, Codec{6}, Codec{10}, Codec{22}},
	Bad:     Codec{23},
	Checked: true,
	Ends:    true,
}

func TestCodec(t *testing.T) { codectest.Run(t, suite) }

func FuzzRoundTrip(f *testing.F) { suite.FuzzRoundTrip(f) }
