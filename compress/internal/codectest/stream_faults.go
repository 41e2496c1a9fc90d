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
			if _, err := ReadAll(t, r); !errors.Is(err, errFailing) {
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
			got, err := ReadAll(t, r)
			if !errors.Is(err, compress.ErrTrailing) || !bytes.Equal(got, want) {
				t.Errorf("%q behind, %s: %d bytes, %v", tail, name, len(got), err)
			}
		}
	}
	r := s.NewReader(io.MultiReader(bytes.NewReader(z), iotest.ErrReader(errFailing)))
	if got, err := ReadAll(t, r); !errors.Is(err, errFailing) || !bytes.Equal(got, want) {
		t.Errorf("reader fails at the end: %d bytes, %v", len(got), err)
	}
	// A second stream is more data, or it is trailing bytes, as it is for the codec.
	twice := append(bytes.Clone(z), z...)
	both, want2 := AppendDecompress(t, s.Codec, twice, 2*len(want))
	got, err := ReadAll(t, s.NewReader(bytes.NewReader(twice)))
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
	want := shapes.Mixed(shapes.Rand(1), 3000)
	z := pack(t, s.Codec, want)
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
			got, err := ReadAll(t, r)
			if !errors.Is(err, c.err) || !bytes.HasPrefix(want, got) {
				t.Errorf("%s after %d bytes: %d bytes, %v", c.name, at, len(got), err)
			}
			if n, again := r.Read(make([]byte, 1)); n != 0 || again != err {
				t.Errorf("%s after %d bytes, again: %d, %v and not %v", c.name, at, n, again, err)
			}
		}
	}
}

// patient is a reader that returns nothing some times before it returns a few
// bytes, and with the last of them err.
type patient struct {
	b   []byte
	max int
	err error
	n   int
}

func (r *patient) Read(p []byte) (int, error) {
	if r.n++; r.n%40 != 0 {
		return 0, nil
	}
	n := copy(p[:min(len(p), r.max)], r.b)
	if r.b = r.b[n:]; len(r.b) == 0 {
		return n, r.err
	}
	return n, nil
}

// patience: what an io.Reader may do is no error: returning nothing for a
// while, and the last bytes together with an error.
func (s Streams) patience(t *testing.T) {
	want := shapes.Mixed(shapes.Rand(1), 3000)
	z := pack(t, s.Codec, want)
	for _, most := range []int{1, 2, 7, len(z)} {
		got, err := ReadAll(t, s.NewReader(&patient{b: z, max: most, err: io.EOF}))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d bytes at a time: %d bytes, %v", most, len(got), err)
		}
		// The bytes that come with an error count.
		got, err = ReadAll(t, s.NewReader(&patient{b: z, max: most, err: errFailing}))
		if !errors.Is(err, errFailing) || !bytes.Equal(got, want) {
			t.Errorf("%d bytes at a time, and an error: %d bytes, %v", most, len(got), err)
		}
	}
	// A Read of nothing is nothing, at any time.
	r := s.NewReader(bytes.NewReader(z))
	got := make([]byte, len(want))
	for i := range got {
		if n, err := r.Read(nil); n != 0 || err != nil {
			t.Fatalf("Read of nothing after %d bytes: %d, %v", i, n, err)
		}
		if n, err := r.Read(got[i : i+1]); n != 1 || err != nil && i < len(want)-1 {
			t.Fatalf("Read of one byte after %d bytes: %d, %v", i, n, err)
		}
	}
	if n, err := r.Read(make([]byte, 1)); n != 0 || err != io.EOF || !bytes.Equal(got, want) {
		t.Fatalf("behind the end: %d, %v", n, err)
	}
}

// panicking panics after so many calls.
type panicking struct {
	r     io.Reader
	w     io.Writer
	calls int
}

func (p *panicking) call() {
	if p.calls--; p.calls < 0 {
		panic(p)
	}
}

func (p *panicking) Read(b []byte) (int, error)  { p.call(); return p.r.Read(b) }
func (p *panicking) Write(b []byte) (int, error) { p.call(); return p.w.Write(b) }

// panics: a panic of the reader or writer beneath goes through, and what is
// left of the state does no harm to the next stream.
func (s Streams) panics(t *testing.T) {
	want := shapes.Mixed(shapes.Rand(1), 100000)
	z := pack(t, s.Codec, want)
	through := func(what any, f func()) {
		t.Helper()
		defer func() {
			t.Helper()
			if v := recover(); v != what {
				t.Errorf("the panic is lost: %v", v)
			}
		}()
		f()
	}
	for calls := range 12 {
		p := &panicking{r: iotest.HalfReader(bytes.NewReader(z)), calls: calls}
		r := s.NewReader(p)
		through(p, func() {
			io.CopyN(io.Discard, r, int64(len(want)))
			p.call() // fewer calls were needed
			for {
				p.call()
			}
		})
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if got, err := ReadAll(t, s.NewReader(bytes.NewReader(z))); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("the next reader: %d bytes, %v", len(got), err)
		}

		p = &panicking{w: io.Discard, calls: calls}
		w := s.NewWriter(p, s.Levels[calls%len(s.Levels)])
		through(p, func() {
			for {
				w.Write(want[:30000])
				w.Flush()
			}
		})
		p.w, p.calls = io.Discard, 1<<30
		w.Reset(io.Discard)
		var b bytes.Buffer
		w2 := s.NewWriter(&b, s.Levels[calls%len(s.Levels)])
		w2.Write(want)
		if err := w2.Close(); err != nil {
			t.Fatal(err)
		}
		if got, err := AppendDecompress(t, s.Codec, b.Bytes(), len(want)); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("the next writer: %d bytes, %v", len(got), err)
		}
		w.Reset(&b)
		b.Reset()
		w.Write(want)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if got, err := AppendDecompress(t, s.Codec, b.Bytes(), len(want)); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("the same writer: %d bytes, %v", len(got), err)
		}
	}
}
