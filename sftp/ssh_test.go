package sftp

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/eddy-go/eddy/sftp/internal/fakeserver"
)

func TestTransfersOverSSH(t *testing.T) {
	bubble(t, func(t *testing.T) {
		want := content(12 << 20)
		srv := stripedServer(want)
		conn := sshTo(t, func(n int, ask ssh.NewChannel) { serve(srv, ask) })
		c, err := NewClient(conn)
		if err != nil {
			t.Fatal(err)
		}
		x := &rig{Client: c, srv: srv}
		got, err := x.get(t, "f")
		if err != nil {
			t.Fatal(err)
		}
		mustEqual(t, got, want)
		if n := len(conns(srv, fakeserver.Read)); n < 2 {
			t.Errorf("over %d channels", n)
		}
		if n, err := x.put(t, "g", want); n != int64(len(want)) || err != nil {
			t.Error(n, err)
		}
		mustEqual(t, x.has("g"), want)
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
}

// A further channel that the server neither opens nor refuses, or whose subsystem it does not start, keeps neither a transfer
// nor Close from going on. What waits for it ends with the connection, as bubble sees.
func TestChannelThatIsNeverOpened(t *testing.T) {
	for _, accepted := range []bool{false, true} {
		bubble(t, func(t *testing.T) {
			want := content(5 << 20)
			srv := stripedServer(want)
			asked := 0
			conn := sshTo(t, func(n int, ask ssh.NewChannel) {
				if n == 0 {
					serve(srv, ask)
					return
				}
				srv.Lock()
				asked++
				srv.Unlock()
				if accepted {
					ask.Accept()
				}
			})
			c, err := NewClient(conn, Stripes(4))
			if err != nil {
				t.Fatal(err)
			}
			x := &rig{Client: c, srv: srv}
			got, err := x.get(t, "f")
			if err != nil {
				t.Error(err)
			}
			mustEqual(t, got, want)
			if n, err := x.put(t, "g", want); n != int64(len(want)) || err != nil {
				t.Error(n, err)
			}
			start := time.Now()
			if err := c.Close(); err != nil {
				t.Error(err)
			}
			if took := time.Since(start); took > closeGrace+time.Second {
				t.Errorf("Close took %v", took)
			}
			synctest.Wait()
			srv.Lock()
			if asked == 0 {
				t.Error("no further channel was asked for")
			}
			srv.Unlock()
		})
	}
}

// NewClientContext gives up on a channel that is not opened, and closes it when it is after all.
func TestNewClientIsCancelled(t *testing.T) {
	for _, step := range []string{"not opened", "no subsystem", "opened late", "no VERSION"} {
		bubble(t, func(t *testing.T) {
			closed := false
			conn := sshTo(t, func(n int, ask ssh.NewChannel) {
				switch step {
				case "not opened":
					return
				case "opened late":
					time.Sleep(time.Minute)
				}
				ch, requests, err := ask.Accept()
				if err != nil {
					return
				}
				for r := range requests {
					if step != "no subsystem" {
						r.Reply(true, nil)
					}
				}
				ch.Close()
				closed = true
			})
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			start := time.Now()
			if c, err := NewClientContext(ctx, conn); c != nil || !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: %v", step, err)
			}
			if took := time.Since(start); took != time.Second {
				t.Errorf("%s: took %v", step, took)
			}
			time.Sleep(2 * time.Minute)
			synctest.Wait()
			if want := step == "opened late" || step == "no VERSION"; closed != want {
				t.Errorf("%s: the channel is closed: %v", step, closed)
			}
		})
	}
}

// What the server's program says on its standard error goes where the option says.
func TestCopyStderrTo(t *testing.T) {
	bubble(t, func(t *testing.T) {
		srv := fakeserver.New(content(100))
		conn := sshTo(t, func(n int, ask ssh.NewChannel) {
			serve(srv, talkative{ask})
		})
		var said safeBuffer
		c, err := NewClient(conn, CopyStderrTo(&said))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Stat("f"); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if got := said.String(); got != "disk is nearly full\n" {
			t.Errorf("%q", got)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
}

// talkative is a channel on whose standard error something is said.
type talkative struct{ ssh.NewChannel }

func (a talkative) Accept() (ssh.Channel, <-chan *ssh.Request, error) {
	ch, requests, err := a.NewChannel.Accept()
	if err == nil {
		io.WriteString(ch.Stderr(), "disk is nearly full\n")
	}
	return ch, requests, err
}

type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}
