package lzma

import (
	"encoding/binary"
	"math/bits"
)

const (
	minHashBits, maxHashBits = 10, 17
	hash3Bits                = 14
)

// finder finds earlier occurrences of what comes next: the last one of three
// bytes, and a chain of all of four.
type finder struct {
	src   []byte
	next  int // first position that is not yet in the tables
	depth int // links of a chain to follow
	nice  int // a match so long is taken as it is
	dict  int // how far back

	head3 [1 << hash3Bits]int32
	head  [1 << maxHashBits]int32 // positions plus one
	chain []int32                 // the one before, by position modulo its length
	shift uint
}

// reset begins a new block, of at most 1<<31-2 bytes.
func (f *finder) reset(src []byte, depth, nice, dict int) {
	hash := min(max(bits.Len(uint(len(src))), minHashBits), maxHashBits)
	f.src, f.next = src, 0
	f.depth, f.nice, f.dict = depth, nice, dict
	f.shift = uint(32 - hash)
	clear(f.head3[:])
	clear(f.head[:1<<hash])
	n := 1
	for n < min(len(src), dict) {
		n <<= 1
	}
	if cap(f.chain) < n {
		f.chain = make([]int32, n)
	}
	f.chain = f.chain[:n]
}

func hash3(v uint32) uint32 { return v << 8 * 506832829 >> (32 - hash3Bits) }

func (f *finder) hash4(v uint32) uint32 { return v * 2654435761 >> f.shift }

// add enters all positions up to, and without, end.
func (f *finder) add(end int) {
	last := min(end, len(f.src)-3)
	mask := len(f.chain) - 1
	for ; f.next < last; f.next++ {
		v := binary.LittleEndian.Uint32(f.src[f.next:])
		f.head3[hash3(v)] = int32(f.next) + 1
		h := f.hash4(v)
		f.chain[f.next&mask] = f.head[h]
		f.head[h] = int32(f.next) + 1
	}
	f.next = max(f.next, end)
}

// find returns the longest match at pos, of at most limit bytes, and its
// distance; the length is 0 if there is none worth having. A longer match
// must earn a much larger distance.
func (f *finder) find(pos, limit int) (length, dist int) {
	f.add(pos)
	if limit < 4 || pos+4 > len(f.src) {
		return 0, 0
	}
	src := f.src
	v := binary.LittleEndian.Uint32(src[pos:])
	if p := int(f.head3[hash3(v)]) - 1; p >= 0 && pos-p <= f.dict && pos-p < 1<<12 {
		if n := matchLength(src, p, pos, limit); n >= 3 {
			length, dist = n, pos-p
		}
	}
	low := pos - min(f.dict, len(f.chain))
	mask := len(f.chain) - 1
	p := int(f.head[f.hash4(v)]) - 1
	for range f.depth {
		if p < 0 || p < low {
			break
		}
		if length == 0 || length < limit && src[p+length] == src[pos+length] {
			n := matchLength(src, p, pos, limit)
			if n >= 4 && (n > length+1 || n > length && (pos-p)>>7 < dist || length == 0) {
				length, dist = n, pos-p
				if n >= f.nice || n == limit {
					break
				}
			}
		}
		q := int(f.chain[p&mask]) - 1
		if q >= p {
			break // the place in the ring belongs to a later position
		}
		p = q
	}
	return length, dist
}

// matchLength returns how many bytes at a and b are equal, at most limit; a <
// b and b+limit <= len(src).
func matchLength(src []byte, a, b, limit int) int {
	n := 0
	x, y := src[a:a+limit], src[b:b+limit]
	for limit-n >= 8 {
		if d := binary.LittleEndian.Uint64(x[n:]) ^ binary.LittleEndian.Uint64(y[n:]); d != 0 {
			return n + bits.TrailingZeros64(d)/8
		}
		n += 8
	}
	for n < limit && x[n] == y[n] {
		n++
	}
	return n
}
