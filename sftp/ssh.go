package sftp

import (
	"context"
	"errors"
	"io"

	"golang.org/x/crypto/ssh"
)

// NewClient starts the server's SFTP subsystem on an SSH connection. Several clients may share a connection; Close of a
// client leaves it open.
func NewClient(conn *ssh.Client, opts ...ClientOption) (*Client, error) {
	return NewClientContext(context.Background(), conn, opts...)
}

// NewClientContext is NewClient with a context for the exchange of versions.
func NewClientContext(ctx context.Context, conn *ssh.Client, opts ...ClientOption) (*Client, error) {
	c, err := newClient(opts)
	if err != nil {
		return nil, err
	}
	// The server has shown that it has the subsystem: its answer is not waited for again.
	c.more = func() (io.Reader, io.WriteCloser, error) { return channel(conn, io.Discard, false) }
	stderr := c.opt.stderr
	if stderr == nil {
		stderr = io.Discard
	}
	r, w, err := channel(conn, stderr, true)
	if err != nil {
		return nil, err
	}
	if err := c.begin(ctx, r, w); err != nil {
		return nil, err
	}
	return c, nil
}

// channel opens a channel with the subsystem in it, whose standard error goes to stderr. With wait it waits until the server
// has started that.
func channel(conn *ssh.Client, stderr io.Writer, wait bool) (io.Reader, io.WriteCloser, error) {
	ch, requests, err := conn.OpenChannel("session", nil)
	if err != nil {
		return nil, nil, err
	}
	go ssh.DiscardRequests(requests)
	// Unread, it would fill the channel's window.
	go io.Copy(stderr, ch.Stderr())
	ok, err := ch.SendRequest("subsystem", wait, ssh.Marshal(struct{ Name string }{"sftp"}))
	if err == nil && wait && !ok {
		err = errors.New("sftp: server refuses the subsystem sftp")
	}
	if err != nil {
		ch.Close()
		return nil, nil, err
	}
	return ch, halfClose{ch}, nil
}

// halfClose is the sending side of a channel: closing it lets what the server still has to say arrive.
type halfClose struct{ ssh.Channel }

func (h halfClose) Close() error { return h.CloseWrite() }
