package zstd

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/eddy-go/eddy/compress"
)

// Frame format, RFC 8878 3.1.
const (
	magic         = 0xfd2fb528
	skippable     = 0x184d2a50 // to ...5f
	maxBlock      = 128 << 10
	checksumSize  = 4
	blockHeadSize = 3

	flagChecksum = 1 << 2
	flagReserved = 1 << 3
	flagSingle   = 1 << 5

	blockRaw, blockRLE, blockCompressed = 0, 1, 2
)

// errMagic: what begins here is no frame.
var errMagic = fmt.Errorf("%w: no frame", compress.ErrCorrupt)

type frame struct {
	end       int // behind the frame; with an error, where it is wrong
	skippable bool
	sized     bool   // the header states the size
	content   uint64 // that size
	window    uint64
	most      int64 // the same, or else what the blocks can hold at most
}

// parseFrame walks the frame that p begins with: its header and the headers
// of its blocks. So a decoder sees only frames that are all there, and sizes
// in the header that the blocks cannot hold are refused before any memory is
// set aside for them.
func parseFrame(p []byte) (f frame, err error) {
	var m [4]byte
	copy(m[:], p)
	id := binary.LittleEndian.Uint32(m[:])
	if len(p) < 4 {
		// Bytes that no magic number begins with are garbage; others are cut.
		mask := uint32(1)<<(8*len(p)) - 1
		if id != magic&mask && id&^15 != skippable&mask {
			return f, errMagic
		}
		f.end = len(p)
		return f, io.ErrUnexpectedEOF
	}
	if id&^15 == skippable {
		f.skippable = true
		if len(p) < 8 {
			f.end = len(p)
			return f, io.ErrUnexpectedEOF
		}
		size := int64(binary.LittleEndian.Uint32(p[4:]))
		if size > int64(len(p)-8) {
			f.end = len(p)
			return f, io.ErrUnexpectedEOF
		}
		f.end = 8 + int(size)
		return f, nil
	}
	if id != magic {
		return f, errMagic
	}
	return f, f.header(p)
}

// headSize returns the size of a frame's header, magic number included, by
// the byte that follows that.
func headSize(flags byte) int {
	n := 5 + [4]int{0, 1, 2, 4}[flags&3] + [4]int{0, 2, 4, 8}[flags>>6]
	switch {
	case flags&flagSingle == 0:
		n++
	case flags>>6 == 0:
		n++
	}
	return n
}

// head reads the header of the frame that p begins with, and returns its size.
// With an error f.end is where it is wrong.
func (f *frame) head(p []byte) (int, error) {
	f.end = 4
	if len(p) < 5 {
		f.end = len(p)
		return 0, io.ErrUnexpectedEOF
	}
	flags := p[4]
	if flags&flagReserved != 0 {
		return 0, compress.ErrCorrupt
	}
	size := headSize(flags)
	if len(p) < size {
		f.end = len(p)
		return 0, io.ErrUnexpectedEOF
	}
	n := 5
	if flags&flagSingle == 0 {
		base := uint64(1) << (10 + p[5]>>3)
		f.window = base + base/8*uint64(p[5]&7)
		n++
	}
	for range [4]int{0, 1, 2, 4}[flags&3] {
		if p[n] != 0 {
			f.end = n
			return 0, compress.ErrDictionary
		}
		n++
	}
	if n < size {
		var v [8]byte
		copy(v[:], p[n:size])
		f.sized = true
		f.content = binary.LittleEndian.Uint64(v[:])
		if size-n == 2 {
			f.content += 256
		}
	}
	if flags&flagSingle != 0 {
		f.window = f.content
	}
	return size, nil
}

func (f *frame) header(p []byte) error {
	cut := func() error {
		f.end = len(p)
		return io.ErrUnexpectedEOF
	}
	n, err := f.head(p)
	if err != nil {
		return err
	}
	flags := p[4]
	block := int64(min(f.window, maxBlock))

	for last := false; !last; {
		if len(p)-n < blockHeadSize {
			return cut()
		}
		h := int(p[n]) | int(p[n+1])<<8 | int(p[n+2])<<16
		f.end = n
		n += blockHeadSize
		last = h&1 != 0
		size := h >> 3
		if int64(size) > block {
			return compress.ErrCorrupt
		}
		switch h >> 1 & 3 {
		case blockRaw:
			f.most += int64(size)
		case blockRLE:
			f.most += int64(size)
			size = 1
		case blockCompressed:
			f.most += block
		default:
			return compress.ErrCorrupt
		}
		if size > len(p)-n {
			return cut()
		}
		n += size
	}
	if f.sized && f.content > uint64(f.most) {
		return compress.ErrSize
	}
	if f.sized {
		f.most = int64(f.content)
	}
	if flags&flagChecksum != 0 {
		if len(p)-n < checksumSize {
			return cut()
		}
		n += checksumSize
	}
	f.end = n
	return nil
}
