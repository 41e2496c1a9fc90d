package zlib

import (
	"encoding/binary"
	"io"

	"github.com/eddy-go/eddy/compress"
	"github.com/eddy-go/eddy/compress/internal/flate"
	"github.com/eddy-go/eddy/compress/internal/inflate"
	"github.com/eddy-go/eddy/compress/internal/use"
)

// A Reader decompresses a stream. It belongs to one goroutine at a time.
//
// Its state (180 KB: buffers, window and tables) comes from a pool at the
// first Read and goes back at the end of the stream, at an error, and at
// Close. It reads ahead of what it returns, by up to 32 KiB, and to the end
// of the reader beneath.
type Reader struct {
	use use.Guard
	src io.Reader
	r   *flate.Reader
	sum uint32
	err error // what Read returns from now on
}

var _ io.ReadCloser = (*Reader)(nil)

// NewReader returns a Reader of the zlib stream that r holds. Nothing is read
// before the first Read.
func NewReader(r io.Reader) *Reader { return &Reader{src: r} }

// Reset makes the Reader begin anew with r, also after Close or an error. It
// is not for while Read is running: then it is a Close.
func (z *Reader) Reset(r io.Reader) {
	if !z.use.EnterOrMark() {
		return
	}
	defer z.leave()
	z.release()
	z.src, z.err = r, nil
}

// leave ends what began with Enter.
func (z *Reader) leave() {
	if z.use.Broken() {
		z.release()
		z.err = errBroken
	}
	for !z.use.Leave() {
		z.shut()
	}
}

func (z *Reader) shut() {
	z.release()
	z.src, z.err = nil, errClosed
}

// Read decompresses into p. At the end, and not before the checksum was found
// right and the reader beneath was at its end, it returns io.EOF; bytes that
// follow are compress.ErrTrailing. A stream that was flushed but not closed
// gives its bytes, then io.ErrUnexpectedEOF.
func (z *Reader) Read(p []byte) (int, error) {
	if !z.use.Enter() {
		return 0, errBusy
	}
	defer z.leave()
	z.use.Begin()
	n, err := z.read(p)
	z.use.Done()
	return n, err
}

func (z *Reader) read(p []byte) (int, error) {
	if z.err != nil {
		return 0, z.err
	}
	if z.r == nil {
		z.r = flate.NewReader(z.src)
		z.sum = 1
		h, err := z.r.Bytes(headerSize)
		if err == nil {
			err = header(h)
		}
		if err != nil {
			return 0, z.end(err)
		}
	}
	n, err := z.r.Read(p)
	z.sum = inflate.Adler32(z.sum, p[:n])
	if err == io.EOF {
		t, terr := z.r.Bytes(trailerSize)
		switch {
		case terr != nil:
			err = terr
		case binary.BigEndian.Uint32(t) != z.sum:
			err = compress.ErrChecksum
		default:
			if terr := z.r.End(); terr != nil {
				err = terr
			}
		}
	}
	if err != nil {
		return n, z.end(err)
	}
	return n, nil
}

// end gives the state back and makes err what Read returns.
func (z *Reader) end(err error) error {
	z.err = err
	if err != io.EOF {
		z.err = &compress.Error{Format: format, Offset: z.r.Offset(), Err: err}
	}
	z.release()
	return z.err
}

func (z *Reader) release() {
	if z.r != nil {
		z.r.Release()
		z.r = nil
	}
}

// Close gives the state back; while another goroutine is in Read, that one
// does when it returns. It does not close the reader beneath. Read after Close
// returns compress.ErrClosed; a second Close does nothing.
func (z *Reader) Close() error {
	if z.use.EnterOrMark() {
		defer z.leave()
		z.shut()
	}
	return nil
}

var (
	errClosed error = &compress.Error{Format: format, Offset: -1, Err: compress.ErrClosed}
	errBusy   error = &compress.Error{Format: format, Offset: -1, Err: compress.ErrBusy}
	errBroken error = &compress.Error{Format: format, Offset: -1, Err: compress.ErrBroken}
)

