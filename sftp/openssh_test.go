package sftp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/eddy-go/eddy/sftp/internal/fakeserver"
)

// A server of the matrix: what a test does with files in dir goes to the client as well.
type server struct {
	name    string
	openssh bool
	dial    func(t *testing.T, opts ...ClientOption) *Client
}

// opensshServer is the path of OpenSSH's sftp-server, and of sshd. It says which is left out because it is not installed; where
// EDDY_EVERY_SERVER is set that is a fault.
func opensshServer(t *testing.T) (sftpServer, sshd string) {
	t.Helper()
	lacks := func(name string) {
		if os.Getenv("EDDY_EVERY_SERVER") != "" {
			t.Errorf("no %s: OpenSSH's is not installed", name)
		} else {
			t.Logf("left out: %s, OpenSSH's is not installed", name)
		}
	}
	sftpServer, sshd = find("sftp-server"), find("sshd")
	if sftpServer == "" {
		lacks("sftp-server")
	}
	if sftpServer == "" || sshd == "" {
		lacks("sshd")
		sshd = ""
	}
	return sftpServer, sshd
}

// servers are those that this machine has: our own always, OpenSSH's over pipes and behind a real sshd where it is installed.
func servers(t *testing.T) []server {
	list := []server{{"own", false, func(t *testing.T, opts ...ClientOption) *Client {
		srv := tree()
		srv.FS["/t"].Names = nil
		return dial(t, srv, opts...).Client
	}}}
	bin, sshd := opensshServer(t)
	if bin != "" {
		list = append(list, server{"sftp-server", true, func(t *testing.T, opts ...ClientOption) *Client {
			return overPipes(t, bin, opts...)
		}})
		if sshd != "" {
			conn := startSSHD(t, sshd, bin)
			list = append(list, server{"sshd", true, func(t *testing.T, opts ...ClientOption) *Client {
				c, err := NewClient(conn, opts...)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { c.Close() })
				return c
			}})
		}
	}
	return list
}

// find looks for a program where systems put those of OpenSSH.
func find(name string) string {
	for _, dir := range []string{"/usr/lib/openssh", "/usr/lib/ssh", "/usr/libexec/openssh", "/usr/libexec", "/usr/sbin", "/usr/local/sbin"} {
		p := filepath.Join(dir, name)
		if fi, err := os.Stat(p); err == nil && fi.Mode()&0o111 != 0 {
			return p
		}
	}
	return ""
}

func overPipes(t testing.TB, bin string, opts ...ClientOption) *Client {
	t.Helper()
	cmd := exec.Command(bin)
	w, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	r, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c, err := NewClientPipe(r, w, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		cmd.Wait()
	})
	return c
}

func eachServer(t *testing.T, f func(t *testing.T, s server, dir string)) {
	for _, s := range servers(t) {
		t.Run(s.name, func(t *testing.T) {
			dir := "/t/c"
			if s.openssh {
				dir = t.TempDir()
			}
			f(t, s, dir)
		})
	}
}

func TestTransfersToRealServers(t *testing.T) {
	eachServer(t, func(t *testing.T, s server, dir string) {
		for _, opts := range [][]ClientOption{nil, {MaxPacket(1000)}, {UseConcurrentReads(false), UseConcurrentWrites(false)}, {Stripes(4)}, {MaxBufferBytes(1)}} {
			c := s.dial(t, opts...)
			for _, n := range []int{0, 1, 1000, 261120, 1 << 20, 9<<20 + 1} {
				if n > 1<<20 && c.opt.maxPacket+c.opt.stripes == 0 && opts != nil {
					continue
				}
				name := c.Join(dir, fmt.Sprint("file", n))
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
				if k, err := f.WriteTo(&b); k != int64(n) || err != nil {
					t.Fatal(k, err)
				}
				mustEqual(t, b.Bytes(), want)
				at := make([]byte, n+5)
				if k, err := f.ReadAt(at, 0); k != n || err != io.EOF {
					t.Fatal(k, err)
				}
				mustEqual(t, at[:n], want)
				ctx, cancel := context.WithCancel(t.Context())
				if k, err := f.ReadAtContext(ctx, at, int64(n/2)); k != n-n/2 || err != io.EOF {
					t.Fatal(k, err)
				}
				cancel()
				mustEqual(t, at[:n-n/2], want[n/2:])
				if err := f.Close(); err != nil {
					t.Fatal(err)
				}
				if s.openssh {
					on, err := os.ReadFile(name)
					if err != nil {
						t.Fatal(err)
					}
					mustEqual(t, on, want)
				}
			}
		}
	})
}

