package main

import (
	"fmt"
	"io"
	mrand "math/rand/v2"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"time"

	"github.com/eddy-go/eddy/bench/internal/sshd"
	"github.com/eddy-go/eddy/bench/internal/table"
	peer "github.com/pkg/sftp"
)

// A sftpHost is the other side: files on disk and the servers that this machine has.
type sftpHost struct {
	dir        string
	data       []byte
	sftpServer string // OpenSSH's; "" for that of the peer, in this process
	server     *sshd.Server
	sessions   int
	files      map[int]string
}

func newSFTPHost() (*sftpHost, error) {
	dir, err := os.MkdirTemp("", "eddy-bench-sftp")
	if err != nil {
		return nil, err
	}
	h := &sftpHost{dir: dir, files: map[int]string{}, sftpServer: sshd.Find("sftp-server")}
	size := sftpDelayed
	if h.hasSSHD() {
		size = sftpLong
	}
	h.data = make([]byte, size)
	mrand.NewChaCha8([32]byte{17}).Read(h.data)
	return h, nil
}

func (h *sftpHost) hasSSHD() bool { return h.sftpServer != "" && sshd.Find("sshd") != "" }

func (h *sftpHost) what() string {
	if h.sftpServer == "" {
		return "the peer's server in this process"
	}
	return "OpenSSH's server"
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

// startSSHD runs the SSH server, once.
func (h *sftpHost) startSSHD() (err error) {
	if h.server == nil {
		h.server, err = sshd.Start(h.dir, h.sftpServer)
	}
	return err
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
	s.conn, err = h.server.Dial(addr)
	if err != nil {
		return s, err
	}
	s.stop = append(s.stop, func() { s.conn.Close() })
	if row.ssh != nil {
		s.c, err = row.ssh(s.conn)
	}
	return s, err
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
	few := few{most: 3}
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
		out, err := exec.Command(client, "-q", "-b", batch, "-P", port, "-i", h.server.Login, "-F", "none",
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
			return few.sample(func() float64 {
				start := time.Now()
				if err := run(); err != nil {
					panic(err)
				}
				return float64(time.Since(start))
			})
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
