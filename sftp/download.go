package sftp

import (
	"context"
	"math"
	"time"
)

const (
	// firstReads is how many READs go out beside the question for the size, where the answer is near.
	firstReads = 4
	// farAway is from which round trip on a download does not wait to be told the size, but asks for as much as the
	// budgets allow at once. Beyond the end of a file a READ costs both sides a few dozen bytes.
	farAway = time.Millisecond
	// minRead is below what a READ is not cut, however short the answers are.
	minRead = 512
	// maxEmpty is how often in a row a server may answer without any progress.
	maxEmpty = 4
)

// A download reads a range of a file in a window of READs, and gives out what arrives in order.
//
// All of it happens under the client's mu: in answered, which the receiver calls, and in the calling goroutine, which
// takes finished pieces from the head. Gaps that short answers leave are asked for by the receiver as soon as they are
// seen, whatever the sink is doing.
type download struct {
	c      *Client
	f      *File
	routes []*route
	wake   chan struct{}

	head, tail *piece
	next       int64 // where the piece behind the tail begins
	limit      int64 // where the range ends
	end        int64 // where the server said EOF, or a refusal makes further reading pointless; MaxInt64 before
	size       int64 // what the server told; 0 means unknown
	told       bool  // size is what the server answered to this download
	asking     *request
	striping   *striping
	partial    bool   // what is short ends the range: see Read
	chunk      int    // length of a READ
	inflight   int    // READs under way
	window     int    // how many may be
	most       int    // how many may be at most
	gaps       int    // unsent pieces
	gap        *piece // no unsent piece is in front of it
	full       int    // answers that were as long as asked
	routeBytes int    // how much may be under way over one route
	queued     bool   // in the client's queue
	turn       bool   // it may take something though others wait
	closed     bool   // the file was closed
	done       bool

	// dst is the caller's memory for what begins at base; nil for a sink.
	dst  []byte
	base int64
	// direct lets the receiver write into dst. Then the call cannot return before all its READs are answered.
	direct bool
}

// newDownload begins a download of [off, limit). The caller holds mu.
func (f *File) newDownload(off, limit int64) *download {
	c := f.c
	var d *download
	if n := len(c.downloads); n > 0 {
		d = c.downloads[n-1]
		c.downloads = c.downloads[:n-1]
	} else {
		d = &download{wake: make(chan struct{}, 1)}
	}
	d.c, d.f = c, f
	d.routes = append(d.routes, &f.main)
	d.next, d.limit, d.end = off, limit, math.MaxInt64
	d.chunk = c.readSize()
	d.most = c.opt.perFile
	if c.opt.serialReads {
		d.most = 1
	}
	d.window = d.most
	d.routeBytes = c.routeBytes()
	f.running.enter(d)
	return d
}

// interrupt is called when the file is closed.
func (d *download) interrupt() {
	d.closed = true
	signal(d.wake)
}

// resume is called when something of the budgets has come back.
func (d *download) resume() bool {
	d.queued = false
	d.turn = true
	d.fill()
	got := !d.turn
	d.turn = false
	return got
}

func (d *download) lacks() bool { return true }

// askSize sends the question for the size together with the first READs.
func (d *download) askSize() {
	c, r := d.c, &d.f.main
	if d.f.sized {
		d.size = d.f.size
	}
	switch {
	case c.rtt < farAway:
		d.window = min(firstReads, d.most)
	case c.guess > 0:
		// Among many small files, asking for so much would be a waste each time.
		d.window = int(min(max(2*c.guess/int64(d.chunk)+2, firstReads), int64(d.most)))
	}
	if c.opt.serialReads || r.s.gone() != nil || r.s.inflight+1 >= c.opt.requests {
		return
	}
	o := (*sizeOwner)(d)
	if c.opt.statByPath {
		p := appendString(newPacket(typeStat, 4+len(d.f.name)), d.f.name)
		d.asking = r.s.take(o, typeStat)
		r.s.queue(d.asking, p)
		pool.Put(p)
	} else {
		d.asking = r.s.take(o, typeFstat)
		r.s.queueHandle(d.asking, typeFstat, r.handle)
	}
	d.stripeEarly()
}

// sizeOwner is told the answer about the size.
type sizeOwner download

func (o *sizeOwner) answered(_ *piece, rep *reply) {
	d := (*download)(o)
	d.asking = nil
	if a, err := rep.attrs("", ""); err == nil && a.flags&attrSize != 0 && sizeKnown(a.Size) {
		d.size, d.told = int64(a.Size), true
		d.f.size, d.f.sized = d.size, true
		d.learned(a)
	}
	if d.size > 0 {
		d.window = d.most
	}
	d.decide()
	d.fill()
}

// sizeKnown tells whether a size can be one: no file goes up to the last offset, beyond which nothing could be asked.
func sizeKnown(n uint64) bool { return n > 0 && n < math.MaxInt64 }

// goal is up to where READs are sent: one beyond the size, which is to prove that the file ends there, or as far as the
// range goes while the size is unknown.
func (d *download) goal() int64 {
	goal := min(d.limit, d.end)
	if d.size > 0 && d.limit == math.MaxInt64 {
		goal = min(goal, d.size+1)
	}
	return goal
}

