// Package sink holds the output of a decoder: a slice of known size, or one
// that grows up to a limit through pooled memory.
package sink

import "github.com/eddy-go/eddy"

// A Sink is where a decoder writes: Buf[:N] is written, and decoders write to
// Buf[N:]. A Sink is used once, by one goroutine.
type Sink struct {
	Buf []byte
	N   int

	dst    []byte
	limit  int
	grows  bool
	pooled bool // Buf is from the pool
}

// ForSize returns a Sink that is dst and does not grow.
func ForSize(dst []byte) Sink { return Sink{Buf: dst, limit: len(dst)} }

// ForAppend returns a Sink that appends at most limit bytes to dst. It begins
// in the spare capacity of dst.
func ForAppend(dst []byte, limit int) Sink {
	room := min(cap(dst)-len(dst), max(limit, 0))
	return Sink{Buf: dst[len(dst) : len(dst)+room], dst: dst, limit: max(limit, 0), grows: true}
}

// Grows tells ForAppend's sinks from ForSize's.
func (s *Sink) Grows() bool { return s.grows }

// Left returns how many bytes may still be written, growth included.
func (s *Sink) Left() int { return s.limit - s.N }

// Grow makes Buf longer, so that it has room for want bytes behind N if the
// limit allows. It reports false, and does nothing, when Buf is as long as
// the limit already. Memory
// grows by doubling: what the input says of its size is no reason to
// allocate, so callers pass as want only what src itself vouches for.
func (s *Sink) Grow(want int) bool {
	if !s.grows || len(s.Buf) >= s.limit {
		return false
	}
	size := min(max(2*len(s.Buf), s.N+min(want, s.Left()), 512), s.limit)
	b := eddy.Get(size)
	b = b[:min(cap(b), s.limit)]
	copy(b, s.Buf[:s.N])
	s.release()
	s.Buf, s.pooled = b, true
	return true
}

// Finish returns dst with what was written appended.
func (s *Sink) Finish() []byte {
	if !s.pooled {
		return s.dst[:len(s.dst)+s.N]
	}
	out := append(s.dst, s.Buf[:s.N]...)
	s.release()
	return out
}

// Discard gives back pooled memory after an error and returns dst as it was.
func (s *Sink) Discard() []byte {
	s.release()
	return s.dst
}

func (s *Sink) release() {
	if s.pooled {
		eddy.Put(s.Buf)
		s.pooled = false
	}
}

// Room returns an empty slice with a capacity of at least bound for an
// encoder to append to: the spare capacity of dst, or pooled memory.
func Room(dst []byte, bound int) (buf []byte, pooled bool) {
	if cap(dst)-len(dst) >= bound {
		return dst[len(dst):len(dst):cap(dst)], false
	}
	return eddy.Get(bound)[:0], true
}

// Joined returns dst extended by buf, which grew from Room's.
func Joined(dst, buf []byte, pooled bool) []byte {
	if pooled {
		dst = append(dst, buf...)
		eddy.Put(buf)
		return dst
	}
	if spare := dst[len(dst):cap(dst)]; len(buf) <= len(spare) && (len(buf) == 0 || &buf[0] == &spare[0]) {
		return dst[:len(dst)+len(buf)]
	}
	return append(dst, buf...) // the encoder outgrew the bound
}
