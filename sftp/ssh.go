package sftp

import (
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"

	"golang.org/x/crypto/ssh"
)

// NewClient starts the server's SFTP subsystem on an SSH connection. Several clients may share a connection; Close of a
// client leaves it open.
func NewClient(conn *ssh.Client, opts ...ClientOption) (*Client, error) {
	return NewClientContext(context.Background(), conn, opts...)
}

// NewClientContext is NewClient with a context for the opening of the channel and the exchange of versions.
func NewClientContext(ctx context.Context, conn *ssh.Client, opts ...ClientOption) (*Client, error) {
	c, err := newClient(opts)
	if err != nil {
		return nil, err
	}
	c.more = func() (io.Reader, io.WriteCloser, error) {
		// The server has shown that it has the subsystem: its answer is not waited for again.
		ch, err := channel(conn, io.Discard, false)
		if err != nil {
			return nil, nil, err
		}
		return ch.Channel, ch, nil
	}
	stderr := c.opt.stderr
	if stderr == nil {
		stderr = io.Discard
	}
	ch, err := channelContext(ctx, conn, stderr)
	if err != nil {
		return nil, err
	}
	if err := c.begin(ctx, ch.Channel, ch); err != nil {
		return nil, err
	}
	return c, nil
}

// channelContext is channel with a context. A channel that the server opens later is closed.
func channelContext(ctx context.Context, conn *ssh.Client, stderr io.Writer) (*halfClose, error) {
	if ctx.Done() == nil {
		return channel(conn, stderr, true)
	}
	type opened struct {
		ch  *halfClose
		err error
	}
	result := make(chan opened)
	go func() {
		ch, err := channel(conn, stderr, true)
		select {
		case result <- opened{ch, err}:
		case <-ctx.Done():
			if err == nil {
				ch.Channel.Close()
			}
		}
	}()
	select {
	case o := <-result:
		return o.ch, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// channel opens a channel with the subsystem in it, whose standard error goes to stderr. With wait it waits until the server
// has started that.
func channel(conn *ssh.Client, stderr io.Writer, wait bool) (*halfClose, error) {
	ch, requests, err := conn.OpenChannel("session", nil)
	if err != nil {
		return nil, err
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
		return nil, err
	}
	return &halfClose{Channel: ch}, nil
}

// halfClose is the sending side of a channel: closing it lets what the server still has to say arrive. While a Write hangs
// that cannot be done, and the channel is closed as a whole.
type halfClose struct {
	ssh.Channel
	mu     sync.Mutex // held while something is sent
	closed atomic.Bool
}

func (h *halfClose) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.Channel.Write(p)
}

func (h *halfClose) Close() error {
	if !h.closed.CompareAndSwap(false, true) {
		return nil
	}
	if !h.mu.TryLock() {
		return h.Channel.Close()
	}
	defer h.mu.Unlock()
	return h.CloseWrite()
}
