package sftp

import (
	"encoding/binary"

	"github.com/eddy-go/eddy"
)

// pool is where all packet memory of the package comes from. It is shared by all clients, each of which bounds what it
// takes. What a steady transfer needs survives collections.
var pool = &eddy.BytePool{Name: "sftp", Reserve: 2 << 20}

// headerSize is what every packet but INIT and VERSION begins with: length, type, id.
const headerSize = 4 + 1 + 4

// newPacket starts a request in pooled memory with room for n bytes after the header. Length and id are set when it is sent.
func newPacket(typ byte, n int) []byte {
	b := pool.Get(headerSize + n)[:headerSize]
	b[4] = typ
	return b
}

func appendUint32(b []byte, v uint32) []byte {
	return binary.BigEndian.AppendUint32(pool.Grow(b, 4), v)
}

func appendUint64(b []byte, v uint64) []byte {
	return binary.BigEndian.AppendUint64(pool.Grow(b, 8), v)
}

func appendString[T string | []byte](b []byte, s T) []byte {
	b = pool.Grow(b, 4+len(s))
	return append(binary.BigEndian.AppendUint32(b, uint32(len(s))), s...)
}

// A parser takes fields from the front of a packet. After a field that is not there it is bad, and every further field
// is zero: callers look once, at the end.
type parser struct {
	b   []byte
	bad bool
}

func (p *parser) take(n int) []byte {
	if p.bad || n > len(p.b) {
		p.bad, p.b = true, nil
		return nil
	}
	f := p.b[:n]
	p.b = p.b[n:]
	return f
}

func (p *parser) uint32() uint32 {
	if f := p.take(4); f != nil {
		return binary.BigEndian.Uint32(f)
	}
	return 0
}

func (p *parser) uint64() uint64 {
	if f := p.take(8); f != nil {
		return binary.BigEndian.Uint64(f)
	}
	return 0
}

// bytes returns a string of the packet's own memory.
func (p *parser) bytes() []byte {
	n := p.uint32()
	if uint64(n) > uint64(len(p.b)) {
		p.bad, p.b = true, nil
		return nil
	}
	return p.take(int(n))
}

func (p *parser) string() string { return string(p.bytes()) }
