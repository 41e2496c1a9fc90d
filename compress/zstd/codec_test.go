package zstd

import (
	"testing"

	"github.com/eddy-go/eddy/compress"
	"github.com/eddy-go/eddy/compress/internal/codectest"
)

var suite = codectest.Suite{
	Levels:  []compress.Codec{Codec{}, Codec{1}, Codec{3}, Codec{6}, Codec{10}, Codec{22}},
	Bad:     []compress.Codec{Codec{23}, Codec{-1}, Codec{-1 << 31}},
	Checked: true,
	Lost:    lost,
	Ends:    true,
}

// lost reports whether a frame of z has no checksum, by its header.
func lost(z []byte) bool {
	for len(z) > 0 {
		f, err := parseFrame(z)
		if err != nil {
			return false
		}
		if !f.skippable && z[4]&flagChecksum == 0 {
			return true
		}
		z = z[f.end:]
	}
	return false
}

func TestCodec(t *testing.T) { codectest.Run(t, suite) }

func FuzzRoundTrip(f *testing.F) { suite.FuzzRoundTrip(f) }
