package codectest

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"testing/iotest"

	"github.com/eddy-go/eddy/compress"
	"github.com/eddy-go/eddy/compress/internal/pull"
	"github.com/eddy-go/eddy/compress/internal/shapes"
)

// failing fails, or takes too little, after so many bytes.
type failing struct {
	left  int
	short bool
}

var errFailing = errors.New("pipe is full")

func (f *failing) Write(p []byte) (int, error) {
	if len(p) <= f.left {
		f.left -= len(p)
		return len(p), nil
	}
	n := f.left
	f.left = 0
	if f.short {
		return n, nil
	}
	return n, errFailing
}

func (s Streams) faults(t *testing.T) {
	want := shapes.Mixed(shapes.Rand(1), 30000)
	z := pack(t, s.Codec, want)
	for _, at := range []int{0, 1, 5, 300, len(z) / 2} {
		r := s.NewReader(io.MultiReader(bytes.NewReader(z[:at]), iotest.ErrReader(errFailing)))
		for range 2 {
			if _, err := io.ReadAll(r); !errors.Is(err, errFailing) {
				t.Fatalf("reader fails after %d: %v", at, err)
			}
		}
		for _, short := range []bool{false, true} {
			wantErr := errFailing
			if short {
				wantErr = io.ErrShortWrite
			}
			w := s.NewWriter(&failing{at, short}, s.Levels[0])
			_, err := w.Write(want)
			if cerr := w.Close(); err == nil {
				err = cerr
			} else if !errors.Is(cerr, wantErr) {
				t.Fatalf("Close after a failed Write: %v", cerr)
			}
			if !errors.Is(err, wantErr) {
				t.Fatalf("writer fails after %d (short %v): %v", at, short, err)
			}
		}
	}
}

// trailing: bytes behind the end are an error, after all of the data.
func (s Streams) trailing(t *testing.T) {
	want := shapes.Mixed(shapes.Rand(1), 3000)
	z := pack(t, s.Codec, want)
	for _, tail := range []string{"?", "\x00", "\x00\x00\x00\x00", "more garbage than a header"} {
		whole := append(bytes.Clone(z), tail...)
		for name, src := range map[string]io.Reader{
			"whole":  bytes.NewReader(whole),
			"bytes":  iotest.OneByteReader(bytes.NewReader(whole)),
			"behind": io.MultiReader(bytes.NewReader(z), iotest.DataErrReader(bytes.NewReader(whole[len(z):]))),
		} {
			r := s.NewReader(src)
			got, err := io.ReadAll(r)
			if !errors.Is(err, compress.ErrTrailing) || !bytes.Equal(got, want) {
				t.Errorf("%q behind, %s: %d bytes, %v", tail, name, len(got), err)
			}
		}
	}
	r := s.NewReader(io.MultiReader(bytes.NewReader(z), iotest.ErrReader(errFailing)))
	if got, err := io.ReadAll(r); !errors.Is(err, errFailing) || !bytes.Equal(got, want) {
		t.Errorf("reader fails at the end: %d bytes, %v", len(got), err)
	}
	// A second stream is more data, or it is trailing bytes, as it is for the codec.
	twice := append(bytes.Clone(z), z...)
	both, want2 := s.Codec.AppendDecompress(nil, twice, 2*len(want))
	got, err := io.ReadAll(s.NewReader(bytes.NewReader(twice)))
	if want2 == nil {
		want = both
	}
	if (err == nil) != (want2 == nil) || err != nil && !errors.Is(err, compress.ErrTrailing) || !bytes.Equal(got, want) {
		t.Errorf("twice: %d of %d bytes, %v, and from the codec %v", len(got), len(want), err, want2)
	}
}

// rude gives the bytes of r, and then counts that mean nothing.
type rude struct {
	r     io.Reader
	count func(asked int) int
}

func (r *rude) Read(p []byte) (int, error) {
	if n, err := r.r.Read(p); n > 0 {
		return n, err
	}
	return r.count(len(p)), nil
}

func (s Streams) rude(t *testing.T) {
	z := pack(t, s.Codec, shapes.Mixed(shapes.Rand(1), 3000))
	for _, at := range []int{0, 1, 3, 7, len(z) / 2, len(z) - 1, len(z)} {
		for _, c := range []struct {
			name  string
			count func(int) int
			err   error
		}{
			{"nothing", func(int) int { return 0 }, io.ErrNoProgress},
			{"less", func(int) int { return -1 }, pull.ErrCount},
			{"more", func(n int) int { return n + 1 }, pull.ErrCount},
		} {
			r := s.NewReader(&rude{bytes.NewReader(z[:at]), c.count})
			if _, err := io.ReadAll(r); !errors.Is(err, c.err) {
				t.Errorf("%s after %d bytes: %v", c.name, at, err)
			}
		}
	}
}
