package sftp

import (
	"context"
	"strings"
	"time"
)

// A call is one request for whose answer its caller waits.
type call struct {
	wake chan struct{} // one token when there is news
	have bool
	rep  reply

	s       *session // whose slot it waits for
	granted bool     // a slot is reserved
}

// newCall returns a call of the client's stock. The caller holds mu.
func (c *Client) newCall() *call {
	if n := len(c.calls); n > 0 {
		cl := c.calls[n-1]
		c.calls = c.calls[:n-1]
		return cl
	}
	return &call{wake: make(chan struct{}, 1)}
}

// maxSpares bounds the stocks of used records, so that a burst of callers is not kept for ever.
const maxSpares = 128

func (c *Client) freeCall(cl *call) {
	if len(c.calls) < maxSpares {
		signalled(cl.wake)
		*cl = call{wake: cl.wake}
		c.calls = append(c.calls, cl)
	}
}

func signal(wake chan struct{}) {
	select {
	case wake <- struct{}{}:
	default:
	}
}

func signalled(wake chan struct{}) bool {
	select {
	case <-wake:
		return true
	default:
		return false
	}
}

func (cl *call) answered(_ *piece, rep *reply) {
	cl.rep, cl.have = *rep, true
	rep.body = nil
	signal(cl.wake)
}

// resume reserves a slot, if there is one.
func (cl *call) resume() bool {
	s := cl.s
	if s.gone() == nil {
		if s.inflight >= s.c.opt.requests {
			s.c.await(cl)
			return false
		}
		s.inflight++
		cl.granted = true
	}
	signal(cl.wake)
	return cl.granted
}

func (cl *call) lacks() bool { return true }

// slot waits until there is a slot for cl. The caller holds mu, and takes one.
func (cl *call) slot(ctx context.Context, s *session) error {
	c := s.c
	cl.s = s
	c.await(cl)
	var err error
	for err == nil && !cl.granted && s.gone() == nil {
		err = cl.pause(ctx, c)
	}
	c.forget(cl)
	if cl.granted {
		s.inflight-- // take counts it again
	}
	if err != nil {
		c.serve() // it may have been cl's turn
	}
	return err
}

// do sends packet p, which it takes over, and waits for the answer. The caller frees the answer.
func (s *session) do(ctx context.Context, p []byte) (reply, error) { return s.doFile(ctx, nil, p) }

// doFile is do for a request on the handle of f. Whether f is closed is looked at in the moment of sending: a server may
// have given the handle to another file since.
func (s *session) doFile(ctx context.Context, f *File, p []byte) (reply, error) {
	defer func() { pool.Put(p) }()
	// CLOSE is sent whatever happens: nobody else would.
	must := p[4] == typeClose
	if err := ctx.Err(); err != nil && !must {
		return reply{}, err
	}
	c := s.c
	c.mu.Lock()
	defer c.mu.Unlock()
	cl := c.newCall()
	defer c.freeCall(cl)
	if s.gone() == nil && (s.inflight >= c.opt.requests && !must || s.exhausted()) {
		if err := cl.slot(ctx, s); err != nil {
			return reply{}, err
		}
	}
	if err := s.gone(); err != nil {
		return reply{}, err
	}
	if f != nil && f.closed {
		return reply{}, f.errClosed(strings.ToLower(packetName(p[4])))
	}
	r := s.take(cl, p[4])
	r.sent = time.Now()
	s.queue(r, p)
	s.flush()
	if err := cl.wait(ctx, r, s); err != nil {
		return reply{}, err
	}
	return cl.rep, nil
}

// wait waits for the answer to r, which is cl's. After an error there is none.
func (cl *call) wait(ctx context.Context, r *request, s *session) error {
	for !cl.have {
		if err := cl.pause(ctx, s.c); err != nil && !cl.have {
			r.owner = nil
			if r.typ == typeOpen || r.typ == typeOpendir {
				r.owner = (*orphan)(s)
			}
			return err
		}
	}
	return cl.rep.err
}

// pause waits for news, without mu.
func (cl *call) pause(ctx context.Context, c *Client) error {
	c.mu.Unlock()
	defer c.mu.Lock()
	select {
	case <-cl.wake:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// orphan closes a handle whose opening was given up before it was answered.
type orphan session

func (o *orphan) answered(_ *piece, rep *reply) {
	if h, ok := rep.handle(); ok {
		(*session)(o).closeHandle(h)
	}
}

// closeHandle sends CLOSE without waiting for the answer. The caller holds mu.
func (s *session) closeHandle(handle string) {
	if s.gone() != nil || s.exhausted() {
		return
	}
	s.queueHandle(s.take(nil, typeClose), typeClose, handle)
	s.flush()
}

// doStatus is doFile for what is answered with STATUS.
func (s *session) doStatus(ctx context.Context, f *File, op, path string, p []byte) error {
	rep, err := s.doFile(ctx, f, p)
	if err != nil {
		return err
	}
	defer rep.free()
	return rep.asStatus(op, path)
}

// asStatus is nil only for STATUS OK.
func (r *reply) asStatus(op, path string) error {
	if r.err != nil {
		return r.err
	}
	if r.typ != typeStatus {
		return unexpected(op, path, r.typ)
	}
	st, ok := r.status()
	switch {
	case !ok:
		return malformed(op, path, typeStatus)
	case st.code == statusOK:
		return nil
	}
	return statusError(op, path, st)
}

// refusal is the error when something other than a STATUS was wanted, and this came.
func (r *reply) refusal(op, path string) error {
	if r.typ != typeStatus {
		return unexpected(op, path, r.typ)
	}
	st, ok := r.status()
	if !ok {
		return malformed(op, path, typeStatus)
	}
	return statusError(op, path, st)
}
