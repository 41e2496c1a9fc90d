// Package codectest holds every codec to the promises of compress.Codec.
package codectest

import (
	"bytes"
	"errors"
	"io"
	"sync"
	"testing"

	"github.com/eddy-go/eddy/compress"
	"github.com/eddy-go/eddy/compress/internal/edge"
	"github.com/eddy-go/eddy/compress/internal/race"
	"github.com/eddy-go/eddy/compress/internal/shapes"
)

// A Suite is a format under test.
type Suite struct {
	Levels []compress.Codec // every level that there is
	Bad    []compress.Codec // some of levels that there are not

	// Checked: a checksum covers the data, so that damage either shows or
	// does no harm.
	Checked bool
	// Lost, where not nil, reports whether damaged data says that it has no
	// checksum, which it may where that is not itself under a checksum.
	Lost func(z []byte) bool
	// Ends: the format says where it ends, so that a cut is an error where
	// the size is not known, and so are trailing bytes.
	Ends bool
	// Slow: less data, since the codec takes its time.
	Slow bool
}

var kinds = []error{
	compress.ErrCorrupt, compress.ErrChecksum, compress.ErrSize, compress.ErrLimit, compress.ErrTrailing,
	compress.ErrDictionary, compress.ErrUnsupported, io.ErrUnexpectedEOF,
}

// known fails the test unless err is one that callers can tell.
func known(t testing.TB, err error) {
	t.Helper()
	var e *compress.Error
	if !errors.As(err, &e) {
		t.Fatalf("error %v (%T) is no *compress.Error", err, err)
	}
	for _, k := range kinds {
		if errors.Is(err, k) {
			return
		}
	}
	t.Fatalf("error %v is of no kind", err)
}

func small() bool { return testing.Short() || race.Enabled }

// Run runs all of the suite's tests.
func Run(t *testing.T, s Suite) {
	t.Run("RoundTrip", s.roundTrip)
	t.Run("Allocations", s.allocations)
	t.Run("SizeLies", s.sizeLies)
	t.Run("Limit", s.limit)
	t.Run("Truncated", s.truncated)
	t.Run("Trailing", s.trailing)
	t.Run("FlippedBits", s.flipped)
	t.Run("Mutations", s.mutations)
	t.Run("Concurrent", s.concurrent)
	t.Run("BadLevel", func(t *testing.T) {
		for _, c := range s.Bad {
			dst := []byte("kept")
			got, err := c.AppendCompress(dst, nil)
			if !errors.Is(err, compress.ErrLevel) || string(got) != "kept" {
				t.Errorf("%v: %q, %v", c, got, err)
			}
		}
	})
	t.Run("Nothing", s.nothing)
}

func (s Suite) usual() compress.Codec { return s.Levels[len(s.Levels)/2] }

func (s Suite) roundTrip(t *testing.T) {
	sizes := []int{0, 1, 5, 33, 100, 300, 5000, 70000, 300000}
	if small() || s.Slow {
		sizes = sizes[:7]
	}
	for i, sh := range shapes.All {
		for _, n := range sizes {
			want := sh.Gen(shapes.Rand(uint64(i)), n)
			for _, c := range s.Levels {
				packing := packAll
				if small() && n != 300 {
					packing = pack
				}
				z := packing(t, c, want)
				if got, err := Decompress(t, c, z, n); err != nil || !bytes.Equal(got, want) {
					t.Fatal(sh.Name, n, c, err)
				}
				if got, err := AppendDecompress(t, c, z, n); err != nil || !bytes.Equal(got, want) {
					t.Fatal(sh.Name, n, c, len(got), err)
				}
			}
		}
	}
}

// pack compresses p, which lies before a page that must not be touched.
func pack(t testing.TB, c compress.Codec, p []byte) []byte {
	t.Helper()
	in, same, done := input(t, p)
	defer done()
	z, err := c.AppendCompress(nil, in)
	same()
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// packAll is pack, and again behind what is there already, with the room for
// the result or not. All must give the same.
func packAll(t testing.TB, c compress.Codec, p []byte) []byte {
	t.Helper()
	z := pack(t, c, p)
	in, same, done := input(t, p)
	defer done()
	const prefix = "abc"
	for _, room := range []int{0, len(z) / 2, c.CompressBound(len(p))} {
		box := edge.Open(t, len(prefix)+room)
		dst, check := box.Last(t, len(prefix)+room)
		got, err := c.AppendCompress(append(dst[:0], prefix...), in)
		check()
		same()
		if err != nil || !bytes.HasPrefix(got, []byte(prefix)) || !bytes.Equal(got[len(prefix):], z) {
			t.Fatalf("%v: %d bytes behind a prefix with room for %d: %d bytes, %v", c, len(p), room, len(got), err)
		}
		box.Close()
	}
	return z
}

func (s Suite) concurrent(t *testing.T) {
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			r := shapes.Rand(uint64(g))
			for k := range 30 {
				c := s.Levels[(g+k)%len(s.Levels)]
				want := shapes.All[(g*k)%len(shapes.All)].Gen(r, r.IntN(3000))
				got, err := AppendDecompress(t, c, pack(t, c, want), len(want))
				if err != nil || !bytes.Equal(got, want) {
					t.Errorf("goroutine %d: %d of %d bytes, %v", g, len(got), len(want), err)
					return
				}
			}
		})
	}
	wg.Wait()
}
