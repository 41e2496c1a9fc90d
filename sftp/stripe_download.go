package sftp

import "math"

// routeBytes bounds what a download asks of one route. A channel that moves stripeBytes in a round trip need not be asked
// for much more, and what is asked of it cannot go over others that join later.
func (c *Client) routeBytes() int {
	if c.more == nil || c.opt.stripes == 1 {
		return math.MaxInt
	}
	return c.opt.stripeBytes + c.opt.stripeBytes/2
}

// openAhead opens a file in the stripes together with the file itself, when the last file that was opened was striped:
// then its handles are there as soon as its own. Nothing is expected of files that are read otherwise, or are small: a
// first such file ends it.
func (c *Client) openAhead(name string, flags uint32) *striping {
	c.mu.Lock()
	defer c.mu.Unlock()
	again := c.again
	if flags != openRead {
		return nil
	}
	c.again = false
	n := min(c.stripeCount(c.guess), len(c.live()))
	if !again || n < 1 {
		return nil
	}
	st := &striping{c: c, flags: flags, name: name}
	c.stripe(st, n)
	return st
}

// giveUp ends a striping that nothing came of.
func (c *Client) giveUp(st *striping) {
	if st == nil {
		return
	}
	c.mu.Lock()
	c.unstripe(st)
	c.mu.Unlock()
}

// dropAhead is called when the file is used in a way that is not striped. The caller holds mu.
func (f *File) dropAhead() {
	f.c.unstripe(f.ahead)
	f.ahead = nil
}

// stripeEarly is called with the first READs. A round trip is saved by not waiting for the size when the handles are there
// already, or when the last file was large and the sessions are there.
func (d *download) stripeEarly() {
	c := d.c
	if st := d.f.ahead; st != nil {
		d.f.ahead = nil
		d.use(st)
		return
	}
	expect := c.guess
	if d.f.sized {
		expect = d.f.size - d.f.off
	}
	d.stripe(min(c.stripeCount(expect), len(c.live())))
}

// learned is called when the size is known.
func (d *download) learned(a attrs) {
	// All that is asked for already counts as well: it waits for the window of the one channel.
	n := d.c.stripeCount(d.size - d.f.off)
	d.stripe(n)
	if st := d.striping; st != nil {
		d.c.again = n > 0
		st.main, st.known = a, true
	}
}

// stripe opens as many routes as are missing to n.
func (d *download) stripe(n int) {
	if d.most == 1 || n < 1 || d.striping != nil && n <= d.striping.most {
		return
	}
	st := d.striping
	if st == nil {
		st = &striping{c: d.c, flags: openRead, name: d.f.name}
		d.use(st)
	}
	d.c.stripe(st, n)
	d.share()
}

// use makes st that of the download.
func (d *download) use(st *striping) {
	d.striping, st.download = st, d
	d.share()
	for _, r := range st.early {
		st.checked(r)
	}
	st.early = nil
}

// share bounds what one route has under way: what is beyond its share others could have moved meanwhile.
func (d *download) share() {
	d.routeBytes = min(d.routeBytes, max(d.c.opt.bytes/(d.striping.most+1), d.chunk))
}

// checked asks what the file behind a handle is, and adds it to the download. Nothing that is read counts before the answer
// is found right.
func (st *striping) checked(r *route) {
	s, d := r.s, st.download
	if s.gone() != nil || s.inflight >= d.c.opt.requests {
		s.closeHandle(r.handle)
		return
	}
	r.unsure = true
	s.queueHandle(s.take(&routeCheck{st, r}, typeFstat), typeFstat, r.handle)
	s.flush()
	st.routes = append(st.routes, r)
	d.routes = append(d.routes, r)
}
