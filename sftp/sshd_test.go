package sftp

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
)

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
