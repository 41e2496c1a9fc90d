package sftp

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

const (
	// maxPlainPacket bounds answers other than DATA and NAME.
	maxPlainPacket = 1 << 20
	// maxNamePacket bounds a listing in one packet: 60,000 names take some 8 MB.
	maxNamePacket = 256 << 20
)

// A session is one conversation with a server: a pair of streams, a goroutine that receives and one that sends.
// A client has one, and more of them for stripes.
type session struct {
	c *Client
	w io.WriteCloser
	r *packetReader
	// closer, if set, ends the stream that r reads.
	closer io.Closer

	// Guarded by the client's mu.
	slots    []*request
	free     []uint32
	inflight int
	err      error // why the session has ended
	closing  bool  // once all is sent, w is to be closed
	out      []segment
	failure  reply // scratch of fail

	queued int // pieces in out, and the one that is being written

	reply   reply // scratch of the receiver
	scratch [4]byte

	kick     chan struct{} // there is something to send
	sent     chan struct{} // closed when the sender has ended
	received chan struct{} // closed when the receiver has ended
}

func newSession(c *Client, r io.Reader, w io.WriteCloser) *session {
	s := &session{
		c: c, w: w, r: newPacketReader(r),
		kick:     make(chan struct{}, 1),
		sent:     make(chan struct{}),
		received: make(chan struct{}),
	}
	s.closer, _ = r.(io.Closer)
	return s
}

// start runs the session's goroutines, after the versions are exchanged.
func (s *session) start() {
	go s.send()
	go func() {
		defer close(s.received)
		err := s.receive()
		s.fail(err)
		s.r.free()
	}()
}

// fail ends the session: every request that waits gets the error. Requests whose payload is just arriving are left to the
// receiver, since their memory is still written; it calls fail itself when it ends.
func (s *session) fail(cause error) {
	c := s.c
	c.mu.Lock()
	defer c.mu.Unlock()
	if s.err == nil {
		if s.closing {
			cause = ErrClientClosed
		}
		// To a reader io.EOF would mean that it has the whole file.
		if errors.Is(cause, io.EOF) {
			cause = io.ErrUnexpectedEOF
		}
		if _, ok := cause.(*ConnError); !ok {
			cause = &ConnError{Err: cause}
		}
		s.err = cause
	}
	for i := 0; i < len(s.slots); i++ {
		if r := s.slots[i]; r.live && !r.receiving {
			s.failure = reply{err: s.err}
			s.complete(r, &s.failure)
		}
	}
	select {
	case s.kick <- struct{}{}:
	default:
	}
	c.serve()
}

// receive reads answers until the stream ends or is not understood.
func (s *session) receive() error {
	var h [headerSize]byte
	for {
		if err := s.r.header(h[:4]); err != nil {
			return err
		}
		length := binary.BigEndian.Uint32(h[:4])
		if length < 5 {
			return &ProtocolError{Text: fmt.Sprintf("packet of %d bytes", length)}
		}
		if length > maxNamePacket {
			return &ProtocolError{Text: fmt.Sprintf("packet of %d bytes is too long", length)}
		}
		if err := s.r.full(h[4:]); err != nil {
			return err
		}
		typ, id, n := h[4], binary.BigEndian.Uint32(h[5:]), int(length)-5
		s.c.mu.Lock()
		slot := int(id & (maxSlots - 1))
		if slot >= len(s.slots) || !s.slots[slot].live || s.slots[slot].id != id {
			s.c.mu.Unlock()
			return &ProtocolError{Text: fmt.Sprintf("%s for id %d, which was not asked", packetName(typ), id)}
		}
		r := s.slots[slot]
		s.reply = reply{typ: typ}
		var err error
		switch {
		case r.owner == nil:
			s.c.mu.Unlock()
			err = s.r.discard(n)
			s.c.mu.Lock()
		case typ == typeData && r.typ == typeRead:
			err = s.receiveData(r, n)
		default:
			s.c.mu.Unlock()
			err = s.receivePlain(typ, n)
			s.c.mu.Lock()
		}
		if err == nil && s.err != nil && !r.receiving {
			err = s.err // fail has completed r meanwhile
		}
		r.receiving = false
		if err == nil {
			s.complete(r, &s.reply)
		} else {
			s.reply.free()
		}
		s.c.mu.Unlock()
		if err != nil {
			return err
		}
	}
}

