package sftp

import "encoding/binary"

// A segment is bytes to be sent: small packets one after the other, or one packet with its payload.
type segment struct {
	b     []byte
	piece *piece // whose memory b is part of; nil when b is the segment's own
}

// segmentSize is how much small packets share one write.
const segmentSize = 4 << 10

// sendQueue is how many WRITEs may wait for the transport. More would not go out sooner, only hold memory.
const sendQueue = 4

// room returns the last segment of small packets with room for n bytes more, which the caller appends and hands to
// extend. The caller holds the client's mu.
func (s *session) room(n int) []byte {
	if k := len(s.out) - 1; k >= 0 && s.out[k].piece == nil && cap(s.out[k].b)-len(s.out[k].b) >= n {
		return s.out[k].b
	}
	b := pool.Get(max(n, segmentSize))[:0]
	s.out = append(s.out, segment{b: b})
	return b
}

func (s *session) extend(b []byte) { s.out[len(s.out)-1].b = b }

// queue copies packet p to be sent as request r. The caller holds the client's mu, and calls flush afterwards.
func (s *session) queue(r *request, p []byte) {
	binary.BigEndian.PutUint32(p, uint32(len(p)-4))
	binary.BigEndian.PutUint32(p[5:], r.id)
	s.extend(append(s.room(len(p)), p...))
}

// queueHandle is queue for a packet that has only a handle.
func (s *session) queueHandle(r *request, typ byte, handle string) {
	n := headerSize + 4 + len(handle)
	s.extend(appendHandle(s.room(n), n, typ, r.id, handle))
}

func (s *session) queueRead(r *request, handle string, off int64, n int) {
	size := headerSize + 4 + len(handle) + 8 + 4
	b := appendHandle(s.room(size), size, typeRead, r.id, handle)
	b = binary.BigEndian.AppendUint64(b, uint64(off))
	s.extend(binary.BigEndian.AppendUint32(b, uint32(n)))
}

func appendHandle(b []byte, size int, typ byte, id uint32, handle string) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(size-4))
	b = append(b, typ)
	b = binary.BigEndian.AppendUint32(b, id)
	b = binary.BigEndian.AppendUint32(b, uint32(len(handle)))
	return append(b, handle...)
}

// queueWrite queues the payload of p, with the header put right in front of it.
func (s *session) queueWrite(r *request, handle string, off int64, p *piece) {
	size := writeHeader(handle)
	start := maxWriteHeader - size
	b := p.buf[start:]
	h := appendHandle(b[:0], size+p.n, typeWrite, r.id, handle)
	h = binary.BigEndian.AppendUint64(h, uint64(off))
	binary.BigEndian.AppendUint32(h, uint32(p.n))
	p.refs++
	s.queued++
	s.out = append(s.out, segment{b: b[:size+p.n], piece: p})
}

// flush wakes the sender. The caller holds the client's mu.
func (s *session) flush() {
	select {
	case s.kick <- struct{}{}:
	default:
	}
}

// send writes what is queued until the session ends. Only this goroutine waits for the transport, so that callers can go
// when their context is done.
func (s *session) send() {
	defer close(s.sent)
	var spare []segment
	dead := false
	for range s.kick {
		for {
			s.c.mu.Lock()
			segs := s.out
			s.out = spare[:0]
			closing := s.closing
			if s.err != nil {
				dead = true
			}
			s.c.mu.Unlock()
			if len(segs) == 0 {
				spare = segs
				if closing || dead {
					s.w.Close()
					return
				}
				break
			}
			for i := range segs {
				if !dead {
					if _, err := s.w.Write(segs[i].b); err != nil {
						s.fail(err)
						dead = true
					}
				}
				if p := segs[i].piece; p != nil {
					s.c.mu.Lock()
					s.queued--
					s.c.unref(p)
					s.c.serve()
					s.c.mu.Unlock()
				} else {
					pool.Put(segs[i].b)
				}
				segs[i] = segment{}
			}
			spare = segs
		}
	}
}
