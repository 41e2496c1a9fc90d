package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	mrand "math/rand/v2"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/eddy-go/eddy/bench/internal/table"
	peer "github.com/pkg/sftp"
)

// A sftpHost is the other side: files on disk and the servers that this machine has.
type sftpHost struct {
	dir        string
	data       []byte
	sftpServer string // OpenSSH's; "" for that of the peer, in this process
	sshd       string
	addr       string
	login      ssh.Signer
	host       ssh.PublicKey
	sessions   int
	files      map[int]string
}

func newSFTPHost() (*sftpHost, error) {
	dir, err := os.MkdirTemp("", "eddy-bench-sftp")
	if err != nil {
		return nil, err
	}
	h := &sftpHost{dir: dir, files: map[int]string{}, sftpServer: program("sftp-server"), sshd: program("sshd")}
	if h.sftpServer == "" {
		h.sshd = ""
	}
	size := sftpDelayed
	if h.sshd != "" {
		size = sftpLong
	}
	h.data = make([]byte, size)
	mrand.NewChaCha8([32]byte{17}).Read(h.data)
	return h, nil
}

func (h *sftpHost) what() string {
	if h.sftpServer == "" {
		return "the peer's server in this process"
	}
	return "OpenSSH's server"
}

// program looks for a program where systems put those of OpenSSH.
func program(name string) string {
	for _, dir := range []string{"/usr/lib/openssh", "/usr/lib/ssh", "/usr/libexec/openssh", "/usr/libexec", "/usr/sbin", "/usr/local/sbin"} {
		p := filepath.Join(dir, name)
		if fi, err := os.Stat(p); err == nil && fi.Mode()&0o111 != 0 {
			return p
		}
	}
	return ""
}

// file returns the name of a file of so many bytes.
func (h *sftpHost) file(size int) string {
	if name := h.files[size]; name != "" {
		return name
	}
	name := filepath.Join(h.dir, fmt.Sprint("down", size))
	if err := os.WriteFile(name, h.data[:size], 0o600); err != nil {
		panic(err)
	}
	h.files[size] = name
	return name
}

func (h *sftpHost) newSession() *sftpSession {
	h.sessions++
	s := &sftpSession{h: h, sink: sftpSink{}, out: filepath.Join(h.dir, fmt.Sprint("up", h.sessions))}
	s.stop = append(s.stop, func() { os.Remove(s.out) })
	return s
}

// overPipes starts a server and a client of the row. Requests reach the server late by delay.
func (h *sftpHost) overPipes(row sftpRow, delay time.Duration) (*sftpSession, error) {
	s := h.newSession()
	var r io.Reader
	var w io.WriteCloser
	if h.sftpServer != "" {
		cmd := exec.Command(h.sftpServer)
		var err error
		if w, err = cmd.StdinPipe(); err != nil {
			return s, err
		}
		if r, err = cmd.StdoutPipe(); err != nil {
			return s, err
		}
		if err := cmd.Start(); err != nil {
			return s, err
		}
		s.stop = append(s.stop, func() { cmd.Process.Kill(); cmd.Wait() })
	} else {
		in, toServer, err := os.Pipe()
		if err != nil {
			return s, err
		}
		fromServer, out, err := os.Pipe()
		if err != nil {
			return s, err
		}
		srv, err := peer.NewServer(struct {
			io.Reader
			io.WriteCloser
		}{in, out})
		if err != nil {
			return s, err
		}
		go func() { srv.Serve(); out.Close() }()
		r, w = fromServer, toServer
		s.stop = append(s.stop, func() { in.Close(); fromServer.Close() })
	}
	if delay > 0 {
		w = late(w, delay)
	}
	var err error
	s.c, err = row.pipe(r, w)
	return s, err
}

// late delays what is written to w.
func late(w io.WriteCloser, delay time.Duration) io.WriteCloser {
	l := &lateWriter{delay: delay, queue: make(chan lateWrite, 1<<14), done: make(chan struct{})}
	go func() {
		defer close(l.done)
		defer w.Close()
		for x := range l.queue {
			time.Sleep(time.Until(x.at))
			if _, err := w.Write(x.b); err != nil {
				for range l.queue {
				}
				return
			}
		}
	}()
	return l
}

type lateWrite struct {
	at time.Time
	b  []byte
}

type lateWriter struct {
	delay time.Duration
	mu    sync.Mutex
	ended bool
	queue chan lateWrite
	done  chan struct{}
}

func (l *lateWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return 0, os.ErrClosed
	}
	l.queue <- lateWrite{time.Now().Add(l.delay), append([]byte(nil), p...)}
	return len(p), nil
}

func (l *lateWriter) Close() error {
	l.mu.Lock()
	if !l.ended {
		l.ended = true
		close(l.queue)
	}
	l.mu.Unlock()
	<-l.done
	return nil
}

