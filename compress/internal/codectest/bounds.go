package codectest

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"testing"

	"github.com/eddy-go/eddy/compress"
	"github.com/eddy-go/eddy/compress/internal/shapes"
)

// sizeLies: a size that is not the data's is an error, whichever way it lies.
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
				_, err := Decompress(t, c, z, size)
				if !errors.Is(err, compress.ErrSize) {
					t.Fatalf("%s: %d bytes into %d: %v", sh.Name, n, size, err)
				}
				known(t, err)
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
			_, err := AppendDecompress(t, c, z, limit)
			if !errors.Is(err, compress.ErrLimit) {
				t.Fatalf("%s: limit %d: %v", sh.Name, limit, err)
			}
			known(t, err)
		}
		for _, limit := range []int{n, n + 1, 10 * n} {
			got, err := AppendDecompress(t, c, z, limit)
			if err != nil || !bytes.Equal(got, want) {
				t.Fatalf("%s: limit %d: %d bytes, %v", sh.Name, limit, len(got), err)
			}
		}
	}
	// Nothing fits into no room.
	z := pack(t, c, nil)
	for _, limit := range []int{-1, 0, 1} {
		if got, err := AppendDecompress(t, c, z, limit); err != nil || len(got) != 0 {
			t.Fatalf("nothing at a limit of %d: %d bytes, %v", limit, len(got), err)
		}
	}
	// A limit that is far away costs nothing.
	small := shapes.Columns(shapes.Rand(1), 3000)
	z = pack(t, c, small)
	if n := allocated(func() {
		if got, err := c.AppendDecompress(nil, z, 1<<30); err != nil || !bytes.Equal(got, small) {
			t.Error(err)
		}
	}); n > 1<<20 {
		t.Errorf("%d bytes allocated for %d", n, len(small))
	}
	// A bomb costs its limit, whatever it holds.
	bomb := pack(t, c, make([]byte, 8<<20))
	in, same, done := input(t, bomb)
	defer done()
	for _, limit := range []int{1000, 1 << 20} {
		n := allocated(func() {
			if _, err := c.AppendDecompress(nil, in, limit); !errors.Is(err, compress.ErrLimit) {
				t.Error(err)
			}
		})
		same()
		// Buffers that double, and a decoder if the pool has none.
		if n > uint64(3*limit+1<<20) {
			t.Errorf("a bomb allocates %d bytes at a limit of %d", n, limit)
		}
	}
}

// allocated returns how many bytes f allocates.
func allocated(f func()) uint64 {
	var a, b runtime.MemStats
	runtime.ReadMemStats(&a)
	f()
	runtime.ReadMemStats(&b)
	return b.TotalAlloc - a.TotalAlloc
}

// nothing: nil is as good as an empty slice, everywhere.
func (s Suite) nothing(t *testing.T) {
	for _, c := range s.Levels {
		z, err := c.AppendCompress(nil, nil)
		if err != nil || len(z) == 0 {
			t.Fatalf("%v: %d bytes, %v", c, len(z), err)
		}
		if z2, err := c.AppendCompress([]byte{}, []byte{}); err != nil || !bytes.Equal(z, z2) {
			t.Fatalf("%v: nil is compressed to %x, an empty slice to %x, %v", c, z, z2, err)
		}
		for _, dst := range [][]byte{nil, {}, make([]byte, 0, 10)} {
			if n, err := c.Decompress(dst, z); n != 0 || err != nil {
				t.Fatalf("%v: %d, %v", c, n, err)
			}
			if got, err := c.AppendDecompress(dst, z, 0); len(got) != 0 || err != nil {
				t.Fatalf("%v: %d bytes, %v", c, len(got), err)
			}
			for _, src := range [][]byte{nil, {}} {
				_, err := c.Decompress(dst, src)
				_, err2 := c.AppendDecompress(dst, src, 10)
				if !errors.Is(err, io.ErrUnexpectedEOF) || !errors.Is(err2, io.ErrUnexpectedEOF) {
					t.Fatalf("%v: no input: %v, %v", c, err, err2)
				}
			}
		}
	}
}
