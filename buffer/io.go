package buffer

import (
	"errors"
	"io"
	"net"
)

// minRead is the least room that a Read is offered.
const minRead = 512

// maxEmptyReads is after how many reads of nothing, without an error, ReadFrom
// gives up.
const maxEmptyReads = 100

var errBadCount = errors.New("eddy/buffer: Read or Write returned an impossible count")

// ReadFrom appends what r has until io.EOF, reading straight into the buffer.
// It returns the number of bytes read, all of which are in the buffer, and the
// error of r other than io.EOF; io.ErrNoProgress for a reader that gives
// neither bytes nor an error.
func (b *Buffer) ReadFrom(r io.Reader) (int64, error) {
	b.use()
	defer b.pop() // of a chunk for which there was nothing more
	var total int64
	for empty := 0; ; {
		if cap(b.cur)-len(b.cur) < minRead {
			b.roomToRead()
		}
		spare := b.cur[len(b.cur):cap(b.cur)]
		n, err := r.Read(spare)
		if n < 0 || n > len(spare) {
			return total, errBadCount
		}
		b.cur = b.cur[:len(b.cur)+n]
		total += int64(n)
		if err == io.EOF {
			return total, nil
		}
		if err != nil {
			return total, err
		}
		if n > 0 {
			empty = 0
		} else if empty++; empty == maxEmptyReads {
			return total, io.ErrNoProgress
		}
	}
}

func (b *Buffer) roomToRead() {
	if b.full == nil && cap(b.cur) < ContiguousSize {
		b.grow(min(max(cap(b.cur), 4096), ContiguousSize-len(b.cur)))
		return
	}
	if len(b.cur) == cap(b.cur) {
		b.push()
		b.cur = b.get(ContiguousSize)[:0]
	}
}

// WriteTo writes the contents to w, without consuming them: after a failure
// the returned number of bytes says from where to go on. A TCP or Unix domain
// connection gets all chunks with one writev; others get one Write a chunk. A
// Write that returns less than its input without an error is io.ErrShortWrite.
func (b *Buffer) WriteTo(w io.Writer) (int64, error) {
	b.use()
	if b.full == nil {
		return writeChunk(w, b.cur)
	}
	switch w.(type) {
	case *net.TCPConn, *net.UnixConn:
		return b.writev(w)
	}
	var total int64
	for c := range b.Chunks() {
		n, err := writeChunk(w, c)
		total += n
		if err != nil {
			return total, err
		}
	}
	return total, nil
}

func writeChunk(w io.Writer, c []byte) (int64, error) {
	if len(c) == 0 {
		return 0, nil
	}
	n, err := w.Write(c)
	if n < 0 || n > len(c) {
		return 0, errBadCount
	}
	if n < len(c) && err == nil {
		err = io.ErrShortWrite
	}
	return int64(n), err
}

// writev hands net.Buffers a list of its own: it consumes the slice it is
// called on, and chunks that were to be given back from that slice would be
// lost.
func (b *Buffer) writev(w io.Writer) (int64, error) {
	f := b.full
	f.iov = f.iov[:0]
	whole := append(f.iov, f.list...)
	if len(b.cur) > 0 {
		whole = append(whole, b.cur)
	}
	f.iov = whole
	n, err := f.iov.WriteTo(w)
	clear(whole)
	f.iov = whole[:0]
	return n, err
}
