package buffer

import (
	"io"
	"io/fs"
	"sync"
)

// ReadCloser returns a reader of the contents, which takes the memory with it
// and leaves the buffer empty. The memory goes back to the pool when all of it
// has been read or the reader is closed, whichever comes first. Reading after
// Close is an error; closing again is not. Close may be called while another
// goroutine reads, as net/http does with the body of a cancelled request.
func (b *Buffer) ReadCloser() io.ReadCloser {
	if len(b.chunks) == 0 && len(b.Buf) == 0 {
		b.Free()
		return new(reader)
	}
	h := b.own()
	chunks := b.chunks
	if len(b.Buf) > 0 {
		if chunks == nil {
			chunks = h.list[:0]
		}
		chunks = append(chunks, b.Buf)
	}
	*b = Buffer{}
	return &reader{hold: h, chunks: chunks, rest: chunks}
}

type reader struct {
	mu     sync.Mutex // Close must not give back what Read copies from
	hold   *hold
	chunks [][]byte
	rest   [][]byte // of which the first is read up to at
	at     int
	closed bool
}

func (r *reader) Read(p []byte) (n int, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return 0, fs.ErrClosed
	}
	if len(p) == 0 {
		return 0, nil
	}
	for len(r.rest) > 0 && n < len(p) {
		c := r.rest[0]
		k := copy(p[n:], c[r.at:])
		n += k
		r.at += k
		if r.at == len(c) {
			r.rest = r.rest[1:]
			r.at = 0
		}
	}
	if len(r.rest) == 0 {
		r.release()
		if n == 0 {
			return 0, io.EOF
		}
	}
	return n, nil
}

func (r *reader) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	r.release()
	return nil
}

func (r *reader) release() {
	if r.hold != nil {
		r.hold.put(r.chunks)
	}
	r.hold, r.chunks, r.rest = nil, nil, nil
}
