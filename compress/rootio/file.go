package rootio

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/eddy-go/eddy/compress"
)

// A File is an open ROOT file. It holds no resource and need not be closed;
// the io.ReaderAt is the caller's.
type File struct {
	r    io.ReaderAt
	size int64

	version    int
	begin, end int64
	seekFree   int64
	nbytesFree int
	nbytesName int
	settings   Settings
	seekInfo   int64
	nbytesInfo int
	uuid       [16]byte

	top    directory
	damage error

	gaps      func() map[int64]int64
	recovered func() (map[int64][]Key, error)
	streamers func() *infos
}

// bigFile is what is added to the version of a file, and 1000 to those of keys
// and directories, whose offsets are of 64 bits.
const (
	bigFile = 1000000
	bigKey  = 1000
)

// Sizes of the header, without and with offsets of 64 bits, up to the UUID,
// which the oldest files do not have.
const (
	headSmall = 45
	headBig   = 57
	uuidSize  = 18
)

// Open reads the header of the file that r holds, of size bytes, and that of
// its top directory. It fails if these cannot be read. A file that was never
// closed, or is shorter than its header says, is opened: see File.Damage.
func Open(r io.ReaderAt, size int64) (*File, error) {
	f := &File{r: r, size: size}
	f.gaps = sync.OnceValue(f.readGaps)
	f.recovered = sync.OnceValues(f.recover)
	f.streamers = sync.OnceValue(f.readStreamers)
	if err := f.readHeader(); err != nil {
		return nil, &Error{Err: err}
	}
	top, err := f.readTop()
	if err != nil {
		return nil, err
	}
	f.top = top
	switch {
	case f.end > size:
		f.damage = &Error{Err: fmt.Errorf("%w: %d bytes of %d", io.ErrUnexpectedEOF, size, f.end)}
	case top.seekKeys == 0, f.seekFree <= f.begin, f.nbytesFree <= 0:
		f.damage = &Error{Err: ErrNotClosed}
	}
	return f, nil
}

// Damage returns nil for a file that is whole as far as its header tells. For
// one that was never closed it wraps ErrNotClosed, for one that was cut
// io.ErrUnexpectedEOF. What such a file still has can be read: Records walks
// to its last byte, and where a directory's list of keys is lost, Keys gives
// those that the walk finds, and then the error.
func (f *File) Damage() error { return f.damage }

// Version returns the version of ROOT that wrote the file, such as 62406 for
// 6.24/06, as the file's header has it.
func (f *File) Version() int { return f.version % bigFile }

// Big tells whether the header's offsets are of 64 bits.
func (f *File) Big() bool { return f.version >= bigFile }

// Settings returns how the file's writer compressed, by default.
func (f *File) Settings() Settings { return f.settings }

// Begin returns the offset of the first record.
func (f *File) Begin() int64 { return f.begin }

// End returns the offset behind the last record, as the header has it.
func (f *File) End() int64 { return f.end }

// Size returns the size that Open was given.
func (f *File) Size() int64 { return f.size }

// UUID returns the identifier that the writer gave the file; zeroes if none.
func (f *File) UUID() [16]byte { return f.uuid }

func (f *File) readHeader() error {
	var b [headBig + uuidSize]byte
	h := b[:min(int64(len(b)), max(f.size, 0))]
	if err := f.readAt(h, 0); err != nil {
		return err
	}
	if len(h) < 4 {
		return io.ErrUnexpectedEOF
	}
	if string(h[:4]) != "root" {
		return fmt.Errorf("%w: no ROOT file", compress.ErrCorrupt)
	}
	if len(h) < headSmall {
		return io.ErrUnexpectedEOF
	}
	c := cursor{b: h[4:]}
	version := c.int32()
	f.version = int(version)
	begin := c.int32()
	f.begin = int64(begin)
	big := f.version >= bigFile
	f.end = c.offset(big)
	f.seekFree = c.offset(big)
	f.nbytesFree = int(c.int32())
	c.int32() // number of free gaps, of which the list itself tells
	f.nbytesName = int(c.int32())
	c.byte() // size of offsets
	f.settings = Settings(c.int32())
	f.seekInfo = c.offset(big)
	f.nbytesInfo = int(c.int32())
	if c.short {
		return io.ErrUnexpectedEOF
	}
	head := headSmall
	if big {
		head = headBig
	}
	switch {
	case version < 0:
		return fmt.Errorf("%w: version %d", compress.ErrCorrupt, version)
	case f.begin < int64(head):
		return fmt.Errorf("%w: first record at offset %d", compress.ErrCorrupt, begin)
	case f.begin >= f.size:
		return fmt.Errorf("%w: first record at offset %d", io.ErrUnexpectedEOF, begin)
	case f.end < f.begin:
		return fmt.Errorf("%w: end at offset %d", compress.ErrCorrupt, f.end)
	}
	if f.begin >= int64(head+uuidSize) && len(h) >= head+uuidSize {
		copy(f.uuid[:], h[head+2:])
	}
	return nil
}

// readAt reads len(p) bytes at off, or fails.
func (f *File) readAt(p []byte, off int64) error {
	if off < 0 || off > f.size || int64(len(p)) > f.size-off {
		return io.ErrUnexpectedEOF
	}
	n, err := f.r.ReadAt(p, off)
	switch {
	case n == len(p):
		return nil
	case err == nil, errors.Is(err, io.EOF):
		return io.ErrUnexpectedEOF
	}
	return err
}

// A cursor reads the fixed fields of headers and keys, which are stored from
// the high end. Reading over the end gives zeroes and sets short.
type cursor struct {
	b     []byte
	off   int
	short bool
}

func (c *cursor) take(n int) []byte {
	if n > len(c.b)-c.off {
		c.short = true
		return nil
	}
	c.off += n
	return c.b[c.off-n : c.off]
}

func (c *cursor) byte() byte {
	if p := c.take(1); p != nil {
		return p[0]
	}
	return 0
}

func (c *cursor) int16() int16 {
	if p := c.take(2); p != nil {
		return int16(binary.BigEndian.Uint16(p))
	}
	return 0
}

func (c *cursor) int32() int32 {
	if p := c.take(4); p != nil {
		return int32(binary.BigEndian.Uint32(p))
	}
	return 0
}

func (c *cursor) int64() int64 {
	if p := c.take(8); p != nil {
		return int64(binary.BigEndian.Uint64(p))
	}
	return 0
}

// offset reads an offset of 64 or 32 bits. Those of 32 are of files below 2
// GiB, so a negative one is an error of whoever looks.
func (c *cursor) offset(big bool) int64 {
	if big {
		return c.int64()
	}
	return int64(c.int32())
}

// text reads a string: its length in a byte, or 255 and its length in four.
func (c *cursor) text() []byte {
	n := int64(c.byte())
	if n == 255 {
		n = int64(c.int32())
	}
	if n < 0 || n > int64(len(c.b)-c.off) {
		c.short = true
		return nil
	}
	return c.take(int(n))
}
