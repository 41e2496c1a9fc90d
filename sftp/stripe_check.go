package sftp

// What is read over a stripe counts once its file is known to be that of the download: size, time, owner and mode, as told of
// both handles, must be the same. The questions go out in front of the READs, so that a server that answers in order tells
// them first; but each session has a server of its own, and that of the file itself may be the last.

// routeCheck is told what the file behind a new route is.
type routeCheck struct {
	st *striping
	r  *route
}

func (o *routeCheck) answered(_ *piece, rep *reply) {
	st, r := o.st, o.r
	if st.over {
		return
	}
	r.heard, r.dead = true, true
	if a, err := rep.attrs("", ""); err == nil {
		r.told, r.dead = &a, false
	}
	st.decide(r)
	st.download.fill()
}

// decide compares the route's file with that of the download, as soon as both are known.
func (st *striping) decide(r *route) {
	switch d := st.download; {
	case !r.heard || !r.unsure:
		return
	case r.dead || !st.known && d.asking == nil || st.known && !sameFile(st.main, *r.told):
		r.dead = true
		signal(d.wake) // it may have been the last
	case !st.known:
		return
	default:
		r.unsure = false
	}
	st.release(r)
}

// decide is called when the question for the size is answered, or will not be in time.
func (d *download) decide() {
	if st := d.striping; st != nil {
		for _, r := range st.routes {
			st.decide(r)
		}
	}
}

// distrust gives up the routes that wait for the question for the file itself, which the server does not answer in its turn.
func (d *download) distrust() {
	if st := d.striping; st != nil && len(st.held) > 0 {
		for _, r := range st.routes {
			if r.unsure && r.heard {
				r.dead = true
				st.release(r)
			}
		}
	}
}

// A held reply is one that came over a route of which it is not known yet what it leads to.
type held struct {
	p   *piece
	rep reply
}

// hold keeps the answer to a READ until the question for the file itself is answered. It does so only while that is to come
// before another answer of the main session: a server that leaves it out must not hold up the rest.
func (d *download) hold(p *piece, rep *reply) bool {
	st, r := d.striping, p.path
	if st == nil || !r.unsure || !r.heard || r.dead || st.known || d.asking == nil || d.f.main.inflight == 0 || rep.typ == 0 {
		return false
	}
	st.held = append(st.held, held{p, *rep})
	rep.body = nil
	return true
}

// release passes on what was held of r, about which it is decided.
func (st *striping) release(r *route) {
	all := st.held
	st.held = nil
	for _, h := range all {
		switch {
		case h.p.path != r:
			st.held = append(st.held, h)
		default:
			st.download.answered(h.p, &h.rep)
			h.rep.free()
		}
	}
}

// sameFile compares what two handles tell about their files. Size and time are the least: of many files the size is the same.
func sameFile(a, b attrs) bool {
	const least = attrSize | attrTimes
	return a.flags&least == least && a.flags == b.flags && a.Size == b.Size && a.Mode == b.Mode && a.Mtime == b.Mtime && a.UID == b.UID && a.GID == b.GID
}