// fill sends what the window and the budgets allow: gaps first, then what is behind the tail.
func (d *download) fill() {
	if d.done || d.closed {
		return
	}
	sent := false
	blocked := false
	if d.gaps > 0 {
		for p := d.gap; p != nil && d.gaps > 0 && !blocked; p = p.next {
			d.gap = p
			if p.off >= d.end && p != d.head {
				break
			}
			if p.state != unsent {
				continue
			}
			d.cut(p)
			if r := d.admit(p.n, p == d.head); r != nil {
				d.send(p, r)
				sent = true
			} else {
				blocked = true
			}
		}
	}
	for !blocked && d.next < d.goal() && d.inflight < d.window {
		n := int(min(int64(d.chunk), d.limit-d.next))
		r := d.admit(n, d.head == nil)
		if r == nil {
			break
		}
		p := d.c.newPiece()
		p.off, p.n = d.next, n
		d.append(p)
		d.send(p, r)
		sent = true
	}
	if sent {
		for _, r := range d.routes {
			r.s.flush()
		}
	}
}

func (d *download) append(p *piece) {
	if d.tail == nil {
		d.head = p
	} else {
		d.tail.next = p
	}
	d.tail = p
	d.next = p.off + int64(p.n)
	d.mark(p)
}

// mark counts p, which has become unsent.
func (d *download) mark(p *piece) {
	d.gaps++
	if d.gap == nil || p.off < d.gap.off {
		d.gap = p
	}
}

// cut shortens an unsent piece to the length of a READ and leaves the rest as a piece of its own.
func (d *download) cut(p *piece) {
	if p.n <= d.chunk || d.size > 0 && p.off >= d.size {
		return
	}
	d.insert(p, p.off+int64(d.chunk), p.n-d.chunk)
	p.n = d.chunk
}

// insert puts an unsent piece behind p.
func (d *download) insert(p *piece, off int64, n int) *piece {
	q := d.c.newPiece()
	q.off, q.n, q.next = off, n, p.next
	p.next = q
	if d.tail == p {
		d.tail = q
	}
	d.mark(q)
	return q
}

// admit returns the route over which a READ of n bytes may be sent; nil if window and budgets do not allow it now. The caller
// sends it.
func (d *download) admit(n int, head bool) *route {
	c := d.c
	r := d.route()
	if r == nil {
		return nil // answered has seen to that there is an error
	}
	// Other downloads of the same File share its route, and do not tell when they have left it: one that has nothing under
	// way would wait for ever.
	if r.inflight+n > d.routeBytes && r.inflight > 0 && d.inflight > 0 {
		return nil
	}
	if d.inflight >= d.most && !(head && d.inflight == 0) {
		return nil
	}
	yields := !head && !d.turn && c.contended(d)
	if yields || r.s.inflight >= c.opt.requests || !d.direct && !head && !c.affords(n) {
		if !d.queued {
			d.queued = true
			c.await(d)
		}
		return nil
	}
	return r
}

// send asks for p over r.
func (d *download) send(p *piece, r *route) {
	if !d.direct {
		d.c.charge(p, p.n)
	}
	d.turn = false
	q := r.s.take(d, typeRead)
	q.piece, q.want = p, p.n
	if d.direct {
		from := p.off - d.base
		q.dst = d.dst[from : from+int64(p.n)]
	}
	p.req, p.path, p.state = q, r, waiting
	r.inflight += p.n
	d.inflight++
	d.gaps--
	r.s.queueRead(q, r.handle, p.off, p.n)
}

// route is the way with the least under way.
func (d *download) route() *route {
	var best *route
	for _, r := range d.routes {
		if !r.dead && (best == nil || r.inflight < best.inflight) {
			best = r
		}
	}
	if best != nil && best.s.gone() != nil {
		best.dead = true
		return d.route()
	}
	return best
}

// ready waits until the head is known, and returns it; nil at the end of the range. The caller holds mu.
func (d *download) ready(ctx context.Context) (*piece, error) {
	for {
		if d.closed {
			return nil, d.f.errClosed("read")
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if p := d.head; p == nil {
			if d.next >= d.limit {
				return nil, nil
			}
			if d.fill(); d.head == nil && d.route() == nil {
				return nil, d.f.main.s.gone()
			}
		} else if p.state == unsent && d.route() == nil {
			return nil, d.f.main.s.gone()
		} else if p.state != unsent && p.state != waiting && d.settle(p) {
			return p, nil
		}
		if d.head != nil && d.head.state != unsent && d.head.state != waiting {
			continue
		}
		d.c.mu.Unlock()
		select {
		case <-d.wake:
		case <-ctx.Done():
		}
		d.c.mu.Lock()
	}
}

// pop takes the head off the list.
func (d *download) pop() *piece {
	p := d.head
	if d.head = p.next; d.head == nil {
		d.tail = nil
	}
	if d.gap == p {
		d.gap = p.next
	}
	return p
}

// finish gives back whatever the download still holds. The caller holds mu and does not use d afterwards.
func (d *download) finish() {
	c := d.c
	d.done = true
	if d.queued {
		c.forget(d)
	}
	if d.asking != nil {
		d.asking.owner = nil
	}
	c.unstripe(d.striping)
	for d.head != nil {
		p := d.pop()
		if p.state == waiting {
			p.path.inflight -= p.n
			p.abandon()
		}
		c.freePiece(p)
	}
	d.f.running.leave(d)
	if len(c.downloads) < maxSpares {
		signalled(d.wake)
		clear(d.routes)
		*d = download{wake: d.wake, routes: d.routes[:0]}
		c.downloads = append(c.downloads, d)
	}
	c.serve()
}
