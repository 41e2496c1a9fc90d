package sftp

import "time"

// maxSlots bounds the requests of a session: the low bits of an id are the index of its slot.
const maxSlots = 1 << 16

// A request is a slot of a session. Its index is in the low bits of the id on the wire, and how often it was used before
// in the high bits, so that a second answer to a request is not taken for that to a later one. A slot is taken until the
// server has answered it, also when nobody wants the answer any more.
//
// All fields are guarded by the client's mu, except that while receiving is set dst belongs to the receiver.
type request struct {
	id   uint32
	live bool

	// owner is told the answer; nil once it is not wanted.
	owner owner
	// piece is what a READ or WRITE moves.
	piece *piece
	// dst is where the payload of a READ goes, when that is its caller's own memory. The caller must not return
	// before the request is complete.
	dst []byte
	// want is the length that a READ asked for.
	want int
	// typ is what was asked.
	typ byte

	receiving bool
	sent      time.Time // of requests that measure the round trip
}

// An owner is told the answers to its requests. It is called with the client's mu held, and must not block.
type owner interface {
	answered(p *piece, rep *reply)
}

// A reply is an answer, or the error that there will be none.
type reply struct {
	typ  byte
	body []byte // after the id, pooled; who keeps it sets it to nil. For DATA the payload itself, unless it went to dst.
	n    int    // length of the payload of DATA
	err  error
}

func (r *reply) free() {
	if r.body != nil {
		pool.Put(r.body)
		r.body = nil
	}
}

// status is a STATUS packet.
type status struct {
	code      uint32
	msg, lang string
}

// status parses the body of a STATUS packet. Some servers leave message and language out.
func (r *reply) status() (st status, ok bool) {
	p := parser{b: r.body}
	st.code = p.uint32()
	if p.bad {
		return st, false
	}
	st.msg = p.string()
	st.lang = p.string()
	return st, true
}

// code is status without the texts.
func (r *reply) code() (uint32, bool) {
	p := parser{b: r.body}
	code := p.uint32()
	return code, !p.bad
}

// exhausted tells that there are no more slots: the server owes an answer to every one.
func (s *session) exhausted() bool { return s.inflight >= maxSlots }

// take returns a free slot, of which there is one. The caller holds the client's mu.
func (s *session) take(o owner, typ byte) *request {
	var r *request
	if n := len(s.free); n > 0 {
		r = s.slots[s.free[n-1]]
		s.free = s.free[:n-1]
	} else {
		// A block at a time, so that a window of hundreds costs a few allocations once.
		block := make([]request, 32)
		for i := range block {
			block[i].id = uint32(len(s.slots))
			s.slots = append(s.slots, &block[i])
		}
		for i := len(block) - 1; i > 0; i-- {
			s.free = append(s.free, block[i].id)
		}
		r = &block[0]
	}
	r.live, r.owner, r.typ = true, o, typ
	s.inflight++
	return r
}

// release gives a slot back that was answered.
func (s *session) release(r *request) {
	s.free = append(s.free, r.id&(maxSlots-1))
	*r = request{id: r.id + maxSlots}
	s.inflight--
}

// complete passes the answer on and frees the slot. The caller holds the client's mu.
func (s *session) complete(r *request, rep *reply) {
	if !r.sent.IsZero() && rep.err == nil {
		s.c.measured(time.Since(r.sent))
	}
	o, p := r.owner, r.piece
	s.release(r)
	if p != nil {
		p.req = nil
	}
	if o != nil {
		o.answered(p, rep)
	}
	rep.free()
	s.c.serve()
}
