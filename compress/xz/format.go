package xz

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"hash/crc64"
	"io"
	"math"

	"github.com/eddy-go/eddy/compress"
)

const (
	magic       = "\xfd7zXZ\x00"
	footerMagic = "YZ"
	headSize    = 12 // of a stream's header and footer alike

	checkNone, checkCRC32, checkCRC64, checkSHA256 = 0, 1, 4, 10

	filterDelta, filterX86, filterLZMA2 = 0x03, 0x04, 0x21

	maxFilters = 4
)

// errMagic: what begins here is no stream.
var errMagic = fmt.Errorf("%w: no stream", compress.ErrCorrupt)

var crc64Table = crc64.MakeTable(crc64.ECMA)

// checkSize gives the size of each kind of check, the unassigned included.
func checkSize(kind byte) int {
	if kind == checkNone {
		return 0
	}
	return 4 << ((kind - 1) / 3)
}

// verify compares the stored check with that of p.
func verify(kind byte, p, stored []byte) error {
	switch kind {
	case checkNone:
	case checkCRC32:
		if binary.LittleEndian.Uint32(stored) != crc32.ChecksumIEEE(p) {
			return compress.ErrChecksum
		}
	case checkCRC64:
		if binary.LittleEndian.Uint64(stored) != crc64.Checksum(p, crc64Table) {
			return compress.ErrChecksum
		}
	case checkSHA256:
		if sum := sha256.Sum256(p); !bytes.Equal(sum[:], stored) {
			return compress.ErrChecksum
		}
	}
	return nil
}

// uvarint reads a number of at most 63 bits, seven bits a byte, which may not
// end in a byte that adds nothing.
func uvarint(p []byte, i int) (v uint64, next int, err error) {
	for shift := uint(0); shift < 63; shift += 7 {
		if i >= len(p) {
			return 0, i, io.ErrUnexpectedEOF
		}
		b := p[i]
		i++
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			if b == 0 && shift > 0 {
				return 0, i, compress.ErrCorrupt
			}
			return v, i, nil
		}
	}
	return 0, i, compress.ErrCorrupt
}

// records sums up a list of blocks, so that the index can be held against it
// without keeping it. Data are not at stake: blocks have checks of their own.
type records struct {
	n, unpadded, size, mix uint64
}

func (r *records) add(unpadded, size uint64) {
	const odd = 0x9e3779b97f4a7c15
	r.n++
	r.unpadded += unpadded
	r.size += size
	r.mix = ((r.mix^unpadded)*odd ^ size) * odd
	r.mix ^= r.mix >> 29
}

// index reads the index at src[off:] and returns the position behind it.
func index(src []byte, off int, want records) (int, error) {
	n, i, err := uvarint(src, off+1)
	if err != nil {
		return i, err
	}
	if n != want.n {
		return i, compress.ErrCorrupt
	}
	var got records
	for range n {
		var unpadded, size uint64
		if unpadded, i, err = uvarint(src, i); err != nil {
			return i, err
		}
		if size, i, err = uvarint(src, i); err != nil {
			return i, err
		}
		got.add(unpadded, size)
	}
	if got != want {
		return i, compress.ErrCorrupt
	}
	if i, err = padding(src, i, i-off); err != nil {
		return i, err
	}
	return crcField(src, off, i)
}

// padding skips the zeroes that bring n up to a multiple of four.
func padding(src []byte, i, n int) (int, error) {
	for ; n%4 != 0; n++ {
		if i >= len(src) {
			return i, io.ErrUnexpectedEOF
		}
		if src[i] != 0 {
			return i, compress.ErrCorrupt
		}
		i++
	}
	return i, nil
}

// crcField checks that the CRC-32 of src[from:i] is at i.
func crcField(src []byte, from, i int) (int, error) {
	if len(src)-i < 4 {
		return i, io.ErrUnexpectedEOF
	}
	if binary.LittleEndian.Uint32(src[i:]) != crc32.ChecksumIEEE(src[from:i]) {
		return i, compress.ErrChecksum
	}
	return i + 4, nil
}

// dictSize decodes LZMA2's one byte of properties.
func dictSize(b byte) (uint32, bool) {
	switch {
	case b > 40:
		return 0, false
	case b == 40:
		return math.MaxUint32, true
	}
	return (2 | uint32(b)&1) << (b/2 + 11), true
}

// dictByte returns the properties of the smallest dictionary of n bytes.
func dictByte(n int) byte {
	for b := byte(0); b < 40; b++ {
		if size, _ := dictSize(b); uint64(size) >= uint64(n) {
			return b
		}
	}
	return 40
}
