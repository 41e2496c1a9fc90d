package flate

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/klauspost/compress/flate"

	"github.com/eddy-go/eddy/compress/internal/codectest"
	"github.com/eddy-go/eddy/compress/internal/edge"
	"github.com/eddy-go/eddy/compress/internal/race"
	"github.com/eddy-go/eddy/compress/internal/shapes"
	"github.com/eddy-go/eddy/compress/internal/sink"
)

// peer is klauspost's decoder, used again.
type peer struct {
	src bytes.Reader
	r   io.ReadCloser
}

func newPeer() *peer { return &peer{r: flate.NewReader(nil)} }

const limit = 1 << 16

// agree fails the test unless the one-shot form, the stream and the peer say
// the same of z.
func (p *peer) agree(t testing.TB, z []byte) {
	t.Helper()
	p.src.Reset(z)
	p.r.(flate.Resetter).Reset(&p.src, nil)
	want, perr := io.ReadAll(io.LimitReader(p.r, limit+1))
	used := len(z) - p.src.Len()

	box := edge.Open(t, len(z))
	defer box.Close()
	in, _ := box.Last(t, len(z))
	copy(in, z)
	s := sink.ForAppend(nil, limit+1)
	sp, err := Decode(&s, in, 0)
	got := s.Finish()
	if len(want) > limit {
		return // too much to compare
	}
	if (err == nil) != (perr == nil) {
		t.Fatalf("%x: %v, the peer: %v", z, err, perr)
	}
	if err == nil && (!bytes.Equal(got, want) || sp != used) {
		t.Fatalf("%x: %d bytes out of %d, the peer: %d out of %d", z, len(got), sp, len(want), used)
	}

	r := NewReader(bytes.NewReader(z))
	defer r.Release()
	streamed, serr := codectest.ReadAll(t, r)
	if (serr == nil) != (err == nil) || serr != nil && !errors.Is(serr, err) || err == nil && !bytes.Equal(streamed, want) {
		t.Fatalf("%x: %d bytes, %v as a stream, %d, %v as a slice", z, len(streamed), serr, len(got), err)
	}
}

// packed is random data at a random level.
func packed(r *rand.Rand, most int) []byte {
	p := shapes.All[r.IntN(len(shapes.All))].Gen(r, r.IntN(most))
	return AppendCompress(nil, p, r.IntN(12)-2)
}

func TestAgreesWithKlauspost(t *testing.T) {
	n := 5000
	if testing.Short() || race.Enabled {
		n = 300
	}
	p, r := newPeer(), shapes.Rand(21)
	for range n {
		z := packed(r, 1500)
		p.agree(t, z)
		p.agree(t, codectest.Mutate(r, z))
	}
}

func FuzzKlauspost(f *testing.F) {
	r := shapes.Rand(22)
	for range 20 {
		f.Add(packed(r, 300))
	}
	p := newPeer()
	f.Fuzz(func(t *testing.T, z []byte) { p.agree(t, z) })
}
