package zstd

import (
	"errors"
	"io"

	"github.com/eddy-go/eddy"
	"github.com/eddy-go/eddy/compress"
	"github.com/eddy-go/eddy/compress/internal/use"
	"github.com/klauspost/compress/zstd"
)

// MaxWindow is the largest window that a Reader accepts, in bytes: a frame
// that asks for more gets compress.ErrUnsupported. It bounds the memory that
// a stream can take, for which it must give the data: see [Reader]. The slice
// forms have no such limit, as the output is their window.
const MaxWindow = 32 << 20

// streamWindow keeps what a Writer makes readable for others, which need not
// accept more (RFC 8878 3.1.1.1.2 recommends 8 MiB).
const streamWindow = 8 << 20

type streamDecoder struct {
	z    *zstd.Decoder
	src  source
	open bool // within a frame
}

var streamDecoders = eddy.Pool[streamDecoder]{
	Name: "compress/zstd stream decoders",
	New: func() *streamDecoder {
		z, _ := zstd.NewReader(nil,
			zstd.WithDecoderConcurrency(1), // no goroutine
			zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(MaxWindow),
		)
		return &streamDecoder{z: z}
	},
	Reset: func(d *streamDecoder) bool {
		d.src.reset(nil)
		d.open = false
		return d.z.Reset(nil) == nil
	},
}

// read is io.Reader's, but for errors, which are the source's or the
// decoder's.
func (d *streamDecoder) read(p []byte) (int, error) {
	for {
		if !d.open {
			if err := d.src.next(); err != nil {
				d.src.err = err
				return 0, err
			}
			if err := d.z.Reset(&d.src); err != nil {
				return 0, err
			}
			d.open = true
		}
		// It returns what a block gave before it asks for the next one.
		n, err := d.z.Read(p)
		d.src.out += int64(n)
		switch {
		case d.src.err != nil: // what the decoder makes of it does not matter
		case err == io.EOF:
			d.open, err = false, nil
		case err == errGrow:
			err = d.again()
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}

// again decodes the frame up to where it was, with a larger window.
func (d *streamDecoder) again() error {
	d.src.grow()
	if err := d.z.Reset(&d.src); err != nil {
		return err
	}
	p := eddy.Get(32 << 10)
	defer eddy.Put(p)
	for left := d.src.out; left > 0; {
		n, err := d.z.Read(p[:min(int64(len(p)), left)])
		if err != nil {
			return err
		}
		left -= int64(n)
	}
	return nil
}

// A Reader decompresses a stream of any number of frames. It belongs to one
// goroutine at a time, and starts none.
//
// Its state comes from a pool at the first Read and goes back at the end of
// the stream, at an error, and at Close. It is about 1 MB, and about the
// window that a frame states only when the frame has given data or input in
// proportion to it: the window grows to at most four times what came out, or
// 64 times what went in. What a frame's header states alone sets no memory
// aside. Where the window grows, the beginning of the frame is decoded again;
// that is rare where the reader beneath gives 128 KiB at once. The Reader
// reads ahead by so much, and to the end of the reader beneath.
type Reader struct {
	use use.Guard
	src io.Reader
	d   *streamDecoder
	err error // what Read returns from now on
}

var _ io.ReadCloser = (*Reader)(nil)

// NewReader returns a Reader of the stream that r holds. Nothing is read
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

// Read decompresses into p. At the end it returns io.EOF. A stream that was
// flushed but not closed gives its bytes, then io.ErrUnexpectedEOF.
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
	if len(p) == 0 {
		return 0, nil
	}
	if z.d == nil {
		z.d = streamDecoders.Get()
		z.d.src.reset(z.src)
	}
	n, err := z.d.read(p)
	if err == nil {
		return n, nil
	}
	return n, z.end(err)
}

// end gives the state back and makes err what Read returns.
func (z *Reader) end(err error) error {
	switch src := &z.d.src; {
	case src.err != nil:
		err = src.err
	case errors.Is(err, zstd.ErrCRCMismatch):
		err = compress.ErrChecksum
	default:
		err = compress.ErrCorrupt
	}
	if err != io.EOF {
		err = &compress.Error{Format: format, Offset: z.d.src.taken(), Err: err}
	}
	z.err = err
	z.release()
	return err
}

func (z *Reader) release() {
	if z.d != nil {
		streamDecoders.Put(z.d)
		z.d = nil
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

// target is what a stream encoder writes to.
type target struct{ w io.Writer }

func (t *target) Write(p []byte) (int, error) {
	n, err := t.w.Write(p)
	if n < len(p) && err == nil {
		err = io.ErrShortWrite
	}
	return n, err
}

type streamEncoder struct {
	z   *zstd.Encoder
	out target
}

var streamEncoders = func() (p [zstd.SpeedBestCompression + 1]*eddy.Pool[streamEncoder]) {
	for i := range p {
		p[i] = &eddy.Pool[streamEncoder]{
			Name: "compress/zstd stream encoders",
			New: func() *streamEncoder {
				return &streamEncoder{z: newEncoder(zstd.EncoderLevel(i), zstd.WithWindowSize(streamWindow))}
			},
			Reset: func(e *streamEncoder) bool {
				e.z.Reset(nil)
				e.out.w = nil
				return true
			},
		}
	}
	return p
}()

// A Writer compresses a stream, as one frame with a checksum. It belongs to
// one goroutine at a time, and starts none. Its state, 20 to 55 MB by
// level, comes from a pool at the first Write and goes back at Close and at
// an error.
type Writer struct {
	use   use.Guard
	dst   io.Writer
	level int
	e     *streamEncoder
	pool  *eddy.Pool[streamEncoder]
	err   error
}

var _ io.WriteCloser = (*Writer)(nil)

// NewWriter returns a Writer to w of the given level, as [Codec] counts them.
// If there is no such level, Write and Close return compress.ErrLevel.
func NewWriter(w io.Writer, level int) *Writer {
	z := &Writer{level: level}
	if level == Default {
		z.level = usual
	}
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
	z.release()
	z.dst, z.err = w, nil
	if z.level < 1 || z.level > maxLevel {
		z.err = fail(-1, compress.ErrLevel)
	}
}

func (z *Writer) release() {
	if z.e != nil {
		z.pool.Put(z.e)
		z.e = nil
	}
}

// leave ends what began with Enter.
func (z *Writer) leave() {
	if z.use.Broken() {
		z.release()
		z.err = errBroken
	}
	for !z.use.Leave() {
		z.shut()
	}
}

func (z *Writer) shut() {
	z.release()
	z.dst, z.err = nil, errClosed
}

func (z *Writer) start() error {
	if z.err != nil || z.e != nil {
		return z.err
	}
	z.pool = streamEncoders[zstd.EncoderLevelFromZstd(z.level)]
	z.e = z.pool.Get()
	z.e.out.w = z.dst
	z.e.z.Reset(&z.e.out)
	return nil
}

func (z *Writer) check(err error) error {
	if err != nil {
		z.err = err
		z.release()
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
	n, err := z.e.z.Write(p)
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
	return z.check(z.e.z.Flush())
}

// Close ends the frame and gives the state back. It does not close the writer
// beneath. Write and Flush after Close return compress.ErrClosed; a second
// Close does nothing, or returns the error that there was. While another
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
	if err := z.check(z.e.z.Close()); err != nil {
		return err
	}
	z.shut()
	return nil
}
