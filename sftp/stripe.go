package sftp

import (
	"context"
	"sync"
	"time"
)

const (
	// mostStripes leaves two of OpenSSH's 10 channels to others.
	mostStripes = 8
	// stripeBytes is what a channel moves in a round trip, and the least that makes one more worth it.
	stripeBytes = 2 << 20
	// stripeTrip is from which round trip on that is less than what most networks carry.
	stripeTrip = 4 * time.Millisecond
)

// stripes are the further sessions of a client, which are kept for later files.
type stripes struct {
	all     []*session
	opening int  // sessions that are being opened
	refused bool // the server has refused one, and is not asked again
	running sync.WaitGroup
}

// wait waits for the goroutines that open stripes. What they wait for is the SSH connection, which Close does not end.
func (s *stripes) wait(ctx context.Context) {
	done := make(chan struct{})
	go func() {
		s.running.Wait()
		close(done)
	}()
	within(ctx, done, closeGrace)
}

// A striping is the part of one transfer in its stripes. It may begin before the transfer, and outlives it when a stripe is
// still being opened.
type striping struct {
	c     *Client
	over  bool
	flags uint32
	name  string
	most  int      // routes that may come
	early []*route // opened before there is a transfer
	// routes are those in use.
	routes []*route

	// download or upload is what is striped, while it is not over; file is an upload's.
	download *download
	upload   *upload
	file     *File
	// begin is where an upload's first piece ends, chunk how long the others are.
	begin, chunk uint64
	// main is what the server told of the file itself, to a download.
	main  attrs
	known bool
	held  []held
}

// stripeCount returns how many further sessions are worth it for so many bytes. The caller holds mu.
func (c *Client) stripeCount(bytes int64) int {
	n := c.opt.stripes
	if c.more == nil || n == 1 || c.closed || n == 0 && c.rtt < stripeTrip {
		return 0
	}
	if n == 0 {
		n = mostStripes
	}
	return int(min(int64(n), bytes/int64(c.opt.stripeBytes))) - 1
}

// live returns the further sessions that have not ended.
func (c *Client) live() []*session {
	live := c.stripes.all[:0]
	for _, s := range c.stripes.all {
		if s.gone() == nil {
			live = append(live, s)
		}
	}
	clear(c.stripes.all[len(live):])
	c.stripes.all = live
	return live
}

// stripe begins to open routes for st until there are n: in the sessions that are there, and in new ones. The caller holds mu.
func (c *Client) stripe(st *striping, n int) {
	live := c.live()
	from := st.most
	st.most = max(st.most, n)
	for i := from; i < n; i++ {
		switch {
		case i < len(live):
			st.open(live[i])
		case c.stripes.refused || len(live)+c.stripes.opening >= n:
			return
		default:
			c.stripes.opening++
			c.stripes.running.Go(func() { c.openStripe(st) })
		}
	}
}

// openStripe opens a further session, with the file of st in it.
func (c *Client) openStripe(st *striping) {
	rd, wr, err := c.more()
	var s *session
	if err == nil {
		s = newSession(c, rd, wr)
		c.mu.Lock()
		st.open(s)
		c.mu.Unlock()
		if _, err = s.open(c.life); err != nil {
			s.fail(err)
		}
	}
	if err == nil {
		s.start()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stripes.opening--
	if err != nil {
		c.stripes.refused = true
		return
	}
	if c.closed {
		s.closing = true
		s.flush()
		c.mu.Unlock()
		s.end(context.Background())
		c.mu.Lock()
		return
	}
	c.stripes.all = append(c.stripes.all, s)
}

// open asks s for the file. The caller holds mu.
func (st *striping) open(s *session) { (&opening{st, s}).resume() }

// An opening is the question for the file in a stripe.
type opening struct {
	st *striping
	s  *session
}

// resume sends the question when a request is free.
func (o *opening) resume() bool {
	st, s := o.st, o.s
	if st.over || s.gone() != nil {
		return false
	}
	if s.inflight >= st.c.opt.requests {
		st.c.await(o)
		return false
	}
	p := openPacket(st.name, st.flags)
	s.queue(s.take(o, typeOpen), p)
	pool.Put(p)
	s.flush()
	return true
}

func (o *opening) lacks() bool { return true }

func (o *opening) answered(_ *piece, rep *reply) {
	h, ok := rep.handle()
	if !ok {
		return
	}
	st := o.st
	if st.over || st.c.closed {
		o.s.closeHandle(h)
		return
	}
	r := &route{s: o.s, handle: h}
	switch {
	case st.download != nil:
		st.checked(r)
		st.download.fill()
	case st.upload != nil:
		st.c.stripes.running.Go(func() { st.c.prove(st, r) })
	default:
		st.early = append(st.early, r)
	}
}

// unstripe ends the use of st: its handles are closed. The caller holds mu.
func (c *Client) unstripe(st *striping) {
	if st == nil {
		return
	}
	st.over = true
	for _, r := range append(st.routes, st.early...) {
		r.s.closeHandle(r.handle)
	}
	st.routes, st.early = nil, nil
	for i := range st.held {
		st.held[i].rep.free()
	}
	st.held = nil
}
