package zstd

import (
	"errors"
	"io"
	"math/bits"

	"github.com/eddy-go/eddy/compress"
	"github.com/eddy-go/eddy/compress/internal/pull"
)

// The decoder beneath allocates the window that a frame's header states before
// it has seen any data. So the header that it gets to see states no more than
// firstWindow at first, which is as good while the frame has not given more,
// or as much as the input at hand is good for. Then it starts over, with the
// input so far kept for that, and a window that is stepWindow times as large;
// or the whole one, as soon as so much input is there that it is no mere claim.
const (
	firstWindow = 512 << 10
	stepWindow  = 4
	claim       = 64 // bytes of window that a byte of input is good for

	// aheadSize is enough for a window of 8 MiB, so that most frames never
	// start over where a reader gives all that it is asked for.
	aheadSize = 128 << 10
)

// errGrow: the next block may need a larger window.
var errGrow = errors.New("window too small")

// source is what a stream decoder reads: one frame at a time, at whose end is
// io.EOF.
type source struct {
	in  pull.Reader
	err error // why there is no more of the frame; not of the decoder

	ahead  []byte // read, but not yet taken: ahead[lo:hi]
	lo, hi int

	frames int // begun
	window uint64
	shown  uint64 // the window that the decoder was told
	at     int    // place of its descriptor in kept
	out    int64  // bytes that the frame gave so far

	queue []byte // comes first
	body  int    // then so much of a block, or of the checksum
	last  bool
	sum   bool // a checksum follows the last block
	kept  []byte
	small [headMax]byte
}

// headMax is the most that a frame's header takes, with a window descriptor.
const headMax = 4 + 1 + 1 + 4 + 8

// maxKept is how much memory for input a source keeps for the next stream.
const maxKept = firstWindow

func (s *source) reset(r io.Reader) {
	kept := s.kept[:0]
	if cap(kept) > maxKept {
		kept = nil
	}
	*s = source{in: pull.Reader{R: r}, kept: kept, ahead: s.ahead}
}

// take is io.Reader's Read of the input. It waits for no more than one byte.
func (s *source) take(p []byte) (int, error) {
	if s.lo == s.hi {
		if len(p) >= aheadSize {
			return s.in.Read(p)
		}
		if s.ahead == nil {
			s.ahead = make([]byte, aheadSize)
		}
		n, err := s.in.Read(s.ahead)
		if err != nil {
			return 0, err
		}
		s.lo, s.hi = 0, n
	}
	n := copy(p, s.ahead[s.lo:s.hi])
	s.lo += n
	return n, nil
}

// taken returns how many bytes of input were taken.
func (s *source) taken() int64 { return s.in.N - int64(s.hi-s.lo) }

// proven is how large a window the input so far is good for.
func (s *source) proven() uint64 { return claim * uint64(len(s.kept)+s.hi-s.lo) }

// growing reports whether input is kept to start over with.
func (s *source) growing() bool { return s.shown < s.window }

// full reads all of p, or gives the error that a frame ends with which does
// not end here.
func (s *source) full(p []byte) error {
	n, err := s.some(p)
	if err == io.EOF && n < len(p) {
		err = io.ErrUnexpectedEOF
	}
	return err
}

func (s *source) some(p []byte) (n int, err error) {
	for n < len(p) && err == nil {
		var k int
		k, err = s.take(p[n:])
		n += k
	}
	return n, err
}

// next skips to the next frame and reads its header. It returns io.EOF where
// the stream ends instead.
func (s *source) next() error {
	h := s.small[:4]
	for first := s.frames == 0; ; first = false {
		n, err := s.some(h)
		if err != nil && (err != io.EOF || n == 0 && !first) {
			return err
		}
		f, err := parseFrame(h[:n]) // of the magic number alone
		if err == errMagic && !first {
			return compress.ErrTrailing // no frame is what follows the last one
		}
		if err == errMagic || n < len(h) {
			return err
		}
		s.frames++
		if !f.skippable {
			return s.header()
		}
		if err := s.skip(); err != nil {
			return err
		}
	}
}

