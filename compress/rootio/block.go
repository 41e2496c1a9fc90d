package rootio

import (
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/eddy-go/eddy/compress"
)

const format = "root"

// MaxBlock is the largest size of a block, compressed or not: what three bytes
// can say.
const MaxBlock = 1<<24 - 1

const (
	headerSize = 9 // two letters, a method or version, sizes of three bytes
	hashSize   = 8 // before the data of an L4 block, and part of its size
)

// What follows the two letters: zlib's and CS's method, the format of xz, and
// the major versions of the lz4 and zstd libraries.
var methods = [ZSTD + 1]byte{ZLIB: 8, LZMA: 0, CS: 8, LZ4: 1, ZSTD: 1}

var magics = [ZSTD + 1]string{ZLIB: "ZL", LZMA: "XZ", CS: "CS", LZ4: "L4", ZSTD: "ZS"}

// A Block is one of those that a compressed payload consists of.
type Block struct {
	Algorithm Algorithm
	Offset    int // of its header in the payload
	Len       int // in the payload, with the header
	Size      int // of the data
}

// Blocks gives the blocks of the compressed payload of a record: what their
// headers say, without a look at the data. It gives none if the payload, of an
// object of objLen bytes, is stored. An error ends the sequence, also one at
// the end, where the sizes do not add up to objLen.
func Blocks(payload []byte, objLen int) iter.Seq2[Block, error] {
	return func(yield func(Block, error) bool) {
		if len(payload) == objLen {
			return
		}
		for off, n := 0, 0; ; {
			b, err := parseBlock(payload[off:], off, objLen-n)
			if err == nil && b.Len > len(payload)-off {
				err = blockError(off, io.ErrUnexpectedEOF)
			}
			if err != nil || !yield(b, nil) {
				if err != nil {
					yield(Block{}, err)
				}
				return
			}
			off += b.Len
			n += b.Size
			if off == len(payload) {
				if n < objLen {
					yield(Block{}, blockError(off, io.ErrUnexpectedEOF))
				}
				return
			}
			if n == objLen {
				yield(Block{}, blockError(off, compress.ErrTrailing))
				return
			}
		}
	}
}

// parseBlock reads the header that p begins with, which is at offset off of
// the payload, of a block that holds at most left bytes of the object. The
// block need not be there as a whole.
func parseBlock(p []byte, off, left int) (Block, error) {
	b := Block{Offset: off}
	if len(p) < headerSize {
		return b, blockError(off, io.ErrUnexpectedEOF)
	}
	for a := ZLIB; a <= ZSTD; a++ {
		if p[0] == magics[a][0] && p[1] == magics[a][1] {
			b.Algorithm = a
		}
	}
	switch a := b.Algorithm; {
	case a == Stored:
		return b, blockError(off, fmt.Errorf("%w: no block begins with %q", compress.ErrCorrupt, p[:2]))
	case a == CS:
		return b, blockError(off, errCS)
	case p[2] != methods[a]:
		return b, blockError(off, fmt.Errorf("%w: %s of version %d", compress.ErrUnsupported, magics[a], p[2]))
	}
	size := int(p[3]) | int(p[4])<<8 | int(p[5])<<16
	b.Len = headerSize + size
	b.Size = int(p[6]) | int(p[7])<<8 | int(p[8])<<16
	switch {
	case b.Size == 0, b.Algorithm == LZ4 && size <= hashSize:
		return b, blockError(off, fmt.Errorf("%w: a block of %d bytes for %d", compress.ErrCorrupt, size, b.Size))
	case b.Size > left, int64(b.Size) > int64(size)*expansion[b.Algorithm]:
		return b, blockError(off, compress.ErrSize)
	}
	return b, nil
}

// expansion is what the formats can make of a byte: 258 bytes of two bits, 255
// of one byte, and a block of 128 KiB of four bytes. A match of LZMA's takes
// no less than about 1/24 of a byte.
var expansion = [ZSTD + 1]int64{ZLIB: 1032, LZMA: 1 << 13, LZ4: 255, ZSTD: 1 << 15}

// checkBlocks tells whether the blocks of a payload, by their headers, make an
// object of objLen bytes, so that memory may be set aside for it.
func checkBlocks(payload []byte, objLen int) error {
	for _, err := range Blocks(payload, objLen) {
		if err != nil {
			return err
		}
	}
	return nil
}

// Decompress decompresses the payload of a record, src, into dst, whose length
// is that of the object, which the record's key says. If src has the same
// length it is stored, and copied. (ROOT takes one that is longer for stored as
// well; but some writers keep blocks that grew, and those it can only be.) All blocks and all bytes of src are used, or
// the error is compress.ErrSize or compress.ErrTrailing; where the file's
// writer gave a checksum (all but ROOT's zstd) it is verified. It never writes
// behind len(dst), and allocates nothing. It returns how many bytes of dst
// were decoded; with an error they are not to be trusted. Errors are a
// *compress.Error, with the offset in src.
func Decompress(dst, src []byte) (int, error) {
	if len(src) == len(dst) {
		return copy(dst, src), nil
	}
	off, n := 0, 0
	for n < len(dst) {
		b, err := parseBlock(src[off:], off, len(dst)-n)
		if err != nil {
			return n, err
		}
		if b.Len > len(src)-off {
			return n, blockError(off, io.ErrUnexpectedEOF)
		}
		if err := decodeBlock(dst[n:n+b.Size:n+b.Size], src[off:off+b.Len], b); err != nil {
			return n, err
		}
		off += b.Len
		n += b.Size
	}
	if off < len(src) {
		return n, blockError(off, compress.ErrTrailing)
	}
	return n, nil
}

// decodeBlock decodes block b, which is src, into dst of its size.
func decodeBlock(dst, src []byte, b Block) error {
	data := src[headerSize:]
	if b.Algorithm == LZ4 {
		if !hashMatches(data) {
			return blockError(b.Offset, &compress.Error{Format: "lz4", Offset: -1, Err: compress.ErrChecksum})
		}
		data = data[hashSize:]
	}
	if _, err := codecs[b.Algorithm][1].Decompress(dst, data); err != nil {
		return within(b.Offset+len(src)-len(data), err)
	}
	return nil
}

func blockError(off int, err error) error {
	return &compress.Error{Format: format, Offset: int64(off), Err: err}
}

// within makes offsets of an error in a block's data those in the payload.
func within(start int, err error) error {
	var e *compress.Error
	if !errors.As(err, &e) {
		return blockError(start, err)
	}
	return &compress.Error{Format: format + " " + e.Format, Offset: int64(start) + max(e.Offset, 0), Err: e.Err}
}
