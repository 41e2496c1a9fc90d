package sftp

import (
	"context"
	"io"
	"math"
	"os"
	"syscall"
)

// Read reads up to len(b) bytes at the offset and moves it. Each call waits for the server: for whole files WriteTo, which
// io.Copy uses, keeps many requests under way.
func (f *File) Read(b []byte) (int, error) { return f.ReadContext(context.Background(), b) }

// ReadContext is Read with a context.
func (f *File) ReadContext(ctx context.Context, b []byte) (int, error) {
	if err := f.lock(ctx, "read"); err != nil {
		return 0, err
	}
	defer f.unlock()
	n, err := f.readAt(ctx, b, f.off, true)
	f.off += int64(n)
	if n > 0 && err == io.EOF {
		err = nil
	}
	return n, err
}

// ReadAt reads len(b) bytes at off, with as many requests at once as that takes. It returns io.EOF, and not less than what
// the file has, where the file ends before.
func (f *File) ReadAt(b []byte, off int64) (int, error) {
	return f.ReadAtContext(context.Background(), b, off)
}

// ReadAtContext is ReadAt with a context. If that can be done before the answers are there, they are copied to b rather
// than received into it, so that b is not written after the return.
func (f *File) ReadAtContext(ctx context.Context, b []byte, off int64) (int, error) {
	if err := f.check("read"); err != nil {
		return 0, err
	}
	return f.readAt(ctx, b, off, false)
}

// readAt reads to b. With partial it may stop before, where an answer was short.
func (f *File) readAt(ctx context.Context, b []byte, off int64, partial bool) (int, error) {
	if off < 0 {
		return 0, &os.PathError{Op: "read", Path: f.name, Err: syscall.EINVAL}
	}
	if len(b) == 0 {
		return 0, nil
	}
	if int64(len(b)) > math.MaxInt64-off {
		b = b[:math.MaxInt64-off]
	}
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	c := f.c
	c.mu.Lock()
	defer c.mu.Unlock()
	if f.closed {
		return 0, f.errClosed("read")
	}
	f.dropAhead()
	d := f.newDownload(off, off+int64(len(b)))
	d.dst, d.base, d.partial = b, off, partial
	defer d.finish()
	if ctx.Done() == nil {
		d.direct = true
		return d.readDirect()
	}
	d.fill()
	n := 0
	for {
		p, err := d.ready(ctx)
		if err != nil || p == nil {
			return n, err
		}
		if p.state != arrived {
			return n, p.outcome()
		}
		d.pop()
		c.mu.Unlock()
		n += copy(b[n:], p.buf[:p.n])
		c.mu.Lock()
		last := p.last
		c.freePiece(p)
		if last {
			return n, nil
		}
		d.fill()
		c.serve()
	}
}

// outcome is why there is no data in p.
func (p *piece) outcome() error {
	if p.state == refused {
		return p.err
	}
	return io.EOF
}

// readDirect waits for READs that the receiver puts where they belong. Even after an error it waits until none can
// be written any more. The caller holds mu.
func (d *download) readDirect() (n int, err error) {
	d.fill()
	ctx := context.Background()
	for d.head != nil || d.next < d.limit {
		p, err := d.ready(ctx)
		if err != nil || p == nil || p.state != arrived {
			if err == nil && p != nil {
				err = p.outcome()
			}
			d.done = true
			d.drain()
			return n, err
		}
		n += p.n
		last := p.last
		d.c.freePiece(d.pop())
		if last {
			d.done = true
			d.drain()
			return n, nil
		}
		d.fill()
	}
	return n, nil
}

// drain gives up the READs that are under way, and waits for the one whose payload is just being written to dst.
func (d *download) drain() {
	for p := d.head; p != nil; p = p.next {
		if p.state == waiting && !p.req.receiving {
			p.path.inflight -= p.n
			d.inflight--
			p.abandon()
			p.state = unsent
		}
	}
	for d.inflight > 0 {
		d.c.mu.Unlock()
		<-d.wake
		d.c.mu.Lock()
	}
}

// WriteTo writes the file, from the offset to its end, to w and moves the offset. It keeps as many READs under way as the
// file needs within the budgets of the client, and returns the number of bytes written: after an error too, they are the
// file's first bytes from the offset.
func (f *File) WriteTo(w io.Writer) (written int64, err error) {
	return f.WriteToContext(context.Background(), w)
}

// WriteToContext is WriteTo with a context. It does not interrupt w: when the context is done while w.Write runs, it returns
// after that.
func (f *File) WriteToContext(ctx context.Context, w io.Writer) (written int64, err error) {
	if err := f.lock(ctx, "read"); err != nil {
		return 0, err
	}
	defer f.unlock()
	defer func() { f.off += written }()
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	c := f.c
	c.mu.Lock()
	defer c.mu.Unlock()
	if f.closed {
		return 0, f.errClosed("read")
	}
	d := f.newDownload(f.off, math.MaxInt64)
	defer d.finish()
	d.askSize()
	d.fill()
	d.f.main.s.flush()
	for {
		p, err := d.ready(ctx)
		if err != nil || p == nil {
			return written, err
		}
		if p.state != arrived {
			if p.state == refused {
				return written, p.err
			}
			c.guess = max(written, 1)
			return written, nil
		}
		d.pop()
		size := p.n
		n, err := d.give(w, p)
		short := n != size
		written += int64(max(n, 0))
		if err == nil && short {
			err = io.ErrShortWrite
		}
		if err != nil {
			return written, err
		}
		d.fill()
		c.serve()
	}
}

// give writes p without mu, which is held again afterwards, and frees it, also when w panics.
func (d *download) give(w io.Writer, p *piece) (int, error) {
	d.c.mu.Unlock()
	defer func() {
		d.c.mu.Lock()
		d.c.freePiece(p)
	}()
	return w.Write(p.buf[:p.n])
}
