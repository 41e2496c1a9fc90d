package sftp

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"io"
	"net"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/eddy-go/eddy/sftp/internal/fakeserver"
)

// sshTo connects a client with an SSH server in memory, which hands each channel that is asked for to accept, in a goroutine of its
// own. Both end with the test.
func sshTo(t *testing.T, accept func(n int, ask ssh.NewChannel)) *ssh.Client {
	t.Helper()
	key, err := ssh.NewSignerFromKey(ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)))
	if err != nil {
		t.Fatal(err)
	}
	here, there := memoryConns()
	var running sync.WaitGroup
	running.Go(func() {
		config := &ssh.ServerConfig{NoClientAuth: true}
		config.AddHostKey(key)
		conn, channels, requests, err := ssh.NewServerConn(there, config)
		if err != nil {
			t.Error(err)
			return
		}
		go ssh.DiscardRequests(requests)
		n := 0
		for ask := range channels {
			k := n
			running.Go(func() { accept(k, ask) })
			n++
		}
		conn.Close()
	})
	conn, channels, requests, err := ssh.NewClientConn(here, "memory", &ssh.ClientConfig{HostKeyCallback: ssh.FixedHostKey(key.PublicKey())})
	if err != nil {
		t.Fatal(err)
	}
	client := ssh.NewClient(memoryClient{conn, here}, channels, requests)
	t.Cleanup(func() {
		client.Close()
		there.Close()
		running.Wait()
	})
	return client
}

// memoryClient tells what the connection of a client goes over.
type memoryClient struct {
	ssh.Conn
	over *memoryConn
}

// serve accepts a channel and serves the subsystem in it.
func serve(srv *fakeserver.Server, ask ssh.NewChannel) {
	ch, requests, err := ask.Accept()
	if err != nil {
		return
	}
	for r := range requests {
		r.Reply(true, nil)
		break
	}
	go ssh.DiscardRequests(requests)
	srv.Serve(struct {
		io.Reader
		io.Closer
	}{ch, nopCloser{}}, ch)
}

// memoryConns are the ends of a connection. Unlike those of net.Pipe, Write does not wait for the other side.
func memoryConns() (a, b *memoryConn) {
	there, back := newMemoryPipe(), newMemoryPipe()
	return &memoryConn{in: there, out: back}, &memoryConn{in: back, out: there}
}

type memoryConn struct {
	net.Conn // nil: deadlines are not used
	in, out  *memoryPipe
}

func (c *memoryConn) Read(p []byte) (int, error)  { return c.in.read(p) }
func (c *memoryConn) Write(p []byte) (int, error) { return c.out.write(p) }
func (c *memoryConn) Close() error {
	c.in.close()
	c.out.close()
	return nil
}
func (c *memoryConn) LocalAddr() net.Addr  { return memoryAddr{} }
func (c *memoryConn) RemoteAddr() net.Addr { return memoryAddr{} }

type memoryAddr struct{}

func (memoryAddr) Network() string { return "memory" }
func (memoryAddr) String() string  { return "memory" }

type memoryPipe struct {
	mu      sync.Mutex
	news    sync.Cond
	b       []byte
	closed  bool
	stalled bool // nothing goes on, and nothing more is taken
}

func newMemoryPipe() *memoryPipe {
	p := &memoryPipe{}
	p.news.L = &p.mu
	return p
}

func (p *memoryPipe) read(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for (len(p.b) == 0 || p.stalled) && !p.closed {
		p.news.Wait()
	}
	if len(p.b) == 0 {
		return 0, io.EOF
	}
	n := copy(b, p.b)
	p.b = p.b[n:]
	return n, nil
}

func (p *memoryPipe) write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.stalled && !p.closed {
		p.news.Wait()
	}
	if p.closed {
		return 0, io.ErrClosedPipe
	}
	p.b = append(p.b, b...)
	p.news.Broadcast()
	return len(b), nil
}

func (p *memoryPipe) stall() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stalled = true
}

func (p *memoryPipe) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	p.news.Broadcast()
}

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

// A server that takes nothing any more leaves the sender in the middle of a WRITE.
func TestCloseWhileTheServerTakesNothing(t *testing.T) {
	for _, patient := range []bool{false, true} {
		bubble(t, func(t *testing.T) {
			conn := sshTo(t, stuck)
			c, result := stuckUpload(t, conn)
			synctest.Wait()
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
