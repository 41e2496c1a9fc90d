package codectest

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"testing"
	"testing/iotest"

	"github.com/eddy-go/eddy/compress"
	"github.com/eddy-go/eddy/compress/internal/shapes"
)

// once does f in place of one of its calls, and then goes on.
type once struct {
	r     io.Reader
	w     io.Writer
	calls int // before it
	f     func()
}

func (o *once) call() {
	if o.calls--; o.calls == -1 {
		o.f()
	}
}

func (o *once) Read(b []byte) (int, error)  { o.call(); return o.r.Read(b) }
func (o *once) Write(b []byte) (int, error) { o.call(); return o.w.Write(b) }

// alone runs f on a goroutine of its own, and survives how that ends.
func alone(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { recover() }()
		f()
	}()
	<-done
}

// broken: after a panic or runtime.Goexit beneath, a stream must not go on as
// if nothing had been lost, until Reset.
func (s Streams) broken(t *testing.T) {
	want := shapes.Mixed(shapes.Rand(2), 20000)
	z := pack(t, s.Codec, want)
	for _, f := range []func(){func() { panic("beneath") }, runtime.Goexit} {
		for calls := range 8 {
			o := &once{r: iotest.OneByteReader(bytes.NewReader(z)), calls: calls, f: f}
			r := s.NewReader(o)
			alone(func() { io.Copy(io.Discard, r) })
			if o.calls >= 0 {
				t.Fatalf("fewer than %d reads", calls)
			}
			for range 2 {
				if n, err := r.Read(make([]byte, 10)); n != 0 || !errors.Is(err, compress.ErrBroken) {
					t.Fatalf("Read after read %d broke: %d, %v", calls, n, err)
				}
			}
			r.Reset(bytes.NewReader(z))
			if got, err := ReadAll(t, r); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("after Reset: %d bytes, %v", len(got), err)
			}

			for _, level := range s.Levels {
				var b bytes.Buffer
				// Close is what breaks if nothing did before.
				o = &once{w: &b, calls: calls, f: f}
				w := s.NewWriter(o, level)
				alone(func() {
					for range calls {
						w.Write(want)
						w.Flush()
					}
					w.Close()
				})
				if o.calls >= 0 {
					continue
				}
				_, werr := w.Write(want)
				for _, err := range []error{werr, w.Flush(), w.Close(), w.Close()} {
					if !errors.Is(err, compress.ErrBroken) {
						t.Fatalf("level %d, after write %d broke: %v", level, calls, err)
					}
				}
				b.Reset()
				w.Reset(&b)
				w.Write(want)
				if err := w.Close(); err != nil {
					t.Fatal(err)
				}
				if got, err := AppendDecompress(t, s.Codec, b.Bytes(), len(want)); err != nil || !bytes.Equal(got, want) {
					t.Fatalf("level %d after Reset: %d bytes, %v", level, len(got), err)
				}
			}
		}
	}
}
