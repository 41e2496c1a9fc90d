// Package deflate compresses and decompresses raw DEFLATE (RFC 1951): no
// header and no checksum. Data that can be damaged wants zlib or gzip.
package deflate

import (
	"github.com/eddy-go/eddy/compress"
	"github.com/eddy-go/eddy/compress/internal/flate"
	"github.com/eddy-go/eddy/compress/internal/sink"
)

// Levels beside 1 (fastest) to 9 (smallest).
const (
	Default     = flate.Default     // 6
	Stored      = flate.Stored      // no compression
	HuffmanOnly = flate.HuffmanOnly // no matches, an order-0 code alone
)

const format = "deflate"

// A Codec compresses at its Level; the zero value at the default one. It
// implements [compress.Codec], whose comments say what the methods promise.
type Codec struct{ Level int }

var _ compress.Codec = Codec{}

// AppendCompress appends src compressed to dst.
func (c Codec) AppendCompress(dst, src []byte) ([]byte, error) {
	if !flate.ValidLevel(c.Level) {
		return dst, flate.Wrap(format, -1, compress.ErrLevel)
	}
	buf, pooled := sink.Room(dst, flate.Bound(len(src)))
	buf = flate.AppendCompress(buf, src, c.Level)
	return sink.Joined(dst, buf, pooled), nil
}

// CompressBound returns the room with which AppendCompress of n bytes never
// allocates.
func (Codec) CompressBound(n int) int { return flate.Bound(n) }

// Decompress decompresses src into dst, which has the size of the data.
func (Codec) Decompress(dst, src []byte) (int, error) {
	s := sink.ForSize(dst)
	if err := decode(&s, src); err != nil {
		return s.N, err
	}
	return s.N, nil
}

// AppendDecompress appends src decompressed, at most limit bytes, to dst.
func (Codec) AppendDecompress(dst, src []byte, limit int) ([]byte, error) {
	s := sink.ForAppend(dst, limit)
	if err := decode(&s, src); err != nil {
		return s.Discard(), err
	}
	return s.Finish(), nil
}

func decode(s *sink.Sink, src []byte) error {
	sp, err := flate.Decode(s, src, 0)
	switch {
	case err != nil:
	case sp < len(src):
		err = compress.ErrTrailing
	case !s.Grows() && s.N < len(s.Buf):
		err = compress.ErrSize
	default:
		return nil
	}
	return flate.Wrap(format, sp, err)
}
