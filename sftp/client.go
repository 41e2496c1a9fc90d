package sftp

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"
)

// A Client is a session with an SFTP server. Its methods may be called from several goroutines at once.
//
// Each method that waits for the server has a form that takes a context; the plain form waits as long as it takes. A
// call that is cancelled returns at once, without harm to the session: the answer to what it asked is dropped when it
// comes. Memory that the caller handed in is not touched after a call has returned.
type Client struct {
	opt  options
	life context.Context // of what the client does on its own account; done after Close
	end  context.CancelFunc
	main *session
	ext  map[string]string
	// more opens a further channel of the connection for a stripe; nil where there is none.
	more func() (io.Reader, io.WriteCloser, error)

	mu      sync.Mutex
	limits  Limits
	rtt     time.Duration // of a small request; 0 before the first
	guess   int64         // size of the file that was downloaded last; 0 before the first
	again   bool          // a download was striped, and no file opened since
	againUp bool          // an upload was striped, and no large one begun since
	bytes   int           // of opt.bytes that are taken
	waiting []waiter
	serving bool

	// Used records, for the next.
	pieces    *piece
	calls     []*call
	downloads []*download
	uploads   []*upload

	inOrder bool // the server was seen to need writes one by one
	closed  bool
	stripes stripes
}

// closeGrace is how long Close waits for the server to end the session by itself.
var closeGrace = 3 * time.Second

// NewClientPipe returns a client that speaks over a pair of streams, such as those of a program that was started with
// os/exec. Close closes wr, and also rd, if it is an io.Closer and the server does not end it in time. After an error both
// are closed.
func NewClientPipe(rd io.Reader, wr io.WriteCloser, opts ...ClientOption) (*Client, error) {
	return NewClientPipeContext(context.Background(), rd, wr, opts...)
}

// NewClientPipeContext is NewClientPipe with a context for the exchange of versions.
func NewClientPipeContext(ctx context.Context, rd io.Reader, wr io.WriteCloser, opts ...ClientOption) (*Client, error) {
	c, err := newClient(opts)
	if err != nil {
		wr.Close()
		if rc, ok := rd.(io.Closer); ok {
			rc.Close()
		}
		return nil, err
	}
	if err := c.begin(ctx, rd, wr); err != nil {
		return nil, err
	}
	return c, nil
}

func newClient(opts []ClientOption) (*Client, error) {
	c := &Client{opt: defaultOptions()}
	c.life, c.end = context.WithCancel(context.Background())
	for _, opt := range opts {
		if err := opt(c); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// begin makes the main session. After an error the streams are closed.
func (c *Client) begin(ctx context.Context, rd io.Reader, wr io.WriteCloser) error {
	s := newSession(c, rd, wr)
	ext, err := s.open(ctx)
	if err != nil {
		return err
	}
	c.main, c.ext = s, ext
	s.start()
	if _, ok := ext[extLimits]; ok {
		c.askLimits()
	}
	return nil
}

// open exchanges versions. When ctx is done first it closes the streams, which ends the exchange.
func (s *session) open(ctx context.Context) (map[string]string, error) {
	hangUp := func() {
		s.w.Close()
		if s.closer != nil {
			s.closer.Close()
		}
	}
	stop := context.AfterFunc(ctx, hangUp)
	ext, err := s.handshake()
	if !stop() {
		err = ctx.Err()
	}
	if err != nil {
		hangUp()
		s.r.free()
		return nil, err
	}
	return ext, nil
}

// HasExtension tells whether the server announced an extension, and the data that came with it, often a version number.
func (c *Client) HasExtension(name string) (string, bool) {
	data, ok := c.ext[name]
	return data, ok
}

// Wait waits until the session has ended and returns why: nil after Close.
func (c *Client) Wait() error { return c.WaitContext(context.Background()) }

// WaitContext is Wait with a context.
func (c *Client) WaitContext(ctx context.Context) error {
	select {
	case <-c.main.received:
	case <-ctx.Done():
		return ctx.Err()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if errors.Is(c.main.err, ErrClientClosed) {
		return nil
	}
	return c.main.err
}

// Close ends the session: what was queued is still sent, then the server is told. Calls that wait are answered if the
// server does so, and fail with a *ConnError otherwise. It returns when the goroutines of the client have ended. A
// server that does not react is given a few seconds.
func (c *Client) Close() error { return c.CloseContext(context.Background()) }

// CloseContext is Close with a context. When that is done first, the streams are closed at once, whatever was still to be
// sent, and what they end ends after the return.
func (c *Client) CloseContext(ctx context.Context) error {
	c.mu.Lock()
	first := !c.closed
	c.closed = true
	c.end()
	sessions := append([]*session{c.main}, c.stripes.all...)
	for _, s := range sessions {
		s.closing = true
		s.flush()
	}
	c.serve()
	c.mu.Unlock()
	var ends sync.WaitGroup
	for _, s := range sessions {
		ends.Go(func() { s.end(ctx) })
	}
	ends.Wait()
	c.stripes.wait(ctx)
	if err := ctx.Err(); err != nil && !ended(c.main.received) {
		return err
	}
	if !first {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.main.err; err != nil && !errors.Is(err, ErrClientClosed) {
		return err
	}
	return nil
}

// end waits until a closing session has ended, and helps it after a while. It gives up on streams that cannot be ended: even
// to close one may take for ever, if its transport hangs.
func (s *session) end(ctx context.Context) {
	if !within(ctx, s.sent, closeGrace) {
		s.fail(ErrClientClosed)
		go s.w.Close()
	}
	if !within(ctx, s.received, closeGrace) {
		s.fail(ErrClientClosed)
		if s.closer != nil {
			go s.closer.Close()
			within(ctx, s.received, closeGrace)
		}
	}
	within(ctx, s.sent, closeGrace)
}

func ended(done chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
}

// within waits for done, but not longer than d or than ctx lasts.
func within(ctx context.Context, done chan struct{}, d time.Duration) bool {
	if ended(done) {
		return true
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-done:
		return true
	case <-t.C:
	case <-ctx.Done():
	}
	return ended(done)
}
