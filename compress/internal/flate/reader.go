package flate

import (
	"io"

	"github.com/eddy-go/eddy"

	"github.com/eddy-go/eddy/compress"
	"github.com/eddy-go/eddy/compress/internal/inflate"
	"github.com/eddy-go/eddy/compress/internal/pull"
)

const (
	inSize = 32 << 10
	// The window's old part is moved to the front when the rest is full:
	// one byte moved for three decoded.
	outSize = 4 * inflate.MaxDistance
)

// Reader is the state of a stream that is read: a decoder between an input
// buffer and a window.
type Reader struct {
	dec inflate.Decoder
	src pull.Reader

	pos, end int   // of what is in the buffer
	base     int64 // offset of in[0] in the stream
	rp, dp   int   // out[rp:dp] is decoded and not yet read

	in  [inSize]byte
	out [outSize]byte
}

var readers = eddy.Pool[Reader]{
	Name:  "compress/flate readers",
	Reset: func(r *Reader) bool { r.src = pull.Reader{}; return true },
}

// NewReader takes a Reader from the pool; Release gives it back.
func NewReader(src io.Reader) *Reader {
	r := readers.Get()
	r.src = pull.Reader{R: src}
	r.pos, r.end, r.base = 0, 0, 0
	r.Next()
	return r
}

// Release gives the Reader back, which must not be used any more.
func (r *Reader) Release() { readers.Put(r) }

// Next makes the Reader ready for another stream of DEFLATE in the same input.
func (r *Reader) Next() {
	r.dec.Reset()
	r.rp, r.dp = 0, 0
}

// Offset returns how many bytes of input were consumed.
func (r *Reader) Offset() int64 { return r.base + int64(r.pos) }

// fill reads more input behind what there is.
func (r *Reader) fill() error {
	if r.pos > 0 {
		r.base += int64(r.pos)
		r.end = copy(r.in[:], r.in[r.pos:r.end])
		r.pos = 0
	}
	if r.end == len(r.in) {
		return compress.ErrCorrupt // nothing that must be seen whole is so long
	}
	n, err := r.src.Read(r.in[r.end:])
	r.end += n
	return err
}

// End returns nil where the input ends here, and compress.ErrTrailing where
// it does not.
func (r *Reader) End() error {
	if r.pos < r.end {
		return compress.ErrTrailing
	}
	switch err := r.fill(); err {
	case nil:
		return compress.ErrTrailing
	case io.EOF:
		return nil
	default:
		return err
	}
}

// Byte returns the next byte of input; io.EOF says that there is none.
func (r *Reader) Byte() (byte, error) {
	if r.pos == r.end {
		if err := r.fill(); err != nil {
			return 0, err
		}
	}
	b := r.in[r.pos]
	r.pos++
	return b, nil
}

// Bytes returns the next n bytes, at most 16, of input, to be used before the
// next call. io.ErrUnexpectedEOF says that there are fewer.
func (r *Reader) Bytes(n int) ([]byte, error) {
	for r.end-r.pos < n {
		if err := r.fill(); err != nil {
			return nil, unexpected(err)
		}
	}
	r.pos += n
	return r.in[r.pos-n : r.pos], nil
}

func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// Read returns decoded bytes as soon as there are any. At the end of the
// stream of DEFLATE it returns io.EOF.
func (r *Reader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for {
		if r.rp < r.dp {
			n := copy(p, r.out[r.rp:r.dp])
			r.rp += n
			return n, nil
		}
		if r.dp == len(r.out) {
			r.dp = copy(r.out[:], r.out[len(r.out)-inflate.MaxDistance:])
			r.rp = r.dp
		}
		dp, sp, st, err := r.dec.Decode(r.out[:], r.dp, r.in[:r.end], r.pos)
		r.dp, r.pos = dp, sp
		switch {
		case err != nil:
			// What came out before the fault is not given: it may be what the
			// fault made of it.
			r.dp = r.rp
			return 0, compress.ErrCorrupt
		case r.rp < r.dp:
		case st == inflate.Done:
			return 0, io.EOF
		case st == inflate.NeedInput:
			if err := r.fill(); err != nil {
				return 0, unexpected(err)
			}
		}
	}
}
