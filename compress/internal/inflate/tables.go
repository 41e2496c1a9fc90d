package inflate

import "math/bits"

// A code is decoded in two levels: a root table indexed by the next rootBits
// bits of input, and for longer codes a subtable that the root entry points
// at. An entry holds everything that a symbol needs, so that a symbol is one
// load, one shift and one test of the sign:
//
//	bits  0-5   bits to consume: the code and its extra bits
//	bits  8-11  bits of the code alone (subtable pointer: index bits of the subtable)
//	bit   12    pointer to a subtable
//	bit   13    end of block
//	bit   14    no symbol: a reserved one, or a code that was not assigned
//	bits 16-30  literal byte, base of a length or distance, start of a subtable
//	bit   31    literal
//
// Entries of subtables count the root bits in both fields, so no bits are
// consumed at the root.
const (
	litRoot  = 11
	distRoot = 8

	litMask  = 1<<litRoot - 1
	distMask = 1<<distRoot - 1

	maxCodeLen = 15
	maxLit     = 286 // of 288: 286 and 287 exist in the fixed code alone, and are reserved
	maxDist    = 30  // of 32: 30 and 31 likewise

	// A complete subtable of 2^k entries holds at least k+1 codes, since it is
	// made only as large as its longest code. So 288 codes fill at most
	// 288/5*16 entries below an 11-bit root and 32 codes at most 32/8*128
	// below an 8-bit one.
	litSize  = 1<<litRoot + (288/5+1)*16
	distSize = 1<<distRoot + (32/8)*128

	entTotal   = 0x3f
	entSub     = 1 << 12
	entEnd     = 1 << 13
	entInvalid = 1 << 14
	entSpecial = entSub | entEnd | entInvalid
	entLiteral = 1 << 31

	// Adding a code length times this sets both length fields.
	entLen = 1<<8 | 1
)

type (
	litTable  [litSize]uint32
	distTable [distSize]uint32
)

// entries without their code lengths, by symbol (RFC 1951, 3.2.5)
var (
	litEntry  = makeLitEntries()
	distEntry = makeDistEntries()
)

func makeLitEntries() (t [288]uint32) {
	for i := range 256 {
		t[i] = entLiteral | uint32(i)<<16
	}
	t[256] = entEnd
	base := uint32(3)
	for i := range 28 {
		extra := uint32(0)
		if i >= 8 {
			extra = uint32(i/4 - 1)
		}
		t[257+i] = base<<16 | extra
		base += 1 << extra
	}
	t[285] = 258 << 16
	t[286] = entInvalid
	t[287] = entInvalid
	return t
}

func makeDistEntries() (t [32]uint32) {
	base := uint32(1)
	for i := range 30 {
		extra := uint32(0)
		if i >= 4 {
			extra = uint32(i/2 - 1)
		}
		t[i] = base<<16 | extra
		base += 1 << extra
	}
	t[30] = entInvalid
	t[31] = entInvalid
	return t
}

// build fills table with the canonical code of the given lengths. It reports
// false when the lengths describe no code: more codes than fit, or fewer than
// fill the space, save for the two forms that RFC 1951 3.2.7 names: a single
// code of one bit, and no code at all.
func build(table []uint32, lens []uint8, entry []uint32, root uint) bool {
	var count [maxCodeLen + 1]uint16
	for _, l := range lens {
		count[l&maxCodeLen]++
	}
	count[0] = 0

	left, used, maxLen := 1, 0, uint(0)
	var next [maxCodeLen + 2]uint16
	for l := 1; l <= maxCodeLen; l++ {
		left = left<<1 - int(count[l])
		if left < 0 {
			return false
		}
		next[l+1] = next[l] + count[l]
		if count[l] != 0 {
			maxLen = uint(l)
		}
	}
	used = int(next[maxCodeLen+1])
	if left > 0 {
		if used > 1 || used == 1 && maxLen != 1 {
			return false
		}
		// What is not overwritten below stays without a symbol.
		for i := range table[:1<<root] {
			table[i] = entInvalid | entLen
		}
		if used == 1 {
			for sym, l := range lens {
				if l == 1 {
					e := entry[sym] + entLen
					for i := 0; i < 1<<root; i += 2 {
						table[i] = e
					}
				}
			}
		}
		return true
	}

	// symbols ordered by code length, then by value
	var sorted [288]uint16
	for sym, l := range lens {
		if l != 0 {
			i := next[l&maxCodeLen]
			next[l&maxCodeLen] = i + 1
			sorted[i%288] = uint16(sym)
		}
	}

	// Codes that fit the root: the table of the codes up to l bits is written
	// once at its own size and doubled by copying. Indexes whose code is
	// longer hold old values meanwhile; since the code is complete, all of
	// them are written in the end.
	code, s := uint(0), 0
	for l := uint(1); l <= root; l++ {
		for range count[l] {
			sym := sorted[s%288]
			s++
			table[bits.Reverse16(uint16(code))>>(16-l)] = entry[sym] + entLen*uint32(l)
			code++
		}
		code <<= 1
		if l < root {
			copy(table[1<<l:2<<l], table[:1<<l])
		}
	}

	// longer codes
	free, start, subBits := 1<<root, 0, uint(0)
	prefix := ^uint(0)
	mask := uint(1)<<root - 1
	for l := root + 1; l <= maxLen; l++ {
		for c := count[l]; c > 0; c-- {
			rev := uint(bits.Reverse16(uint16(code)) >> (16 - l))
			code++
			if p := rev & mask; p != prefix {
				prefix = p
				start = free
				subBits = l - root
				space := 1<<subBits - int(c)
				for space > 0 && subBits+root < maxLen {
					subBits++
					space = space<<1 - int(count[subBits+root])
				}
				free += 1 << subBits
				table[prefix] = uint32(start)<<16 | uint32(subBits)<<8 | entSub
			}
			sym := sorted[s%288]
			s++
			e := entry[sym] + entLen*uint32(l)
			for i := rev >> root; i < 1<<subBits; i += 1 << (l - root) {
				table[start+int(i)] = e
			}
		}
		code <<= 1
	}
	return true
}
