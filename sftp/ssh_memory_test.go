package sftp

import (
	"crypto/ed25519"
	"io"
	"net"
	"sync"
	"testing"

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

func (c *memoryConn) Read(p []byte) (int, error) { return c.in.read(p) }

func (c *memoryConn) Write(p []byte) (int, error) { return c.out.write(p) }

func (c *memoryConn) Close() error {
	c.in.close()
	c.out.close()
	return nil
}

func (c *memoryConn) LocalAddr() net.Addr { return memoryAddr{} }

func (c *memoryConn) RemoteAddr() net.Addr { return memoryAddr{} }

type memoryAddr struct{}

func (memoryAddr) Network() string { return "memory" }

func (memoryAddr) String() string { return "memory" }

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
