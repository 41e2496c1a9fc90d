// Package inflate decodes DEFLATE (RFC 1951) from slices into slices.
//
// Unlike a reader, which has to stop at every byte that its source or its
// caller may not have, the decoder sees all of its input and its output: it
// takes 64 bits at a time, decodes several symbols on one refill, and copies
// matches inside the output, which is its own window. Where input or output
// end early it stops at a symbol and can go on from there, so that streams
// and outputs of unknown size are decoded by the same code.
package inflate

import (
	"errors"
	"strconv"
)

// Status says why Decode came back without an error.
type Status uint8

const (
	// Done: the last block has ended.
	Done Status = iota
	// NeedInput: src ended in the middle of the stream.
	NeedInput
	// NeedOutput: dst is full and the stream has more to give.
	NeedOutput
)

// CorruptError is an offset in the input, in bytes from the start of what the
// call was given, at or shortly after which the data is not DEFLATE.
type CorruptError int64

func (e CorruptError) Error() string {
	return "inflate: corrupt data before offset " + strconv.FormatInt(int64(e), 10)
}

// MaxDistance is how far back a match may reach: a caller that moves its
// window must keep so many bytes before the position that it hands in.
const MaxDistance = 32768

type phase uint8

const (
	atHeader phase = iota
	inStored
	inCodes
	atEnd
)

// A Decoder holds the tables and the place in the stream. The zero value is
// ready for a new stream. It keeps no reference to dst or src.
type Decoder struct {
	bits  uint64 // fewer than 8 bits between calls
	nbits uint

	phase  phase
	final  bool
	stored int // bytes left in a stored block

	// A match that did not fit in dst: what is left of it.
	pending, offset int

	lit  *litTable // own or fixed
	dist *distTable

	level speed // what the loops may do; tests lower it

	ownLit  litTable
	ownDist distTable
	pre     [1 << preRoot]uint32
	lens    [maxLit + maxDist + 138]uint8 // one repeat may overshoot before it is refused
}

// Reset makes d ready for a new stream.
func (d *Decoder) Reset() {
	d.bits, d.nbits = 0, 0
	d.phase, d.final, d.stored, d.pending = atHeader, false, 0, 0
}

var errNeedInput = errors.New("inflate: need input") // never leaves the package

// Decode decodes from src[sp:] into dst[dp:] and returns both positions. The
// bytes dst[:dp] are the window that matches may reach into; nothing behind
// len(dst) is written and nothing behind len(src) read. On NeedInput the
// caller goes on with the bytes from the returned position and more behind
// them, on NeedOutput with a larger or moved dst. At Done the returned
// position in src is the first whole byte behind the stream.
//
// With an error, what was written to dst is not to be used.
func (d *Decoder) Decode(dst []byte, dp int, src []byte, sp int) (int, int, Status, error) {
	if dp < 0 || dp > len(dst) || sp < 0 || sp > len(src) {
		panic("inflate: position outside its slice")
	}
	for {
		switch d.phase {
		case atHeader:
			if d.final {
				// The bits left in the last byte are padding.
				d.bits, d.nbits = 0, 0
				d.phase = atEnd
				continue
			}
			n, err := d.header(src, sp)
			if err == errNeedInput {
				return dp, n, NeedInput, nil
			}
			if err != nil {
				return dp, n, Done, err
			}
			sp = n

		case inStored:
			n := copy(dst[dp:], src[sp:min(len(src), sp+d.stored)])
			dp += n
			sp += n
			d.stored -= n
			if d.stored > 0 {
				if dp == len(dst) {
					return dp, sp, NeedOutput, nil
				}
				return dp, sp, NeedInput, nil
			}
			d.phase = atHeader

		case inCodes:
			if d.pending > 0 {
				if d.offset > dp {
					panic("inflate: window lost")
				}
				if dp = d.finishMatch(dst, dp); d.pending > 0 {
					return dp, sp, NeedOutput, nil
				}
			}
			var r result
			dp, sp, r = d.codes(dst, dp, src, sp)
			switch r {
			case blockEnd:
				d.phase = atHeader
			case needInput:
				return dp, sp, NeedInput, nil
			case needOutput:
				return dp, sp, NeedOutput, nil
			default:
				return dp, sp, Done, CorruptError(sp)
			}

		case atEnd:
			return dp, sp, Done, nil
		}
	}
}

// speed orders the loops; each hands over to the one below where its margins
// end.
type speed uint8

const (
	speedUnsafe speed = iota // words through pointers, where the platform has them
	speedWords               // words through slices
	speedBytes               // byte by byte
)

// result says why a loop stopped.
type result uint8

const (
	margin result = iota // too near an end for this loop
	blockEnd
	needInput
	needOutput
	corrupt
)

func (d *Decoder) codes(dst []byte, dp int, src []byte, sp int) (int, int, result) {
	r := margin
	if d.level == speedUnsafe && haveUnsafe {
		dp, sp, r = d.loopUnsafe(dst, dp, src, sp)
	} else if d.level <= speedWords {
		dp, sp, r = d.loopWords(dst, dp, src, sp)
	}
	if r != margin {
		return dp, sp, r
	}
	return d.loopBytes(dst, dp, src, sp)
}