// startSSHD runs a server on loopback with keys that are thrown away.
func (h *sftpHost) startSSHD() error {
	if h.addr != "" {
		return nil
	}
	key := func(name string) (ssh.Signer, error) {
		_, private, err := ed25519.GenerateKey(rand.Reader)
		if err != nil {
			return nil, err
		}
		block, err := ssh.MarshalPrivateKey(private, "")
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(h.dir, name), pem.EncodeToMemory(block), 0o600); err != nil {
			return nil, err
		}
		return ssh.NewSignerFromKey(private)
	}
	host, err := key("host")
	if err != nil {
		return err
	}
	if h.login, err = key("login"); err != nil {
		return err
	}
	h.host = host.PublicKey()
	if err := os.WriteFile(filepath.Join(h.dir, "authorized"), ssh.MarshalAuthorizedKey(h.login.PublicKey()), 0o600); err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	addr := l.Addr().String()
	l.Close()
	_, port, _ := net.SplitHostPort(addr)
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
`, port, h.dir, h.dir, h.sftpServer)
	if err := os.WriteFile(filepath.Join(h.dir, "config"), config, 0o600); err != nil {
		return err
	}
	if os.Geteuid() == 0 {
		os.MkdirAll("/run/sshd", 0o755) // sshd wants it when it runs as root
	}
	cmd := exec.Command(h.sshd, "-D", "-e", "-f", filepath.Join(h.dir, "config"))
	dieWithParent(cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	go cmd.Wait()
	for range 100 {
		if conn, err := net.Dial("tcp", addr); err == nil {
			conn.Close()
			h.addr = addr
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	cmd.Process.Kill()
	return errors.New("sshd does not listen")
}

// overSSH connects to the SSH server, through a proxy that delays each way, and makes a client of the row if it has one.
func (h *sftpHost) overSSH(row sftpRow, delay time.Duration) (*sftpSession, error) {
	s := h.newSession()
	if err := h.startSSHD(); err != nil {
		return s, err
	}
	addr, stop, err := h.proxy(delay)
	if err != nil {
		return s, err
	}
	s.stop = append(s.stop, stop)
	me, err := user.Current()
	if err != nil {
		return s, err
	}
	s.conn, err = ssh.Dial("tcp", addr, &ssh.ClientConfig{User: me.Username, Auth: []ssh.AuthMethod{ssh.PublicKeys(h.login)},
		HostKeyCallback: ssh.FixedHostKey(h.host)})
	if err != nil {
		return s, err
	}
	s.stop = append(s.stop, func() { s.conn.Close() })
	if row.ssh != nil {
		s.c, err = row.ssh(s.conn)
	}
	return s, err
}

// proxy returns an address that leads to the SSH server with a delay each way.
func (h *sftpHost) proxy(delay time.Duration) (addr string, stop func(), err error) {
	if delay == 0 {
		return h.addr, func() {}, nil
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	go func() {
		for {
			from, err := l.Accept()
			if err != nil {
				return
			}
			to, err := net.Dial("tcp", h.addr)
			if err != nil {
				from.Close()
				continue
			}
			go forward(to, from, delay)
			go forward(from, to, delay)
		}
	}()
	return l.Addr().String(), func() { l.Close() }, nil
}

func forward(to, from net.Conn, delay time.Duration) {
	w := late(to, delay)
	defer w.Close()
	b := make([]byte, 256<<10)
	for {
		n, err := from.Read(b)
		if n > 0 {
			w.Write(b[:n])
		}
		if err != nil {
			return
		}
	}
}

// cat reads a file through a channel without SFTP.
func (s *sftpSession) cat(name string) float64 {
	start := time.Now()
	x, err := s.conn.NewSession()
	if err != nil {
		panic(err)
	}
	defer x.Close()
	x.Stdout = sftpSink{}
	if err := x.Run("cat " + name); err != nil {
		panic(err)
	}
	return float64(time.Since(start))
}

// opensshRow is OpenSSH's own client, if the machine has it; it connects anew each time, which is part of its figure.
func (h *sftpHost) opensshRow(delay time.Duration, up bool, size int) *table.Impl {
	client, err := exec.LookPath("sftp")
	if err != nil {
		return nil
	}
	var addr string
	var stop func()
	taken, last := 0, 0.0
	run := func() error {
		_, port, _ := net.SplitHostPort(addr)
		me, err := user.Current()
		if err != nil {
			return err
		}
		batch := filepath.Join(h.dir, "batch")
		line := fmt.Sprintf("get %s /dev/null\n", h.file(size))
		if up {
			line = fmt.Sprintf("put %s %s/openssh\n", h.file(size), h.dir)
		}
		if err := os.WriteFile(batch, []byte(line), 0o600); err != nil {
			return err
		}
		out, err := exec.Command(client, "-q", "-b", batch, "-P", port, "-i", filepath.Join(h.dir, "login"), "-F", "none",
			"-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", me.Username+"@127.0.0.1").CombinedOutput()
		if err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
		return nil
	}
	return &table.Impl{
		Name: "openssh", Config: "its sftp command, with the time to connect; at most 3 rounds",
		Check: func() (err error) {
			if err := h.startSSHD(); err != nil {
				return err
			}
			if addr, stop, err = h.proxy(delay); err != nil {
				return err
			}
			return run()
		},
		Sample: func() float64 {
			if taken++; taken <= 3 {
				start := time.Now()
				if err := run(); err != nil {
					panic(err)
				}
				last = float64(time.Since(start))
			}
			return last
		},
		Done: func() {
			if stop != nil {
				stop()
			}
		},
	}
}

// floorPipe moves bytes through a pipe.
func floorPipe(size int) {
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	defer r.Close()
	go func() {
		defer w.Close()
		b := make([]byte, 64<<10)
		for n := 0; n < size; n += len(b) {
			w.Write(b)
		}
	}()
	io.CopyBuffer(sftpSink{}, struct{ io.Reader }{r}, make([]byte, 64<<10))
}
