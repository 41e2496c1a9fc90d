package flate

import (
	"errors"
	"io"

	"github.com/eddy-go/eddy"

	"github.com/eddy-go/eddy/compress"
	"github.com/eddy-go/eddy/compress/internal/inflate"
	"github.com/eddy-go/eddy/compress/internal/sink"
)

var decoders = eddy.Pool[inflate.Decoder]{
	Name:  "compress/flate decoders",
	Reset: func(d *inflate.Decoder) bool { d.Reset(); return true },
}

// Decode decodes the one stream at src[sp:] into s and returns the position
// behind it. The stream's window begins at s.N. The error is one of package
// compress's or io.ErrUnexpectedEOF, not yet wrapped, and the position is
// then where it was noticed.
func Decode(s *sink.Sink, src []byte, sp int) (int, error) {
	d := decoders.Get()
	defer decoders.Put(d)
	start := s.N
	for {
		dp, n, st, err := d.Decode(s.Buf[start:], s.N-start, src, sp)
		s.N, sp = start+dp, n
		switch {
		case err != nil:
			return sp, compress.ErrCorrupt
		case st == inflate.Done:
			return sp, nil
		case st == inflate.NeedInput:
			return sp, io.ErrUnexpectedEOF
		}
		// What has come out of so much of src is a fair guess for the rest.
		if !s.Grow(guess(s.N-start, sp, len(src))) {
			if s.Grows() {
				return sp, compress.ErrLimit
			}
			return sp, compress.ErrSize
		}
	}
}

// guess returns how much more will come out of src if the rest decodes like
// what went before, or four times as much as went in when nothing did.
func guess(out, sp, n int) int {
	if sp == 0 || out == 0 {
		return 4 * n
	}
	return int(min(int64(out)*int64(n-sp)/int64(sp)+int64(out)/8, int64(n)*8))
}

// Wrap gives err, which is not nil, the format's name and the offset.
func Wrap(format string, off int, err error) error {
	var e *compress.Error
	if errors.As(err, &e) {
		return err
	}
	return &compress.Error{Format: format, Offset: int64(off), Err: err}
}
