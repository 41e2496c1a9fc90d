// Package zstd compresses and decompresses Zstandard data (RFC 8878). It
// writes one frame with its size and a checksum; it reads any number of
// frames, skippable ones among them, and verifies the checksums they have.
package zstd

import (
	"errors"
	"math"
	"strings"

	"github.com/eddy-go/eddy"
	"github.com/eddy-go/eddy/compress"
	"github.com/eddy-go/eddy/compress/internal/sink"
	"github.com/klauspost/compress/zstd"
)

// Default is the level of the zero Codec: 3.
const Default = 0

const (
	format   = "zstd"
	maxLevel = 22
	usual    = 3
)

// A Codec compresses at its Level, 1 to 22 as the zstd tool counts them, of
// which there are four steps: 1 and 2, 3 to 5, 6 to 9, and 10 and up. It
// implements [compress.Codec], whose comments say what the methods promise.
type Codec struct{ Level int }

var _ compress.Codec = Codec{}

type encoder struct{ z *zstd.Encoder }

// by klauspost's levels, which count from one
var encoders = func() (p [zstd.SpeedBestCompression + 1]*eddy.Pool[encoder]) {
	for i := range p {
		p[i] = &eddy.Pool[encoder]{
			Name: "compress/zstd encoders",
			New:  func() *encoder { return &encoder{newEncoder(zstd.EncoderLevel(i))} },
		}
	}
	return p
}()

func newEncoder(level zstd.EncoderLevel, more ...zstd.EOption) *zstd.Encoder {
	// The options are constant, and they are the only ground for an error.
	// With one worker the encoder has no goroutine.
	z, _ := zstd.NewWriter(nil, append(more,
		zstd.WithEncoderLevel(level),
		zstd.WithEncoderConcurrency(1),
		zstd.WithZeroFrames(true), // no bytes are a frame too
		// Without it the fast levels store what has skewed bytes but no matches.
		zstd.WithAllLitEntropyCompression(true),
	)...)
	return z
}

type decoder struct{ z *zstd.Decoder }

var decoders = eddy.Pool[decoder]{
	Name: "compress/zstd decoders",
	New: func() *decoder {
		z, _ := zstd.NewReader(nil,
			zstd.WithDecoderConcurrency(1),
			zstd.WithDecodeAllCapLimit(true), // never more than the slice it is given
			// The output is the window, so a large one needs no memory.
			zstd.WithDecoderMaxWindow(min(1<<41, math.MaxInt)),
		)
		return &decoder{z}
	},
}

// bound returns a size that no frame of n bytes exceeds: three bytes a block
// of at most 128 KiB, header and checksum.
func bound(n int) int { return n + 3*(n>>16) + 64 }

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
	pool := encoders[zstd.EncoderLevelFromZstd(level)]
	e := pool.Get()
	buf = e.z.EncodeAll(src, buf)
	pool.Put(e)
	return sink.Joined(dst, buf, pooled), nil
}

// CompressBound returns the room with which AppendCompress of n bytes never
// allocates.
func (Codec) CompressBound(n int) int { return bound(n) }

// Decompress decompresses src into dst, which has the size of the data: of
// all frames together.
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
	off := 0
	for {
		f, err := parseFrame(src[off:])
		if err != nil {
			if off > 0 && err == errMagic {
				err = compress.ErrTrailing // no frame is what follows the last one
			}
			return off + f.end, err
		}
		if !f.skippable {
			if err := d.frame(s, f, src[off:off+f.end]); err != nil {
				return off, err
			}
		}
		if off += f.end; off == len(src) {
			return off, nil
		}
	}
}

// Where a slice has so much room behind the data, the decoder copies whole
// words and need not mind the end: that is worth 20 % on blocks of 32 KiB, and
// a copy of the result costs 3.
const (
	slack    = 64
	maxSlack = 128 << 10 // larger frames have their last block alone at the end
)

// frame decodes one frame, which was found whole, into s.
func (d *decoder) frame(s *sink.Sink, f frame, src []byte) error {
	full := compress.ErrSize
	if s.Grows() {
		full = compress.ErrLimit
	}
	if f.sized && f.content > uint64(s.Left()) {
		return full
	}
	// Room for what the frame can hold, but no more than so many times the
	// input at first: what it can hold is a guess where it states no size.
	want := int(min(f.most, int64(s.Left()), 64*int64(len(src))+1024))
	if want > len(s.Buf)-s.N {
		s.Grow(want)
	}
	for {
		room := s.Buf[s.N:]
		var out []byte
		var err error
		if n := int64(len(room)); f.most <= n && n < f.most+slack && f.most <= maxSlack {
			work := eddy.Get(int(f.most) + slack)
			if out, err = d.z.DecodeAll(src, work[:0]); err == nil && len(out) <= len(room) {
				out = room[:copy(room, out)]
			}
			eddy.Put(work)
		} else {
			out, err = d.z.DecodeAll(src, room[:0:len(room)])
		}
		switch {
		case err == nil:
			if len(out) > len(room) {
				return full // out may be the pool's, and is not looked at
			}
			if len(out) > 0 && &out[0] != &room[0] {
				copy(room, out)
			}
			s.N += len(out)
			return nil
		case errors.Is(err, zstd.ErrCRCMismatch):
			return compress.ErrChecksum
		case errors.Is(err, zstd.ErrWindowSizeExceeded) && f.window > math.MaxInt:
			return compress.ErrUnsupported
		case !outOfRoom(err), int64(len(room)) >= f.most:
			return compress.ErrCorrupt
		}
		if !s.Grow(2 * len(room)) {
			return full
		}
	}
}

// outOfRoom reports whether err may be for want of room in the slice. The
// decoder does not tell a block that is larger than the slice from one that is
// larger than blocks may be, and has no value for the error.
func outOfRoom(err error) bool {
	return errors.Is(err, zstd.ErrDecoderSizeExceeded) || strings.HasPrefix(err.Error(), "output bigger than max block size")
}

func fail(off int, err error) error {
	return &compress.Error{Format: format, Offset: int64(off), Err: err}
}
