package xz

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math"

	"github.com/eddy-go/eddy/compress"
	"github.com/eddy-go/eddy/compress/internal/sink"
	"github.com/eddy-go/eddy/compress/xz/internal/lzma"
)

// stream decodes the stream at src[off:] and returns the position behind it.
func stream(s *sink.Sink, src []byte, off int, d *lzma.Decoder) (int, error) {
	head := src[off:]
	for i := range min(len(head), len(magic)) {
		if head[i] != magic[i] {
			return off, errMagic
		}
	}
	if len(head) < headSize {
		return len(src), io.ErrUnexpectedEOF
	}
	flags := head[len(magic) : len(magic)+2]
	if _, err := crcField(src, off+len(magic), off+len(magic)+2); err != nil {
		return off, err
	}
	if flags[0] != 0 || flags[1]&0xf0 != 0 {
		return off, compress.ErrCorrupt // reserved bits
	}
	check := flags[1]
	switch check {
	case checkNone, checkCRC32, checkCRC64, checkSHA256:
	default:
		return off, compress.ErrUnsupported
	}
	off += headSize

	var blocks records
	for {
		if off >= len(src) {
			return off, io.ErrUnexpectedEOF
		}
		if src[off] == 0 {
			break
		}
		var err error
		if off, err = block(s, src, off, check, d, &blocks); err != nil {
			return off, err
		}
	}
	start := off
	off, err := index(src, off, blocks)
	if err != nil {
		return off, err
	}
	foot := src[off:]
	if len(foot) < headSize {
		return len(src), io.ErrUnexpectedEOF
	}
	if binary.LittleEndian.Uint32(foot) != crc32.ChecksumIEEE(foot[4:10]) {
		return off, compress.ErrChecksum
	}
	if backward := (int64(binary.LittleEndian.Uint32(foot[4:])) + 1) * 4; backward != int64(off-start) ||
		foot[8] != flags[0] || foot[9] != flags[1] || string(foot[10:12]) != footerMagic {
		return off, compress.ErrCorrupt
	}
	return off + headSize, nil
}

// filter is one entry of a block's chain.
type filter struct {
	id    uint64
	props uint32 // delta: distance; x86: start offset
}

type blockHeader struct {
	packed, size int64 // -1 when not stated
	filters      [maxFilters - 1]filter
	nfilters     int // without LZMA2, which is the last
	dict         uint32
}

func block(s *sink.Sink, src []byte, off int, check byte, d *lzma.Decoder, blocks *records) (int, error) {
	start := off
	headSize := (int(src[off]) + 1) * 4
	if headSize > len(src)-off {
		return len(src), io.ErrUnexpectedEOF
	}
	if _, err := crcField(src, off, off+headSize-4); err != nil {
		return off, err
	}
	h, err := parseBlock(src[off : off+headSize-4])
	if err != nil {
		return off, err
	}
	off += headSize

	first := s.N
	data := off
	off, err = d.Decode(s, src, off, h.dict)
	switch {
	case errors.Is(err, lzma.ErrFull):
		if s.Grows() {
			return off, compress.ErrLimit
		}
		return off, compress.ErrSize
	case errors.Is(err, lzma.ErrCorrupt):
		return off, compress.ErrCorrupt
	case err != nil:
		return off, err
	}
	size := s.N - first
	if h.packed >= 0 && h.packed != int64(off-data) || h.size >= 0 && h.size != int64(size) {
		return off, compress.ErrSize
	}
	unpadded := off - start + checkSize(check)
	if off, err = padding(src, off, off-start); err != nil {
		return off, err
	}
	if len(src)-off < checkSize(check) {
		return len(src), io.ErrUnexpectedEOF
	}
	out := s.Buf[first:s.N]
	for i := h.nfilters - 1; i >= 0; i-- {
		switch f := h.filters[i]; f.id {
		case filterDelta:
			undelta(out, int(f.props))
		case filterX86:
			unx86(out, f.props)
		}
	}
	if err := verify(check, out, src[off:off+checkSize(check)]); err != nil {
		return off, err
	}
	blocks.add(uint64(unpadded), uint64(size))
	return off + checkSize(check), nil
}

// parseBlock reads a block header, of which the CRC was right.
func parseBlock(p []byte) (h blockHeader, err error) {
	h.packed, h.size = -1, -1
	flags := p[1]
	if flags&0x3c != 0 {
		return h, compress.ErrUnsupported // reserved for later
	}
	i := 2
	for _, f := range [...]struct {
		bit byte
		v   *int64
	}{{0x40, &h.packed}, {0x80, &h.size}} {
		if flags&f.bit != 0 {
			var v uint64
			if v, i, err = uvarint(p, i); err != nil || v > math.MaxInt64 {
				return h, compress.ErrCorrupt
			}
			*f.v = int64(v)
		}
	}
	n := int(flags&3) + 1
	for k := range n {
		var id, size uint64
		if id, i, err = uvarint(p, i); err != nil {
			return h, compress.ErrCorrupt
		}
		if size, i, err = uvarint(p, i); err != nil || size > uint64(len(p)-i) {
			return h, compress.ErrCorrupt
		}
		props := p[i : i+int(size)]
		i += int(size)
		last := k == n-1
		switch {
		case id == filterLZMA2 && last:
			ok := len(props) == 1
			if ok {
				h.dict, ok = dictSize(props[0])
			}
			if !ok {
				return h, compress.ErrCorrupt
			}
		case id == filterDelta && !last:
			if len(props) != 1 {
				return h, compress.ErrCorrupt
			}
			h.filters[k] = filter{id, uint32(props[0]) + 1}
		case id == filterX86 && !last:
			f := filter{id: id}
			switch len(props) {
			case 0:
			case 4:
				f.props = binary.LittleEndian.Uint32(props)
			default:
				return h, compress.ErrCorrupt
			}
			h.filters[k] = f
		default:
			return h, compress.ErrUnsupported
		}
	}
	h.nfilters = n - 1
	for _, b := range p[i:] {
		if b != 0 {
			return h, compress.ErrUnsupported
		}
	}
	return h, nil
}
