package rootio

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/eddy-go/eddy"
	"github.com/eddy-go/eddy/compress"
)

// smallest is the size below which ROOT compresses nothing.
const smallest = headerSize + 2

// Compress makes the payload of a record from an object, src, in dst, which
// must have room for all of src and must not overlap it, and returns its
// length. As ROOT does it, each block takes MaxBlock bytes of src, but for the
// last, and if one of them does not shrink all of src is stored: then, and
// only then, is n equal to len(src). (That ROOT also stores objects of at most
// 256 bytes that are not baskets is for the caller to do.)
//
// It allocates nothing; beside the encoders' memory it takes a pooled buffer
// of the size of a block.
func Compress(dst, src []byte, s Settings) (n int, err error) {
	if err := s.Validate(); err != nil {
		return 0, err
	}
	if len(dst) < len(src) {
		return 0, &compress.Error{Format: format, Offset: -1, Err: fmt.Errorf("%w for %d bytes: %d", io.ErrShortBuffer, len(src), len(dst))}
	}
	if int64(len(src)) > math.MaxInt32 {
		return 0, &compress.Error{Format: format, Offset: -1, Err: compress.ErrTooLarge}
	}
	if s.Level() == 0 || len(src) < smallest {
		return copy(dst, src), nil
	}
	if n, err = compressBlocks(dst, src, s); n >= len(src) && err == nil {
		n = copy(dst, src)
	}
	return n, err
}

// compressBlocks returns len(src) if it is to be stored.
func compressBlocks(dst, src []byte, s Settings) (n int, err error) {
	codec := s.codec()
	var scratch []byte
	defer func() { eddy.Put(scratch) }()
	a := s.Algorithm()
	head := headerSize
	if a == LZ4 {
		head += hashSize
	}
	for rest := src; len(rest) > 0; {
		data := rest[:min(len(rest), MaxBlock)]
		rest = rest[len(data):]
		bound := codec.CompressBound(len(data))
		room := dst[n:len(dst):len(dst)]
		var z []byte
		if head+bound <= len(room) {
			z, err = codec.AppendCompress(room[:head], data)
		} else {
			if scratch == nil { // no later block is larger
				scratch = eddy.Get(head + bound)
			}
			z, err = codec.AppendCompress(scratch[:head], data)
		}
		if err != nil {
			return 0, err
		}
		if len(z) > len(data) || len(z) > len(room) {
			return len(src), nil
		}
		putHeader(z, a, len(data))
		n += copy(room, z) // onto itself, if it is there already
	}
	return n, nil
}

// putHeader writes the header of block z, whose data of the given size is
// behind it.
func putHeader(z []byte, a Algorithm, size int) {
	copy(z, magics[a])
	z[2] = methods[a]
	putUint24(z[3:], len(z)-headerSize)
	putUint24(z[6:], size)
	if a == LZ4 {
		binary.BigEndian.PutUint64(z[headerSize:], xxhash64(z[headerSize+hashSize:]))
	}
}

// hashMatches tells whether the data of an L4 block has the hash before it.
func hashMatches(data []byte) bool {
	return binary.BigEndian.Uint64(data) == xxhash64(data[hashSize:])
}

func putUint24(p []byte, v int) {
	p[0], p[1], p[2] = byte(v), byte(v>>8), byte(v>>16)
}
