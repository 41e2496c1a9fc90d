package gzip

import (
	"hash/crc32"

	"github.com/eddy-go/eddy/compress"
	"github.com/eddy-go/eddy/compress/internal/flate"
)

// headerReader reads a member's header from a stream, of which the name and
// the comment may be of any length, and sums it up.
type headerReader struct {
	r   *flate.Reader
	crc uint32
}

func (h *headerReader) byte() (byte, error) {
	b, err := h.r.Byte()
	if err == nil {
		h.crc = crcTable[byte(h.crc)^b] ^ h.crc>>8
	}
	return b, err
}

// The CRC is taken byte by byte here, and begins and ends inverted.
var crcTable = crc32.MakeTable(crc32.IEEE)

func (h *headerReader) skip(n int) error {
	for range n {
		if _, err := h.byte(); err != nil {
			return err
		}
	}
	return nil
}

// read reads the header that begins with b. It returns io.EOF where the input
// ends within it.
func (h *headerReader) read(b byte) error {
	for i, want := range [...]byte{magic1, magic2, methodDeflate} {
		if i > 0 {
			var err error
			if b, err = h.byte(); err != nil {
				return err
			}
		}
		if b != want {
			return compress.ErrCorrupt
		}
	}
	flags, err := h.byte()
	if err != nil {
		return err
	}
	if flags&flagReserved != 0 {
		return compress.ErrCorrupt
	}
	if err := h.skip(headerSize - 4); err != nil {
		return err
	}
	if flags&flagExtra != 0 {
		lo, err := h.byte()
		if err != nil {
			return err
		}
		hi, err := h.byte()
		if err != nil {
			return err
		}
		if err := h.skip(int(hi)<<8 | int(lo)); err != nil {
			return err
		}
	}
	for _, f := range [...]byte{flagName, flagComment} {
		for b := byte(1); flags&f != 0 && b != 0; {
			if b, err = h.byte(); err != nil {
				return err
			}
		}
	}
	if flags&flagHeaderCRC != 0 {
		want := uint16(^h.crc)
		lo, err := h.r.Byte()
		if err != nil {
			return err
		}
		hi, err := h.r.Byte()
		if err != nil {
			return err
		}
		if uint16(hi)<<8|uint16(lo) != want {
			return compress.ErrChecksum
		}
	}
	return nil
}
