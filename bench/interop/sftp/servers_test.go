package sftp

import (
	"bufio"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"

	peer "github.com/pkg/sftp"
)

// A server is the other side of the matrix.
type server struct {
	name string
	// start returns a conversation with a fresh server whose files are below dir, and what ends it at once.
	start func(t *testing.T) (r io.Reader, w io.WriteCloser, kill func())
	// dir is where a test may write.
	dir func(t *testing.T) string
	// slow servers get small files only.
	slow bool
}

// servers are those that this machine has: pkg/sftp's two always, OpenSSH's if it is installed, and that of npm's ssh2 if
// EDDY_SSH2 names a folder in which node finds the package.
func servers() []server {
	list := []server{
		{"pkgsftp", startPeer, func(t *testing.T) string { return t.TempDir() }, false},
		{"pkgsftp request server", startPeerRequests, func(t *testing.T) string { return "/" }, false},
	}
	if bin := program("sftp-server"); bin != "" {
		list = append(list, server{"openssh", func(t *testing.T) (io.Reader, io.WriteCloser, func()) {
			return startProgram(t, exec.Command(bin))
		}, func(t *testing.T) string { return t.TempDir() }, false})
	}
	if dir := os.Getenv("EDDY_SSH2"); dir != "" {
		list = append(list, server{"ssh2", func(t *testing.T) (io.Reader, io.WriteCloser, func()) {
			return startSSH2(t, dir)
		}, func(t *testing.T) string { return t.TempDir() }, true})
	}
	return list
}

// program looks for a program where systems put those of OpenSSH.
func program(name string) string {
	for _, dir := range []string{"/usr/lib/openssh", "/usr/lib/ssh", "/usr/libexec/openssh", "/usr/libexec"} {
		p := filepath.Join(dir, name)
		if fi, err := os.Stat(p); err == nil && fi.Mode()&0o111 != 0 {
			return p
		}
	}
	return ""
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
	kill := func() {
		in.Close()
		out.Close()
	}
	t.Cleanup(func() { kill(); <-done })
	return fromServer, toServer, kill
}

func startPeer(t *testing.T) (io.Reader, io.WriteCloser, func()) {
	return pipes(t, func(rw io.ReadWriteCloser) (serving, error) { return peer.NewServer(rw) })
}

func startPeerRequests(t *testing.T) (io.Reader, io.WriteCloser, func()) {
	h := peer.InMemHandler()
	return pipes(t, func(rw io.ReadWriteCloser) (serving, error) { return peer.NewRequestServer(rw, h), nil })
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
	kill := func() { cmd.Process.Kill() }
	t.Cleanup(func() { kill(); cmd.Wait() })
	return r, w, kill
}

// startSSH2 runs the server of testdata with node and opens its subsystem.
func startSSH2(t *testing.T, dir string) (io.Reader, io.WriteCloser, func()) {
	t.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	block, err := ssh.MarshalPrivateKey(private, "")
	if err != nil {
		t.Fatal(err)
	}
	key := filepath.Join(t.TempDir(), "host")
	if err := os.WriteFile(key, pem.EncodeToMemory(block), 0o600); err != nil {
		t.Fatal(err)
	}
	script, err := filepath.Abs("testdata/ssh2.js")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", script, key)
	cmd.Env = append(os.Environ(), "NODE_PATH="+filepath.Join(dir, "node_modules"))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	port, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	conn, err := ssh.Dial("tcp", net.JoinHostPort("127.0.0.1", strings.TrimSpace(port)),
		&ssh.ClientConfig{User: "any", Auth: []ssh.AuthMethod{ssh.Password("any")}, HostKeyCallback: ssh.InsecureIgnoreHostKey()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	ch, requests, err := conn.OpenChannel("session", nil)
	if err != nil {
		t.Fatal(err)
	}
	go ssh.DiscardRequests(requests)
	go io.Copy(io.Discard, ch.Stderr())
	if ok, err := ch.SendRequest("subsystem", true, ssh.Marshal(struct{ Name string }{"sftp"})); !ok || err != nil {
		t.Fatal(ok, err)
	}
	return ch, ch, func() { cmd.Process.Kill() }
}
