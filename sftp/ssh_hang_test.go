package sftp

import (
	"bytes"
	"context"
	"errors"
	"io"
	"runtime"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
)

// A server that takes nothing any more leaves the sender in the middle of a WRITE.
func TestCloseWhileTheServerTakesNothing(t *testing.T) {
	for _, patient := range []bool{false, true} {
		bubble(t, func(t *testing.T) {
			conn := sshTo(t, stuck)
			c, result := stuckUpload(t, conn)
			time.Sleep(time.Minute) // until the window is full
			ctx, limit := t.Context(), 4*closeGrace
			if !patient {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, time.Second)
				defer cancel()
				limit = time.Second
			}
			start := time.Now()
			err := c.CloseContext(ctx)
			if took := time.Since(start); took < time.Second || took > limit {
				t.Errorf("patient %v: took %v", patient, took)
			}
			if err != nil && (patient || !errors.Is(err, context.DeadlineExceeded)) {
				t.Errorf("patient %v: %v", patient, err)
			}
			if err := <-result; !errors.Is(err, ErrClientClosed) {
				t.Error(err)
			}
		})
	}
}

// On a connection that hangs not even a channel can be closed: Close gives up on it all the same. (Not in a bubble, where
// the clock stands while somebody waits for a mutex, as here within the connection.)
func TestCloseWhileTheConnectionHangs(t *testing.T) {
	defer func(d time.Duration) { closeGrace = d }(closeGrace)
	closeGrace = 20 * time.Millisecond
	for _, patient := range []bool{false, true} {
		conn := sshTo(t, stuck)
		c, result := stuckUpload(t, conn)
		conn.Conn.(memoryClient).over.out.stall()
		ctx, cancel := context.WithCancel(t.Context())
		if !patient {
			cancel()
		}
		if err := c.CloseContext(ctx); patient && err != nil || !patient && !errors.Is(err, context.Canceled) {
			t.Errorf("patient %v: %v", patient, err)
		}
		cancel()
		if err := <-result; !errors.Is(err, ErrClientClosed) {
			t.Error(err)
		}
		conn.Close()
		nothingRuns(t)
	}
}

// stuckUpload begins an upload that does not end.
func stuckUpload(t *testing.T, conn *ssh.Client) (*Client, chan error) {
	t.Helper()
	c, err := NewClient(conn, Stripes(1))
	if err != nil {
		t.Fatal(err)
	}
	f, err := c.Create("g")
	if err != nil {
		t.Fatal(err)
	}
	result := make(chan error, 1)
	go func() {
		_, err := f.Write(make([]byte, 8<<20))
		result <- err
	}()
	return c, result
}

// stuck serves a channel of which little is read, so that its window of 2 MiB gets full.
func stuck(_ int, ask ssh.NewChannel) {
	ch, requests, err := ask.Accept()
	if err != nil {
		return
	}
	go func() {
		for r := range requests {
			r.Reply(true, nil)
		}
	}()
	stripedServer(nil).Serve(struct {
		io.Reader
		io.Closer
	}{&limited{ch, 1 << 20}, nopCloser{}}, ch)
}

// nothingRuns fails t when goroutines of a client are left.
func nothingRuns(t *testing.T) {
	t.Helper()
	b := make([]byte, 1<<20)
	for range 1000 {
		if !bytes.Contains(b[:runtime.Stack(b, true)], []byte("sftp.(*session)")) {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Errorf("left running:\n%s", b[:runtime.Stack(b, true)])
}

// limited is a channel that is read up to n bytes, and then no further, so that its window stays full.
type limited struct {
	ch ssh.Channel
	n  int
}

func (l *limited) Read(p []byte) (int, error) {
	if l.n == 0 {
		return l.ch.Stderr().Read(p) // which nobody writes to
	}
	n, err := l.ch.Read(p[:min(len(p), l.n)])
	l.n -= n
	return n, err
}
