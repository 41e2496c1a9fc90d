package lzma

import "math/bits"

const (
	maxChunk  = 2 << 20  // uncompressed bytes of an LZMA chunk
	maxPacked = 64 << 10 // compressed ones
	maxStored = 64 << 10 // bytes of a stored chunk

	// A symbol takes fewer bytes than this, so a chunk that ends when it has
	// come so near to maxPacked never gets over it.
	symbolSize = 64

	defaultProps = (2*5+0)*9 + 3 // pb 2, lp 0, lc 3
)

// Settings say how hard an Encoder looks for matches.
type Settings struct {
	Depth int // earlier positions to look at
	Nice  int // length of a match that is taken without looking further
	Dict  int // how far back, in bytes
	Lazy  bool
}

// An Encoder encodes LZMA2. The zero value is ready; it may be used again.
type Encoder struct {
	m  model
	rc rangeEncoder
	f  finder

	src  []byte
	lazy bool

	// The match at pos+1, when looking for a better one found it.
	ahead          bool
	aheadN, aheadD int
}

// ChainSize returns how many bytes of memory the Encoder holds beside itself.
func (e *Encoder) ChainSize() int { return 4 * cap(e.f.chain) }

// Release drops the references that the last Encode left.
func (e *Encoder) Release() { e.src, e.f.src, e.rc.out = nil, nil, nil }

// Append appends src, at most 1<<30 bytes, to dst as LZMA2 chunks and the
// end marker.
func (e *Encoder) Append(dst, src []byte, set Settings) []byte {
	e.src, e.lazy, e.ahead = src, set.Lazy, false
	e.f.reset(src, set.Depth, set.Nice, set.Dict)
	e.m.setProps(defaultProps)
	e.m.reset()
	needDict, needProps, needState := true, true, false
	for pos := 0; pos < len(src); {
		const head = 6 // one less without properties, moved up then
		mark := len(dst)
		dst = append(dst, make([]byte, head)...)
		e.rc.init(dst)
		end := e.chunk(pos, mark+head)
		e.rc.flush()
		dst = e.rc.out
		packed := len(dst) - mark - head
		size := end - pos
		if packed >= size || packed > maxPacked {
			dst = dst[:mark]
			for pos < end {
				n := min(end-pos, maxStored)
				control := byte(2)
				if needDict {
					control = 1
				}
				needDict = false
				dst = append(dst, control, byte((n-1)>>8), byte(n-1))
				dst = append(dst, src[pos:pos+n]...)
				pos += n
			}
			// What the chunk taught the model is not in the data.
			e.m.reset()
			e.ahead = false
			needState = true
			continue
		}
		control := byte(0x80)
		switch {
		case needDict:
			control = 0xe0
		case needProps:
			control = 0xc0
		case needState:
			control = 0xa0
		}
		h := dst[mark : mark+head]
		h[0] = control | byte((size-1)>>16)
		h[1], h[2] = byte((size-1)>>8), byte(size-1)
		h[3], h[4] = byte((packed-1)>>8), byte(packed-1)
		if control >= 0xc0 {
			h[5] = e.m.props()
		} else {
			copy(dst[mark+head-1:], dst[mark+head:])
			dst = dst[:len(dst)-1]
		}
		needDict, needProps, needState = false, false, false
		pos = end
	}
	return append(dst, 0)
}

// chunk encodes from pos on until a limit of the chunk is near, and returns
// the position that it came to.
func (e *Encoder) chunk(pos, start int) int {
	end := min(len(e.src), pos+maxChunk)
	for pos < end && e.rc.size(start) < maxPacked-symbolSize {
		pos += e.symbol(pos, min(end-pos, maxMatch))
	}
	return pos
}

