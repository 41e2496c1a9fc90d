package sftp

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"testing"

	"golang.org/x/crypto/ssh"

	"github.com/eddy-go/eddy/bench/internal/sshd"
	peer "github.com/pkg/sftp"
)

// A server is the other side of the matrix. All conversations with it see the same files.
type server struct {
	name string
	// dir is where a test may write.
	dir string
	// memory tells that the files are not on disk.
	memory bool
	// start begins a conversation. End ends it at once, from the server's side.
	start func(t *testing.T) (r io.Reader, w io.WriteCloser, end func())
	// addr and config are set of a server behind SSH, and conn is a connection with it.
	addr   string
	config *ssh.ClientConfig
	conn   *ssh.Client
	// slow servers get small files only.
	slow bool
}

// everyServer is set where a server that is not there is a fault of the test.
const everyServer = "EDDY_EVERY_SERVER"

// eachServer runs f with every server that this machine has, and says which are left out: pkg/sftp's two are there always,
// OpenSSH's behind pipes and behind sshd if they are installed, and that of npm's ssh2 if EDDY_SSH2 names a folder in
// which node finds the package.
func eachServer(t *testing.T, f func(t *testing.T, s server)) { eachOf(t, false, f) }

// eachSSHServer is eachServer for those behind SSH.
func eachSSHServer(t *testing.T, f func(t *testing.T, s server)) { eachOf(t, true, f) }

func eachOf(t *testing.T, overSSH bool, f func(t *testing.T, s server)) {
	lacks := func(name, why string) {
		if os.Getenv(everyServer) != "" {
			t.Errorf("no %s: %s", name, why)
		} else {
			t.Logf("left out: %s, %s", name, why)
		}
	}
	run := func(name string, s func(t *testing.T) server) {
		t.Run(name, func(t *testing.T) {
			s := s(t)
			s.name = name
			if s.dir == "" {
				s.dir = t.TempDir()
			}
			f(t, s)
		})
	}
	if !overSSH {
		run("pkgsftp", func(*testing.T) server { return server{start: startPeer} })
		run("pkgsftp_requests", func(*testing.T) server { return startPeerRequests() })
		if bin := sshd.Find("sftp-server"); bin == "" {
			lacks("sftp-server", "OpenSSH's SFTP server is not installed")
		} else {
			run("sftp-server", func(*testing.T) server {
				return server{start: func(t *testing.T) (io.Reader, io.WriteCloser, func()) {
					return startProgram(t, exec.Command(bin))
				}}
			})
		}
	}
	if sshd.Find("sshd") == "" {
		lacks("sshd", "OpenSSH's server is not installed")
	} else {
		run("sshd", startSSHD)
	}
	if dir := os.Getenv("EDDY_SSH2"); dir == "" {
		lacks("ssh2", "EDDY_SSH2 names no folder that has npm's package ssh2")
	} else {
		run("ssh2", func(t *testing.T) server { return startSSH2(t, dir) })
	}
}

type serving interface{ Serve() error }

func pipes(t *testing.T, serve func(io.ReadWriteCloser) (serving, error)) (io.Reader, io.WriteCloser, func()) {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	srv, err := serve(struct {
		io.Reader
		io.WriteCloser
	}{in, out})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		srv.Serve()
		out.Close()
		in.Close()
	}()
	end := func() {
		in.Close()
		out.Close()
	}
	t.Cleanup(func() { end(); <-done })
	return fromServer, toServer, end
}

func startPeer(t *testing.T) (io.Reader, io.WriteCloser, func()) {
	return pipes(t, func(rw io.ReadWriteCloser) (serving, error) { return peer.NewServer(rw) })
}

// startPeerRequests serves files from memory, which stay when a conversation ends.
func startPeerRequests() server {
	h := peer.InMemHandler()
	// The handler's own files are of no use any more once a connection with one open has failed.
	h.FileGet, h.FilePut = lastingFiles{h}, lastingFiles{h}
	return server{dir: "/", memory: true, start: func(t *testing.T) (io.Reader, io.WriteCloser, func()) {
		return pipes(t, func(rw io.ReadWriteCloser) (serving, error) { return peer.NewRequestServer(rw, h), nil })
	}}
}

// lastingFiles are not told of failed transfers.
type lastingFiles struct{ peer.Handlers }

func (l lastingFiles) Fileread(r *peer.Request) (io.ReaderAt, error) {
	f, err := l.FileGet.Fileread(r)
	return struct{ io.ReaderAt }{f}, err
}

func (l lastingFiles) Filewrite(r *peer.Request) (io.WriterAt, error) {
	f, err := l.FilePut.Filewrite(r)
	return struct{ io.WriterAt }{f}, err
}

func startProgram(t *testing.T, cmd *exec.Cmd) (io.Reader, io.WriteCloser, func()) {
	t.Helper()
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
	end := func() { cmd.Process.Kill() }
	t.Cleanup(func() { end(); cmd.Wait() })
	return r, w, end
}

// overSSH is a server at addr, each conversation with which takes a channel of one connection.
func overSSH(t *testing.T, addr string, config *ssh.ClientConfig) server {
	t.Helper()
	conn, err := ssh.Dial("tcp", addr, config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return server{addr: addr, config: config, conn: conn, start: func(t *testing.T) (io.Reader, io.WriteCloser, func()) {
		ch, err := subsystem(conn)
		if err != nil {
			t.Fatal(err)
		}
		end := func() { ch.Close() }
		t.Cleanup(end)
		return ch, halfClose{ch}, end
	}}
}

// halfClose closes the sending side of a channel.
type halfClose struct{ ssh.Channel }

func (h halfClose) Close() error { return h.CloseWrite() }

func subsystem(conn *ssh.Client) (ssh.Channel, error) {
	ch, requests, err := conn.OpenChannel("session", nil)
	if err != nil {
		return nil, err
	}
	go ssh.DiscardRequests(requests)
	go io.Copy(io.Discard, ch.Stderr())
	ok, err := ch.SendRequest("subsystem", true, ssh.Marshal(struct{ Name string }{"sftp"}))
	if err == nil && !ok {
		err = errors.New("no subsystem sftp")
	}
	if err != nil {
		ch.Close()
		return nil, err
	}
	return ch, nil
}

func startSSHD(t *testing.T) server {
	t.Helper()
	// A session that is cut stays for a moment.
	s, err := sshd.Start(t.TempDir(), sshd.InProcess, "MaxSessions 100")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	return overSSH(t, s.Addr, s.Config())
}
