package rootio

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/eddy-go/eddy/compress"
)

// What the first word of an object may be, as ROOT's TBufferFile writes it.
const (
	byteCountMask = 1 << 30        // the word is a count of bytes
	classMask     = 1 << 31        // the word refers to a class that came before
	newClassTag   = 0xFFFFFFFF     // the name of a class follows
	refOffset     = 2              // what references add to positions
	isReferenced  = 1 << 4         // of TObject's bits: two more bytes follow
	maxByteCount  = 1<<30 - 1      // the bits of a byte count
	maxDepth      = 100            // of objects in objects
	memberWise    = 1 << 14        // of a version: a collection was written member by member
	versionMask   = memberWise - 1 // the rest of it
)

// An rbuf reads the payload of a record: ROOT's big-endian numbers, strings
// and headers. The first error stays, and everything after it reads as zero,
// so that callers look at err where it matters and not after each number.
type rbuf struct {
	b   []byte
	pos int
	err error

	keyLen int                // references count from the start of the record
	refs   map[uint32]*object // by where they begin
	infos  *infos
	depth  int

	objects    int // read
	maxObjects int // 0 is any number
	spent      bool
}

// freeObjects is how many objects a record may hold whatever its size, and one
// more for each of its bytes in the file. No writer comes near, but blocks can
// be made that give hundreds of objects for each byte, and an object in memory
// takes hundreds of bytes.
const freeObjects = 1 << 18

// affordable counts an object. If there are too many, nothing more is read.
func (r *rbuf) affordable() bool {
	if r.objects++; r.maxObjects > 0 && r.objects > r.maxObjects {
		r.spent = true
		r.fail("more than %d objects", r.maxObjects)
	}
	return !r.spent
}

func (r *rbuf) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("%w: %s (at byte %d of the payload)", compress.ErrCorrupt, fmt.Sprintf(format, args...), r.pos)
	}
}

// need returns the next n bytes, or nil and the error that they are not there.
func (r *rbuf) need(n int) []byte {
	if r.err != nil {
		return nil
	}
	if n < 0 || n > len(r.b)-r.pos {
		r.err = fmt.Errorf("%w: %d bytes wanted at byte %d of a payload of %d", io.ErrUnexpectedEOF, n, r.pos, len(r.b))
		return nil
	}
	b := r.b[r.pos : r.pos+n]
	r.pos += n
	return b
}

func (r *rbuf) left() int { return len(r.b) - r.pos }

func (r *rbuf) u8() uint8 {
	if b := r.need(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *rbuf) u16() uint16 {
	if b := r.need(2); b != nil {
		return binary.BigEndian.Uint16(b)
	}
	return 0
}

func (r *rbuf) u32() uint32 {
	if b := r.need(4); b != nil {
		return binary.BigEndian.Uint32(b)
	}
	return 0
}

func (r *rbuf) u64() uint64 {
	if b := r.need(8); b != nil {
		return binary.BigEndian.Uint64(b)
	}
	return 0
}

func (r *rbuf) i32() int32   { return int32(r.u32()) }
func (r *rbuf) i64() int64   { return int64(r.u64()) }
func (r *rbuf) f32() float32 { return math.Float32frombits(r.u32()) }
func (r *rbuf) f64() float64 { return math.Float64frombits(r.u64()) }

// peek32 is u32 without moving on; zero where fewer than four bytes are left.
func (r *rbuf) peek32() uint32 {
	if r.err != nil || r.left() < 4 {
		return 0
	}
	return binary.BigEndian.Uint32(r.b[r.pos:])
}

// str reads a TString: one byte of length, or 255 and four bytes.
func (r *rbuf) str() string {
	n := int64(r.u8())
	if n == 255 {
		n = int64(r.i32())
	}
	if n < 0 || n > int64(r.left()) {
		r.fail("a string of %d bytes", n)
		return ""
	}
	return string(r.need(int(n)))
}

// cstr reads a string that a zero byte ends.
func (r *rbuf) cstr() string {
	if r.err != nil {
		return ""
	}
	for i, c := range r.b[r.pos:] {
		if c == 0 {
			s := string(r.b[r.pos : r.pos+i])
			r.pos += i + 1
			return s
		}
	}
	r.fail("a name without end")
	return ""
}

// A header begins most objects: how many bytes they take, if known, and the
// version of their class.
type header struct {
	version    int
	memberWise bool
	checksum   uint32 // of a class without a version; then version is zero
	start      int    // of the header
	end        int    // behind the object; negative if there was no byte count
}

// header reads a version, with a byte count before it or without.
func (r *rbuf) header() header {
	h := header{start: r.pos, end: -1}
	if n := r.peek32(); n&byteCountMask != 0 && n != newClassTag && n&classMask == 0 {
		r.pos += 4
		count := int(n &^ byteCountMask)
		if count < 2 || count > r.left() {
			r.fail("an object of %d bytes, where %d are left", count, r.left())
			return h
		}
		h.end = r.pos + count
	}
	v := int(int16(r.u16()))
	if v > 0 && v&memberWise != 0 {
		h.memberWise = true
		v &= versionMask
	}
	h.version = v
	if v == 0 && h.end >= r.pos+4 {
		// Classes that have no version are known by their checksum.
		if sum := r.peek32(); r.infos != nil && r.infos.hasChecksum(sum) {
			h.checksum = sum
			r.pos += 4
		}
	}
	return h
}

// finish moves to the end of the object that h began, which must not have
// been passed. What is left over belongs to members that were not read.
func (r *rbuf) finish(h header, class string) {
	if r.err != nil || h.end < 0 {
		return
	}
	if r.pos > h.end {
		r.fail("%s is longer than the %d bytes that it states", class, h.end-h.start)
		return
	}
	r.pos = h.end
}

// nested counts how deep objects lie in objects; leave with r.depth--.
func (r *rbuf) nested() bool {
	r.depth++
	if r.depth > maxDepth {
		r.fail("objects nested deeper than %d", maxDepth)
		return false
	}
	return true
}
