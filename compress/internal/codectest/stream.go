package codectest

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/eddy-go/eddy/compress"
	"github.com/eddy-go/eddy/compress/internal/pull"
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
	t.Run("ClosedWhileBusy", s.closedWhileBusy)
	t.Run("ClosedByMany", s.closedByMany)
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
				if got, err := s.Codec.AppendDecompress(nil, z, n); err != nil || !bytes.Equal(got, want) {
					t.Fatalf("%s %d level %d: the codec says %v", sh.Name, n, level, err)
				}
				for name, r := range map[string]io.Reader{
					"whole": bytes.NewReader(z),
					"bytes": iotest.OneByteReader(bytes.NewReader(z)),
					"half":  iotest.HalfReader(bytes.NewReader(z)),
					"eof":   iotest.DataErrReader(bytes.NewReader(z)),
				} {
					zr := s.NewReader(r)
					got, err := io.ReadAll(zr)
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
	got, err := io.ReadAll(iotest.OneByteReader(s.NewReader(bytes.NewReader(z))))
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
		got, err := io.ReadAll(s.NewReader(bytes.NewReader(b.Bytes())))
		if !errors.Is(err, io.ErrUnexpectedEOF) || !bytes.Equal(got, want[:1000]) {
			t.Fatalf("level %d: %d bytes, %v", level, len(got), err)
		}
		w.Write(want[1000:])
		w.Flush()
		got, err = io.ReadAll(s.NewReader(bytes.NewReader(b.Bytes())))
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
		got, err := io.ReadAll(r)
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
		got, err := io.ReadAll(io.LimitReader(r, 1<<20))
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

func (s Streams) closed(t *testing.T) {
	var b bytes.Buffer
	w := s.NewWriter(&b, s.Levels[0])
	w.Write([]byte("water"))
	for range 3 {
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	n := b.Len()
	if k, err := w.Write([]byte("x")); k != 0 || !errors.Is(err, compress.ErrClosed) {
		t.Fatal(k, err)
	}
	if err := w.Flush(); !errors.Is(err, compress.ErrClosed) {
		t.Fatal(err)
	}
	if b.Len() != n {
		t.Fatal("written after Close")
	}
	var b2 bytes.Buffer
	w.Reset(&b2)
	w.Write([]byte("water"))
	if err := w.Close(); err != nil || !bytes.Equal(b.Bytes(), b2.Bytes()) {
		t.Fatal("reset after Close: ", err)
	}
	// Close alone makes an empty stream.
	var b3 bytes.Buffer
	w.Reset(&b3)
	w.Close()
	if got, err := s.Codec.AppendDecompress(nil, b3.Bytes(), 10); err != nil || len(got) != 0 {
		t.Fatal(got, err)
	}

	r := s.NewReader(bytes.NewReader(b.Bytes()))
	p := make([]byte, 2)
	if _, err := io.ReadFull(r, p); err != nil || string(p) != "wa" {
		t.Fatal(err)
	}
	for range 3 {
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if k, err := r.Read(p); k != 0 || !errors.Is(err, compress.ErrClosed) {
		t.Fatal(k, err)
	}
	r.Reset(bytes.NewReader(b.Bytes()))
	if got, err := io.ReadAll(r); err != nil || string(got) != "water" {
		t.Fatal(string(got), err)
	}

	bad := s.NewWriter(io.Discard, s.Bad)
	if _, err := bad.Write(p); !errors.Is(err, compress.ErrLevel) {
		t.Fatal(err)
	}
	if err := bad.Close(); !errors.Is(err, compress.ErrLevel) {
		t.Fatal(err)
	}
}

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

// held is a reader and a writer whose calls wait to be answered.
type held struct {
	in  chan []byte
	out chan int
}

func (h held) Read(p []byte) (int, error) {
	h.in <- p
	return <-h.out, nil
}

func (h held) Write(p []byte) (int, error) { return h.Read(p) }

// closedWhileBusy: a stream that is closed within a call keeps its state until
// the call returns, so that no other stream is given it.
func (s Streams) closedWhileBusy(t *testing.T) {
	want := shapes.Mixed(shapes.Rand(1), 30000)
	z := pack(t, s.Codec, want)
	h := held{make(chan []byte), make(chan int)}
	a := s.NewReader(h)
	done := make(chan error)
	go func() {
		_, err := a.Read(make([]byte, 100))
		done <- err
	}()
	p := <-h.in
	if _, err := a.Read(make([]byte, 1)); !errors.Is(err, compress.ErrBusy) {
		t.Errorf("Read in a Read: %v", err)
	}
	a.Close()
	a.Close()
	b := s.NewReader(iotest.OneByteReader(bytes.NewReader(z)))
	got := make([]byte, len(want))
	if _, err := io.ReadFull(b, got[:1]); err != nil {
		t.Fatal(err)
	}
	for i := range p { // a is answered while b is at work
		p[i] = 0x55
	}
	h.out <- len(p)
	for more := true; more; { // it may ask for more before it knows
		select {
		case p := <-h.in:
			h.out <- len(p)
		case err := <-done:
			if err == nil {
				t.Error("garbage is no error")
			}
			more = false
		}
	}
	if _, err := a.Read(p); !errors.Is(err, compress.ErrClosed) {
		t.Errorf("Read after Close: %v", err)
	}
	if _, err := io.ReadFull(b, got[1:]); err != nil || !bytes.Equal(got, want) {
		t.Errorf("another stream: %v", err)
	}
	b.Close()

	w := s.NewWriter(h, s.Levels[0])
	go func() {
		if _, err := w.Write(want); err != nil {
			done <- err
			return
		}
		done <- w.Flush()
	}()
	p = <-h.in
	if err := w.Close(); !errors.Is(err, compress.ErrBusy) {
		t.Errorf("Close in a Write: %v", err)
	}
	before := bytes.Clone(p)
	var out bytes.Buffer
	w2 := s.NewWriter(&out, s.Levels[0])
	w2.Write(want)
	if err := w2.Close(); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Codec.AppendDecompress(nil, out.Bytes(), len(want)); err != nil || !bytes.Equal(got, want) {
		t.Error("another stream: ", err)
	}
	if !bytes.Equal(p, before) {
		t.Error("what is being written has changed")
	}
	h.out <- len(p)
	for more := true; more; {
		select {
		case p := <-h.in:
			h.out <- len(p)
		case <-done:
			more = false
		}
	}
	if _, err := w.Write(want); !errors.Is(err, compress.ErrClosed) {
		t.Errorf("Write after Close: %v", err)
	}
}

// closedByMany: the state goes back once.
func (s Streams) closedByMany(t *testing.T) {
	a, b := shapes.Mixed(shapes.Rand(1), 30000), shapes.Columns(shapes.Rand(2), 30000)
	za, zb := pack(t, s.Codec, a), pack(t, s.Codec, b)
	for range 50 {
		r := s.NewReader(bytes.NewReader(za))
		r.Read(make([]byte, 10))
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() { r.Close() })
		}
		wg.Wait()
		x, y := s.NewReader(bytes.NewReader(za)), s.NewReader(bytes.NewReader(zb))
		gx, gy := make([]byte, len(a)), make([]byte, len(b))
		for i := 0; i < len(a); i += 10000 {
			_, err := io.ReadFull(x, gx[i:i+10000])
			_, err2 := io.ReadFull(y, gy[i:i+10000])
			if err != nil || err2 != nil {
				t.Fatal(err, err2)
			}
		}
		if !bytes.Equal(gx, a) || !bytes.Equal(gy, b) {
			t.Fatal("two streams have one state")
		}
		x.Close()
		y.Close()
	}
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

// allocs is testing.AllocsPerRun, but the best of some where that is over
// want: a collection in between empties the pools.
func allocs(runs int, want float64, f func()) float64 {
	got := testing.AllocsPerRun(runs, f)
	for try := 0; try < 4 && got > want; try++ {
		got = testing.AllocsPerRun(runs, f)
	}
	return got
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