func TestOperationsOfRealServers(t *testing.T) {
	eachServer(t, func(t *testing.T, s server, dir string) {
		c := s.dial(t)
		p := func(name string) string { return c.Join(dir, name) }
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		must(c.MkdirAll(p("a/b/c")))
		must(c.MkdirAll(p("a/b/c")))
		f, err := c.OpenFile(p("a/f"), os.O_WRONLY|os.O_CREATE|os.O_EXCL)
		must(err)
		_, err = f.Write([]byte("0123456789"))
		must(err)
		must(f.Close())
		if _, err := c.OpenFile(p("a/f"), os.O_WRONLY|os.O_CREATE|os.O_EXCL); err == nil {
			t.Error("exclusive open of what exists")
		}
		f, err = c.OpenFile(p("a/f"), os.O_WRONLY|os.O_APPEND)
		must(err)
		_, err = f.ReadFrom(strings.NewReader("abc"))
		must(err)
		_, err = f.Write([]byte("def"))
		must(err)
		must(f.Close())
		f, err = c.Open(p("a/f"))
		must(err)
		b, err := io.ReadAll(f)
		if string(b) != "0123456789abcdef" || err != nil {
			t.Errorf("%q %v", b, err)
		}
		if end, err := f.Seek(-2, io.SeekEnd); end != 14 || err != nil {
			t.Error(end, err)
		}
		must(f.Close())
		must(c.Truncate(p("a/f"), 4))
		fi, err := c.Stat(p("a/f"))
		must(err)
		if fi.Size() != 4 || !fi.Mode().IsRegular() {
			t.Error(fi.Size(), fi.Mode())
		}
		must(c.Symlink(p("a/f"), p("a/link")))
		if to, err := c.ReadLink(p("a/link")); to != p("a/f") || err != nil {
			t.Error(to, err)
		}
		must(c.Rename(p("a/f"), p("a/b/g")))
		if _, err := c.Stat(p("a/f")); !os.IsNotExist(err) {
			t.Error(err)
		}
		list, err := c.ReadDir(p("a"))
		must(err)
		var names []string
		for _, fi := range list {
			names = append(names, fi.Name())
		}
		slices.Sort(names)
		if !slices.Equal(names, []string{"b", "link"}) {
			t.Error(names)
		}
		if m, err := c.Glob(p("a/*/g")); err != nil || !slices.Equal(m, []string{p("a/b/g")}) {
			t.Error(m, err)
		}
		steps := 0
		for w := c.Walk(p("a")); w.Step(); steps++ {
			must(w.Err())
		}
		if steps != 5 {
			t.Errorf("%d steps", steps)
		}
		if _, err := c.Open(p("none")); !errors.Is(err, os.ErrNotExist) {
			t.Error(err)
		}
		if s.openssh {
			opensshOnly(t, c, p)
		}
		must(c.RemoveAll(p("a")))
		if _, err := c.Lstat(p("a")); !os.IsNotExist(err) {
			t.Error(err)
		}
	})
}

func opensshOnly(t *testing.T, c *Client, p func(string) string) {
	t.Helper()
	ctx := t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(c.Link(p("a/b/g"), p("a/b/h")))
	must(c.PosixRename(p("a/b/g"), p("a/b/h2")))
	must(c.Chmod(p("a/b/h2"), 0o640))
	must(c.Chtimes(p("a/b/h2"), time.Unix(1e9, 0), time.Unix(4e9, 0)))
	fi, err := c.Stat(p("a/b/h2"))
	must(err)
	if fi.Mode() != 0o640 || !fi.ModTime().Equal(time.Unix(4e9, 0)) {
		t.Error(fi.Mode(), fi.ModTime())
	}
	must(c.Chown(p("a/b/h2"), os.Getuid(), os.Getgid()))
	v, err := c.StatVFS(p("a"))
	must(err)
	if v.TotalSpace() == 0 || v.Namemax == 0 {
		t.Errorf("%+v", v)
	}
	if l, err := c.Limits(ctx); err != nil || l.MaxWrite == 0 {
		t.Error(l, err)
	}
	src, err := c.OpenFile(p("a/b/h2"), os.O_RDWR)
	must(err)
	must(src.Sync())
	if _, err := src.StatVFS(ctx); err != nil {
		t.Error(err)
	}
	must(src.Truncate(0))
	want := content(100000)
	_, err = src.WriteAt(want, 0)
	must(err)
	if _, ok := c.HasExtension("copy-data"); ok {
		dst, err := c.Create(p("a/copy"))
		must(err)
		must(src.CopyTo(ctx, dst, 0, 0, 0))
		must(dst.Close())
		on, err := os.ReadFile(p("a/copy"))
		must(err)
		mustEqual(t, on, want)
		must(c.Remove(p("a/copy")))
	}
	must(src.Close())
	if _, ok := c.HasExtension("expand-path@openssh.com"); ok {
		if home, err := c.ExpandPath(ctx, "~"); err != nil || !strings.HasPrefix(home, "/") {
			t.Error(home, err)
		}
	}
	if _, ok := c.HasExtension("users-groups-by-id@openssh.com"); ok {
		users, groups, err := c.UsersGroupsByID(ctx, []uint32{0, 4e9}, []uint32{0})
		if err != nil || !slices.Equal(users, []string{"root", ""}) || len(groups) != 1 {
			t.Error(users, groups, err)
		}
	}
	if _, ok := c.HasExtension("home-directory"); ok {
		if home, err := c.HomeDirectory(ctx, "root"); err != nil || home == "" {
			t.Error(home, err)
		}
	}
	must(c.Lchtimes(ctx, p("a/link"), time.Unix(5, 0), time.Unix(6, 0)))
	if fi, err := c.Lstat(p("a/link")); err != nil || !fi.ModTime().Equal(time.Unix(6, 0)) {
		t.Error(err)
	}
	var st *StatusError
	if err := c.Mkdir(p("a")); !errors.As(err, &st) || st.Code != fakeserver.Failure {
		t.Error(err)
	}
	// What proc tells as the size of its files is zero.
	if f, err := c.Open("/proc/self/status"); err == nil {
		var b bytes.Buffer
		if _, err := f.WriteTo(&b); err != nil || !strings.Contains(b.String(), "sftp-server") {
			t.Errorf("%q %v", b.String(), err)
		}
		f.Close()
	}
}
