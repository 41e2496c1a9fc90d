package buffer

import (
	"math/bits"
	"net"

	"github.com/eddy-go/eddy"
)

// A hold has the arrays that one Buffer got from the pool. It is apart from
// the Buffer because that is copied around by its users, and a copy must not
// give the same arrays back again.
type hold struct {
	pinned bool        // stays with its Buffer, which is pooled itself
	first  []byte      // if pinned: the array to begin with, which stays as well
	turn   uint64      // changes whenever the arrays have gone back
	arrays [][]byte    // what the pool gave, each goes back once
	list   [][]byte    // memory for Buffer.chunks
	vec    net.Buffers // consumed by writing to a connection
	hint   int         // size of recent documents
}

var (
	holds = eddy.Pool[hold]{Name: "easyjson/buffer holds"}

	// arrays is a pool of its own for the sake of its reserve: a document of
	// some 100 KiB makes the garbage that brings the next collection about,
	// which would take its array as well every now and then.
	arrays = eddy.BytePool{Name: "easyjson/buffer", Reserve: 4 << 20}
)

// firstSize is the size of hold.first. Most documents fit, and need no other
// array; and it is small enough to be kept by each of the pooled writers.
const firstSize = 4 << 10

// maxList bounds what a pooled hold keeps: lists of 24 KiB.
const maxList = 1024

// maxHint bounds for how long a huge document is remembered: 50 others.
const maxHint = 64 << 20

// get returns an empty slice for at least size bytes, which it remembers.
func (h *hold) get(size int, cfg *strategy) []byte {
	if size < cfg.PooledSize {
		return make([]byte, 0, size)
	}
	a := arrays.Get(size)[:0]
	h.arrays = append(h.arrays, a)
	return a
}

// has reports whether the array of p is one of those that go back.
func (h *hold) has(p []byte) bool {
	for _, a := range h.arrays {
		if within(p, a) {
			return true
		}
	}
	return within(p, h.first)
}

// put gives back all arrays, and h itself unless it is pinned. The list is what
// became of h.list.
func (h *hold) put(list [][]byte) {
	for i, a := range h.arrays {
		arrays.Put(a)
		h.arrays[i] = nil
	}
	h.arrays = h.arrays[:0]
	if cap(list) > cap(h.list) {
		h.list = list
	}
	clear(h.list[:min(len(list), cap(h.list))])
	h.list = h.list[:0]
	if cap(h.list) > maxList {
		h.list = nil
	}
	if cap(h.arrays) > maxList {
		h.arrays = nil
	}
	h.vec = nil
	h.turn++
	if !h.pinned {
		holds.Put(h)
	}
}

// remember lets the next document begin with an array for this one's size and
// a little more. It follows large documents at once and forgets them slowly.
func (h *hold) remember(size int) {
	h.hint = min(max(size+size/16, h.hint-h.hint/8), maxHint)
}

// expect returns how many bytes may follow the first n: a power of two, since
// arrays of many different sizes would be used once each, or 0.
func (h *hold) expect(n int) int {
	if n >= h.hint {
		return 0
	}
	return 1 << bits.Len(uint(h.hint-n-1))
}

// own returns the hold of b, which it takes if b has none yet or is a copy.
func (b *Buffer) own() *hold {
	// The address is set along with the hold.
	if b.self == addressOf(b) && b.turn == b.hold.turn {
		return b.hold
	}
	return b.take()
}

//go:noinline
func (b *Buffer) take() *hold {
	h := b.hold
	if h != nil && b.turn != h.turn {
		panic("easyjson/buffer: use of a Buffer, or of a copy of one, after its memory went back to the pool")
	}
	old := *b
	h = holds.Get()
	b.hold, b.turn, b.self = h, h.turn, addressOf(b)
	if old.hold != nil {
		// A copy: its contents are in memory that the original gives back.
		b.chunks = nil
		b.Buf = h.get(old.Size()+64, config.Load())
		for _, c := range old.chunks {
			b.Buf = append(b.Buf, c...)
		}
		b.Buf = append(b.Buf, old.Buf...)
	}
	return h
}

// Free drops the contents and gives the memory back to the pool. The buffer is
// empty then, and can be used again.
func (b *Buffer) Free() {
	h := b.hold
	if h == nil || b.self != addressOf(b) || b.turn != h.turn {
		*b = Buffer{}
		return
	}
	if h.pinned && len(h.arrays) == 0 && b.chunks == nil {
		h.turn++ // nothing to give back
	} else {
		h.put(b.chunks)
	}
	if !h.pinned {
		*b = Buffer{}
		return
	}
	b.chunks, b.turn = nil, h.turn
	if h.hint <= firstSize {
		b.Buf = h.first
	} else {
		b.Buf = nil
	}
}
