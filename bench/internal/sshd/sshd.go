// Package sshd runs OpenSSH's server on loopback, with keys that are thrown away.
package sshd

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"
)

// Find looks for a program where systems put those of OpenSSH; "" says that it is not there.
func Find(name string) string {
	for _, dir := range []string{"/usr/lib/openssh", "/usr/lib/ssh", "/usr/libexec/openssh", "/usr/libexec", "/usr/sbin", "/usr/local/sbin"} {
		p := filepath.Join(dir, name)
		if fi, err := os.Stat(p); err == nil && fi.Mode()&0o111 != 0 {
			return p
		}
	}
	return ""
}

// A Server is a running sshd that lets one key in.
type Server struct {
	// Addr is where it listens.
	Addr string
	// Login is the file of the key, for programs.
	Login string

	config ssh.ClientConfig
	cmd    *exec.Cmd
}

// InProcess is a subsystem that sshd does not start a program for, which takes it some 50 ms.
const InProcess = "internal-sftp"

// Start runs a server. Keys and configuration are put into dir, and lines are added to the latter. The subsystem is
// InProcess or the path of OpenSSH's sftp-server.
func Start(dir, subsystem string, lines ...string) (*Server, error) {
	program := Find("sshd")
	if program == "" || subsystem == "" {
		return nil, errors.New("sshd: OpenSSH's server is not installed")
	}
	host, err := key(filepath.Join(dir, "host"))
	if err != nil {
		return nil, err
	}
	s := &Server{Login: filepath.Join(dir, "login")}
	login, err := key(s.Login)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "authorized"), ssh.MarshalAuthorizedKey(login.PublicKey()), 0o600); err != nil {
		return nil, err
	}
	me, err := user.Current()
	if err != nil {
		return nil, err
	}
	s.config = ssh.ClientConfig{User: me.Username, Auth: []ssh.AuthMethod{ssh.PublicKeys(login)},
		HostKeyCallback: ssh.FixedHostKey(host.PublicKey())}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s.Addr = l.Addr().String()
	l.Close()
	_, port, _ := net.SplitHostPort(s.Addr)
	config := fmt.Appendf(nil, `ListenAddress 127.0.0.1
Port %s
HostKey %s/host
AuthorizedKeysFile %s/authorized
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
PermitRootLogin yes
Subsystem sftp %s
%s
`, port, dir, dir, subsystem, strings.Join(lines, "\n"))
	if err := os.WriteFile(filepath.Join(dir, "config"), config, 0o600); err != nil {
		return nil, err
	}
	if os.Geteuid() == 0 {
		os.MkdirAll("/run/sshd", 0o755) // sshd wants it when it runs as root
	}
	said, err := os.Create(filepath.Join(dir, "said"))
	if err != nil {
		return nil, err
	}
	defer said.Close()
	s.cmd = exec.Command(program, "-D", "-e", "-f", filepath.Join(dir, "config"))
	s.cmd.Stderr = said
	dieWithParent(s.cmd)
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	for range 100 {
		if conn, err := net.Dial("tcp", s.Addr); err == nil {
			conn.Close()
			return s, nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	s.Stop()
	text, _ := os.ReadFile(said.Name())
	return nil, fmt.Errorf("sshd: it does not listen: %s", bytes.TrimSpace(text))
}

// Config is how to log in.
func (s *Server) Config() *ssh.ClientConfig {
	c := s.config
	return &c
}

// Dial connects to the server, or to addr, if that is not "" and leads there.
func (s *Server) Dial(addr string) (*ssh.Client, error) {
	if addr == "" {
		addr = s.Addr
	}
	return ssh.Dial("tcp", addr, s.Config())
}

// Stop ends the server.
func (s *Server) Stop() {
	s.cmd.Process.Kill()
	s.cmd.Wait()
}

// key makes a key and writes it to a file.
func key(name string) (ssh.Signer, error) {
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	block, err := ssh.MarshalPrivateKey(private, "")
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
		return nil, err
	}
	return ssh.NewSignerFromKey(private)
}
