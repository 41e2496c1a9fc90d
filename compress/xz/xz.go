// Package xz compresses and decompresses .xz data (the .xz file format 1.2)
// with coders of its own, LZMA2 beneath. It writes one stream with a CRC-64
// and a dictionary no larger than the block; it reads any number of streams
// and blocks, the delta and x86 filters, and verifies every check: CRC-32,
// CRC-64, SHA-256, and those of headers and index.
package xz

import (
	"github.com/eddy-go/eddy"
	"github.com/eddy-go/eddy/compress"
	"github.com/eddy-go/eddy/compress/internal/sink"
	"github.com/eddy-go/eddy/compress/xz/internal/lzma"
)

// Default is the level of the zero Codec: 6.
const Default = 0

const (
	format   = "xz"
	maxLevel = 9
	usual    = 6
)

// A Codec compresses at its Level, 1 (fastest) to 9 (smallest). It implements
// [compress.Codec], whose comments say what the methods promise.
//
// Compression takes 0.7 MB of pooled memory, and four bytes for each byte of
// the block, up to the dictionary's size: 1 MiB at level 1, 16 MiB at level 9.
// Decompression takes 28 KB, whatever dictionary the data was made with.
type Codec struct{ Level int }

var _ compress.Codec = Codec{}

var settings = [maxLevel + 1]lzma.Settings{
	1: {Depth: 2, Nice: 32, Dict: 1 << 20},
	2: {Depth: 4, Nice: 48, Dict: 2 << 20},
	3: {Depth: 4, Nice: 64, Dict: 4 << 20, Lazy: true},
	4: {Depth: 8, Nice: 64, Dict: 4 << 20, Lazy: true},
	5: {Depth: 12, Nice: 96, Dict: 8 << 20, Lazy: true},
	6: {Depth: 16, Nice: 128, Dict: 8 << 20, Lazy: true},
	7: {Depth: 48, Nice: 192, Dict: 8 << 20, Lazy: true},
	8: {Depth: 128, Nice: 273, Dict: 16 << 20, Lazy: true},
	9: {Depth: 512, Nice: 273, Dict: 16 << 20, Lazy: true},
}

// An encoder that holds more than this for its last block is not kept.
const maxKept = 64 << 20

var encoders = eddy.Pool[lzma.Encoder]{
	Name: "compress/xz encoders",
	Reset: func(e *lzma.Encoder) bool {
		e.Release()
		return e.ChainSize() <= maxKept
	},
}

var decoders = eddy.Pool[lzma.Decoder]{
	Name:  "compress/xz decoders",
	Reset: func(d *lzma.Decoder) bool { d.Release(); return true },
}

// bound returns a size that no stream of n bytes exceeds, also while a chunk
// is tried that is stored in the end.
func bound(n int) int { return n + n>>13 + min(n, 1<<16)>>4 + 512 }

// AppendCompress appends src compressed to dst.
func (c Codec) AppendCompress(dst, src []byte) ([]byte, error) {
	level := c.Level
	if level == Default {
		level = usual
	}
	if level < 1 || level > maxLevel {
		return dst, fail(-1, compress.ErrLevel)
	}
	buf, pooled := sink.Room(dst, bound(len(src)))
	e := encoders.Get()
	buf = appendStream(buf, src, e, settings[level])
	encoders.Put(e)
	return sink.Joined(dst, buf, pooled), nil
}

// CompressBound returns the room with which AppendCompress of n bytes never
// allocates.
func (Codec) CompressBound(n int) int { return bound(n) }

// Decompress decompresses src into dst, which has the size of the data: of
// all streams together.
func (Codec) Decompress(dst, src []byte) (int, error) {
	s := sink.ForSize(dst)
	off, err := decode(&s, src)
	if err == nil && s.N < len(dst) {
		err = compress.ErrSize
	}
	if err != nil {
		return s.N, fail(off, err)
	}
	return s.N, nil
}

// AppendDecompress appends src decompressed, at most limit bytes, to dst.
func (Codec) AppendDecompress(dst, src []byte, limit int) ([]byte, error) {
	s := sink.ForAppend(dst, limit)
	off, err := decode(&s, src)
	if err != nil {
		return s.Discard(), fail(off, err)
	}
	return s.Finish(), nil
}

func decode(s *sink.Sink, src []byte) (int, error) {
	d := decoders.Get()
	defer decoders.Put(d)
	off, err := 0, error(nil)
	for streams := 0; ; streams++ {
		if off, err = stream(s, src, off, d); err != nil {
			if streams > 0 && err == errMagic {
				err = compress.ErrTrailing // no stream is what follows the last one
			}
			return off, err
		}
		// Streams may have padding behind them, in fours.
		pad := off
		for pad < len(src) && src[pad] == 0 {
			pad++
		}
		if pad == len(src) || pad > off {
			if (pad-off)%4 != 0 {
				return off, compress.ErrCorrupt
			}
			if off = pad; off == len(src) {
				return off, nil
			}
		}
	}
}

func fail(off int, err error) error {
	return &compress.Error{Format: format, Offset: int64(off), Err: err}
}
