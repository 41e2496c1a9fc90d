package codectest

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"testing"
	"testing/iotest"
	"time"

	"github.com/eddy-go/eddy/compress"
	"github.com/eddy-go/eddy/compress/internal/race"
	"github.com/eddy-go/eddy/compress/internal/shapes"
)

// Reader is what every package's Reader has.
type Reader interface {
	io.ReadCloser
	Reset(io.Reader)
}

// Writer is what every package's Writer has.
type Writer interface {
	io.WriteCloser
	Reset(io.Writer)
	Flush() error
}

// A Streams is the streams of a format under test.
type Streams struct {
	Codec     compress.Codec
	Levels    []int
	Bad       int
	NewReader func(io.Reader) Reader
	NewWriter func(io.Writer, int) Writer

	// Allocs that a stream may make in steady state, with its handle reused.
	Allocs float64
}

// Run runs all of the tests of streams.
func (s Streams) Run(t *testing.T) {
	t.Run("RoundTrip", s.roundTrip)
	t.Run("Flushed", s.flushed)
	t.Run("Truncated", s.truncated)
	t.Run("Flipped", s.flipped)
	t.Run("Closed", s.closed)
	t.Run("Faults", s.faults)
	t.Run("Trailing", s.trailing)
	t.Run("RudeReaders", s.rude)
	t.Run("PatientReaders", s.patience)
	t.Run("Panics", s.panics)
	t.Run("Broken", s.broken)
	t.Run("ClosedWhileBusy", s.closedWhileBusy)
	t.Run("ClosedByMany", s.closedByMany)
	t.Run("UsedByMany", s.usedByMany)
	t.Run("Allocations", s.allocations)
	t.Run("NoGoroutine", s.goroutines)
}

func (s Streams) roundTrip(t *testing.T) {
	sizes := []int{0, 1, 1000, 40000, 500000}
	if small() {
		sizes = sizes[:4]
	}
	for i, sh := range shapes.All {
		for _, n := range sizes {
			want := sh.Gen(shapes.Rand(uint64(i)), n)
			for _, level := range s.Levels {
				if small() && n > 1000 && level != s.Levels[i%len(s.Levels)] {
					continue
				}
				var b bytes.Buffer
				w := s.NewWriter(&b, level)
				for p := want; len(p) > 0; {
					k := min(len(p), 1+len(p)/3)
					if m, err := w.Write(p[:k]); m != k || err != nil {
						t.Fatal(m, err)
					}
					p = p[k:]
				}
				if err := w.Close(); err != nil {
					t.Fatal(err)
				}
				z := b.Bytes()
				if got, err := AppendDecompress(t, s.Codec, z, n); err != nil || !bytes.Equal(got, want) {
					t.Fatalf("%s %d level %d: the codec says %v", sh.Name, n, level, err)
				}
				for name, r := range map[string]io.Reader{
					"whole": bytes.NewReader(z),
					"bytes": iotest.OneByteReader(bytes.NewReader(z)),
					"half":  iotest.HalfReader(bytes.NewReader(z)),
					"eof":   iotest.DataErrReader(bytes.NewReader(z)),
				} {
					if name == "bytes" && n > 100000 && level != s.Levels[i%len(s.Levels)] {
						continue // one level of each shape is enough of so many calls
					}
					zr := s.NewReader(r)
					got, err := ReadAll(t, zr)
					if err != nil || !bytes.Equal(got, want) {
						t.Fatalf("%s %d level %d, %s: %d bytes, %v", sh.Name, n, level, name, len(got), err)
					}
					if k, err := zr.Read(make([]byte, 1)); k != 0 || err != io.EOF {
						t.Fatalf("after the end: %d, %v", k, err)
					}
					zr.Close()
				}
			}
		}
	}
	// what a codec wrote is read as well, in reads of one byte
	want := shapes.Mixed(shapes.Rand(1), 3000)
	z := pack(t, s.Codec, want)
	got, err := ReadAll(t, iotest.OneByteReader(s.NewReader(bytes.NewReader(z))))
	if err != nil || !bytes.Equal(got, want) {
		t.Fatal(err)
	}
}

