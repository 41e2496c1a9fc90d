package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/eddy-go/eddy/sftp"
	peer "github.com/pkg/sftp"
)

// sftpFile is what the files of all clients can do.
type sftpFile interface {
	io.ReadWriteCloser
	io.ReaderAt
	io.WriterAt
	io.WriterTo
	io.ReaderFrom
}

// sftpClient is a client of a row.
type sftpClient struct {
	open, create func(name string) (sftpFile, error)
	close        func() error
}

type sftpRow struct {
	name, config string
	pipe         func(io.Reader, io.WriteCloser) (*sftpClient, error)
	ssh          func(*ssh.Client) (*sftpClient, error)
}

var sftpRows = []sftpRow{
	{
		"eddy", "its defaults",
		func(r io.Reader, w io.WriteCloser) (*sftpClient, error) { return eddyClient(sftp.NewClientPipe(r, w)) },
		func(c *ssh.Client) (*sftpClient, error) { return eddyClient(sftp.NewClient(c)) },
	},
	peerRow("pkgsftp", "its defaults"),
	peerRow("pkgsftp_tuned", "UseConcurrentWrites, MaxPacketUnchecked(255 KiB), 64 requests, UseFstat", peer.UseConcurrentWrites(true),
		peer.MaxPacketUnchecked(255<<10), peer.MaxConcurrentRequestsPerFile(64), peer.UseFstat(true)),
}

func eddyClient(c *sftp.Client, err error) (*sftpClient, error) {
	if err != nil {
		return nil, err
	}
	return &sftpClient{
		func(name string) (sftpFile, error) { return c.Open(name) },
		func(name string) (sftpFile, error) { return c.Create(name) },
		c.Close,
	}, nil
}

func peerRow(name, config string, opts ...peer.ClientOption) sftpRow {
	client := func(c *peer.Client, err error) (*sftpClient, error) {
		if err != nil {
			return nil, err
		}
		return &sftpClient{
			func(name string) (sftpFile, error) { return c.Open(name) },
			func(name string) (sftpFile, error) { return c.Create(name) },
			c.Close,
		}, nil
	}
	return sftpRow{
		name, config,
		func(r io.Reader, w io.WriteCloser) (*sftpClient, error) {
			return client(peer.NewClientPipe(r, w, opts...))
		},
		func(c *ssh.Client) (*sftpClient, error) { return client(peer.NewClient(c, opts...)) },
	}
}

// A sftpWay is one way to move a file that is open.
type sftpWay struct {
	name string
	up   bool
	move func(s *sftpSession, f sftpFile, size int) (int64, error)
}

var sftpWays = []sftpWay{
	{"WriteTo", false, func(s *sftpSession, f sftpFile, size int) (int64, error) { return f.WriteTo(s.sink) }},
	{"ReadFrom", true, func(s *sftpSession, f sftpFile, size int) (int64, error) {
		// A source that tells its length, without which the peer does not send WRITEs at once.
		return f.ReadFrom(bytes.NewReader(s.h.data[:size]))
	}},
	{"ReadAt", false, func(s *sftpSession, f sftpFile, size int) (int64, error) {
		n, err := f.ReadAt(s.buffer(size), 0)
		return int64(n), err
	}},
	{"WriteAt", true, func(s *sftpSession, f sftpFile, size int) (int64, error) {
		n, err := f.WriteAt(s.h.data[:size], 0)
		return int64(n), err
	}},
}

// A sftpSession is a client with a server of its own.
type sftpSession struct {
	h    *sftpHost
	c    *sftpClient
	conn *ssh.Client
	stop []func()
	sink io.Writer
	buf  []byte
	out  string
}

func (s *sftpSession) buffer(size int) []byte {
	if len(s.buf) < size {
		s.buf = make([]byte, size)
	}
	return s.buf[:size]
}

func (s *sftpSession) close() {
	if s == nil {
		return
	}
	if s.c != nil {
		s.c.close()
	}
	for i := len(s.stop) - 1; i >= 0; i-- {
		s.stop[i]()
	}
}

type sftpSink struct{}

func (sftpSink) Write(p []byte) (int, error) { return len(p), nil }

func (s *sftpSession) run(w sftpWay, size int) error {
	var f sftpFile
	var err error
	if w.up {
		f, err = s.c.create(s.out)
	} else {
		f, err = s.c.open(s.h.file(size))
	}
	if err != nil {
		return err
	}
	n, err := w.move(s, f, size)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil && n != int64(size) {
		err = fmt.Errorf("%d bytes of %d", n, size)
	}
	return err
}

func (s *sftpSession) must(w sftpWay, size int) {
	if err := s.run(w, size); err != nil {
		panic(fmt.Sprintf("sftp %s: %v", w.name, err))
	}
}

func (s *sftpSession) timed(w sftpWay, size int) float64 {
	start := time.Now()
	s.must(w, size)
	return float64(time.Since(start))
}

// check moves the file once and compares every byte.
func (s *sftpSession) check(w sftpWay, size int) error {
	var got bytes.Buffer
	s.sink = &got
	err := s.run(w, size)
	s.sink = sftpSink{}
	if err != nil {
		return err
	}
	b := got.Bytes()
	switch {
	case w.up:
		if b, err = os.ReadFile(s.out); err != nil {
			return err
		}
	case w.name == "ReadAt":
		b = s.buf[:size]
	}
	if !bytes.Equal(b, s.h.data[:size]) {
		return errors.New("what was moved differs")
	}
	return nil
}
