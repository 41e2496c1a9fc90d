package sftp

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eddy-go/eddy/sftp/internal/fakeserver"
)

func TestServerNeverAnswersClose(t *testing.T) {
	bubble(t, func(t *testing.T) {
		srv := fakeserver.New(content(100))
		srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
			if q.Type == fakeserver.Close {
				return &fakeserver.Answer{None: true}
			}
			return nil
		}
		x := dial(t, srv)
		if _, err := x.get(t, "f"); err != nil { // CLOSE of a file that was read is not waited for
			t.Error(err)
		}
		f, _ := x.Create("g")
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if err := f.CloseContext(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		if err := f.Close(); !errors.Is(err, os.ErrClosed) {
			t.Error(err)
		}
		if _, err := x.Stat("f"); err != nil {
			t.Error(err)
		}
	})
}

func TestCloseFailureIsReported(t *testing.T) {
	srv := fakeserver.New(nil)
	srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
		if q.Type == fakeserver.Close {
			return &fakeserver.Answer{Packet: fakeserver.Status(fakeserver.Failure, "quota")}
		}
		return nil
	}
	x := dial(t, srv)
	f, _ := x.Create("g")
	var st *StatusError
	if err := f.Close(); !errors.As(err, &st) || st.FxCode() != ErrSSHFxFailure || !strings.Contains(err.Error(), "quota") {
		t.Error(err)
	}
}

// A server that hangs does not keep Close from ending everything.
func TestClientCloseWhileTheServerHangs(t *testing.T) {
	bubble(t, func(t *testing.T) {
		srv := fakeserver.New(content(1 << 20))
		srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
			if q.Type == fakeserver.Open {
				return nil
			}
			return &fakeserver.Answer{None: true}
		}
		x := dial(t, srv)
		f, err := x.Open("f")
		if err != nil {
			t.Fatal(err)
		}
		errs := make(chan error, 4)
		go func() { _, err := f.ReadAt(make([]byte, 100000), 0); errs <- err }()
		go func() { _, err := f.WriteTo(io.Discard); errs <- err }()
		go func() { _, err := x.Stat("f"); errs <- err }()
		go func() { errs <- x.Wait() }()
		synctest.Wait()
		if err := x.Close(); err != nil {
			t.Error(err)
		}
		for range 4 {
			if err := <-errs; err != nil && !errors.Is(err, ErrSSHFxConnectionLost) {
				t.Error(err)
			}
		}
		if _, err := x.Stat("f"); !errors.Is(err, ErrClientClosed) {
			t.Error(err)
		}
	})
}

type deaf struct{ io.Writer }

func (deaf) Close() error { return nil }

// Servers that do not end their side, over several channels: Close waits for all of them at once, and not at all when its
// context is done.
func TestCloseGivesUpOnServersThatStay(t *testing.T) {
	for _, patience := range []time.Duration{0, time.Second, time.Hour} {
		bubble(t, func(t *testing.T) {
			want := content(20 << 20)
			srv := stripedServer(want)
			c, err := newClient([]ClientOption{Stripes(4)})
			if err != nil {
				t.Fatal(err)
			}
			var ends []io.Closer
			c.more = func() (io.Reader, io.WriteCloser, error) {
				c.mu.Lock()
				defer c.mu.Unlock()
				toServer, fromClient := io.Pipe()
				toClient, fromServer := io.Pipe()
				ends = append(ends, fromClient)
				go srv.Serve(toServer, fromServer)
				return struct{ io.Reader }{toClient}, deaf{fromClient}, nil
			}
			r, w, _ := c.more()
			if err := c.begin(t.Context(), r, w); err != nil {
				t.Fatal(err)
			}
			if got, err := (&rig{Client: c, srv: srv}).get(t, "f"); err != nil || len(got) != len(want) {
				t.Error(len(got), err)
			}
			if len(ends) != 4 {
				t.Errorf("%d channels", len(ends))
			}
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			start := time.Now()
			err = c.CloseContext(ctx)
			took := time.Since(start)
			if patience < closeGrace {
				if !errors.Is(err, context.DeadlineExceeded) || took != patience {
					t.Errorf("after %v: %v", took, err)
				}
			} else if err != nil || took != closeGrace {
				t.Errorf("after %v: %v", took, err)
			}
			// For who uses the client it is closed.
			if _, err := c.Stat("f"); !errors.Is(err, ErrClientClosed) {
				t.Error(err)
			}
			for _, e := range ends {
				e.Close()
			}
			if err := c.Wait(); err != nil {
				t.Error(err)
			}
			if err := c.Close(); err != nil {
				t.Errorf("a second time: %v", err)
			}
		})
	}
}

func TestCloseContextOfAServerThatEnds(t *testing.T) {
	bubble(t, func(t *testing.T) {
		srv := fakeserver.New(nil)
		srv.Latency = far
		x := dial(t, srv)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := x.CloseContext(ctx); err != nil {
			t.Error(err)
		}
	})
}
