package sftp

import (
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
)

// An upload sends a range in a window of WRITEs. A piece keeps its data until it is acknowledged, so that it can be sent
// again: over another route when its own has died, or alone when the server seems to need writes in order.
type upload struct {
	c      *Client
	f      *File
	routes []*route
	wake   chan struct{}

	head, tail *piece // not acknowledged
	start      int64
	next       int64 // where the next piece begins
	chunk      int
	first      int // length of the first piece
	inflight   int
	window     int
	failed     bool // a WRITE was refused; nothing new is sent until it is known what that means
	queued     bool
	granted    *session // in which a slot is reserved, with the bytes of a chunk
	closed     bool
	done       bool

	// size is that of the file before the first WRITE of this call; -1 while unknown.
	size  int64
	asked bool

	striping *striping
	long     bool // so much was sent that it is striped without regard to the last upload
	asking   *request
	// firstStriped is where the first piece begins that went over a stripe.
	firstStriped int64
	// sure bounds what is surely right; see closeStripes.
	sure int64
}

// newUpload begins an upload at off. The caller holds mu.
func (f *File) newUpload(off int64, most int) *upload {
	c := f.c
	var u *upload
	if n := len(c.uploads); n > 0 {
		u = c.uploads[n-1]
		c.uploads = c.uploads[:n-1]
	} else {
		u = &upload{wake: make(chan struct{}, 1)}
	}
	u.c, u.f = c, f
	u.routes = append(u.routes, &f.main)
	u.start, u.next = off, off
	u.chunk = c.writeSize()
	u.first = u.chunk
	if c.stripeCount(maxOffset) > 0 {
		u.first -= rand.IntN(u.chunk/2 + 1) // see proved
	}
	u.window = c.opt.perFile
	if most > 0 {
		u.window = min(u.window, most)
	}
	if c.opt.serialWrites || c.inOrder || f.appends() {
		u.window = 1
	}
	u.firstStriped, u.sure = maxOffset, maxOffset
	u.size = -1
	if f.fresh {
		u.size = 0
	}
	f.running.enter(u)
	return u
}

func (u *upload) interrupt() {
	u.closed = true
	signal(u.wake)
}

// resume reserves what a WRITE needs, if that is there and the upload may send one.
func (u *upload) resume() bool {
	u.queued = false
	if r := u.route(); r != nil && !u.closed && !u.failed && u.inflight < u.window {
		if !u.room(r) {
			u.queued = true
			u.c.await(u)
			return false
		}
		u.granted = r.s
		u.granted.inflight++
		u.c.bytes += u.chunk
	}
	signal(u.wake)
	return u.granted != nil
}

func (u *upload) lacks() bool {
	r := u.route()
	return r != nil && r.s.queued < sendQueue
}

// room tells whether budgets and transport have room for one more WRITE over r.
func (u *upload) room(r *route) bool {
	o := &u.c.opt
	return r.s.inflight < o.requests && r.s.queued < sendQueue && (u.head == nil || u.c.affords(u.chunk))
}

// ungrant gives back what resume has reserved. The caller takes it, or calls serve.
func (u *upload) ungrant() {
	if u.granted != nil {
		u.granted.inflight--
		u.c.bytes -= u.chunk
		u.granted = nil
	}
}

// sizeBefore is told the size of the file before the upload: the question goes out in front of the first WRITE.
type sizeBefore upload

func (o *sizeBefore) answered(_ *piece, rep *reply) {
	u := (*upload)(o)
	u.asking = nil
	if a, err := rep.attrs("", ""); err == nil && a.flags&attrSize != 0 && int64(a.Size) >= 0 {
		u.size = int64(a.Size)
	}
	if u.inflight == 0 {
		signal(u.wake)
	}
}

func (u *upload) askSize() {
	r := &u.f.main
	if u.asked {
		return
	}
	u.asked = true
	if u.size >= 0 || u.window == 1 || r.s.inflight+1 >= u.c.opt.requests {
		return
	}
	u.asking = r.s.take((*sizeBefore)(u), typeFstat)
	r.s.queueHandle(u.asking, typeFstat, r.handle)
}

// admit waits until one more WRITE may be under way. The caller holds mu, and pushes it before it lets go of it, or calls
// serve.
func (u *upload) admit(ctx context.Context) error {
	for {
		u.ungrant()
		if err := u.stopped(ctx); err != nil {
			return err
		}
		if u.failed && u.inflight == 0 {
			if err := u.recover(ctx); err != nil {
				return err
			}
			continue
		}
		if !u.failed && u.inflight < u.window {
			if u.room(u.route()) {
				return nil
			}
			if !u.queued {
				u.queued = true
				u.c.await(u)
			}
		}
		u.pause(ctx)
	}
}

