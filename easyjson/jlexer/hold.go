package jlexer

import (
	"encoding/binary"
	"slices"
)

const (
	maxHeld   = 512  // longest string that goes into a chunk
	minChunk  = 256  // first chunk of a document
	maxChunk  = 4096 // largest
	chunkHead = 4    // bytes at a chunk's start that say how much of it is in use
	minRest   = 16   // input behind a string for a chunk to be begun with it: less has hardly another
)

// hold is memory for the strings of one document: a chunk that is filled from its start, and dropped (to the garbage
// collector, which keeps it while one of its strings lives) when the next string does not fit.
//
// Bytes of a chunk are written once, also if the Lexer is copied. The count of bytes in use is kept in the chunk, so
// that going back to an earlier copy, as in *l = saved, does not go back in the chunk; and a chunk belongs to the
// address that the Lexer had when it was made, so that of two copies in use only one can write to it.
type hold struct {
	chunk []byte
	owner uintptr // address of the Lexer
	total int     // bytes of all chunks so far
	full  int     // bytes in use in the chunks before this one
}

// reserve returns n bytes to be written, n at most maxHeld. keep has to follow before the next reserve.
func (r *Lexer) reserve(n int) []byte {
	chunk := r.hold.chunk
	if len(chunk) > chunkHead && r.hold.owner == r.address() {
		used := int(binary.LittleEndian.Uint32(chunk))
		if n <= len(chunk)-used {
			return chunk[used : used+n]
		}
	}
	return r.newChunk(n)
}

// keep returns the first n bytes of what reserve returned, which nobody may write to again.
func (r *Lexer) keep(n int) []byte {
	chunk := r.hold.chunk
	used := int(binary.LittleEndian.Uint32(chunk))
	binary.LittleEndian.PutUint32(chunk, uint32(used+n))
	return chunk[used : used+n : used+n]
}

// newChunk begins a chunk for a string of n bytes. Its size is what the rest of the document will need if strings are as
// frequent there as they were so far, but at most four times all chunks before.
func (r *Lexer) newChunk(n int) []byte {
	h := &r.hold
	before, rest := r.valueStart, len(r.Data)-r.valueStart
	size := minChunk
	if len(h.chunk) > chunkHead && h.owner == r.address() { // a chunk of a copy is not looked at
		h.full += int(binary.LittleEndian.Uint32(h.chunk)) - chunkHead
		likely := int(uint64(h.full) * uint64(rest) / uint64(max(before, 1)))
		size = min(likely+likely/8, 4*h.total, maxChunk)
	}
	size = min(max(size, minChunk), rest) // the strings of the rest are not longer than the rest
	size = max(size, n) + chunkHead
	chunk := slices.Grow([]byte(nil), size)
	h.chunk = chunk[:min(cap(chunk), maxChunk)]
	h.owner = r.address()
	h.total += len(h.chunk)
	binary.LittleEndian.PutUint32(h.chunk, chunkHead)
	return h.chunk[chunkHead : chunkHead+n]
}

// held returns a string of b's bytes that is the caller's own.
func (r *Lexer) held(b []byte) string {
	n := len(b)
	if uint(n-1) >= maxHeld { // also the empty string, which needs no memory
		return string(b)
	}
	if chunk := r.hold.chunk; len(chunk) > chunkHead && r.hold.owner == r.address() {
		used := int(binary.LittleEndian.Uint32(chunk))
		if n <= len(chunk)-used {
			dst := chunk[used : used+n]
			copy(dst, b)
			binary.LittleEndian.PutUint32(chunk, uint32(used+n))
			return stringOf(dst)
		}
	}
	if len(r.Data)-r.valueEnd < minRest {
		return string(b)
	}
	copy(r.newChunk(n), b)
	return stringOf(r.keep(n))
}
