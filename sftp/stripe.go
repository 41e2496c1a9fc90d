package sftp

import (
	"math"
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
func (s *stripes) wait() {
	done := make(chan struct{})
	go func() {
		s.running.Wait()
		close(done)
	}()
	within(done, closeGrace)
}

// A striping is the part of one transfer in its stripes. It outlives the transfer when a stripe is still being opened.
type striping struct {
	over   bool
	routes []*route
	join   func(*route) // adds a route to the transfer
	check  func(attrs) bool
	flags  uint32
	name   string
	// upload is what is striped, of an upload that is not over; file is its file.
	upload *upload
	file   *File
	// main is what the server told of the file itself, of a download.
	main  attrs
	known bool
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

// routeBytes bounds what a download asks of one route. A channel that moves stripeBytes in a round trip need not be asked
// for much more, and what is asked of it cannot go over others that join later.
func (c *Client) routeBytes() int {
	if c.more == nil || c.opt.stripes == 1 {
		return math.MaxInt
	}
	return c.opt.stripeBytes + c.opt.stripeBytes/2
}

// stripe begins to open n routes for st, each in a goroutine of its own. The caller holds mu.
func (c *Client) stripe(st *striping, n int) {
	live := c.stripes.all[:0]
	for _, s := range c.stripes.all {
		if s.gone() == nil {
			live = append(live, s)
		}
	}
	clear(c.stripes.all[len(live):])
	c.stripes.all = live
	for i := range n {
		var s *session
		if i < len(live) {
			s = live[i]
		} else if c.stripes.refused || len(live)+c.stripes.opening >= n {
			return
		} else {
			c.stripes.opening++
		}
		c.stripes.running.Go(func() { c.openRoute(st, s) })
	}
}

// openRoute opens the file of st in s, or in a new session if s is nil.
func (c *Client) openRoute(st *striping, s *session) {
	if s == nil {
		s = c.openStripe()
		if s == nil {
			return
		}
	}
	ctx := c.life
	h, err := s.openHandle(ctx, "open", st.name, openPacket(st.name, st.flags))
	if err != nil {
		return
	}
	r := &route{s: s, handle: h}
	if st.flags == openWrite {
		// Before anything is written it must be known that it is the same file.
		same := c.proved(ctx, st, r)
		c.mu.Lock()
		defer c.mu.Unlock()
		if st.over || !same {
			s.closeHandle(h)
			return
		}
		st.add(r)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if st.over || s.gone() != nil || s.exhausted() {
		s.closeHandle(h)
		return
	}
	// What is read in front of the answer is not used if the answer is wrong.
	r.unsure = true
	s.queueHandle(s.take(&routeCheck{st, r}, typeFstat), typeFstat, h)
	st.add(r)
	s.flush()
}

func (st *striping) add(r *route) {
	st.routes = append(st.routes, r)
	st.join(r)
}

// openStripe opens a further session; nil if there is none to be had.
func (c *Client) openStripe() *session {
	rd, wr, err := c.more()
	var s *session
	if err == nil {
		s = newSession(c, rd, wr)
		_, err = s.open(c.life)
	}
	if err == nil {
		s.start()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stripes.opening--
	if err != nil {
		c.stripes.refused = true
		return nil
	}
	if c.closed {
		s.closing = true
		s.flush()
		c.mu.Unlock()
		s.end()
		c.mu.Lock()
		return nil
	}
	c.stripes.all = append(c.stripes.all, s)
	return s
}

// routeCheck is told what the file behind a new route is.
type routeCheck struct {
	st *striping
	r  *route
}

func (o *routeCheck) answered(_ *piece, rep *reply) {
	ok := false
	if rep.err == nil && rep.typ == typeAttrs {
		a, err := rep.attrs("", "")
		ok = err == nil && o.st.check(a)
	}
	if ok {
		o.r.unsure = false
	} else {
		o.r.dead = true
	}
}

// unstripe ends the use of st: its handles are closed. The caller holds mu.
func (c *Client) unstripe(st *striping) {
	if st == nil {
		return
	}
	st.over = true
	for _, r := range st.routes {
		r.s.closeHandle(r.handle)
	}
	st.routes = nil
}

// sameFile compares what two handles tell about their files.
func sameFile(a, b attrs) bool {
	return a.flags == b.flags && a.Size == b.Size && a.Mode == b.Mode && a.Mtime == b.Mtime && a.UID == b.UID && a.GID == b.GID
}

// stripeEarly is called with the first READs. When the last file was large and the sessions are there, a round trip is saved by
// not waiting for the size.
func (d *download) stripeEarly() {
	expect := d.c.guess
	if d.f.sized {
		expect = d.f.size - d.f.off
	}
	d.stripe(min(d.c.stripeCount(expect), len(d.c.stripes.all)))
}

// learned is called when the size is known.
func (d *download) learned(a attrs) {
	if d.striping == nil {
		// All that is asked for already counts as well: it waits for the window of the one channel.
		d.stripe(d.c.stripeCount(d.size - d.f.off))
	}
	if st := d.striping; st != nil {
		st.main, st.known = a, true
	}
}

func (d *download) stripe(n int) {
	if n < 1 || d.striping != nil || d.most == 1 {
		return
	}
	st := &striping{flags: openRead, name: d.f.name}
	st.check = func(b attrs) bool { return st.known && sameFile(st.main, b) }
	st.join = func(r *route) {
		d.routes = append(d.routes, r)
		d.fill()
	}
	d.striping = st
	d.c.stripe(st, n)
}
