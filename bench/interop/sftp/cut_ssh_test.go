package sftp

import (
	"fmt"
	"net"
	"path"
	"sync/atomic"
	"testing"

	"golang.org/x/crypto/ssh"

	"github.com/eddy-go/eddy/sftp"
)

// As TestCutAfterEveryPacket, over several channels of a connection and with a file that is large enough for that: all of
// them are cut, or the one that is hit. A transfer does without any but the first.
func TestCutStripedTransfers(t *testing.T) {
	eachSSHServer(t, func(t *testing.T, s server) {
		for _, m := range []move{moves[0], moves[3]} {
			opts := []sftp.ClientOption{sftp.Stripes(3), sftp.MaxPacketUnchecked(261120)}
			size, step := 6<<20+1000, 2
			if m.up {
				size, step = 8<<20+1000, 4
			}
			if s.slow { // and takes no large packets
				opts, step = opts[:1], 61
			}
			want := content(size)
			name := path.Join(s.dir, "striped")
			s.put(t, name, want)
			read := s.reader(t)
			for _, w := range []way{torn, silenced} {
				for _, alone := range []bool{false, true} {
					t.Run(fmt.Sprintf("%s/%s/alone %v", m.name, w, alone), func(t *testing.T) {
						most := 0
						for k := 5; ; k += step {
							x := &wire{way: w, packets: k, alone: alone, striped: true}
							c, err := sftp.NewClient(x.conn(s.conn), opts...)
							if err != nil {
								t.Fatal(err)
							}
							out := carry(t, c, m, name, want, read)
							if out.err != nil && x.whole() {
								t.Errorf("the first channel is whole: %v", out.err)
							}
							if answered := x.prefix(); out.n > answered {
								t.Errorf("%d bytes, but %d were answered", out.n, answered)
							}
							most = max(most, x.channels())
							c.Close()
							nothingLeft(t)
							if t.Failed() {
								t.Fatalf("cut after %d packets", k)
							}
							if !x.isCut() {
								break
							}
						}
						if most < 2 {
							t.Error("never over more than one channel")
						}
					})
				}
			}
		}
	})
}

// The connection below SSH is cut after so many bytes.
func TestCutTCP(t *testing.T) {
	eachSSHServer(t, func(t *testing.T, s server) {
		want := content(5000)
		down := path.Join(s.dir, "down")
		s.put(t, down, want)
		read := s.reader(t)
		const samples = 6
		for _, m := range []move{moves[0], moves[3]} {
			for _, fromServer := range []bool{false, true} {
				total, cuts := int64(1<<30), 0
				for i := int64(samples + 1); i >= 0; i-- { // whole first, to see how much goes over
					conn := &countedConn{fromServer: fromServer}
					name := down
					if m.up {
						name = path.Join(s.dir, fmt.Sprintf("%s.%v.%d", m.name, fromServer, i))
					}
					out := overTCP(t, s, conn, total*i/(samples+1), m, name, want, read)
					if i > samples {
						total = conn.moved.Load()
					}
					if conn.cut.Load() {
						cuts++
					} else if out.err != nil || !out.opened {
						t.Errorf("not cut: %v", out.err)
					}
					nothingLeft(t)
					if t.Failed() {
						t.Fatalf("%s: cut after %d of %d bytes (from the server: %v)", m.name, total*i/(samples+1), total, fromServer)
					}
				}
				// How much goes over is not the same each time, so the last may not be.
				if cuts < samples-1 {
					t.Errorf("only %d cuts", cuts)
				}
			}
		}
	})
}

// overTCP connects anew, and cuts the connection when limit bytes more have gone over it in one direction.
func overTCP(t *testing.T, s server, conn *countedConn, limit int64, m move, name string, want []byte, read func(string) []byte) moved {
	t.Helper()
	var err error
	if conn.Conn, err = net.Dial("tcp", s.addr); err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	inner, channels, requests, err := ssh.NewClientConn(conn, s.addr, s.config)
	if err != nil {
		t.Fatal(err)
	}
	over := ssh.NewClient(inner, channels, requests)
	defer over.Close()
	conn.moved.Store(0)
	conn.limit.Store(limit + 1)
	c, err := sftp.NewClient(over, small, fewRequests, sftp.Stripes(3))
	if err != nil {
		if !conn.cut.Load() {
			t.Errorf("not cut: %v", err)
		}
		return moved{}
	}
	out := carry(t, c, m, name, want, read)
	if err := c.Close(); err != nil {
		lost(t, "Close", err)
	}
	return out
}

// countedConn breaks when limit bytes have gone over it in one direction.
type countedConn struct {
	net.Conn
	fromServer   bool
	moved, limit atomic.Int64 // limit 0 is none, and what it is more the bytes
	cut          atomic.Bool
}

// allow returns how many of n bytes may go over.
func (c *countedConn) allow(n int) int {
	limit := c.limit.Load()
	if limit == 0 {
		return n
	}
	return int(min(int64(n), max(limit-1-c.moved.Load(), 0)))
}

func (c *countedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if !c.fromServer {
		return n, err
	}
	k := c.allow(n)
	c.moved.Add(int64(k))
	if k < n {
		c.cut.Store(true)
		c.Conn.Close()
		return k, errCut
	}
	return n, err
}

func (c *countedConn) Write(p []byte) (int, error) {
	k := len(p)
	if !c.fromServer {
		k = c.allow(k)
		c.moved.Add(int64(k))
	}
	n, err := c.Conn.Write(p[:k])
	if err == nil && k < len(p) {
		c.cut.Store(true)
		c.Conn.Close()
		err = errCut
	}
	return n, err
}
