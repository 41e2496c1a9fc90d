package rootio

import (
	"io"

	"github.com/eddy-go/eddy"
)

// A window reads a stretch of the file from its start to its end, through
// pooled memory of a chunk, or of what is needed at once. It must be freed.
type window struct {
	f     *File
	chunk int
	buf   []byte // pooled; buf[lo:hi] is what was read and not yet taken
	lo    int
	hi    int
	next  int64 // what follows buf[hi] in the file
	end   int64
}

// newWindow returns a window on the file from off to end, or to where the file
// ends if that is before.
func (f *File) newWindow(off, end int64, chunk int) *window {
	end = min(end, f.size)
	return &window{f: f, chunk: int(min(int64(chunk), max(end-off, 0))), next: off, end: end}
}

func (w *window) free() {
	eddy.Put(w.buf)
	w.buf = nil
}

// left is how many bytes can still be taken.
func (w *window) left() int64 { return w.end - w.next + int64(w.hi-w.lo) }

// peek returns the next n bytes without taking them. They are valid until the
// next call.
func (w *window) peek(n int) ([]byte, error) {
	if n <= w.hi-w.lo {
		return w.buf[w.lo : w.lo+n], nil
	}
	if int64(n) > w.left() {
		return nil, io.ErrUnexpectedEOF
	}
	if size := max(n, w.chunk); size > len(w.buf) {
		b := eddy.Get(size)
		b = b[:cap(b)]
		copy(b, w.buf[w.lo:w.hi])
		eddy.Put(w.buf)
		w.buf = b
	} else {
		copy(w.buf, w.buf[w.lo:w.hi])
	}
	w.hi -= w.lo
	w.lo = 0
	want := int(min(int64(max(n, w.chunk)-w.hi), w.end-w.next))
	if err := w.f.readAt(w.buf[w.hi:w.hi+want], w.next); err != nil {
		return nil, err
	}
	w.next += int64(want)
	w.hi += want
	return w.buf[:n], nil
}

// take returns the next n bytes, which are valid until the next call.
func (w *window) take(n int) ([]byte, error) {
	b, err := w.peek(n)
	if err == nil {
		w.lo += n
	}
	return b, err
}

// fill takes len(dst) bytes into dst; large ones without a copy.
func (w *window) fill(dst []byte) error {
	if int64(len(dst)) > w.left() {
		return io.ErrUnexpectedEOF
	}
	n := copy(dst, w.buf[w.lo:w.hi])
	w.lo += n
	if n == len(dst) {
		return nil
	}
	err := w.f.readAt(dst[n:], w.next)
	w.next += int64(len(dst) - n)
	return err
}