// stopped is why the upload cannot go on.
func (u *upload) stopped(ctx context.Context) error {
	if u.closed {
		return u.f.errClosed("write")
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if u.route() == nil {
		return u.f.main.s.gone()
	}
	return nil
}

func (u *upload) pause(ctx context.Context) {
	u.c.mu.Unlock()
	select {
	case <-u.wake:
	case <-ctx.Done():
	}
	u.c.mu.Lock()
}

// length is how long the next piece is, if there is so much.
func (u *upload) length() int {
	if u.next == u.start {
		return u.first
	}
	return u.chunk
}

// push sends a piece of n bytes that lie in buf behind the room for a header, and takes buf over.
func (u *upload) push(buf []byte, n int) {
	c := u.c
	p := c.newPiece()
	p.buf, p.off, p.n, p.refs = buf, u.next, n, 1
	c.charge(p, n) // admit has seen to the budget
	if u.tail == nil {
		u.head = p
	} else {
		u.tail.next = p
	}
	u.tail = p
	u.next += int64(n)
	u.f.fresh, u.f.sized = false, false
	u.send(p)
	u.stripe()
}

func (u *upload) route() *route {
	var best *route
	for _, r := range u.routes {
		if !r.dead && r.s.gone() != nil {
			r.dead = true
		}
		if !r.dead && (best == nil || r.inflight < best.inflight) {
			best = r
		}
	}
	return best
}

// send sends p over a route that is alive; there is one.
func (u *upload) send(p *piece) {
	r := u.route()
	if r == nil {
		p.state = unsent
		return
	}
	if p.refs > 1 {
		// A sender still has the packet as it was: the new one needs memory of its own.
		q := u.c.newPiece()
		*q, p.next = *p, nil
		q.buf = pool.Get(len(p.buf))
		copy(q.buf, p.buf)
		q.refs = 1
		p.charged = 0
		u.replace(p, q)
		u.c.unref(p)
		p = q
	}
	q := r.s.take(u, typeWrite)
	q.piece = p
	p.req, p.path, p.state = q, r, waiting
	if r != &u.f.main {
		u.f.astray.away++
		u.firstStriped = min(u.firstStriped, p.off)
	}
	r.inflight += p.n
	u.inflight++
	r.s.queueWrite(q, r.handle, p.off, p)
	r.s.flush()
}

// replace puts q where p is in the list.
func (u *upload) replace(p, q *piece) {
	if u.tail == p {
		u.tail = q
	}
	if u.head == p {
		u.head = q
		return
	}
	for x := u.head; x != nil; x = x.next {
		if x.next == p {
			x.next = q
			return
		}
	}
}

// answered takes in the answer to a WRITE.
func (u *upload) answered(p *piece, rep *reply) {
	u.inflight--
	p.path.inflight -= p.n
	if p.path != &u.f.main {
		u.f.landed()
	}
	switch err := u.outcome(rep); {
	case err == nil:
		p.state = arrived
		for u.head != nil && u.head.state == arrived {
			u.pop()
		}
	case rep.err != nil:
		p.path.dead = true
		p.state = unsent
		if !u.done && !u.closed && !u.failed && u.route() != nil {
			u.send(p)
		}
	default:
		p.state, p.err = refused, err
		u.failed = true
	}
	signal(u.wake)
}

// outcome is nil only for STATUS OK. It is never io.EOF, which io.Copy would take for the end of the source.
func (u *upload) outcome(rep *reply) error {
	if rep.err == nil && rep.typ == typeStatus {
		if code, ok := rep.code(); ok && code == statusOK {
			return nil
		}
	}
	return rep.asStatus("write", u.f.name)
}

func (u *upload) pop() {
	p := u.head
	if u.head = p.next; u.head == nil {
		u.tail = nil
	}
	p.next = nil
	u.c.refund(p)
	u.c.unref(p)
}

// finish gives back what the upload still holds. The caller holds mu and does not use u afterwards.
func (u *upload) finish() {
	c := u.c
	u.done = true
	u.ungrant()
	if u.queued {
		c.forget(u)
	}
	if u.asking != nil {
		u.asking.owner = nil
	}
	c.unstripe(u.striping)
	for u.head != nil {
		if u.head.state == waiting {
			u.head.path.inflight -= u.head.n
			u.stray(u.head)
		}
		u.pop()
	}
	u.f.running.leave(u)
	if len(c.uploads) < maxSpares {
		signalled(u.wake)
		clear(u.routes)
		*u = upload{wake: u.wake, routes: u.routes[:0]}
		c.uploads = append(c.uploads, u)
	}
	c.serve()
}

// fillFrom reads from r until buf is full. It gives up on a reader that returns nothing again and again.
func fillFrom(r io.Reader, buf []byte) (n int, err error) {
	for empty := 0; n < len(buf) && err == nil; {
		var m int
		m, err = r.Read(buf[n:])
		if m < 0 || m > len(buf)-n {
			return n, errors.New("sftp: reader returned an invalid count")
		}
		n += m
		if m > 0 {
			empty = 0
		} else if empty++; err == nil && empty == 100 {
			err = io.ErrNoProgress
		}
	}
	return n, err
}

const maxOffset = math.MaxInt64
