package gzip

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"

	"github.com/eddy-go/eddy/compress"
)

const (
	headerSize  = 10
	trailerSize = 8

	magic1, magic2 = 0x1f, 0x8b
	methodDeflate  = 8

	flagHeaderCRC = 1 << 1
	flagExtra     = 1 << 2
	flagName      = 1 << 3
	flagComment   = 1 << 4
	flagReserved  = 7 << 5

	osUnknown = 255
)

func appendHeader(b []byte, level int) []byte {
	var extra byte // XFL: what the compressor went for
	switch level {
	case 9:
		extra = 2
	case 1:
		extra = 4
	}
	return append(b, magic1, magic2, methodDeflate, 0, 0, 0, 0, 0, extra, osUnknown)
}

// header checks the member header that p begins with and returns its size.
// io.ErrUnexpectedEOF says that p ends within it.
func header(p []byte) (int, error) {
	fixed := [...]byte{magic1, magic2, methodDeflate}
	for i := range min(len(p), len(fixed)) {
		if p[i] != fixed[i] {
			return 0, compress.ErrCorrupt
		}
	}
	if len(p) < headerSize {
		return 0, io.ErrUnexpectedEOF
	}
	flags := p[3]
	if flags&flagReserved != 0 {
		return 0, compress.ErrCorrupt
	}
	n := headerSize
	if flags&flagExtra != 0 {
		if len(p)-n < 2 {
			return 0, io.ErrUnexpectedEOF
		}
		n += 2 + int(binary.LittleEndian.Uint16(p[n:]))
		if n > len(p) {
			return 0, io.ErrUnexpectedEOF
		}
	}
	for _, f := range [...]byte{flagName, flagComment} {
		if flags&f != 0 {
			end := bytes.IndexByte(p[n:], 0)
			if end < 0 {
				return 0, io.ErrUnexpectedEOF
			}
			n += end + 1
		}
	}
	if flags&flagHeaderCRC != 0 {
		if len(p)-n < 2 {
			return 0, io.ErrUnexpectedEOF
		}
		if binary.LittleEndian.Uint16(p[n:]) != uint16(crc32.ChecksumIEEE(p[:n])) {
			return 0, compress.ErrChecksum
		}
		n += 2
	}
	return n, nil
}

// trailer checks what p must begin with after a member's data.
func trailer(p []byte, crc, size uint32) error {
	switch {
	case len(p) < trailerSize:
		return io.ErrUnexpectedEOF
	case binary.LittleEndian.Uint32(p) != crc:
		return compress.ErrChecksum
	case binary.LittleEndian.Uint32(p[4:]) != size:
		return compress.ErrSize
	}
	return nil
}
