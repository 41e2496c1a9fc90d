package xz

import (
	"encoding/binary"
	"hash/crc32"
	"hash/crc64"

	"github.com/eddy-go/eddy/compress/xz/internal/lzma"
)

// maxBlockSize keeps positions in a block within the encoder's 31 bits; more
// data makes more blocks.
const maxBlockSize = 1 << 30

// appendStream appends one stream of src.
func appendStream(dst, src []byte, e *lzma.Encoder, set lzma.Settings) []byte {
	dst = append(dst, magic...)
	dst = append(dst, 0, checkCRC64)
	dst = appendCRC(dst, len(dst)-2)

	var index [16]struct{ unpadded, size uint64 }
	blocks := index[:0]
	for len(src) > 0 {
		p := src[:min(len(src), maxBlockSize)]
		src = src[len(p):]
		start := len(dst)
		// size 12: itself, no flags, one filter of one byte, padding, CRC
		dst = append(dst, 12/4-1, 0, filterLZMA2, 1, dictByte(min(len(p), set.Dict)), 0, 0, 0)
		dst = appendCRC(dst, start)
		dst = e.Append(dst, p, set)
		unpadded := len(dst) - start + checkSize(checkCRC64)
		for (len(dst)-start)%4 != 0 {
			dst = append(dst, 0)
		}
		dst = binary.LittleEndian.AppendUint64(dst, crc64.Checksum(p, crc64Table))
		blocks = append(blocks, struct{ unpadded, size uint64 }{uint64(unpadded), uint64(len(p))})
	}

	start := len(dst)
	dst = append(dst, 0)
	dst = binary.AppendUvarint(dst, uint64(len(blocks)))
	for _, b := range blocks {
		dst = binary.AppendUvarint(dst, b.unpadded)
		dst = binary.AppendUvarint(dst, b.size)
	}
	for (len(dst)-start)%4 != 0 {
		dst = append(dst, 0)
	}
	dst = appendCRC(dst, start)

	// The CRC stands before what it covers.
	at := len(dst)
	backward := uint32(at-start)/4 - 1
	dst = append(dst, 0, 0, 0, 0)
	dst = binary.LittleEndian.AppendUint32(dst, backward)
	dst = append(dst, 0, checkCRC64)
	binary.LittleEndian.PutUint32(dst[at:], crc32.ChecksumIEEE(dst[at+4:]))
	return append(dst, footerMagic...)
}

func appendCRC(dst []byte, from int) []byte {
	return binary.LittleEndian.AppendUint32(dst, crc32.ChecksumIEEE(dst[from:]))
}