// receiveData reads the payload of DATA to where it belongs. The client's mu is held at the call and at the return.
func (s *session) receiveData(r *request, n int) error {
	dst, want := r.dst, r.want
	r.receiving = dst != nil
	s.c.mu.Unlock()
	defer s.c.mu.Lock()

	rep := &s.reply
	if n < 4 {
		rep.err = malformed("", "", typeData)
		return s.r.discard(n)
	}
	h := s.scratch[:4]
	if err := s.r.full(h); err != nil {
		return err
	}
	n -= 4
	declared := binary.BigEndian.Uint32(h)
	if uint64(declared) > uint64(n) {
		rep.err = malformed("", "", typeData)
		return s.r.discard(n)
	}
	// What is more than was asked is dropped: it is asked for where it belongs.
	rep.n = min(int(declared), want)
	if dst == nil {
		rep.body = pool.Get(rep.n)
		dst = rep.body
	}
	if err := s.r.full(dst[:rep.n]); err != nil {
		return err
	}
	return s.r.discard(n - rep.n)
}

func (s *session) receivePlain(typ byte, n int) error {
	limit := maxPlainPacket
	if typ == typeName {
		limit = maxNamePacket
	}
	if n > limit {
		return &ProtocolError{Text: fmt.Sprintf("%s of %d bytes is too long", packetName(typ), n)}
	}
	body, err := s.r.body(n)
	s.reply.body = body
	return err
}

// handshake sends INIT and reads VERSION, before the goroutines run. It returns the extensions. Requests that were queued
// before go out behind INIT, in the same write: of a server that is known already VERSION need not be waited for.
func (s *session) handshake() (map[string]string, error) {
	init := []byte{0, 0, 0, 5, typeInit, 0, 0, 0, protocolVersion}
	s.c.mu.Lock()
	for _, x := range s.out {
		init = append(init, x.b...)
		pool.Put(x.b)
	}
	s.out = nil
	s.c.mu.Unlock()
	if _, err := s.w.Write(init); err != nil {
		return nil, fmt.Errorf("sftp: sending INIT: %w", err)
	}
	return s.version()
}

func (s *session) version() (map[string]string, error) {
	var h [5]byte
	if err := s.r.header(h[:4]); err != nil {
		return nil, fmt.Errorf("sftp: the server closed the connection before VERSION: %w", noEOF(err))
	}
	length := binary.BigEndian.Uint32(h[:4])
	if length < 5 || length > maxPlainPacket {
		return nil, s.noVersion(h[:4])
	}
	if err := s.r.full(h[4:]); err != nil {
		return nil, fmt.Errorf("sftp: the connection ended within VERSION: %w", err)
	}
	if h[4] != typeVersion {
		return nil, s.noVersion(h[:])
	}
	b, err := s.r.body(int(length) - 1)
	if err != nil {
		return nil, fmt.Errorf("sftp: the connection ended within VERSION: %w", err)
	}
	defer func() { pool.Put(b) }()
	p := parser{b: b}
	if v := p.uint32(); v != protocolVersion {
		return nil, &ProtocolError{Text: fmt.Sprintf("server has version %d of the protocol, not %d", v, protocolVersion)}
	}
	ext := map[string]string{}
	for len(p.b) > 0 {
		name, data := p.string(), p.string()
		if p.bad {
			return nil, malformed("", "", typeVersion)
		}
		ext[name] = data
	}
	return ext, nil
}

// noVersion says what came instead of VERSION: most often a greeting that a shell prints.
func (s *session) noVersion(start []byte) error {
	const most = 256
	text := append([]byte(nil), start...)
	text = append(text, s.r.buf[s.r.lo:s.r.hi]...) // only what is here: more may never come
	text = text[:min(len(text), most)]
	for _, c := range start {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\x1b' {
			return &ProtocolError{Text: fmt.Sprintf("server sent no VERSION, but bytes that begin with %x", text[:min(len(text), 16)])}
		}
	}
	return &ProtocolError{Text: fmt.Sprintf("server sent text before the protocol (does a login script print it?): %q", text)}
}

// gone is what a request on an ended session gets.
func (s *session) gone() error {
	if s.err != nil {
		return s.err
	}
	if s.closing {
		return &ConnError{Err: ErrClientClosed}
	}
	return nil
}
