// Package gzip compresses and decompresses gzip data (RFC 1952): members of
// DEFLATE, each with a header, the size and a CRC-32, which are always
// verified.
package gzip

import (
	"encoding/binary"
	"hash/crc32"

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

const format = "gzip"

// A Codec compresses at its Level; the zero value at the default one. It
// implements [compress.Codec], whose comments say what the methods promise.
// It writes one member without name or time, and reads any number of members,
// one after the other, as one.
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
	buf = appendTrailer(buf, crc32.ChecksumIEEE(src), uint32(len(src)))
	return sink.Joined(dst, buf, pooled), nil
}

func appendTrailer(b []byte, crc, size uint32) []byte {
	b = binary.LittleEndian.AppendUint32(b, crc)
	return binary.LittleEndian.AppendUint32(b, size)
}

// CompressBound returns the room with which AppendCompress of n bytes never
// allocates.
func (Codec) CompressBound(n int) int { return flate.Bound(n) }

// Decompress decompresses src into dst, which has the size of the data: of
// all members together.
func (Codec) Decompress(dst, src []byte) (int, error) {
	s := sink.ForSize(dst)
	sp, err := decode(&s, src)
	if err == nil && s.N < len(dst) {
		err = compress.ErrSize
	}
	if err != nil {
		return s.N, flate.Wrap(format, sp, err)
	}
	return s.N, nil
}

// AppendDecompress appends src decompressed, at most limit bytes, to dst.
func (Codec) AppendDecompress(dst, src []byte, limit int) ([]byte, error) {
	s := sink.ForAppend(dst, limit)
	sp, err := decode(&s, src)
	if err != nil {
		return s.Discard(), flate.Wrap(format, sp, err)
	}
	return s.Finish(), nil
}

func decode(s *sink.Sink, src []byte) (int, error) {
	sp := 0
	for {
		n, err := header(src[sp:])
		if err != nil {
			if sp > 0 && err == compress.ErrCorrupt {
				err = compress.ErrTrailing // no member is what follows the last one
			}
			return sp, err
		}
		start := s.N
		if sp, err = flate.Decode(s, src, sp+n); err != nil {
			return sp, err
		}
		if err := trailer(src[sp:], crc32.ChecksumIEEE(s.Buf[start:s.N]), uint32(s.N-start)); err != nil {
			return sp, err
		}
		if sp += trailerSize; sp == len(src) {
			return sp, nil
		}
	}
}
