package sftp

import (
	"io"
	"math"
)

// answered takes in the answer to a READ.
func (d *download) answered(p *piece, rep *reply) {
	c := d.c
	if d.hold(p, rep) {
		return
	}
	d.inflight--
	p.path.inflight -= p.n
	if p.path == &d.f.main && d.asking != nil {
		d.distrust()
	}
	switch {
	case rep.err != nil && rep.typ == 0: // the session has ended
		p.path.dead = true
		if d.route() == nil {
			d.refuse(p, rep.err)
			break
		}
		c.refund(p)
		d.retry(p)
	case p.path.unsure:
		if !p.path.heard {
			// Answered in front of the question that went out first. Until that is answered too nothing more is read there:
			// if it never is, READs would go back and forth without end.
			p.path.dead = true
		}
		if d.route() != nil {
			c.refund(p)
			d.retry(p)
			break
		}
		d.refuse(p, d.f.main.s.gone())
	case rep.err != nil:
		d.refuse(p, rep.err)
	case rep.typ == typeData && rep.n == 0:
		if p.again++; p.again >= maxEmpty {
			d.refuse(p, io.ErrNoProgress)
			break
		}
		c.refund(p)
		d.retry(p)
	case rep.typ == typeData:
		d.data(p, rep)
	case rep.typ == typeStatus:
		code, ok := rep.code()
		switch {
		case !ok:
			d.refuse(p, malformed("read", d.f.name, rep.typ))
		case code == statusEOF:
			p.state = atEnd
			c.refund(p)
			d.end = min(d.end, p.off)
		default:
			d.refuse(p, rep.refusal("read", d.f.name))
		}
	default:
		d.refuse(p, rep.refusal("read", d.f.name))
	}
	d.fill()
	if d.inflight == 0 || d.head != nil && d.head.state != waiting {
		signal(d.wake)
	}
}

func (d *download) retry(p *piece) {
	p.state = unsent
	d.mark(p)
}

func (d *download) refuse(p *piece, err error) {
	p.state, p.err = refused, err
	d.c.refund(p)
	d.end = min(d.end, p.off)
}

// data takes in a payload, and asks for what is missing of it.
func (d *download) data(p *piece, rep *reply) {
	asked := p.n
	p.state, p.n, p.again = arrived, rep.n, 0
	p.buf, rep.body = rep.body, nil
	ends := p.off + int64(p.n)
	if d.size > 0 && ends > d.size {
		d.size, d.told = 0, false // it was wrong, or is no longer right
	}
	if p.behind > 0 {
		// The piece before was short though the file goes on: that is as much as the server gives.
		d.chunk = min(d.chunk, max(p.behind, minRead))
	}
	if p.n == asked {
		d.full++
		d.window = min(2*d.window, d.most)
		return
	}
	if keep := max(p.n, pieceCost); p.charged > keep {
		d.c.bytes -= p.charged - keep
		p.charged = keep
	}
	if d.size > ends {
		d.chunk = min(d.chunk, max(p.n, minRead))
	}
	if d.partial {
		p.last = true
		d.end = min(d.end, ends)
		return
	}
	q := d.insert(p, ends, asked-p.n)
	q.behind = p.n
	if ends == d.size && d.told && d.full > 0 {
		// A server that answers in full elsewhere is short here because the file ends. (One that gives less than it is
		// asked for, of a file of which it tells the wrong size, might happen to stop here.)
		q.state = atEnd
		d.gaps--
		d.end = min(d.end, ends)
	}
}

// settle decides what is to be done about a head that holds no data. It reports whether that is known: otherwise the
// range is asked for again. The caller holds mu.
func (d *download) settle(p *piece) bool {
	if p.state != atEnd {
		return true
	}
	beyond := false
	for q := p.next; q != nil; q = q.next {
		beyond = beyond || q.state == arrived
	}
	if !beyond && (d.size <= p.off || p.again > 0) {
		return true
	}
	if p.again >= maxEmpty {
		if beyond {
			p.state, p.err = refused, &ProtocolError{Op: "read", Path: d.f.name, Text: "end of file in front of data"}
		}
		return true
	}
	// Either the file has changed meanwhile or the server's word about its size or its end is not to be relied on.
	p.again++
	d.retry(p)
	d.end = math.MaxInt64
	for q := p; q != nil; q = q.next {
		if q.state == atEnd || q.state == refused {
			d.end = q.off
			break
		}
	}
	d.fill()
	return false
}
