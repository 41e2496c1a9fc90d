// Package buffer provides a byte buffer on pooled memory, for forming a
// message and sending it off.
package buffer

import (
	"io"
	"iter"

	"github.com/eddy-go/eddy"
)

const (
	// ContiguousSize is up to where a Buffer keeps its contents in one piece.
	ContiguousSize = 64 << 10

	// firstSize is what the first write asks for at least.
	firstSize = 512
)

// A Buffer collects bytes in pooled memory: in one contiguous piece as far as
// [ContiguousSize], then in further chunks of that size, so that what is large
// is never copied to make it larger. The zero value is an empty buffer on the
// default pool.
//
// The user of a Buffer owns it and must call Free when done with it. From then
// on every method but Free panics, and slices of its contents must not be
// used. A Buffer must not be copied once it is in use; a copy panics when used.
// It is for one goroutine at a time.
//
// Writing never fails: like bytes.Buffer, the methods return errors only for
// the sake of interfaces. Nothing is allocated once the pools are warm.
//
// A Buffer is not a queue: reading (WriteTo, AppendTo, Clone) does not consume.
type Buffer struct {
	_    noCopy
	self *Buffer        // this Buffer while it is in use, freed once it is not
	pool *eddy.BytePool // nil means the default pool
	cur  []byte         // the last chunk
	full *chunks        // those before it; nil while there are none
}

// freed is what self is after Free.
var freed Buffer

// New returns an empty buffer on a pool of the caller's.
func New(pool *eddy.BytePool) *Buffer { return &Buffer{pool: pool} }

// Write appends p. It always returns len(p) and nil.
func (b *Buffer) Write(p []byte) (int, error) {
	if b.self == b && len(p) <= cap(b.cur)-len(b.cur) {
		b.cur = append(b.cur, p...)
		return len(p), nil
	}
	b.use()
	for rest := p; len(rest) > 0; {
		b.room(len(rest))
		n := min(len(rest), cap(b.cur)-len(b.cur))
		b.cur = append(b.cur, rest[:n]...)
		rest = rest[n:]
	}
	return len(p), nil
}

// WriteString appends s. It always returns len(s) and nil.
func (b *Buffer) WriteString(s string) (int, error) {
	if b.self == b && len(s) <= cap(b.cur)-len(b.cur) {
		b.cur = append(b.cur, s...)
		return len(s), nil
	}
	b.use()
	for rest := s; len(rest) > 0; {
		b.room(len(rest))
		n := min(len(rest), cap(b.cur)-len(b.cur))
		b.cur = append(b.cur, rest[:n]...)
		rest = rest[n:]
	}
	return len(s), nil
}

// WriteByte appends c. It always returns nil.
func (b *Buffer) WriteByte(c byte) error {
	if b.self != b || len(b.cur) == cap(b.cur) {
		b.use()
		b.room(1)
	}
	b.cur = append(b.cur, c)
	return nil
}

// AvailableBuffer returns an empty slice with room for at least n bytes, to
// append to and pass to Commit before anything else is done with the buffer.
func (b *Buffer) AvailableBuffer(n int) []byte {
	b.use()
	if cap(b.cur)-len(b.cur) < n {
		b.piece(n)
	}
	return b.cur[len(b.cur):]
}

// Commit appends p, which is a slice from AvailableBuffer with bytes appended.
// They are already where they belong and are not copied, unless appending went
// beyond the room and moved them.
func (b *Buffer) Commit(p []byte) {
	if b.inPlace(p) {
		b.cur = b.cur[:len(b.cur)+len(p)]
		return
	}
	b.Write(p)
}

// inPlace reports whether p begins at the end of the contents. Comparing
// addresses of elements needs no unsafe code, but both must exist.
func (b *Buffer) inPlace(p []byte) bool {
	if b.self != b || len(p) == 0 || len(p) > cap(b.cur)-len(b.cur) {
		return false
	}
	tail := b.cur[len(b.cur):cap(b.cur)]
	return &tail[0] == &p[0]
}

// Adopt appends chunk without copying it: the slice, which must come from Get
// or Grow of a BytePool, now belongs to the buffer, and what is written next
// goes into its spare capacity.
func (b *Buffer) Adopt(chunk []byte) {
	b.use()
	b.push()
	b.cur = chunk
}

// Len returns the number of bytes in the buffer.
func (b *Buffer) Len() int {
	b.use()
	n := len(b.cur)
	if b.full != nil {
		n += b.full.size
	}
	return n
}

// Bytes returns the contents, and true, while they are contiguous, which they
// are up to ContiguousSize unless Adopt was used more than once. The slice is valid until the
// next call that writes, Reset or Free. Otherwise Bytes returns nil and false;
// see Chunks, AppendTo and Clone.
func (b *Buffer) Bytes() ([]byte, bool) {
	b.use()
	if b.full != nil {
		return nil, false
	}
	return b.cur, true
}

