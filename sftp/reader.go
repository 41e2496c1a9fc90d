package sftp

import "io"

// readerSize is small, so that of a large payload little is copied: what the buffer does not hold is read to where it belongs.
const readerSize = 4 << 10

// A packetReader reads headers through a buffer and payloads past it.
type packetReader struct {
	r      io.Reader
	buf    []byte
	lo, hi int
}

func newPacketReader(r io.Reader) *packetReader {
	return &packetReader{r: r, buf: pool.Get(readerSize)}
}

func (p *packetReader) free() {
	pool.Put(p.buf)
	p.buf, p.lo, p.hi = nil, 0, 0
}

// full fills dst.
func (p *packetReader) full(dst []byte) error {
	n := copy(dst, p.buf[p.lo:p.hi])
	p.lo += n
	dst = dst[n:]
	if len(dst) == 0 {
		return nil
	}
	p.lo, p.hi = 0, 0
	if len(dst) >= len(p.buf) {
		_, err := io.ReadFull(p.r, dst)
		return noEOF(err)
	}
	n, err := io.ReadAtLeast(p.r, p.buf, len(dst))
	if err != nil {
		return noEOF(err)
	}
	p.hi = n
	p.lo = copy(dst, p.buf[:n])
	return nil
}

// header is full for the first bytes of a packet, before which the stream may end.
func (p *packetReader) header(dst []byte) error {
	if p.lo == p.hi {
		p.lo, p.hi = 0, 0
		n, err := io.ReadAtLeast(p.r, p.buf, 1)
		if err != nil {
			return err
		}
		p.hi = n
	}
	return p.full(dst)
}

// discard skips n bytes.
func (p *packetReader) discard(n int) error {
	for n > 0 {
		if p.lo == p.hi {
			p.lo, p.hi = 0, 0
			m, err := io.ReadAtLeast(p.r, p.buf, 1)
			if err != nil {
				return noEOF(err)
			}
			p.hi = m
		}
		m := min(n, p.hi-p.lo)
		p.lo += m
		n -= m
	}
	return nil
}

// body reads n bytes into pooled memory. It takes memory as the bytes arrive, not as the length declares.
func (p *packetReader) body(n int) ([]byte, error) {
	const trust = 256 << 10
	b := pool.Get(min(n, trust))[:0]
	for len(b) < n {
		if len(b) == cap(b) {
			b = pool.Grow(b, min(n-len(b), max(len(b), trust)))
		}
		step := b[len(b):min(cap(b), n)]
		if err := p.full(step); err != nil {
			pool.Put(b)
			return nil, err
		}
		b = b[:len(b)+len(step)]
	}
	return b, nil
}

func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
