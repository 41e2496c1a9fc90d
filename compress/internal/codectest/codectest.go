// Package codectest holds every codec to the promises of compress.Codec.
package codectest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
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
	Bad    compress.Codec   // one of a level that there is not

	// Checked: a checksum covers the data, so that damage either shows or
	// does no harm.
	Checked bool
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
	t.Run("Edges", s.edges)
	t.Run("SizeLies", s.sizeLies)
	t.Run("Limit", s.limit)
	t.Run("Truncated", s.truncated)
	t.Run("Trailing", s.trailing)
	t.Run("FlippedBits", s.flipped)
	t.Run("Mutations", s.mutations)
	t.Run("Concurrent", s.concurrent)
	t.Run("BadLevel", func(t *testing.T) {
		dst := []byte("kept")
		got, err := s.Bad.AppendCompress(dst, nil)
		if !errors.Is(err, compress.ErrLevel) || string(got) != "kept" {
			t.Fatalf("%q, %v", got, err)
		}
	})
}

func (s Suite) usual() compress.Codec { return s.Levels[len(s.Levels)/2] }

func pack(t testing.TB, c compress.Codec, p []byte) []byte {
	t.Helper()
	z, err := c.AppendCompress(nil, p)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func (s Suite) roundTrip(t *testing.T) {
	sizes := []int{0, 1, 5, 100, 4096, 70000, 300000}
	if small() || s.Slow {
		sizes = sizes[:5]
	}
	for i, sh := range shapes.All {
		for _, n := range sizes {
			want := sh.Gen(shapes.Rand(uint64(i)), n)
			for _, c := range s.Levels {
				// behind what is there, and with the room for it or not
				for _, room := range []int{0, c.CompressBound(n)} {
					z, err := c.AppendCompress(append(make([]byte, 0, 3+room), "abc"...), want)
					if err != nil || !bytes.HasPrefix(z, []byte("abc")) {
						t.Fatal(sh.Name, n, c, err)
					}
					z = z[3:]
					got := make([]byte, n)
					if m, err := c.Decompress(got, z); err != nil || m != n || !bytes.Equal(got, want) {
						t.Fatal(sh.Name, n, c, m, err)
					}
					out, err := c.AppendDecompress(append(make([]byte, 0, 3+room), "abc"...), z, n)
					if err != nil || string(out[:3]) != "abc" || !bytes.Equal(out[3:], want) {
						t.Fatal(sh.Name, n, c, len(out), err)
					}
				}
			}
		}
	}
}

func (s Suite) allocations(t *testing.T) {
	if !race.Counts {
		t.Skip("counts do not hold under the race detector and eddydebug")
	}
	runs := 20
	if s.Slow {
		runs = 2
	}
	for _, sh := range []shapes.Shape{{Name: "columns", Gen: shapes.Columns}, {Name: "mixed", Gen: shapes.Mixed}} {
		for _, n := range []int{4 << 10, 32 << 10} {
			p := sh.Gen(shapes.Rand(1), n)
			for _, c := range s.Levels {
				z := pack(t, c, p)
				dst := make([]byte, n)
				room := make([]byte, 0, c.CompressBound(n))
				for _, op := range []struct {
					name string
					want float64
					f    func()
				}{
					{"AppendCompress", 0, func() { c.AppendCompress(room, p) }},
					{"AppendCompress to nil", 1, func() { c.AppendCompress(nil, p) }},
					{"Decompress", 0, func() { c.Decompress(dst, z) }},
					{"AppendDecompress", 0, func() { c.AppendDecompress(room, z, n) }},
					{"AppendDecompress to nil", 1, func() { c.AppendDecompress(nil, z, n) }},
				} {
					op.f()
					if got := allocs(runs, op.want, op.f); got > op.want {
						t.Errorf("%s of %s %d at %v: %v allocations", op.name, sh.Name, n, c, got)
					}
				}
			}
		}
	}
}

func (s Suite) edges(t *testing.T) {
	for i, sh := range shapes.All {
		for _, n := range []int{0, 1, 33, 300, 5000} {
			want := sh.Gen(shapes.Rand(uint64(i)), n)
			src := edge.Page(t, n)
			copy(src, want)
			for _, c := range s.Levels {
				z := pack(t, c, src)
				zp := edge.Page(t, len(z))
				copy(zp, z)
				dst := edge.Page(t, n)
				if _, err := c.Decompress(dst, zp); err != nil || !bytes.Equal(dst, want) {
					t.Fatal(sh.Name, n, c, err)
				}
				guarded, check := edge.Canary(t, n)
				if _, err := c.Decompress(guarded, zp); err != nil || !bytes.Equal(guarded, want) {
					t.Fatal(sh.Name, n, c, err)
				}
				check()
				// damaged, which must not reach further
				r := shapes.Rand(uint64(n))
				for range 40 {
					copy(zp, z)
					for range 1 + r.IntN(3) {
						zp[r.IntN(len(zp))] ^= byte(1 << r.IntN(8))
					}
					c.Decompress(dst, zp)
					c.Decompress(guarded, zp)
					check()
				}
			}
		}
	}
}

func (s Suite) sizeLies(t *testing.T) {
	for i, sh := range shapes.All {
		for _, n := range []int{0, 1, 300, 5000, 70000} {
			want := sh.Gen(shapes.Rand(uint64(i)), n)
			c := s.usual()
			z := pack(t, c, want)
			for _, size := range []int{0, 1, n / 2, n - 1, n + 1, n + 7, 2*n + 10} {
				if size < 0 || size == n {
					continue
				}
				dst, check := edge.Canary(t, size)
				_, err := c.Decompress(dst, z)
				if !errors.Is(err, compress.ErrSize) {
					t.Fatalf("%s: %d bytes into %d: %v", sh.Name, n, size, err)
				}
				known(t, err)
				check()
			}
		}
	}
}

func (s Suite) limit(t *testing.T) {
	c := s.usual()
	n := 200000
	for i, sh := range shapes.All {
		want := sh.Gen(shapes.Rand(uint64(i)), n)
		z := pack(t, c, want)
		for _, limit := range []int{-1, 0, 1, 100, n - 1} {
			for _, room := range []int{0, 50, n + 100} {
				dst := append(make([]byte, 0, 4+room), "kept"...)
				out, err := c.AppendDecompress(dst, z, limit)
				if !errors.Is(err, compress.ErrLimit) || string(out) != "kept" {
					t.Fatalf("%s: limit %d, room %d: %d bytes, %v", sh.Name, limit, room, len(out), err)
				}
				if spare := out[len(out):cap(out)]; limit >= 0 && len(spare) > limit {
					for _, v := range spare[limit:] {
						if v != 0 {
							t.Fatalf("%s: written behind the limit of %d", sh.Name, limit)
						}
					}
				}
				known(t, err)
			}
		}
		out, err := c.AppendDecompress(nil, z, 10*n)
		if err != nil || !bytes.Equal(out, want) {
			t.Fatal(sh.Name, err)
		}
	}
	// A bomb costs its limit, whatever it holds.
	bomb := pack(t, c, make([]byte, 8<<20))
	for _, limit := range []int{1000, 1 << 20} {
		var a, b runtime.MemStats
		runtime.ReadMemStats(&a)
		_, err := c.AppendDecompress(nil, bomb, limit)
		runtime.ReadMemStats(&b)
		if !errors.Is(err, compress.ErrLimit) {
			t.Fatal(err)
		}
		// Buffers that double, and a decoder if the pool has none.
		if n := b.TotalAlloc - a.TotalAlloc; n > uint64(3*limit+1<<20) {
			t.Errorf("a bomb allocates %d bytes at a limit of %d", n, limit)
		}
	}
}

func (s Suite) truncated(t *testing.T) {
	for i, sh := range shapes.All {
		for _, n := range []int{0, 1, 300, 2000} {
			want := sh.Gen(shapes.Rand(uint64(i)), n)
			for _, c := range []compress.Codec{s.Levels[0], s.usual()} {
				z := pack(t, c, want)
				dst := make([]byte, n)
				for cut := range z {
					_, err := c.Decompress(dst, z[:cut])
					if err == nil {
						t.Fatalf("%s %d: cut at %d of %d: no error", sh.Name, n, cut, len(z))
					}
					known(t, err)
					if s.Ends && !errors.Is(err, io.ErrUnexpectedEOF) {
						t.Fatalf("%s %d: cut at %d of %d: %v", sh.Name, n, cut, len(z), err)
					}
					out, err := c.AppendDecompress(nil, z[:cut], n)
					if err == nil && (s.Ends || !bytes.HasPrefix(want, out)) {
						t.Fatalf("%s %d: cut at %d of %d: no error where the size is unknown", sh.Name, n, cut, len(z))
					}
				}
			}
		}
	}
}

func (s Suite) trailing(t *testing.T) {
	if !s.Ends {
		return
	}
	want := shapes.Columns(shapes.Rand(1), 3000)
	c := s.usual()
	z := pack(t, c, want)
	for _, tail := range []string{"x", "\x00", "\x00\x00\x00", "abcd", "some more bytes", string(bytes.Repeat([]byte{0xff}, 70))} {
		_, err := c.Decompress(make([]byte, len(want)), append(bytes.Clone(z), tail...))
		if err == nil {
			t.Fatalf("%q behind the end: no error", tail)
		}
		known(t, err)
		if _, err := c.AppendDecompress(nil, append(bytes.Clone(z), tail...), 1<<20); err == nil {
			t.Fatalf("%q behind the end: no error where the size is unknown", tail)
		}
	}
}

// harmless fails the test if damaged data decoded to something wrong.
func (s Suite) harmless(t testing.TB, c compress.Codec, z, want []byte, dst []byte) {
	t.Helper()
	n, err := c.Decompress(dst, z)
	switch {
	case err != nil:
		known(t, err)
	case s.Checked && (n != len(want) || !bytes.Equal(dst[:n], want)):
		t.Fatalf("%x: wrong data without an error", z)
	}
	out, err := c.AppendDecompress(nil, z, len(want)+100)
	switch {
	case err != nil:
		known(t, err)
	case s.Checked && !repeats(out, want):
		t.Fatalf("%x: wrong data without an error where the size is unknown", z)
	}
}

// repeats reports whether out is want once or several times: members and
// frames may follow each other, so a doubled block is no damage.
func repeats(out, want []byte) bool {
	for len(out) > len(want) && len(want) > 0 && bytes.HasPrefix(out, want) {
		out = out[len(want):]
	}
	return bytes.Equal(out, want)
}

func (s Suite) flipped(t *testing.T) {
	for i, sh := range shapes.All {
		for _, n := range []int{0, 1, 300} {
			want := sh.Gen(shapes.Rand(uint64(i)), n)
			for _, c := range []compress.Codec{s.Levels[0], s.usual()} {
				z := pack(t, c, want)
				dst, check := edge.Canary(t, n)
				for bit := range 8 * len(z) {
					z[bit/8] ^= 1 << (bit % 8)
					s.harmless(t, c, z, want, dst)
					z[bit/8] ^= 1 << (bit % 8)
				}
				check()
			}
		}
	}
}

// Mutate changes z, possibly in place, in one of several ways.
func Mutate(r *rand.Rand, z []byte) []byte {
	if len(z) == 0 {
		return append(z, byte(r.Uint32()))
	}
	for range 1 + r.IntN(4) {
		i := r.IntN(len(z))
		switch r.IntN(6) {
		case 0, 1:
			z[i] ^= 1 << r.IntN(8)
		case 2:
			z[i] = byte(r.Uint32())
		case 3:
			z = z[:i+1]
		case 4:
			copy(z[i:], z[r.IntN(len(z)):])
		case 5:
			z = append(z, z[i:]...)
		}
	}
	return z
}

func (s Suite) mutations(t *testing.T) {
	n := 50000
	if small() {
		n = 2000
	}
	r := shapes.Rand(11)
	guarded, check := edge.Canary(t, 600)
	for i := 0; i < n; {
		sh := shapes.All[r.IntN(len(shapes.All))]
		want := sh.Gen(r, r.IntN(600))
		c := s.Levels[r.IntN(len(s.Levels))]
		z := pack(t, c, want)
		dst := guarded[:len(want)]
		for range 50 {
			s.harmless(t, c, Mutate(r, bytes.Clone(z)), want, dst)
			i++
		}
		check()
	}
}

func (s Suite) concurrent(t *testing.T) {
	var wg sync.WaitGroup
	errs := make(chan error, 8)
	for g := range 8 {
		wg.Go(func() {
			r := shapes.Rand(uint64(g))
			for k := range 30 {
				c := s.Levels[(g+k)%len(s.Levels)]
				want := shapes.All[(g*k)%len(shapes.All)].Gen(r, r.IntN(3000))
				z, err := c.AppendCompress(nil, want)
				if err == nil {
					var got []byte
					if got, err = c.AppendDecompress(nil, z, len(want)); err == nil && !bytes.Equal(got, want) {
						err = fmt.Errorf("goroutine %d: data differs", g)
					}
				}
				if err != nil {
					errs <- err
					return
				}
			}
		})
	}
	wg.Wait()
	select {
	case err := <-errs:
		t.Fatal(err)
	default:
	}
}
