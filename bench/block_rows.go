package main

import (
	"bytes"
	stdzlib "compress/zlib"
	"fmt"
	"io"

	"github.com/eddy-go/eddy/compress"
	eddylz4 "github.com/eddy-go/eddy/compress/lz4"
	eddyxz "github.com/eddy-go/eddy/compress/xz"
	eddyzlib "github.com/eddy-go/eddy/compress/zlib"
	eddyzstd "github.com/eddy-go/eddy/compress/zstd"
	kzlib "github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
	"github.com/ulikunitz/xz"
)

// blockRows are the implementations by format. Where the C libraries are
// built in, they add their own.
var blockRows = map[string][]blockRow{
	"zlib": {
		{"eddy", "", func(l int) blockWorker { return &eddyBlocks{codec: eddyzlib.Codec{Level: l}} }},
		{"fresh", "klauspost, new for each block", func(l int) blockWorker { return freshZlib(l) }},
		{"reused", "klauspost", func(l int) blockWorker { return newReusedZlib(l) }},
		{"std", "reused", func(l int) blockWorker { return newStdZlib(l) }},
	},
	"lz4": {
		{"eddy", "", func(l int) blockWorker { return &eddyBlocks{codec: eddylz4.Codec{Level: l}} }},
		{"fresh", "pierrec, new for each block", func(l int) blockWorker { return &lz4Blocks{level: l, fresh: true} }},
		{"reused", "pierrec", func(l int) blockWorker { return &lz4Blocks{level: l} }},
	},
	"zstd": {
		{"eddy", "", func(l int) blockWorker { return &eddyBlocks{codec: eddyzstd.Codec{Level: l}} }},
		{"fresh", "klauspost, new for each block", func(l int) blockWorker { return freshZstd(l) }},
		{"reused", "klauspost", func(l int) blockWorker { return newReusedZstd(l) }},
	},
	"xz": {
		{"eddy", "", func(l int) blockWorker { return &eddyBlocks{codec: eddyxz.Codec{Level: l}} }},
		{"fresh", "ulikunitz, new for each block", func(int) blockWorker { return freshXz{} }},
	},
}

// blockPackers make the blocks that all rows decompress: zlib by the standard
// library, the others by eddy.
var blockPackers = map[string]func(level int) blockWorker{
	"zlib": func(l int) blockWorker { return newStdZlib(l) },
	"lz4":  func(l int) blockWorker { return &eddyBlocks{codec: eddylz4.Codec{Level: l}} },
	"zstd": func(l int) blockWorker { return &eddyBlocks{codec: eddyzstd.Codec{Level: l}} },
	"xz":   func(l int) blockWorker { return &eddyBlocks{codec: eddyxz.Codec{Level: l}} },
}

// blockJudges read what the rows compressed: never eddy.
var blockJudges = map[string]func(level int) blockWorker{
	"zlib": func(l int) blockWorker { return newStdZlib(l) },
	"lz4":  func(l int) blockWorker { return &lz4Blocks{level: l} },
	"zstd": func(l int) blockWorker { return newReusedZstd(l) },
	"xz":   func(int) blockWorker { return freshXz{} },
}

// room returns a slice of n bytes in b's array, or a new one.
func room(b *[]byte, n int) []byte {
	if cap(*b) < n {
		*b = make([]byte, n)
	}
	return (*b)[:n]
}

type eddyBlocks struct {
	codec     compress.Codec
	dst, back []byte
}

func (w *eddyBlocks) compress(src []byte) ([]byte, error) {
	return w.codec.AppendCompress(room(&w.dst, w.codec.CompressBound(len(src)))[:0], src)
}

func (w *eddyBlocks) decompress(src []byte, size int) ([]byte, error) {
	dst := room(&w.back, size)
	_, err := w.codec.Decompress(dst, src)
	return dst, err
}

// full reads a block that must end with dst.
func full(r io.Reader, dst []byte) error {
	if _, err := io.ReadFull(r, dst); err != nil {
		return err
	}
	if n, err := r.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		return fmt.Errorf("more than the size: %w", err)
	}
	return nil
}

type freshZlib int

func (w freshZlib) compress(src []byte) ([]byte, error) {
	var b bytes.Buffer
	z, err := kzlib.NewWriterLevel(&b, int(w))
	if err != nil {
		return nil, err
	}
	z.Write(src)
	err = z.Close()
	return b.Bytes(), err
}

func (freshZlib) decompress(src []byte, size int) ([]byte, error) {
	r, err := kzlib.NewReader(bytes.NewReader(src))
	if err != nil {
		return nil, err
	}
	dst := make([]byte, size)
	return dst, full(r, dst)
}

// one byte more than a block holds shows that it has ended
type tail [1]byte

type reusedZlib struct {
	w   *kzlib.Writer
	out bytes.Buffer
	r   io.ReadCloser
	src bytes.Reader
	dst []byte
	end tail
}

func newReusedZlib(level int) *reusedZlib {
	w, _ := kzlib.NewWriterLevel(nil, level)
	return &reusedZlib{w: w}
}

