package sftp

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"testing"

	"github.com/eddy-go/eddy/sftp"
)

// A move is one way to move a whole file. What has come is in got; what was sent is right up to n.
type move struct {
	name string
	up   bool
	run  func(f *sftp.File, want []byte) (got []byte, n int64, err error)
}

var moves = []move{
	{"WriteTo", false, func(f *sftp.File, want []byte) ([]byte, int64, error) {
		var b bytes.Buffer
		n, err := f.WriteTo(&b)
		return b.Bytes(), n, err
	}},
	{"ReadAt", false, func(f *sftp.File, want []byte) ([]byte, int64, error) {
		b := make([]byte, len(want))
		n, err := f.ReadAt(b, 0)
		return b[:n], int64(n), err
	}},
	{"Read", false, func(f *sftp.File, want []byte) ([]byte, int64, error) {
		var b bytes.Buffer
		n, err := io.CopyBuffer(struct{ io.Writer }{&b}, struct{ io.Reader }{f}, make([]byte, len(want)/2))
		return b.Bytes(), n, err
	}},
	{"ReadFrom", true, func(f *sftp.File, want []byte) ([]byte, int64, error) {
		n, err := f.ReadFrom(bytes.NewReader(want))
		return nil, n, err
	}},
	{"WriteAt", true, func(f *sftp.File, want []byte) ([]byte, int64, error) {
		n, err := f.WriteAt(want, 0)
		return nil, int64(n), err
	}},
	{"Write", true, func(f *sftp.File, want []byte) ([]byte, int64, error) {
		var n int64
		for rest := want; len(rest) > 0; {
			k, err := f.Write(rest[:min(len(rest), len(want)/2)])
			n += int64(k)
			if err != nil {
				return nil, n, err
			}
			rest = rest[k:]
		}
		return nil, n, nil
	}},
}

// moved is what came of a move over a connection that may have been cut.
type moved struct {
	n      int64
	err    error // of the move
	opened bool
	closed error
}

// carry opens a file, moves it and closes it, and checks what does not depend on where the connection was cut: what is
// reported is true, and the error names the cause.
func carry(t *testing.T, c *sftp.Client, m move, name string, want []byte, read func(string) []byte) (out moved) {
	t.Helper()
	open := c.Open
	if m.up {
		open = c.Create
	}
	f, err := open(name)
	if err != nil {
		lost(t, "open", err)
		if f != nil {
			t.Error("a File and an error")
		}
		return out
	}
	out.opened = true
	got, n, err := m.run(f, want)
	out.n, out.err = n, err
	if err != nil {
		lost(t, m.name, err)
	}
	if out.closed = f.Close(); out.closed != nil {
		lost(t, "close", out.closed)
	}
	if err == nil && n != int64(len(want)) {
		t.Errorf("%d of %d bytes without an error", n, len(want))
	}
	if m.up {
		got = read(name)
		if int64(len(got)) >= n {
			got = got[:n]
		}
	}
	if n != int64(len(got)) || !bytes.HasPrefix(want, got) {
		t.Errorf("%d bytes are said to be right, %d are there, equal: %v", n, len(got), bytes.HasPrefix(want, got))
	}
	return out
}

// lost checks an error after the end of the connection.
func lost(t *testing.T, op string, err error) {
	t.Helper()
	var conn *sftp.ConnError
	if !errors.As(err, &conn) || !errors.Is(err, sftp.ErrSSHFxConnectionLost) || errors.Is(err, io.EOF) {
		t.Errorf("%s: %v", op, err)
	}
}

// reader reads a file past the connection that is cut.
func (s server) reader(t *testing.T) func(name string) []byte {
	if !s.memory {
		return func(name string) []byte {
			b, err := os.ReadFile(name)
			if err != nil {
				t.Error(err)
			}
			return b
		}
	}
	return func(name string) []byte {
		c := dial(t, s)
		defer c.Close()
		f, err := c.Open(name)
		if err != nil {
			t.Error(err)
			return nil
		}
		defer f.Close()
		b, err := io.ReadAll(f)
		if err != nil {
			t.Error(err)
		}
		return b
	}
}

// put writes a file.
func (s server) put(t *testing.T, name string, data []byte) {
	t.Helper()
	c := dial(t, s)
	f, err := c.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	c.Close()
}

// A small file takes some packets, but not one that takes long to answer a thousand at once.
var small, fewRequests = sftp.MaxPacket(900), sftp.MaxConcurrentRequestsPerFile(8)

// The connection is cut after every packet of a small transfer, in both directions: the count is what was answered without a gap,
// the error tells the cause, and nothing is left over.
func TestCutAfterEveryPacket(t *testing.T) {
	eachServer(t, func(t *testing.T, s server) {
		want := content(5000)
		down := path.Join(s.dir, "down")
		s.put(t, down, want)
		read := s.reader(t)
		for _, m := range moves {
			for _, w := range []way{torn, drained, silenced} {
				t.Run(fmt.Sprintf("%s/%s", m.name, w), func(t *testing.T) {
					name := down
					for k := 0; ; k++ {
						if m.up {
							name = path.Join(s.dir, fmt.Sprintf("%s.%s.%d", m.name, w, k))
						}
						if !cutOnce(t, s, &wire{way: w, packets: k}, m, name, want, read) {
							if k < 8 {
								t.Errorf("only %d packets", k)
							}
							break
						}
						nothingLeft(t)
						if t.Failed() {
							t.Fatalf("cut after %d packets", k)
						}
					}
				})
			}
		}
	})
}

// cutOnce moves a file over a wire, and tells whether that was cut.
func cutOnce(t *testing.T, s server, x *wire, m move, name string, want []byte, read func(string) []byte) bool {
	t.Helper()
	r, w, end := s.start(t)
	e := x.add(r, w, end)
	c, err := sftp.NewClientPipe(struct{ io.Reader }{e}, e, small, fewRequests)
	if err != nil {
		if !x.isCut() || c != nil {
			t.Fatal(c, err)
		}
		end()
		return true
	}
	out := carry(t, c, m, name, want, read)
	cause := errCut
	if x.way == drained {
		cause = io.ErrUnexpectedEOF
	}
	for _, err := range []error{out.err, out.closed} {
		if err != nil && !errors.Is(err, cause) {
			t.Errorf("the cause is not told: %v", err)
		}
		if err != nil && !x.isCut() {
			t.Errorf("not cut: %v", err)
		}
	}
	if answered := x.prefix(); out.opened && (out.n > answered || out.n < answered && x.way != torn) {
		t.Errorf("%d bytes, but %d were answered", out.n, answered)
	}
	if err := c.Close(); err != nil {
		lost(t, "Close", err)
	}
	end()
	return x.isCut()
}
