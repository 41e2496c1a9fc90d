package lzma

import (
	"errors"
	"io"

	"github.com/eddy-go/eddy/compress/internal/sink"
)

// ErrFull is returned when the data decodes to more than the sink takes.
var ErrFull = errors.New("lzma: output full")

// ErrCorrupt is returned for what is not LZMA2.
var ErrCorrupt = errors.New("lzma: corrupt data")

// A Decoder decodes LZMA2. The zero value is ready; it may be used again.
type Decoder struct {
	m  model
	rc rangeDecoder
}

// Release drops the references that the last Decode left.
func (d *Decoder) Release() { d.rc.src = nil }

// Decode decodes the chunks at src[sp:], up to the end marker, into s, and
// returns the position behind them. No match may reach further back than
// dict bytes, or before s.N as it was.
func (d *Decoder) Decode(s *sink.Sink, src []byte, sp int, dict uint32) (int, error) {
	// The first chunk must reset the dictionary, the first LZMA chunk must
	// have properties, and after new properties the state is new anyway.
	needDict, needProps := true, true
	start := s.N
	for {
		if sp >= len(src) {
			return sp, io.ErrUnexpectedEOF
		}
		control := src[sp]
		if control == 0 {
			return sp + 1, nil
		}
		if control > 2 && control < 0x80 {
			return sp, ErrCorrupt
		}
		if control == 1 || control >= 0xe0 {
			needDict = false
			start = s.N
			if control == 1 {
				needProps = true
			}
		} else if needDict {
			return sp, ErrCorrupt
		}

		if control < 0x80 {
			if len(src)-sp < 3 {
				return sp, io.ErrUnexpectedEOF
			}
			n := int(src[sp+1])<<8 | int(src[sp+2]) + 1
			sp += 3
			if n > len(src)-sp {
				return sp, io.ErrUnexpectedEOF
			}
			if !room(s, n) {
				return sp, ErrFull
			}
			copy(s.Buf[s.N:], src[sp:sp+n])
			s.N += n
			sp += n
			continue
		}

		head := 5
		if control >= 0xc0 {
			head = 6
		}
		if len(src)-sp < head {
			return sp, io.ErrUnexpectedEOF
		}
		size := int(control&0x1f)<<16 | int(src[sp+1])<<8 | int(src[sp+2]) + 1
		packed := int(src[sp+3])<<8 | int(src[sp+4]) + 1
		switch {
		case control >= 0xc0:
			if !d.m.setProps(src[sp+5]) {
				return sp, ErrCorrupt
			}
			needProps = false
			d.m.reset()
		case needProps:
			return sp, ErrCorrupt
		case control >= 0xa0:
			d.m.reset()
		}
		sp += head
		if packed > len(src)-sp {
			return sp, io.ErrUnexpectedEOF
		}
		if !room(s, size) {
			return sp, ErrFull
		}
		if !d.rc.init(src[sp : sp+packed]) {
			return sp, ErrCorrupt
		}
		if !d.chunk(s.Buf[start:s.N+size], s.N-start, dict) || !d.rc.end() {
			return sp, ErrCorrupt
		}
		s.N += size
		sp += packed
	}
}

// room makes place for n bytes. A chunk holds at most 2 MiB, so that what a
// few bytes of header claim cannot cost more.
func room(s *sink.Sink, n int) bool {
	if n > s.Left() {
		return false
	}
	return len(s.Buf)-s.N >= n || s.Grow(n)
}

// chunk decodes into dst[dp:] until it is full. dst[:dp] is the dictionary.
func (d *Decoder) chunk(dst []byte, dp int, dict uint32) bool {
	m, r := &d.m, &d.rc
	state := m.state % states
	rep0, rep1, rep2, rep3 := m.reps[0], m.reps[1], m.reps[2], m.reps[3]
	posMask := uint32(1)<<m.pb - 1
	litMask := uint32(1)<<m.lp - 1
	// A state that survived from the chunk before may refer to a dictionary
	// that is gone.
	for dp < len(dst) {
		if r.over {
			return false
		}
		posState := uint32(dp) & posMask & (posStates - 1)
		if r.bit(&m.match[state][posState]) == 0 {
			prev := uint32(0)
			if dp > 0 {
				prev = uint32(dst[dp-1])
			}
			ctx := (uint32(dp)&litMask)<<m.lc + prev>>(8-m.lc)
			p := m.literal[0x300*ctx : 0x300*ctx+0x300]
			if state < 7 {
				dst[dp] = byte(r.tree(p[:0x100]))
			} else {
				if uint64(rep0) >= uint64(dp) {
					return false
				}
				dst[dp] = byte(r.matched(p, uint32(dst[dp-int(rep0)-1])))
			}
			dp++
			state = afterLiteral(state)
			continue
		}

		var n uint32
		if r.bit(&m.rep[state]) == 0 {
			rep3, rep2, rep1 = rep2, rep1, rep0
			n = r.length(&m.matchLen, posState)
			rep0 = d.distance(n)
			state = afterMatch(state)
			if rep0 == 1<<32-1 {
				return false // an end marker, which LZMA2 does not have
			}
		} else {
			if r.bit(&m.rep0[state]) == 0 {
				if r.bit(&m.rep0long[state][posState]) == 0 {
					if uint64(rep0) >= uint64(dp) {
						return false
					}
					dst[dp] = dst[dp-int(rep0)-1]
					dp++
					state = afterShortRep(state)
					continue
				}
			} else {
				v := rep1
				if r.bit(&m.rep1[state]) != 0 {
					v = rep2
					if r.bit(&m.rep2[state]) != 0 {
						v = rep3
						rep3 = rep2
					}
					rep2 = rep1
				}
				rep1 = rep0
				rep0 = v
			}
			n = r.length(&m.repLen, posState)
			state = afterRep(state)
		}
		length := int(n) + minMatch
		if uint64(rep0) >= uint64(dp) || rep0 >= dict || length > len(dst)-dp {
			return false
		}
		copyMatch(dst, dp, int(rep0)+1, length)
		dp += length
	}
	m.state = state
	m.reps = [4]uint32{rep0, rep1, rep2, rep3}
	return true
}

// distance decodes a distance, less one.
func (d *Decoder) distance(n uint32) uint32 {
	m, r := &d.m, &d.rc
	slot := r.tree(m.slot[lenState(n)][:])
	if slot < 4 {
		return slot
	}
	bits := slot>>1 - 1
	v := (2 | slot&1) << bits
	if slot < 14 {
		return v + r.reverse(m.special[specialBase(slot):], bits)
	}
	v += r.direct(bits-alignBits) << alignBits
	return v + r.reverse(m.align[:], alignBits)
}

func copyMatch(dst []byte, dp, offset, length int) {
	from := dst[dp-offset : dp]
	to := dst[dp : dp+length]
	if offset >= length {
		copy(to, from)
		return
	}
	for len(to) > 0 {
		n := copy(to, from)
		to = to[n:]
		from = dst[dp-offset : dp+length-len(to)]
	}
}
