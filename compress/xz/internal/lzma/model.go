// Package lzma codes LZMA2 chunks (as in the .xz file format's LZMA2 filter)
// from slices into slices. The output is the dictionary, so a decoder needs
// no memory beside its probabilities, whatever dictionary the data asks for.
package lzma

const (
	states     = 12
	posStates  = 1 << 4 // pb is at most 4
	lenStates  = 4      // lengths 2, 3, 4, and longer choose distances apart
	fullDists  = 128    // distances below are coded without direct bits
	alignBits  = 4
	minMatch   = 2
	maxMatch   = 273
	maxLiteral = 0x300 << 4 // lc+lp is at most 4 in LZMA2

	probBits = 11
	probInit = 1 << (probBits - 1)
	probMove = 5

	topValue = 1 << 24
)

// lengths is the coder of match lengths.
type lengths struct {
	choice, choice2 uint16
	low, mid        [posStates][8]uint16
	high            [256]uint16
}

// model is the adaptive state of a coder: what a state reset resets.
type model struct {
	match    [states][posStates]uint16
	rep      [states]uint16
	rep0     [states]uint16 // rep of the last distance, or an older one
	rep1     [states]uint16
	rep2     [states]uint16
	rep0long [states][posStates]uint16

	matchLen, repLen lengths

	slot    [lenStates][64]uint16
	special [fullDists]uint16 // reverse trees of slots 4 to 13
	align   [1 << alignBits]uint16

	literal [maxLiteral]uint16

	state uint32
	reps  [4]uint32 // the last distances, less one

	lc, lp, pb uint
}

func fill(p []uint16) {
	for i := range p {
		p[i] = probInit
	}
}

func (l *lengths) reset() {
	l.choice, l.choice2 = probInit, probInit
	for i := range l.low {
		fill(l.low[i][:])
		fill(l.mid[i][:])
	}
	fill(l.high[:])
}

// reset puts the model into its first state, with the same lc, lp and pb.
func (m *model) reset() {
	for i := range m.match {
		fill(m.match[i][:])
		fill(m.rep0long[i][:])
	}
	fill(m.rep[:])
	fill(m.rep0[:])
	fill(m.rep1[:])
	fill(m.rep2[:])
	m.matchLen.reset()
	m.repLen.reset()
	for i := range m.slot {
		fill(m.slot[i][:])
	}
	fill(m.special[:])
	fill(m.align[:])
	fill(m.literal[:0x300<<(m.lc+m.lp)])
	m.state = 0
	m.reps = [4]uint32{}
}

// setProps takes the properties byte of a chunk: (pb*5 + lp)*9 + lc.
func (m *model) setProps(b byte) bool {
	if b >= 9*5*5 {
		return false
	}
	m.lc = uint(b) % 9
	b /= 9
	m.lp = uint(b) % 5
	m.pb = uint(b) / 5
	return m.lc+m.lp <= 4
}

func (m *model) props() byte { return byte((m.pb*5+m.lp)*9 + m.lc) }

// The state remembers what the last symbols were: below 7 the last one was a
// literal.
func afterLiteral(s uint32) uint32 {
	switch {
	case s < 4:
		return 0
	case s < 10:
		return s - 3
	}
	return s - 6
}

func afterMatch(s uint32) uint32 {
	if s < 7 {
		return 7
	}
	return 10
}

func afterRep(s uint32) uint32 {
	if s < 7 {
		return 8
	}
	return 11
}

func afterShortRep(s uint32) uint32 {
	if s < 7 {
		return 9
	}
	return 11
}

// lenState maps a length, less minMatch, to the distance coder's context.
func lenState(n uint32) uint32 { return min(n, lenStates-1) }

// specialBase returns where the tree of a slot from 4 to 13 lies in special.
// A tree's nodes count from one, and the bases are such that trees do not
// overlap.
func specialBase(slot uint32) uint32 {
	return (2|slot&1)<<(slot>>1-1) - slot
}
