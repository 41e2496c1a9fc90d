package codectest

import (
	"bytes"
	"testing"

	"github.com/eddy-go/eddy/compress"
	"github.com/eddy-go/eddy/compress/internal/shapes"
)

// FuzzRoundTrip holds any data to come back from every level.
func (s Suite) FuzzRoundTrip(f *testing.F) {
	for i, sh := range shapes.All {
		f.Add(sh.Gen(shapes.Rand(uint64(i)), 500), uint8(i))
	}
	f.Fuzz(func(t *testing.T, p []byte, pick uint8) {
		c := s.Levels[int(pick)%len(s.Levels)]
		z := packAll(t, c, p)
		if got, err := Decompress(t, c, z, len(p)); err != nil || !bytes.Equal(got, p) {
			t.Fatalf("%v: %v", c, err)
		}
		if got, err := AppendDecompress(t, c, z, len(p)); err != nil || !bytes.Equal(got, p) {
			t.Fatalf("%v: %v", c, err)
		}
	})
}

// FuzzDecompress holds any input to decode like the peer does, to a known
// error, or (where peer is nil) at least to the same in both forms. Extra are
// streams to begin with. The peer decodes at most limit bytes and reports
// whether the input is right and fits.
func (s Suite) FuzzDecompress(f *testing.F, peer func(z []byte, limit int) ([]byte, bool), extra ...[]byte) {
	for i, sh := range shapes.All {
		for _, c := range []compress.Codec{s.Levels[0], s.usual()} {
			f.Add(pack(f, c, sh.Gen(shapes.Rand(uint64(i)), 300)))
		}
	}
	for _, z := range extra {
		f.Add(z)
	}
	c := s.usual()
	const limit = 1 << 16
	f.Fuzz(func(t *testing.T, z []byte) {
		out, err := AppendDecompress(t, c, z, limit)
		if err != nil {
			known(t, err)
		}
		if peer != nil {
			want, ok := peer(z, limit)
			if ok && err != nil {
				t.Fatalf("%x: %v, but the peer takes it", z, err)
			}
			if !ok && err == nil {
				t.Fatalf("%x: taken, but the peer refuses it", z)
			}
			if ok && !bytes.Equal(out, want) {
				t.Fatalf("%x: data differs from the peer's", z)
			}
		}
		if err != nil {
			return
		}
		if got, err := Decompress(t, c, z, len(out)); err != nil || !bytes.Equal(got, out) {
			t.Fatalf("%x: with the size known: %v", z, err)
		}
	})
}
