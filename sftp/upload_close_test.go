package sftp

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eddy-go/eddy/sftp/internal/fakeserver"
)

// File.Close ends an upload whose WRITEs are never answered, or whose source hangs. What is said to be right is.
func TestCloseWhileAnUploadHangs(t *testing.T) {
	for _, way := range []string{"no answer to WRITE", "source", "WriteAt"} {
		bubble(t, func(t *testing.T) {
			want := content(400000)
			srv := fakeserver.New(nil)
			srv.Latency = far
			srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
				if q.Type == fakeserver.Write && q.Nth > 3 && way != "source" {
					return &fakeserver.Answer{None: true}
				}
				return nil
			}
			x := dial(t, srv)
			f, err := x.Create("g")
			if err != nil {
				t.Fatal(err)
			}
			type result struct {
				n   int64
				err error
			}
			done := make(chan result, 1)
			src := &hangingSource{bytes.NewReader(want[:5*32768]), make(chan struct{})}
			go func() {
				var r result
				switch way {
				case "WriteAt":
					var n int
					n, r.err = f.WriteAt(want, 0)
					r.n = int64(n)
				case "source":
					r.n, r.err = f.ReadFrom(src)
				default:
					r.n, r.err = f.ReadFrom(bytes.NewReader(want))
				}
				done <- r
			}()
			time.Sleep(time.Second)
			synctest.Wait()
			if err := f.Close(); err != nil {
				t.Error(err)
			}
			close(src.leave)
			r := <-done
			if !errors.Is(r.err, os.ErrClosed) {
				t.Errorf("%s: %v", way, r.err)
			}
			sure := int64(4 * 32768)
			if way == "source" {
				sure = 5 * 32768
			}
			if on := x.has("g"); r.n != sure || int64(len(on)) < r.n || !bytes.Equal(on[:r.n], want[:r.n]) {
				t.Errorf("%s: %d bytes are said to be right, want %d", way, r.n, sure)
			}
		})
	}
}

// hangingSource gives what r has, and then nothing until it is let go.
type hangingSource struct {
	r     io.Reader
	leave chan struct{}
}

func (s *hangingSource) Read(p []byte) (int, error) {
	if n, err := s.r.Read(p); n > 0 {
		return n, err
	}
	<-s.leave
	return copy(p, "late"), io.EOF
}

// ReadFromWithConcurrency keeps so many WRITEs under way, and no more.
func TestReadFromWithConcurrency(t *testing.T) {
	for _, c := range []struct{ concurrency, most int }{{1, 1}, {3, 3}, {0, 8}, {-1, 8}, {100, 8}} {
		bubble(t, func(t *testing.T) {
			want := content(20 * 32768)
			srv := fakeserver.New(nil)
			srv.Latency = far
			under, most := 0, 0
			srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
				if q.Type == fakeserver.Write {
					srv.Lock()
					defer srv.Unlock()
					under++
					most = max(most, under)
					time.AfterFunc(far-1, func() { // just before the answer
						srv.Lock()
						under--
						srv.Unlock()
					})
				}
				return nil
			}
			x := dial(t, srv, MaxConcurrentRequestsPerFile(8))
			f, err := x.Create("g")
			if err != nil {
				t.Fatal(err)
			}
			if n, err := f.ReadFromWithConcurrency(bytes.NewReader(want), c.concurrency); n != int64(len(want)) || err != nil {
				t.Error(n, err)
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
			mustEqual(t, x.has("g"), want)
			srv.Lock()
			defer srv.Unlock()
			if most != c.most {
				t.Errorf("concurrency %d: %d WRITEs at once, want %d", c.concurrency, most, c.most)
			}
		})
	}
}

// Calls that use the offset come one after the other. Who waits for his turn can be cancelled, and is told when the file is closed.
func TestTurnsAtTheOffset(t *testing.T) {
	bubble(t, func(t *testing.T) {
		srv := fakeserver.New(content(1 << 20))
		x := dial(t, srv)
		f, err := x.OpenFile("f", os.O_RDWR)
		if err != nil {
			t.Fatal(err)
		}
		h := &hanging{make(chan struct{}), make(chan struct{})}
		over := make(chan error, 1)
		go func() {
			_, err := f.WriteTo(h)
			over <- err
		}()
		<-h.entered
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		for what, call := range map[string]func() error{
			"Read":     func() error { _, err := f.ReadContext(ctx, make([]byte, 1)); return err },
			"Write":    func() error { _, err := f.WriteContext(ctx, []byte("x")); return err },
			"Seek":     func() error { _, err := f.SeekContext(ctx, 0, io.SeekStart); return err },
			"WriteTo":  func() error { _, err := f.WriteToContext(ctx, io.Discard); return err },
			"ReadFrom": func() error { _, err := f.ReadFromContext(ctx, bytes.NewReader([]byte("x"))); return err },
		} {
			if err := call(); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: %v", what, err)
			}
		}
		// What does not use the offset goes on.
		if n, err := f.ReadAt(make([]byte, 10), 5); n != 10 || err != nil {
			t.Error(n, err)
		}
		waits := make(chan error, 1)
		go func() {
			_, err := f.Read(make([]byte, 1))
			waits <- err
		}()
		synctest.Wait()
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		close(h.leave)
		if err := <-over; !errors.Is(err, os.ErrClosed) {
			t.Error(err)
		}
		if err := <-waits; !errors.Is(err, os.ErrClosed) {
			t.Error(err)
		}
		if n := srv.Count(fakeserver.Write); n != 0 {
			t.Errorf("%d WRITEs", n)
		}
	})
}
