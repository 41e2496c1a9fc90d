package zlib

import (
	"bytes"
	"testing"

	"github.com/eddy-go/eddy/compress/internal/codectest"
	"github.com/eddy-go/eddy/compress/internal/shapes"
)

// The encoder beneath stores a block in which it finds no match, at level 1
// and others: the codec must not.
func TestFewByteValuesAreNotStored(t *testing.T) {
	for _, n := range []int{4 << 10, 32 << 10, 200 << 10} {
		p := shapes.Few(shapes.Rand(1), n)
		for level := 1; level <= 9; level++ {
			z, err := Codec{level}.AppendCompress(nil, p)
			if err != nil || len(z) > n*54/100 {
				t.Errorf("level %d: %d bytes of %d, %v", level, len(z), n, err)
			}
			if back, err := codectest.Decompress(t, Codec{}, z, n); err != nil || !bytes.Equal(back, p) {
				t.Errorf("level %d: %v", level, err)
			}
		}
	}
}

func TestRandomBytesHardlyGrow(t *testing.T) {
	p := shapes.All[1].Gen(shapes.Rand(1), 100000)
	for _, c := range suite.Levels {
		z, err := c.AppendCompress(nil, p)
		if err != nil || len(z) > len(p)+len(p)/1000+40 {
			t.Errorf("%v: %d bytes of %d, %v", c, len(z), len(p), err)
		}
	}
}