// A Writer compresses a stream. It belongs to one goroutine at a time. Its
// state comes from a pool at the first Write and goes back at Close and at an
// error.
type Writer struct {
	use   use.Guard
	dst   io.Writer
	level int
	w     flate.Writer
	sum   uint32
	err   error
	buf   [trailerSize]byte // for header and trailer
}

var _ io.WriteCloser = (*Writer)(nil)

// NewWriter returns a Writer to w of the given level. If there is no such
// level, Write and Close return compress.ErrLevel.
func NewWriter(w io.Writer, level int) *Writer {
	z := &Writer{level: level}
	z.Reset(w)
	return z
}

// Reset makes the Writer begin anew with w at the same level, also after
// Close or an error. What was not yet written is dropped. It is not for while
// another method is running: then it is a Close.
func (z *Writer) Reset(w io.Writer) {
	if !z.use.EnterOrMark() {
		return
	}
	defer z.leave()
	z.w.Release()
	z.dst, z.sum, z.err = w, 1, nil
	if !flate.ValidLevel(z.level) {
		z.err = flate.Wrap(format, -1, compress.ErrLevel)
	}
}

// leave ends what began with Enter.
func (z *Writer) leave() {
	if z.use.Broken() {
		z.w.Release()
		z.err = errBroken
	}
	for !z.use.Leave() {
		z.shut()
	}
}

func (z *Writer) shut() {
	z.w.Release()
	z.dst, z.err = nil, errClosed
}

// start writes the header, unless that is done.
func (z *Writer) start() error {
	if z.err != nil || z.w.Started() {
		return z.err
	}
	z.w.Start(z.dst, z.level)
	return z.check(z.w.Out(appendHeader(z.buf[:0], z.level)))
}

// check keeps the first error, after which the state is of no use.
func (z *Writer) check(err error) error {
	if err != nil {
		z.err = err
		z.w.Release()
	}
	return err
}

// Write compresses p, which reaches the writer beneath when enough has come
// together, at Flush or at Close.
func (z *Writer) Write(p []byte) (int, error) {
	if !z.use.Enter() {
		return 0, errBusy
	}
	defer z.leave()
	z.use.Begin()
	n, err := z.write(p)
	z.use.Done()
	return n, err
}

func (z *Writer) write(p []byte) (int, error) {
	if err := z.start(); err != nil {
		return 0, err
	}
	n, err := z.w.Write(p)
	z.sum = inflate.Adler32(z.sum, p[:n])
	return n, z.check(err)
}

// Flush writes all that is pending, so that a reader gets everything written
// so far. Each Flush costs some bytes.
func (z *Writer) Flush() error {
	if !z.use.Enter() {
		return errBusy
	}
	defer z.leave()
	z.use.Begin()
	err := z.flush()
	z.use.Done()
	return err
}

func (z *Writer) flush() error {
	if err := z.start(); err != nil {
		return err
	}
	return z.check(z.w.Flush())
}

// Close ends the stream and gives the state back. It does not close the
// writer beneath. Write and Flush after Close return compress.ErrClosed; a
// second Close does nothing, or returns the error that there was. While another
// goroutine is in a method, Close ends no stream and returns
// compress.ErrBusy; the state goes back when that method returns.
func (z *Writer) Close() error {
	if !z.use.EnterOrMark() {
		return errBusy
	}
	defer z.leave()
	z.use.Begin()
	err := z.finish()
	z.use.Done()
	return err
}

func (z *Writer) finish() error {
	if z.err == errClosed {
		return nil
	}
	if err := z.start(); err != nil {
		return err
	}
	if err := z.check(z.w.End()); err != nil {
		return err
	}
	if err := z.check(z.w.Out(binary.BigEndian.AppendUint32(z.buf[:0], z.sum))); err != nil {
		return err
	}
	z.shut()
	return nil
}
