package sftp

import (
	"bufio"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"
)

// startSSH2 runs the server of testdata with node, which finds the package in dir.
func startSSH2(t *testing.T, dir string) server {
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
	s := overSSH(t, net.JoinHostPort("127.0.0.1", strings.TrimSpace(port)),
		&ssh.ClientConfig{User: "any", Auth: []ssh.AuthMethod{ssh.Password("any")}, HostKeyCallback: ssh.InsecureIgnoreHostKey()})
	s.slow = true
	return s
}
