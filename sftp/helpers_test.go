package sftp

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"os"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eddy-go/eddy"
	"github.com/eddy-go/eddy/sftp/internal/fakeserver"
)

func TestMain(m *testing.M) {
	eddy.CountPuts(true)
	code := m.Run()
	if out := pool.Stats().InUse; code == 0 && out != 0 {
		println("FAIL: buffers still out:", out)
		code = 1
	}
	os.Exit(code)
}

// content is n bytes that follow from n.
func content(n int) []byte {
	b := make([]byte, n)
	r := rand.NewChaCha8([32]byte{byte(n), byte(n >> 8), byte(n >> 16)})
	r.Read(b)
	return b
}

// counted counts the writes of a client.
type counted struct {
	io.WriteCloser
	n atomic.Int64
}

func (c *counted) Write(p []byte) (int, error) {
	c.n.Add(1)
	return c.WriteCloser.Write(p)
}

type rig struct {
	*Client
	srv  *fakeserver.Server
	wire *counted
	done chan struct{} // closed when the server has ended
}

// dial connects a client with srv. When the test ends the client is closed and nothing may be left over.
func dial(t testing.TB, srv *fakeserver.Server, opts ...ClientOption) *rig {
	t.Helper()
	r, err := tryDial(t, srv, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func tryDial(t testing.TB, srv *fakeserver.Server, opts ...ClientOption) (*rig, error) {
	t.Helper()
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	x := &rig{srv: srv, wire: &counted{WriteCloser: fromClient}, done: make(chan struct{})}
	go func() {
		defer close(x.done)
		srv.Serve(toServer, fromServer)
	}()
	c, err := NewClientPipe(toClient, x.wire, opts...)
	t.Cleanup(func() {
		if c != nil {
			c.Close()
			c.mu.Lock()
			if c.bytes != 0 {
				t.Errorf("%d bytes of the budget are still taken", c.bytes)
			}
			if len(c.waiting) != 0 {
				t.Errorf("%d still wait for a budget", len(c.waiting))
			}
			if c.main.inflight != 0 {
				t.Errorf("%d requests are still live", c.main.inflight)
			}
			c.mu.Unlock()
		}
		toClient.Close()
		<-x.done
	})
	x.Client = c
	return x, err
}

// bubble runs f with a clock that moves only when everything waits. What is left running at its end fails the test.
func bubble(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	before := pool.Stats().InUse
	synctest.Test(t, f)
	if out := pool.Stats().InUse; out != before {
		t.Errorf("%d buffers are still out", out-before)
	}
}

// trips returns how many round trips of the server's latency f takes.
func (x *rig) trips(f func()) int {
	start := time.Now()
	f()
	return int((time.Since(start) + x.srv.Latency/2) / x.srv.Latency)
}

func (x *rig) get(t testing.TB, name string) ([]byte, error) {
	t.Helper()
	return x.getContext(context.Background(), t, name)
}

func (x *rig) getContext(ctx context.Context, t testing.TB, name string) ([]byte, error) {
	t.Helper()
	f, err := x.OpenContext(ctx, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var b bytes.Buffer
	n, err := f.WriteToContext(ctx, &b)
	if n != int64(b.Len()) {
		t.Errorf("WriteTo returned %d after %d bytes", n, b.Len())
	}
	return b.Bytes(), err
}

func (x *rig) put(t testing.TB, name string, data []byte) (int64, error) {
	t.Helper()
	f, err := x.Create(name)
	if err != nil {
		return 0, err
	}
	n, err := f.ReadFrom(bytes.NewReader(data))
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return n, err
}

func (x *rig) has(name string) []byte {
	x.srv.Lock()
	defer x.srv.Unlock()
	if n := x.srv.FS[name]; n != nil {
		return bytes.Clone(n.Data)
	}
	return nil
}

func mustEqual(t testing.TB, got, want []byte) {
	t.Helper()
	if !bytes.Equal(got, want) {
		i := 0
		for i < len(got) && i < len(want) && got[i] == want[i] {
			i++
		}
		t.Fatalf("%d bytes, want %d; they differ from offset %d on", len(got), len(want), i)
	}
}

func mustPrefix(t testing.TB, got, whole []byte) {
	t.Helper()
	if !bytes.HasPrefix(whole, got) {
		i := 0
		for i < len(got) && i < len(whole) && got[i] == whole[i] {
			i++
		}
		t.Fatalf("%d bytes are not a prefix of the %d: they differ from %d on", len(got), len(whole), i)
	}
}

// big makes a server announce the limits of OpenSSH.
func big(s *fakeserver.Server) *fakeserver.Server {
	s.Limits = [4]uint64{262144, 261120, 261120, 1000}
	return s
}
