package sftp

import (
	"context"
	"io"
	"os"
	"syscall"
)

// Write writes b at the offset and moves it. Each call waits for the server: for whole files ReadFrom, which io.Copy uses,
// keeps many requests under way.
//
// After an error n says how far the file is surely right. Data behind that, which other requests of the call may have
// written, is cut off again if the file was shorter before; what the file had before the call is never cut.
func (f *File) Write(b []byte) (int, error) { return f.WriteContext(context.Background(), b) }

// WriteContext is Write with a context. After a cancelled call requests may still be under way that write parts of b, from
// a copy, to where they belong. What is done to the file next comes behind them: if they went over several channels, the next
// write, Truncate and Close wait for their answers.
func (f *File) WriteContext(ctx context.Context, b []byte) (int, error) {
	if err := f.lock(ctx, "write"); err != nil {
		return 0, err
	}
	defer f.unlock()
	if err := f.seekEnd(ctx); err != nil {
		return 0, err
	}
	n, err := f.writeAt(ctx, b, f.off)
	f.off += int64(n)
	return n, err
}

// appends tells whether the file was opened for appending.
func (f *File) appends() bool { return f.flags&os.O_APPEND != 0 }

// seekEnd sets the offset of a file that was opened for appending.
func (f *File) seekEnd(ctx context.Context) error {
	if !f.appends() {
		return nil
	}
	n, err := f.length(ctx)
	if err == nil {
		f.off = n
	}
	return err
}

// WriteAt writes b at off, with as many requests at once as that takes. See Write for what an error means. It is refused
// for files that were opened for appending.
func (f *File) WriteAt(b []byte, off int64) (written int, err error) {
	return f.WriteAtContext(context.Background(), b, off)
}

// WriteAtContext is WriteAt with a context; see WriteContext.
func (f *File) WriteAtContext(ctx context.Context, b []byte, off int64) (written int, err error) {
	if err := f.check("write"); err != nil {
		return 0, err
	}
	if f.appends() {
		return 0, &os.PathError{Op: "write", Path: f.name, Err: syscall.EINVAL}
	}
	return f.writeAt(ctx, b, off)
}

func (f *File) writeAt(ctx context.Context, b []byte, off int64) (int, error) {
	if off < 0 || int64(len(b)) > maxOffset-off {
		return 0, &os.PathError{Op: "write", Path: f.name, Err: syscall.EINVAL}
	}
	if len(b) == 0 {
		return 0, nil
	}
	c := f.c
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := f.rest(ctx, "write"); err != nil {
		return 0, err
	}
	u := f.newUpload(off, 0)
	if int64(len(b)) < u.longest() {
		u.first = u.chunk
	}
	defer u.finish()
	err := func() error {
		if len(b) > u.first {
			u.askSize()
		}
		for len(b) > 0 {
			if err := u.admit(ctx); err != nil {
				return err
			}
			n := min(len(b), u.length())
			buf := pool.Get(maxWriteHeader + n)
			copy(buf[maxWriteHeader:], b[:n])
			u.push(buf, n)
			b = b[n:]
		}
		return u.wait(ctx)
	}()
	if err == nil {
		err = u.closeStripes(ctx)
	}
	if err != nil {
		u.settle(ctx)
	}
	return int(u.good() - off), err
}

// ReadFrom writes what r gives, until its end, at the offset, and moves it. It keeps as many WRITEs under way as the budgets
// of the client allow; the source need not tell its length.
//
// When r fails, what it gave before is written and its error returned. After an error of the server the count says how far
// the file is surely right; see Write.
func (f *File) ReadFrom(r io.Reader) (int64, error) {
	return f.ReadFromContext(context.Background(), r)
}

// ReadFromContext is ReadFrom with a context. It does not interrupt r: when the context is done while r.Read runs, it
// returns after that.
func (f *File) ReadFromContext(ctx context.Context, r io.Reader) (int64, error) {
	return f.readFrom(ctx, r, 0)
}

// ReadFromWithConcurrency is ReadFrom with at most so many WRITEs under way. Less than one means as many as the client
// allows.
func (f *File) ReadFromWithConcurrency(r io.Reader, concurrency int) (read int64, err error) {
	return f.readFrom(context.Background(), r, concurrency)
}

// ReadFromWithConcurrencyContext is ReadFromWithConcurrency with a context; see ReadFromContext.
func (f *File) ReadFromWithConcurrencyContext(ctx context.Context, r io.Reader, concurrency int) (read int64, err error) {
	return f.readFrom(ctx, r, concurrency)
}

func (f *File) readFrom(ctx context.Context, r io.Reader, most int) (written int64, err error) {
	if err := f.lock(ctx, "write"); err != nil {
		return 0, err
	}
	defer f.unlock()
	if err := f.seekEnd(ctx); err != nil {
		return 0, err
	}
	start := f.off
	defer func() { f.off = start + written }()
	c := f.c
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := f.rest(ctx, "write"); err != nil {
		return 0, err
	}
	u := f.newUpload(start, most)
	defer u.finish()
	var source error
	err = func() error {
		for source == nil {
			// Before the source is asked for more there is room for it; what it takes its time for is not kept from others.
			if err := u.admit(ctx); err != nil {
				return err
			}
			c.serve()
			size := int(min(int64(u.length()), maxOffset-u.next))
			buf := pool.Get(maxWriteHeader + size)
			var n int
			n, source = u.read(r, buf)
			if size == 0 {
				source = &os.PathError{Op: "write", Path: f.name, Err: syscall.EFBIG}
			}
			if n == 0 {
				pool.Put(buf)
				continue
			}
			if err := u.admit(ctx); err != nil {
				pool.Put(buf)
				return err
			}
			if source == nil {
				u.askSize() // there will be more than one WRITE
			}
			u.push(buf, n)
		}
		return u.wait(ctx)
	}()
	if err == nil {
		err = u.closeStripes(ctx)
	}
	if err != nil {
		u.settle(ctx)
	} else if source != io.EOF {
		err = source
	}
	return u.good() - start, err
}

// read fills buf, behind the room for a header, from r without mu, which is held again afterwards. When r panics it gives
// buf back.
func (u *upload) read(r io.Reader, buf []byte) (int, error) {
	returned := false
	u.c.mu.Unlock()
	defer func() {
		u.c.mu.Lock()
		if !returned {
			pool.Put(buf)
		}
	}()
	n, err := fillFrom(r, buf[maxWriteHeader:])
	returned = true
	return n, err
}
