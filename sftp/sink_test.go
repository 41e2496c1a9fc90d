package sftp

import (
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eddy-go/eddy/sftp/internal/fakeserver"
)

type failing struct{ after int }

var errSink = errors.New("sink is full")

func (s *failing) Write(p []byte) (int, error) {
	if s.after -= len(p); s.after < 0 {
		return len(p) + s.after, errSink
	}
	return len(p), nil
}

func TestSinkFailsWhileTheServerStalls(t *testing.T) {
	bubble(t, func(t *testing.T) {
		srv := fakeserver.New(content(1 << 20))
		srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
			if q.Type == fakeserver.Read && q.Nth > 2 {
				return &fakeserver.Answer{None: true}
			}
			return nil
		}
		x := dial(t, srv)
		f, _ := x.Open("f")
		n, err := f.WriteTo(&failing{50000})
		if n != 50000 || err != errSink {
			t.Error(n, err)
		}
		if off, _ := f.Seek(0, io.SeekCurrent); off != 50000 {
			t.Errorf("offset %d", off)
		}
		f.Close()
	})
}

type hanging struct{ entered, leave chan struct{} }

func (h *hanging) Write(p []byte) (int, error) {
	close(h.entered)
	<-h.leave
	return len(p), nil
}

func TestCloseWhileWriteToHangsInItsSink(t *testing.T) {
	bubble(t, func(t *testing.T) {
		x := dial(t, fakeserver.New(content(1<<20)))
		f, _ := x.Open("f")
		h := &hanging{make(chan struct{}), make(chan struct{})}
		result := make(chan error)
		go func() {
			_, err := f.WriteTo(h)
			result <- err
		}()
		<-h.entered
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		close(h.leave)
		if err := <-result; !errors.Is(err, fsErrClosed) {
			t.Error(err)
		}
	})
}

// A transfer that holds the whole budget while its sink hangs does not keep others from going on, and neither does a server
// that answers the head of the line last.
func TestOneBufferIsKeptForTheHeadOfTheLine(t *testing.T) {
	bubble(t, func(t *testing.T) {
		want := content(1 << 20)
		srv := fakeserver.New(want)
		srv.Jitter = func(n int) time.Duration { return time.Duration(1000-n) * time.Millisecond }
		x := dial(t, srv, MaxBufferBytes(100000))
		f, _ := x.Open("f")
		h := &hanging{make(chan struct{}), make(chan struct{})}
		result := make(chan error)
		go func() {
			_, err := f.WriteTo(h)
			result <- err
		}()
		<-h.entered
		synctest.Wait()
		got, err := x.get(t, "f")
		if err != nil {
			t.Fatal(err)
		}
		mustEqual(t, got, want)
		if n, err := x.put(t, "g", want); n != int64(len(want)) || err != nil {
			t.Fatal(n, err)
		}
		f.Close()
		close(h.leave)
		<-result
	})
}

// From one file of a client to another, which needs buffers for both at once.
func TestCopyWithinAClient(t *testing.T) {
	want := content(1 << 20)
	x := dial(t, fakeserver.New(want), MaxBufferBytes(70000))
	src, _ := x.Open("f")
	dst, _ := x.Create("g")
	if n, err := io.Copy(dst, src); n != int64(len(want)) || err != nil {
		t.Fatal(n, err)
	}
	src.Close()
	if err := dst.Close(); err != nil {
		t.Fatal(err)
	}
	mustEqual(t, x.has("g"), want)
}
