package sftp

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"testing"

	"github.com/eddy-go/eddy/sftp"
)

func content(n int) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{byte(n), byte(n >> 8), byte(n >> 16)}).Read(b)
	return b
}

func dial(t *testing.T, s server, opts ...sftp.ClientOption) *sftp.Client {
	t.Helper()
	r, w, _ := s.start(t)
	c, err := sftp.NewClientPipe(r, w, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func TestFilesGoThereAndBack(t *testing.T) {
	eachServer(t, func(t *testing.T, s server) {
		dir := s.dir
		for i, opts := range [][]sftp.ClientOption{nil, {sftp.MaxPacket(1000)}, {sftp.UseConcurrentReads(false), sftp.UseConcurrentWrites(false)},
			{sftp.MaxRequests(3)}} {
			c := dial(t, s, opts...)
			for _, n := range []int{0, 1, 999, 32768, 100000, 400003} {
				if s.slow && n > 32768 && opts != nil {
					continue
				}
				name := path.Join(dir, fmt.Sprintf("f%d.%d", n, i))
				want := content(n)
				f, err := c.Create(name)
				if err != nil {
					t.Fatal(err)
				}
				if k, err := f.ReadFrom(bytes.NewReader(want)); k != int64(n) || err != nil {
					t.Fatal(k, err)
				}
				if err := f.Close(); err != nil {
					t.Fatal(err)
				}
				f, err = c.Open(name)
				if err != nil {
					t.Fatal(err)
				}
				var b bytes.Buffer
				if k, err := f.WriteTo(&b); k != int64(n) || err != nil || !bytes.Equal(b.Bytes(), want) {
					t.Fatal(k, err)
				}
				at := make([]byte, n+3)
				if k, err := f.ReadAt(at, 0); k != n || err != io.EOF || !bytes.Equal(at[:n], want) {
					t.Fatal(k, err)
				}
				f.Seek(0, io.SeekStart)
				if all, err := io.ReadAll(struct{ io.Reader }{f}); err != nil || !bytes.Equal(all, want) {
					t.Fatal(len(all), err)
				}
				f.Close()
			}
		}
	})
}

func TestTrees(t *testing.T) {
	eachServer(t, func(t *testing.T, s server) {
		dir := s.dir
		c := dial(t, s)
		p := func(name string) string { return path.Join(dir, name) }
		for _, err := range []error{c.MkdirAll(p("a/b/c")), c.MkdirAll(p("a/b/c")), c.Symlink(p("a/b"), p("a/link"))} {
			if err != nil {
				t.Fatal(err)
			}
		}
		for i := range 120 {
			f, err := c.Create(p(fmt.Sprintf("a/b/f%03d", i)))
			if err != nil {
				t.Fatal(err)
			}
			f.Write([]byte("x"))
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
		}
		list, err := c.ReadDir(p("a/b"))
		if err != nil || len(list) != 121 {
			t.Fatal(len(list), err)
		}
		if err := c.Rename(p("a/b/f000"), p("a/moved")); err != nil {
			t.Error(err)
		}
		if _, err := c.Stat(p("a/b/f000")); !errors.Is(err, os.ErrNotExist) || !os.IsNotExist(err) {
			t.Error(err)
		}
		if to, err := c.ReadLink(p("a/link")); to != p("a/b") || err != nil {
			t.Error(to, err)
		}
		if m, err := c.Glob(p("a/b/f01*")); err != nil || len(m) != 10 || !slices.Contains(m, p("a/b/f013")) {
			t.Error(m, err)
		}
		n := 0
		for w := c.Walk(p("a")); w.Step(); n++ {
			if w.Err() != nil {
				t.Error(w.Err())
			}
		}
		if n != 1+1+1+119+1+1 {
			t.Errorf("%d steps", n)
		}
		if err := c.Truncate(p("a/moved"), 0); err != nil {
			t.Error(err)
		}
		if err := c.RemoveAll(p("a")); err != nil {
			t.Error(err)
		}
	})
}

// The server dies after every packet of a small transfer: what is reported is true.
func TestServerDiesAfterEveryPacket(t *testing.T) {
	eachServer(t, func(t *testing.T, s server) {
		dir := s.dir
		want := content(5000)
		for k := 0; ; k++ {
			r, w, kill := s.start(t)
			cut := &cutter{w: w, packets: k + 2, kill: kill}
			c, err := sftp.NewClientPipe(r, cut, sftp.MaxPacket(900))
			if err != nil {
				if !cut.done {
					t.Fatal(err)
				}
				continue
			}
			name := path.Join(dir, fmt.Sprint("k", k))
			if f, err := c.Create(name); err == nil {
				n, err := f.ReadFrom(bytes.NewReader(want))
				if err == nil && n != int64(len(want)) {
					t.Errorf("cut after %d: sent %d without an error", k, n)
				}
				if err != nil && !errors.Is(err, sftp.ErrSSHFxConnectionLost) {
					t.Errorf("cut after %d: %v", k, err)
				}
				if !s.memory {
					if on, _ := os.ReadFile(name); int64(len(on)) < n || !bytes.Equal(on[:n], want[:n]) {
						t.Errorf("cut after %d: %d bytes said to be right", k, n)
					}
				}
				f.Close()
			}
			if f, err := c.Open(name); err == nil {
				var b bytes.Buffer
				n, err := f.WriteTo(&b)
				if n != int64(b.Len()) || !bytes.HasPrefix(want, b.Bytes()) || err == nil && int(n) != len(want) {
					t.Errorf("cut after %d: received %d, %v", k, n, err)
				}
				f.Close()
			}
			c.Close()
			if !cut.done {
				return
			}
		}
	})
}

// A cutter kills the server once so many packets have been sent.
type cutter struct {
	w       io.WriteCloser
	packets int
	kill    func()
	done    bool
	held    []byte
}

func (c *cutter) Write(p []byte) (int, error) {
	c.held = append(c.held, p...)
	for len(c.held) >= 4 {
		n := 4 + int(c.held[0])<<24 + int(c.held[1])<<16 + int(c.held[2])<<8 + int(c.held[3])
		if len(c.held) < n {
			break
		}
		if c.packets--; c.packets < 0 {
			c.done = true
			c.kill()
			return 0, io.ErrClosedPipe
		}
		if _, err := c.w.Write(c.held[:n]); err != nil {
			return 0, err
		}
		c.held = c.held[n:]
	}
	return len(p), nil
}

func (c *cutter) Close() error { return c.w.Close() }
