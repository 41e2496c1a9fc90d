// Package flate is what deflate, zlib and gzip share: pooled encoders and
// decoders of the format inside them.
package flate

import (
	"io"
	"math/bits"

	"github.com/eddy-go/eddy"
	kflate "github.com/klauspost/compress/flate"
)

// Levels as the codecs' Level fields have them: the zero value is the default.
const (
	Default     = 0
	Stored      = -1
	HuffmanOnly = -2
	maxLevel    = 9
	usual       = 6 // what Default means
)

// ValidLevel reports whether level is one of the above or 1 to 9.
func ValidLevel(level int) bool { return level >= HuffmanOnly && level <= maxLevel }

// Bound returns a size that no encoder exceeds for n bytes, its frame included.
func Bound(n int) int { return n + n/64 + 512 }

type encoder struct {
	w   *kflate.Writer
	out output
}

// by level, from HuffmanOnly to maxLevel
var encoders = func() (p [maxLevel - HuffmanOnly + 1]*eddy.Pool[encoder]) {
	for i := range p {
		level := i + HuffmanOnly
		p[i] = &eddy.Pool[encoder]{
			Name:  "compress/flate encoders",
			New:   func() *encoder { return &encoder{w: newWriter(level)} },
			Reset: func(e *encoder) bool { e.out = output{}; return true },
		}
	}
	return p
}()

func newWriter(level int) *kflate.Writer {
	switch level {
	case Default:
		level = usual
	case Stored:
		level = kflate.NoCompression
	}
	// The level is one of the package's, the only ground for an error.
	w, _ := kflate.NewWriter(io.Discard, level)
	return w
}

// AppendCompress appends src, deflated, to dst, which should have room for
// Bound(len(src)).
func AppendCompress(dst, src []byte, level int) []byte {
	if level == Default {
		level = usual
	}
	start := len(dst)
	dst = appendOnce(dst, src, level)
	// The encoders store what they find no match in, even if a few byte
	// values make up all of it, where an order-0 code alone would shrink it.
	got := len(dst) - start
	if level > 0 && got > len(src)/2 && orderZero(src) < got-got/16 {
		if other := appendOnce(dst[start:start:cap(dst)], src, HuffmanOnly); len(other) < got {
			dst = append(dst[:start], other...)
		} else {
			dst = appendOnce(dst[:start], src, level)
		}
	}
	return dst
}

func appendOnce(dst, src []byte, level int) []byte {
	pool := encoders[level-HuffmanOnly]
	e := pool.Get()
	e.out.b = dst
	e.w.Reset(&e.out)
	e.w.Write(src) // appending does not fail
	e.w.Close()
	dst = e.out.b
	pool.Put(e)
	return dst
}

// orderZero estimates from the frequencies of the bytes to how many bytes
// coding them one by one would shrink p.
func orderZero(p []byte) int {
	var count [4][256]uint32 // four, so that runs do not wait for themselves
	n := len(p)
	for len(p) >= 4 {
		count[0][p[0]]++
		count[1][p[1]]++
		count[2][p[2]]++
		count[3][p[3]]++
		p = p[4:]
	}
	for _, v := range p {
		count[0][v]++
	}
	const table = 80 // bytes that the code itself may take
	cost := uint64(table * 8 << 8)
	for i := range count[0] {
		c := uint64(count[0][i]) + uint64(count[1][i]) + uint64(count[2][i]) + uint64(count[3][i])
		if c != 0 {
			cost += c * (log2(uint64(n)) - log2(c))
		}
	}
	return int(cost >> 11)
}

// log2 returns the binary logarithm in 1/256, linear between powers of two.
func log2(v uint64) uint64 {
	k := uint(bits.Len64(v) - 1)
	return uint64(k)<<8 + (v-1<<k)<<8>>k
}
