package codectest

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/eddy-go/eddy/compress"
	"github.com/eddy-go/eddy/compress/internal/shapes"
)

// truncated: a cut at every byte is an error.
func (s Suite) truncated(t *testing.T) {
	sizes := []int{0, 1, 300, 2000}
	if small() {
		sizes = sizes[:3]
	}
	for i, sh := range shapes.All {
		for _, n := range sizes {
			want := sh.Gen(shapes.Rand(uint64(i)), n)
			for _, c := range []compress.Codec{s.Levels[0], s.usual()} {
				z := pack(t, c, want)
				for cut := range z {
					_, err := Decompress(t, c, z[:cut], n)
					if err == nil {
						t.Fatalf("%s %d: cut at %d of %d: no error", sh.Name, n, cut, len(z))
					}
					known(t, err)
					if s.Ends && !errors.Is(err, io.ErrUnexpectedEOF) {
						t.Fatalf("%s %d: cut at %d of %d: %v", sh.Name, n, cut, len(z), err)
					}
					got, err := AppendDecompress(t, c, z[:cut], n)
					if err == nil && (s.Ends || !bytes.HasPrefix(want, got)) {
						t.Fatalf("%s %d: cut at %d of %d: no error where the size is unknown", sh.Name, n, cut, len(z))
					}
				}
			}
		}
	}
}

// trailing: bytes behind the end are an error. Only of what might begin
// another member, frame or stream is it something else than ErrTrailing.
func (s Suite) trailing(t *testing.T) {
	if !s.Ends {
		return
	}
	c := s.usual()
	for _, want := range [][]byte{nil, shapes.Columns(shapes.Rand(1), 3000)} {
		z := pack(t, c, want)
		for _, tail := range []string{"x", "\x00", "\x00\x00\x00", "abcd", "some more bytes", string(bytes.Repeat([]byte{0xff}, 70))} {
			whole := append(bytes.Clone(z), tail...)
			_, err := Decompress(t, c, whole, len(want))
			_, err2 := AppendDecompress(t, c, whole, 1<<20)
			for _, err := range []error{err, err2} {
				if err == nil {
					t.Fatalf("%q behind the end of %d bytes: no error", tail, len(want))
				}
				known(t, err)
				if tail[0] != 0 && !errors.Is(err, compress.ErrTrailing) {
					t.Fatalf("%q behind the end of %d bytes: %v", tail, len(want), err)
				}
			}
		}
	}
}

// harmless fails the test if damaged data decoded to something wrong.
func (s Suite) harmless(t testing.TB, c compress.Codec, z, want []byte) {
	t.Helper()
	checked := s.Checked && (s.Lost == nil || !s.Lost(z))
	got, err := Decompress(t, c, z, len(want))
	switch {
	case err != nil:
		known(t, err)
	case checked && !bytes.Equal(got, want):
		t.Fatalf("%x: wrong data without an error", z)
	}
	got, err = AppendDecompress(t, c, z, len(want)+100)
	switch {
	case err != nil:
		known(t, err)
	case checked && !repeats(got, want):
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
	sizes := []int{0, 1, 300}
	if small() {
		sizes[2] = 60
	}
	for i, sh := range shapes.All {
		for _, n := range sizes {
			want := sh.Gen(shapes.Rand(uint64(i)), n)
			for _, c := range []compress.Codec{s.Levels[0], s.usual()} {
				z := pack(t, c, want)
				for bit := range 8 * len(z) {
					z[bit/8] ^= 1 << (bit % 8)
					s.harmless(t, c, z, want)
					z[bit/8] ^= 1 << (bit % 8)
				}
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
	for i := 0; i < n; {
		sh := shapes.All[r.IntN(len(shapes.All))]
		want := sh.Gen(r, r.IntN(600))
		if i%1000 == 0 {
			want = sh.Gen(r, 5000+r.IntN(2000)) // longer than all margins
		}
		c := s.Levels[r.IntN(len(s.Levels))]
		z := pack(t, c, want)
		for range 50 {
			s.harmless(t, c, Mutate(r, bytes.Clone(z)), want)
			i++
		}
	}
}