// skip skips the rest of a skippable frame.
func (s *source) skip() error {
	size := s.small[:4]
	if err := s.full(size); err != nil {
		return err
	}
	n := uint32(size[0]) | uint32(size[1])<<8 | uint32(size[2])<<16 | uint32(size[3])<<24
	scratch := s.kept[:cap(s.kept)]
	if len(scratch) == 0 {
		s.kept = make([]byte, 0, 4<<10)
		scratch = s.kept[:cap(s.kept)]
	}
	for n > 0 {
		p := scratch[:min(uint64(len(scratch)), uint64(n))]
		if err := s.full(p); err != nil {
			return err
		}
		n -= uint32(len(p))
	}
	return nil
}

// header reads the rest of a frame's header and makes it the one to be shown.
func (s *source) header() error {
	h := s.small[:5]
	if err := s.full(h[4:]); err != nil {
		return err
	}
	h = s.small[:headSize(h[4])]
	if err := s.full(h[5:]); err != nil {
		return err
	}
	var f frame
	if _, err := f.head(h); err != nil {
		return err
	}
	if f.window > MaxWindow {
		return compress.ErrUnsupported
	}
	s.out, s.body, s.last = 0, 0, false
	s.sum = h[4]&flagChecksum != 0
	s.kept = append(s.kept[:0], h[:5]...)
	s.window, s.shown = f.window, min(f.window, max(firstWindow, s.proven()))
	s.at = len(s.kept)
	switch {
	case !s.growing():
		s.kept = append(s.kept, h[5:]...)
	case h[4]&flagSingle != 0:
		// It states its size, which is the window, and now both apart.
		s.kept[4] &^= flagSingle
		s.kept = append(append(s.kept, 0), h[5:]...)
		s.kept[s.at] = descriptor(s.shown)
	default:
		s.kept = append(s.kept, h[5:]...)
		s.kept[s.at] = descriptor(s.shown)
	}
	s.queue = s.kept
	return nil
}

// descriptor returns the smallest window of at least n bytes.
func descriptor(n uint64) byte {
	exp := bits.Len64(n) - 1
	eighth := uint64(1) << exp / 8
	m := (n - 1<<exp + eighth - 1) / eighth // 8 of them are the next power of two
	return byte(uint64(exp-10)<<3 + m)
}

// grow makes the frame begin anew with a larger window.
func (s *source) grow() {
	s.shown = min(s.shown*stepWindow, s.window)
	if s.proven() >= s.window {
		s.shown = s.window
	}
	s.kept[s.at] = descriptor(s.shown)
	s.queue = s.kept
}

// Read gives the decoder what there is of the frame.
func (s *source) Read(p []byte) (int, error) {
	for s.err == nil {
		switch {
		case len(s.queue) > 0:
			n := copy(p, s.queue)
			s.queue = s.queue[n:]
			return n, nil
		case s.body > 0:
			n, err := s.take(p[:min(len(p), s.body)])
			s.body -= n
			if s.growing() {
				s.kept = append(s.kept, p[:n]...)
			}
			if err == nil {
				return n, nil
			}
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			s.err = err
		case s.last && s.sum:
			s.body, s.sum = checksumSize, false
		case s.last:
			return 0, io.EOF
		case s.growing() && (uint64(s.out)+maxBlock > s.shown || s.proven() >= s.window):
			return 0, errGrow // soon is better: what was decoded is decoded again
		default:
			s.err = s.block()
		}
	}
	return 0, s.err
}

// block reads the header of a block.
func (s *source) block() error {
	p := s.small[:blockHeadSize]
	if err := s.full(p); err != nil {
		return err
	}
	h := int(p[0]) | int(p[1])<<8 | int(p[2])<<16
	s.last = h&1 != 0
	s.body = h >> 3
	if h>>1&3 == blockRLE {
		s.body = 1
	}
	if s.growing() {
		s.kept = append(s.kept, p...)
	}
	s.queue = p
	return nil
}
