// Package lz4 compresses and decompresses single LZ4 blocks: the bare
// sequences of the LZ4 block format, without the frame that the lz4 tool
// writes.
//
// A block records neither its size nor a checksum. [Codec.Decompress], which
// is told the size, notices every cut block and most damage;
// [Codec.AppendDecompress] cannot tell a block that was cut between two
// sequences from a shorter one. Keep the size, and a checksum, beside the
// block.
package lz4

import (
	"io"
	"math"

	"github.com/eddy-go/eddy"
	"github.com/eddy-go/eddy/compress"
	"github.com/eddy-go/eddy/compress/internal/sink"
	"github.com/pierrec/lz4/v4"
)

// Default is the level of the zero Codec: 1, the fastest.
const Default = 0

const (
	format   = "lz4"
	maxLevel = 9
	minMatch = 4
)

// A Codec compresses at its Level: 1 is fast, 2 to 9 search deeper for
// matches and decompress as fast. It implements [compress.Codec], whose
// comments say what the methods promise.
type Codec struct{ Level int }

var _ compress.Codec = Codec{}

var (
	fast = eddy.Pool[lz4.Compressor]{Name: "compress/lz4 fast"}
	high = eddy.Pool[lz4.CompressorHC]{Name: "compress/lz4 high"}
)

// depths of the search, by level
var depths = [...]lz4.CompressionLevel{
	2: lz4.Level2, 3: lz4.Level3, 4: lz4.Level4, 5: lz4.Level5,
	6: lz4.Level6, 7: lz4.Level7, 8: lz4.Level8, 9: lz4.Level9,
}

// AppendCompress appends src compressed to dst.
func (c Codec) AppendCompress(dst, src []byte) ([]byte, error) {
	if c.Level < 0 || c.Level > maxLevel {
		return dst, fail(-1, compress.ErrLevel)
	}
	if int64(len(src)) > math.MaxInt32 {
		return dst, fail(-1, compress.ErrTooLarge)
	}
	buf, pooled := sink.Room(dst, lz4.CompressBlockBound(len(src)))
	buf = buf[:cap(buf)]
	var n int
	var err error
	if c.Level <= 1 {
		z := fast.Get()
		n, err = z.CompressBlock(src, buf)
		fast.Put(z)
	} else {
		z := high.Get()
		z.Level = depths[c.Level]
		n, err = z.CompressBlock(src, buf)
		high.Put(z)
	}
	if err != nil || n == 0 {
		// The buffer holds the bound, so this is a fault of the encoder.
		if pooled {
			eddy.Put(buf)
		}
		return dst, fail(-1, compress.ErrTooLarge)
	}
	return sink.Joined(dst, buf[:n], pooled), nil
}

// CompressBound returns the room with which AppendCompress of n bytes never
// allocates.
func (Codec) CompressBound(n int) int { return lz4.CompressBlockBound(n) }

// Decompress decompresses src into dst, which has the size of the data.
func (Codec) Decompress(dst, src []byte) (int, error) {
	n := 0
	if len(src) > 0 {
		var err error
		if n, err = lz4.UncompressBlock(src, dst[:len(dst):len(dst)]); err == nil && n == len(dst) {
			return n, nil
		}
	}
	// The decoder does not say what was wrong; the sequences do.
	size, off, err := measure(src, math.MaxInt)
	switch {
	case err == nil && size == len(dst):
		// The decoder refuses some of what the format leaves open, such as a
		// length of match in the last sequence, which has no match.
		decodeMeasured(dst, src)
		return size, nil
	case err == nil, err == compress.ErrLimit:
		err = compress.ErrSize
	}
	return n, fail(off, err)
}

// AppendDecompress appends src decompressed, at most limit bytes, to dst. It
// reads through the sequences first, to learn the size.
func (c Codec) AppendDecompress(dst, src []byte, limit int) ([]byte, error) {
	size, off, err := measure(src, max(limit, 0))
	if err != nil {
		return dst, fail(off, err)
	}
	n := len(dst)
	if cap(dst)-n < size {
		grown := append(dst[:n:n], make([]byte, size)...)
		dst = grown[:n]
	}
	if _, err := c.Decompress(dst[n:n+size], src); err != nil {
		return dst, err
	}
	return dst[:n+size], nil
}

// measure walks the sequences of a block and returns the size of the data,
// or where it is wrong and why.
func measure(src []byte, limit int) (size, off int, err error) {
	for i := 0; ; {
		if i >= len(src) {
			return size, i, io.ErrUnexpectedEOF
		}
		token := src[i]
		i++
		n, j, err := length(src, i, token>>4, len(src)-i)
		if i = j; err != nil || n > len(src)-i {
			return size, i, io.ErrUnexpectedEOF // more literals than there are bytes
		}
		if n > limit-size {
			return size, i, compress.ErrLimit
		}
		i += n
		size += n
		if i == len(src) { // the last sequence has no match
			return size, i, nil
		}
		if len(src)-i < 2 {
			return size, i, io.ErrUnexpectedEOF
		}
		offset := int(src[i]) | int(src[i+1])<<8
		if offset == 0 || offset > size {
			return size, i, compress.ErrCorrupt
		}
		i += 2
		if n, i, err = length(src, i, token&15, limit-size-minMatch); err != nil {
			return size, i, err
		}
		size += minMatch + n
	}
}

// decodeMeasured decodes a block that measure found right and of the size of
// dst.
func decodeMeasured(dst, src []byte) {
	for i, d := 0, 0; ; {
		token := src[i]
		n, j, _ := length(src, i+1, token>>4, math.MaxInt)
		d += copy(dst[d:], src[j:j+n])
		if i = j + n; i == len(src) {
			return
		}
		offset := int(src[i]) | int(src[i+1])<<8
		n, i, _ = length(src, i+2, token&15, math.MaxInt)
		for n += minMatch; n > 0; {
			k := copy(dst[d:d+n], dst[d-offset:d])
			d += k
			n -= k
			offset += k
		}
	}
}

// length reads the bytes that go on a field of 15. A sum over most is
// compress.ErrLimit: it is given up before it can overflow an int, for which
// 8.4 MB are enough where that has 32 bits.
func length(src []byte, i int, field byte, most int) (n, next int, err error) {
	n = int(field)
	if n > most {
		return n, i, compress.ErrLimit
	}
	if n < 15 {
		return n, i, nil
	}
	for ; i < len(src); i++ {
		b := int(src[i])
		if b > most-n {
			return n, i, compress.ErrLimit
		}
		n += b
		if b != 255 {
			return n, i + 1, nil
		}
	}
	return n, i, io.ErrUnexpectedEOF
}

func fail(off int, err error) error {
	return &compress.Error{Format: format, Offset: int64(off), Err: err}
}
