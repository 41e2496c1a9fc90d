// Package zlib compresses and decompresses zlib data (RFC 1950): DEFLATE with
// a two-byte header and an Adler-32 checksum, which is always verified.
package zlib

import (
	"encoding/binary"
	"io"

	"github.com/eddy-go/eddy/compress"
	"github.com/eddy-go/eddy/compress/internal/flate"
	"github.com/eddy-go/eddy/compress/internal/inflate"
	"github.com/eddy-go/eddy/compress/internal/sink"
)

// Levels beside 1 (fastest) to 9 (smallest).
const (
	Default     = flate.Default     // 6
	Stored      = flate.Stored      // no compression
	HuffmanOnly = flate.HuffmanOnly // no matches, an order-0 code alone
)

const (
	format      = "zlib"
	headerSize  = 2
	trailerSize = 4
)

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
	buf = appendHeader(buf, c.Level)
	buf = flate.AppendCompress(buf, src, c.Level)
	buf = binary.BigEndian.AppendUint32(buf, inflate.Adler32(1, src))
	return sink.Joined(dst, buf, pooled), nil
}

// appendHeader writes CMF (deflate, 32 KiB window) and FLG: the level's
// class, and what makes the two a multiple of 31.
func appendHeader(b []byte, level int) []byte {
	const cmf = 0x78
	var class uint16
	switch {
	case level < 0 || level == 1:
		class = 0
	case level >= 2 && level <= 5:
		class = 1
	case level == 6 || level == Default:
		class = 2
	default:
		class = 3
	}
	h := uint16(cmf)<<8 | class<<6
	return binary.BigEndian.AppendUint16(b, h+31-h%31)
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
	sp, err := 0, header(src)
	if err == nil {
		sp, err = flate.Decode(s, src, headerSize)
	}
	switch {
	case err != nil:
	case len(src)-sp < trailerSize:
		err = io.ErrUnexpectedEOF
	case binary.BigEndian.Uint32(src[sp:]) != inflate.Adler32(1, s.Buf[:s.N]):
		err = compress.ErrChecksum
	case len(src)-sp > trailerSize:
		sp += trailerSize
		err = compress.ErrTrailing
	case !s.Grows() && s.N < len(s.Buf):
		err = compress.ErrSize
	default:
		return nil
	}
	return flate.Wrap(format, sp, err)
}

// header checks CMF and FLG.
func header(src []byte) error {
	if len(src) < headerSize {
		return io.ErrUnexpectedEOF
	}
	h := binary.BigEndian.Uint16(src)
	switch {
	case h%31 != 0, h>>8&15 != 8, h>>12 > 7: // FCHECK, CM deflate, CINFO at most 32 KiB
		return compress.ErrCorrupt
	case h&0x20 != 0:
		return compress.ErrDictionary
	}
	return nil
}