// flushed: a reader gets all that was flushed, and then is told that the
// stream had no end.
func (s Streams) flushed(t *testing.T) {
	for _, level := range s.Levels {
		want := shapes.Columns(shapes.Rand(1), 200000)
		var b bytes.Buffer
		w := s.NewWriter(&b, level)
		w.Write(want[:1000])
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		got, err := ReadAll(t, s.NewReader(bytes.NewReader(b.Bytes())))
		if !errors.Is(err, io.ErrUnexpectedEOF) || !bytes.Equal(got, want[:1000]) {
			t.Fatalf("level %d: %d bytes, %v", level, len(got), err)
		}
		w.Write(want[1000:])
		w.Flush()
		got, err = ReadAll(t, s.NewReader(bytes.NewReader(b.Bytes())))
		if !errors.Is(err, io.ErrUnexpectedEOF) || !bytes.Equal(got, want) {
			t.Fatalf("level %d: %d bytes, %v", level, len(got), err)
		}
		w.Close()
	}
}

func (s Streams) truncated(t *testing.T) {
	want := shapes.Mixed(shapes.Rand(1), 2000)
	z := pack(t, s.Codec, want)
	r := s.NewReader(nil)
	for cut := range z {
		r.Reset(bytes.NewReader(z[:cut]))
		got, err := ReadAll(t, r)
		if !errors.Is(err, io.ErrUnexpectedEOF) || !bytes.HasPrefix(want, got) {
			t.Fatalf("cut at %d of %d: %d bytes, %v", cut, len(z), len(got), err)
		}
		known(t, err)
	}
	r.Close()
}

func (s Streams) flipped(t *testing.T) {
	want := shapes.Mixed(shapes.Rand(1), 600)
	z := pack(t, s.Codec, want)
	r := s.NewReader(nil)
	for bit := range 8 * len(z) {
		z[bit/8] ^= 1 << (bit % 8)
		r.Reset(bytes.NewReader(z))
		got, err := ReadAll(t, io.LimitReader(r, 1<<20))
		if err == nil && !bytes.Equal(got, want) {
			t.Fatalf("bit %d: wrong data without an error", bit)
		}
		if err != nil {
			known(t, err)
		}
		z[bit/8] ^= 1 << (bit % 8)
	}
	r.Close()
}

func (s Streams) allocations(t *testing.T) {
	if !race.Counts {
		t.Skip("counts do not hold under the race detector and eddydebug")
	}
	want := shapes.Columns(shapes.Rand(1), 50000)
	var b bytes.Buffer
	b.Grow(200000)
	src := new(bytes.Reader)
	z := pack(t, s.Codec, want)
	p := make([]byte, 60000)
	for _, level := range s.Levels {
		w := s.NewWriter(&b, level)
		write := func() {
			b.Reset()
			w.Reset(&b)
			w.Write(want)
			w.Close()
		}
		write()
		if n := allocs(5, s.Allocs, write); n > s.Allocs {
			t.Errorf("writing at level %d: %v allocations", level, n)
		}
	}
	r := s.NewReader(src)
	read := func() {
		src.Reset(z)
		r.Reset(src)
		if n, err := io.ReadFull(r, p); n != len(want) || err != io.ErrUnexpectedEOF {
			t.Fatal(n, err)
		}
		r.Close()
	}
	read()
	if n := allocs(20, s.Allocs, read); n > s.Allocs {
		t.Errorf("reading: %v allocations", n)
	}
}

// goroutines: open streams have none, and codecs neither.
func (s Streams) goroutines(t *testing.T) {
	before := runtime.NumGoroutine()
	want := shapes.Columns(shapes.Rand(1), 500000)
	z := pack(t, s.Codec, want)
	for range 5 {
		w := s.NewWriter(io.Discard, s.Levels[0])
		defer w.Close()
		w.Write(want)
		r := s.NewReader(bytes.NewReader(z))
		defer r.Close()
		r.Read(make([]byte, 100))
		if _, err := s.Codec.AppendDecompress(nil, z, len(want)); err != nil {
			t.Fatal(err)
		}
	}
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond) // for those that are just ending
	}
	t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}