func (w *reusedZlib) compress(src []byte) ([]byte, error) {
	w.out.Reset()
	w.w.Reset(&w.out)
	w.w.Write(src)
	err := w.w.Close()
	return w.out.Bytes(), err
}

func (w *reusedZlib) decompress(src []byte, size int) (dst []byte, err error) {
	dst = room(&w.dst, size)
	w.src.Reset(src)
	if w.r == nil {
		w.r, err = kzlib.NewReader(&w.src)
	} else {
		err = w.r.(kzlib.Resetter).Reset(&w.src, nil)
	}
	if err == nil {
		err = fullInto(w.r, dst, w.end[:])
	}
	return dst, err
}

func fullInto(r io.Reader, dst, end []byte) error {
	if _, err := io.ReadFull(r, dst); err != nil {
		return err
	}
	if n, err := r.Read(end); n != 0 || err != io.EOF {
		return fmt.Errorf("more than the size: %v", err)
	}
	return nil
}

type stdZlib struct {
	w   *stdzlib.Writer
	out bytes.Buffer
	r   io.ReadCloser
	src bytes.Reader
	dst []byte
	end tail
}

func newStdZlib(level int) *stdZlib {
	w, _ := stdzlib.NewWriterLevel(nil, level)
	return &stdZlib{w: w}
}

func (w *stdZlib) compress(src []byte) ([]byte, error) {
	w.out.Reset()
	w.w.Reset(&w.out)
	w.w.Write(src)
	err := w.w.Close()
	return w.out.Bytes(), err
}

func (w *stdZlib) decompress(src []byte, size int) (dst []byte, err error) {
	dst = room(&w.dst, size)
	w.src.Reset(src)
	if w.r == nil {
		w.r, err = stdzlib.NewReader(&w.src)
	} else {
		err = w.r.(stdzlib.Resetter).Reset(&w.src, nil)
	}
	if err == nil {
		err = fullInto(w.r, dst, w.end[:])
	}
	return dst, err
}

type lz4Blocks struct {
	level     int
	fresh     bool
	fast      lz4.Compressor
	high      *lz4.CompressorHC
	dst, back []byte
}

func (w *lz4Blocks) compress(src []byte) ([]byte, error) {
	bound := lz4.CompressBlockBound(len(src))
	dst := room(&w.dst, bound)
	if w.fresh {
		dst = make([]byte, bound)
	}
	var n int
	var err error
	switch {
	case w.level <= 1 && w.fresh:
		n, err = new(lz4.Compressor).CompressBlock(src, dst)
	case w.level <= 1:
		n, err = w.fast.CompressBlock(src, dst)
	default:
		if w.high == nil || w.fresh {
			w.high = &lz4.CompressorHC{Level: lz4.Level9}
		}
		n, err = w.high.CompressBlock(src, dst)
	}
	return dst[:n], err
}

func (w *lz4Blocks) decompress(src []byte, size int) ([]byte, error) {
	dst := room(&w.back, size)
	if w.fresh {
		dst = make([]byte, size)
	}
	n, err := lz4.UncompressBlock(src, dst)
	return dst[:n], err
}

// freshZstd is a new writer or reader with klauspost's defaults.
type freshZstd int

func (w freshZstd) compress(src []byte) ([]byte, error) {
	var b bytes.Buffer
	z, err := zstd.NewWriter(&b, zstd.WithEncoderLevel(zstd.EncoderLevelFromZstd(int(w))))
	if err != nil {
		return nil, err
	}
	z.Write(src)
	err = z.Close()
	return b.Bytes(), err
}

func (freshZstd) decompress(src []byte, size int) ([]byte, error) {
	z, err := zstd.NewReader(bytes.NewReader(src))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	dst := make([]byte, size)
	return dst, full(z, dst)
}

type reusedZstd struct {
	w         *zstd.Encoder
	r         *zstd.Decoder
	dst, back []byte
}

func newReusedZstd(level int) *reusedZstd {
	w, _ := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.EncoderLevelFromZstd(level)), zstd.WithEncoderConcurrency(1))
	r, _ := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	return &reusedZstd{w: w, r: r}
}

func (w *reusedZstd) compress(src []byte) ([]byte, error) {
	w.dst = w.w.EncodeAll(src, w.dst[:0])
	return w.dst, nil
}

func (w *reusedZstd) decompress(src []byte, size int) ([]byte, error) {
	return w.r.DecodeAll(src, room(&w.back, size)[:0])
}

type freshXz struct{}

func (freshXz) compress(src []byte) ([]byte, error) {
	var b bytes.Buffer
	z, err := xz.NewWriter(&b)
	if err != nil {
		return nil, err
	}
	z.Write(src)
	err = z.Close()
	return b.Bytes(), err
}

func (freshXz) decompress(src []byte, size int) ([]byte, error) {
	r, err := xz.NewReader(bytes.NewReader(src))
	if err != nil {
		return nil, err
	}
	dst := make([]byte, size)
	return dst, full(r, dst)
}