// symbol encodes one symbol of at most limit bytes and returns its length.
func (e *Encoder) symbol(pos, limit int) int {
	m := &e.m
	src := e.src
	repN, rep := 0, 0
	if limit >= minMatch {
		for i, r := range m.reps {
			if int64(r) >= int64(pos) {
				continue
			}
			if n := matchLength(src, pos-int(r)-1, pos, limit); n > repN {
				repN, rep = n, i
			}
		}
	}
	if repN >= e.f.nice {
		e.ahead = false
		return e.putRep(pos, rep, repN)
	}

	n, dist := 0, 0
	if e.ahead {
		n, dist = min(e.aheadN, limit), e.aheadD
		e.ahead = false
	} else {
		n, dist = e.f.find(pos, limit)
	}
	// A repeated distance costs little.
	if repN >= minMatch && (repN+1 >= n || repN+2 >= n && dist >= 1<<9 || repN+3 >= n && dist >= 1<<15) {
		return e.putRep(pos, rep, repN)
	}
	if n < 3 || n == 3 && dist > 1<<11 {
		if repN < minMatch {
			return e.putByte(pos)
		}
		return e.putRep(pos, rep, repN)
	}
	if e.lazy && n < e.f.nice && limit > n {
		// Is there something better one byte on?
		n2, d2 := e.f.find(pos+1, min(len(src)-pos-1, maxMatch))
		if n2 > n && (n2 > n+1 || d2>>3 < dist) || n2 == n && d2 < dist>>7 {
			e.ahead, e.aheadN, e.aheadD = true, n2, d2
			return e.putByte(pos)
		}
		for _, r := range m.reps {
			if int64(r) < int64(pos) && matchLength(src, pos-int(r), pos+1, min(n, len(src)-pos-1)) >= n-1 && n <= 8 {
				return e.putByte(pos)
			}
		}
	}
	return e.putMatch(pos, n, dist)
}

func (e *Encoder) posState(pos int) uint32 { return uint32(pos) & (1<<e.m.pb - 1) & (posStates - 1) }

// putByte encodes the byte at pos: as a literal, or as a match of one byte
// at the last distance where that is so.
func (e *Encoder) putByte(pos int) int {
	m, r := &e.m, &e.rc
	ps := e.posState(pos)
	state := m.state % states
	b := uint32(e.src[pos])
	var by uint32
	back := int64(pos) - int64(m.reps[0]) - 1
	if back >= 0 {
		by = uint32(e.src[back])
		if by == b && state >= 7 {
			r.bit(&m.match[state][ps], 1)
			r.bit(&m.rep[state], 1)
			r.bit(&m.rep0[state], 0)
			r.bit(&m.rep0long[state][ps], 0)
			m.state = afterShortRep(state)
			return 1
		}
	}
	r.bit(&m.match[state][ps], 0)
	prev := uint32(0)
	if pos > 0 {
		prev = uint32(e.src[pos-1])
	}
	ctx := uint32(pos)&(1<<m.lp-1)<<m.lc + prev>>(8-m.lc)
	p := m.literal[0x300*ctx : 0x300*ctx+0x300]
	if state < 7 {
		r.tree(p[:0x100], b)
	} else {
		r.matched(p, by, b)
	}
	m.state = afterLiteral(state)
	return 1
}

func (e *Encoder) putRep(pos, rep, n int) int {
	m, r := &e.m, &e.rc
	ps := e.posState(pos)
	state := m.state % states
	r.bit(&m.match[state][ps], 1)
	r.bit(&m.rep[state], 1)
	if rep == 0 {
		r.bit(&m.rep0[state], 0)
		r.bit(&m.rep0long[state][ps], 1)
	} else {
		r.bit(&m.rep0[state], 1)
		v := m.reps[rep]
		if rep == 1 {
			r.bit(&m.rep1[state], 0)
		} else {
			r.bit(&m.rep1[state], 1)
			r.bit(&m.rep2[state], uint32(rep-2))
		}
		copy(m.reps[1:rep+1], m.reps[:rep])
		m.reps[0] = v
	}
	r.length(&m.repLen, ps, uint32(n-minMatch))
	m.state = afterRep(state)
	return n
}

func (e *Encoder) putMatch(pos, n, dist int) int {
	m, r := &e.m, &e.rc
	ps := e.posState(pos)
	state := m.state % states
	r.bit(&m.match[state][ps], 1)
	r.bit(&m.rep[state], 0)
	r.length(&m.matchLen, ps, uint32(n-minMatch))

	d := uint32(dist - 1)
	tree := m.slot[lenState(uint32(n-minMatch))][:]
	if d < 4 {
		r.tree(tree, d)
	} else {
		// The slot is the position of the highest bit and the one below it.
		top := uint32(bits.Len32(d) - 1)
		slot := top<<1 | d>>(top-1)&1
		r.tree(tree, slot)
		low := top - 1
		rest := d & (1<<low - 1)
		if slot < 14 {
			r.reverse(m.special[specialBase(slot):], low, rest)
		} else {
			r.direct(low-alignBits, rest>>alignBits)
			r.reverse(m.align[:], alignBits, rest)
		}
	}
	copy(m.reps[1:], m.reps[:3])
	m.reps[0] = d
	m.state = afterMatch(state)
	return n
}