// Chunks returns the contents piece by piece. The slices are valid until the
// next call that writes, Reset or Free.
func (b *Buffer) Chunks() iter.Seq[[]byte] {
	b.use()
	return func(yield func([]byte) bool) {
		if b.full != nil {
			for _, c := range b.full.list {
				if !yield(c) {
					return
				}
			}
		}
		if len(b.cur) > 0 {
			yield(b.cur)
		}
	}
}

// AppendTo appends the contents to dst and returns it, grown at most once.
func (b *Buffer) AppendTo(dst []byte) []byte {
	if n := b.Len(); cap(dst)-len(dst) < n {
		grown := make([]byte, len(dst), len(dst)+n)
		copy(grown, dst)
		dst = grown
	}
	if b.full != nil {
		for _, c := range b.full.list {
			dst = append(dst, c...)
		}
	}
	return append(dst, b.cur...)
}

// Clone returns a copy of the contents, in memory of its own: one allocation
// of that many bytes. It never returns nil.
func (b *Buffer) Clone() []byte {
	return b.AppendTo(make([]byte, 0, b.Len()))
}

// Reset empties the buffer. It keeps the last chunk for what is written next,
// if that is not larger than ContiguousSize, and gives the others back.
func (b *Buffer) Reset() {
	b.use()
	b.dropFull()
	if cap(b.cur) > ContiguousSize {
		b.put(b.cur)
		b.cur = nil
	}
	b.cur = b.cur[:0]
}

// Free gives all memory back. The buffer cannot be used again; a second Free
// does nothing.
func (b *Buffer) Free() {
	if b.self == &freed {
		return
	}
	b.use()
	b.dropFull()
	if b.cur != nil {
		b.put(b.cur)
		b.cur = nil
	}
	b.self = &freed
}

// use makes the zero value a buffer in use, and stops those that must not be.
func (b *Buffer) use() {
	switch b.self {
	case b:
	case nil:
		b.self = b
	case &freed:
		panic("eddy/buffer: use of a Buffer after Free")
	default:
		panic("eddy/buffer: use of a copied Buffer")
	}
}

// room makes cur have room for at least one byte, and for n if that keeps the
// contents contiguous.
func (b *Buffer) room(n int) {
	switch {
	case len(b.cur) < cap(b.cur) && b.full != nil:
	case b.full == nil && len(b.cur) <= ContiguousSize-n:
		b.grow(max(n, firstSize))
	case b.full == nil && cap(b.cur) < ContiguousSize:
		b.grow(ContiguousSize - len(b.cur))
	case len(b.cur) == cap(b.cur):
		b.push()
		b.cur = b.get(ContiguousSize)[:0]
	}
}

// piece makes cur have room for n bytes in one piece.
func (b *Buffer) piece(n int) {
	if b.full == nil && len(b.cur)+min(n, 1) <= ContiguousSize {
		b.grow(max(n, firstSize)) // so that what is short stays contiguous
		return
	}
	b.push()
	b.cur = b.get(max(n, ContiguousSize))[:0]
}

// push moves cur to the full chunks.
func (b *Buffer) push() {
	if len(b.cur) == 0 {
		if b.cur != nil {
			b.put(b.cur)
			b.cur = nil
		}
		return
	}
	if b.full == nil {
		b.full = chunkLists.Get()
	}
	b.full.list = append(b.full.list, b.cur)
	b.full.size += len(b.cur)
	b.cur = nil
}

// pop undoes push if nothing was written since.
func (b *Buffer) pop() {
	if len(b.cur) > 0 || b.full == nil {
		return
	}
	if b.cur != nil {
		b.put(b.cur)
	}
	last := len(b.full.list) - 1
	b.cur = b.full.list[last]
	b.full.list[last] = nil
	b.full.list = b.full.list[:last]
	b.full.size -= len(b.cur)
	if last == 0 {
		chunkLists.Put(b.full)
		b.full = nil
	}
}

func (b *Buffer) dropFull() {
	if b.full == nil {
		return
	}
	for _, c := range b.full.list {
		b.put(c)
	}
	chunkLists.Put(b.full)
	b.full = nil
}

func (b *Buffer) bytePool() *eddy.BytePool {
	if b.pool == nil {
		return eddy.Default()
	}
	return b.pool
}

func (b *Buffer) get(n int) []byte { return b.bytePool().Get(n) }
func (b *Buffer) put(c []byte)     { b.bytePool().Put(c) }

// grow moves the contents to an array with room for n more bytes, of twice the
// size as long as that is no more than ContiguousSize.
func (b *Buffer) grow(n int) {
	grown := b.get(max(len(b.cur)+n, min(2*cap(b.cur), ContiguousSize)))[:len(b.cur)]
	copy(grown, b.cur)
	if b.cur != nil {
		b.put(b.cur)
	}
	b.cur = grown
}

// noCopy makes go vet report copies.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}

var (
	_ io.Writer       = (*Buffer)(nil)
	_ io.StringWriter = (*Buffer)(nil)
	_ io.ByteWriter   = (*Buffer)(nil)
	_ io.ReaderFrom   = (*Buffer)(nil)
	_ io.WriterTo     = (*Buffer)(nil)
)
