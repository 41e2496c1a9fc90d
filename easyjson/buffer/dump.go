package buffer

import (
	"errors"
	"io"
	"net"
	"strings"
)

var errBadCount = errors.New("easyjson/buffer: Write returned an impossible count")

// DumpTo writes the contents to w, gives the memory back to the pool and
// leaves the buffer empty, also when writing fails. It returns the number of
// bytes written. A write that takes less than it was given and returns no
// error is reported as [io.ErrShortWrite]. Several chunks go to a network
// connection in one writev.
func (b *Buffer) DumpTo(w io.Writer) (written int, err error) {
	if len(b.chunks) == 0 && len(b.Buf) == 0 {
		b.Free()
		return 0, nil
	}
	h := b.own()
	h.remember(b.Size())
	if len(b.chunks) == 0 {
		written, err = write(w, b.Buf)
	} else {
		written, err = b.writeChunks(w, h)
	}
	b.Free()
	return written, err
}

func (b *Buffer) writeChunks(w io.Writer, h *hold) (written int, err error) {
	if len(b.Buf) > 0 {
		b.chunks = append(b.chunks, b.Buf)
		b.Buf = nil // it is in the list now, also if w panics
	}
	switch w.(type) {
	case *net.TCPConn, *net.UnixConn:
		// Consumed by being written, and with it the chunks; the arrays to
		// put back are noted elsewhere.
		h.vec = b.chunks
		n, err := h.vec.WriteTo(w)
		return int(n), err
	}
	for _, c := range b.chunks {
		n, err := write(w, c)
		written += n
		if err != nil {
			return written, err
		}
	}
	return written, nil
}

// write is w.Write that passes neither a short write off as success nor on what
// no writer can have written.
func write(w io.Writer, p []byte) (n int, err error) {
	n, err = w.Write(p)
	if n < 0 || n > len(p) {
		return 0, errBadCount
	}
	if n < len(p) && err == nil {
		err = io.ErrShortWrite
	}
	return n, err
}

// BuildBytes returns the contents as a slice, gives the memory back to the
// pool and leaves the buffer empty. If a slice is given whose capacity
// suffices, the contents go into it, overwriting what it held, and it is
// returned at their length; otherwise one slice is allocated.
// Contents that lie in one slice which the caller has put in Buf are returned
// as they are.
//
// What is returned belongs to the caller.
func (b *Buffer) BuildBytes(reuse ...[]byte) []byte {
	if len(b.chunks) == 0 && len(b.Buf) == 0 {
		b.Free()
		if len(reuse) == 1 {
			return reuse[0][:0]
		}
		return nil
	}
	var dst []byte
	size := b.Size()
	if len(reuse) == 1 && cap(reuse[0]) >= size {
		dst = reuse[0][:0]
	} else if b.hold == nil && len(b.chunks) == 0 {
		dst = b.Buf
		*b = Buffer{}
		return dst
	}
	h := b.own()
	if dst == nil {
		if len(b.chunks) == 0 && !h.has(b.Buf) {
			dst = b.Buf
			b.Free()
			return dst
		}
		dst = b.clone(size)
	} else {
		dst = b.AppendTo(dst)
	}
	h.remember(size)
	b.Free()
	return dst
}

// clone returns the contents, of size bytes, in new memory that has not been
// cleared in vain.
func (b *Buffer) clone(size int) []byte {
	if len(b.chunks) == 0 {
		dst := make([]byte, len(b.Buf)) // and not cleared: this pattern is known
		copy(dst, b.Buf)
		return dst
	}
	var s strings.Builder
	s.Grow(size)
	for _, c := range b.chunks {
		s.Write(c)
	}
	s.Write(b.Buf)
	return bytesOf(&s)
}
