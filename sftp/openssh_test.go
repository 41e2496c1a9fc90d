package sftp

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/eddy-go/eddy/sftp/internal/fakeserver"
)

// A server of the matrix: what a test does with files in dir goes to the client as well.
type server struct {
	name    string
	openssh bool
	dial    func(t *testing.T, opts ...ClientOption) *Client
}

// servers are those that this machine has: our own always, OpenSSH's over pipes and behind a real sshd where it is installed.
func servers(t *testing.T) []server {
	list := []server{{"own", false, func(t *testing.T, opts ...ClientOption) *Client {
		srv := tree()
		srv.FS["/t"].Names = nil
		return dial(t, srv, opts...).Client
	}}}
	if bin := find("sftp-server"); bin != "" {
		list = append(list, server{"sftp-server", true, func(t *testing.T, opts ...ClientOption) *Client {
			return overPipes(t, bin, opts...)
		}})
		if sshd := find("sshd"); sshd != "" {
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

// startSSHD runs a server on loopback with keys that are thrown away, and connects to it.
func startSSHD(t *testing.T, sshd, sftpServer string) *ssh.Client {
	t.Helper()
	dir := t.TempDir()
	key := func(name string) ssh.Signer {
		_, private, err := ed25519.GenerateKey(rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		block, err := ssh.MarshalPrivateKey(private, "")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
		signer, err := ssh.NewSignerFromKey(private)
		if err != nil {
			t.Fatal(err)
		}
		return signer
	}
	host, login := key("host"), key("login")
	os.WriteFile(filepath.Join(dir, "authorized"), ssh.MarshalAuthorizedKey(login.PublicKey()), 0o600)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	_, port, _ := net.SplitHostPort(addr)
	l.Close()
	os.WriteFile(filepath.Join(dir, "config"), fmt.Appendf(nil, `ListenAddress 127.0.0.1
Port %s
HostKey %s/host
AuthorizedKeysFile %s/authorized
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
PermitRootLogin yes
Subsystem sftp %s
`, port, dir, dir, sftpServer), 0o600)
	if os.Geteuid() == 0 {
		os.MkdirAll("/run/sshd", 0o755) // sshd wants it when it runs as root
	}
	cmd := exec.Command(sshd, "-D", "-e", "-f", filepath.Join(dir, "config"))
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	me, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	config := &ssh.ClientConfig{User: me.Username, Auth: []ssh.AuthMethod{ssh.PublicKeys(login)},
		HostKeyCallback: ssh.FixedHostKey(host.PublicKey())}
	for try := 0; ; try++ {
		conn, err := ssh.Dial("tcp", addr, config)
		if err == nil {
			t.Cleanup(func() { conn.Close() })
			return conn
		}
		if try == 100 {
			cmd.Process.Kill()
			cmd.Wait()
			t.Fatalf("%v\n%s", err, said.String())
		}
		time.Sleep(50 * time.Millisecond)
	}
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

// The connection is cut after every packet of a small transfer, with a real server on the other side.
func TestCutAfterEveryPacket(t *testing.T) {
	bin := find("sftp-server")
	if bin == "" {
		return // the scripted server is cut in TestFaultAtEveryPacket
	}
	dir := t.TempDir()
	want := content(5000)
	name := filepath.Join(dir, "f")
	if err := os.WriteFile(name, want, 0o600); err != nil {
		t.Fatal(err)
	}
	for k := 0; ; k++ {
		cmd := exec.Command(bin)
		w, _ := cmd.StdinPipe()
		r, _ := cmd.StdoutPipe()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		cut := &cutter{w: w, packets: k + 2, kill: func() { cmd.Process.Kill() }}
		c, err := NewClientPipe(r, cut, MaxPacket(900))
		if err == nil {
			var b bytes.Buffer
			f, err := c.Open(name)
			if err == nil {
				n, err := f.WriteTo(&b)
				mustPrefix(t, b.Bytes(), want)
				if n != int64(b.Len()) || err == nil && n != int64(len(want)) {
					t.Errorf("cut after %d: %d bytes, %v", k, n, err)
				}
				if err != nil && !errors.Is(err, ErrSSHFxConnectionLost) {
					t.Errorf("cut after %d: %v", k, err)
				}
				f.Close()
			}
			up := filepath.Join(dir, fmt.Sprint("up", k))
			if f, err := c.Create(up); err == nil {
				n, err := f.ReadFrom(bytes.NewReader(want))
				on, _ := os.ReadFile(up)
				if int64(len(on)) < n || !bytes.Equal(on[:n], want[:n]) || err == nil && n != int64(len(want)) {
					t.Errorf("cut after %d: %d bytes sent, %v", k, n, err)
				}
				f.Close()
			}
			c.Close()
		}
		w.Close()
		cmd.Process.Kill()
		cmd.Wait()
		if !cut.done {
			break
		}
	}
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
