package rootio

import (
	"fmt"

	"github.com/eddy-go/eddy/compress"
	"github.com/eddy-go/eddy/compress/lz4"
	"github.com/eddy-go/eddy/compress/xz"
	"github.com/eddy-go/eddy/compress/zlib"
	"github.com/eddy-go/eddy/compress/zstd"
)

// An Algorithm is one of ROOT's, by the number that ROOT gives it
// (ROOT::RCompressionSetting::EAlgorithm).
type Algorithm int

// Algorithms. What a payload holds says so itself: blocks begin with the
// letters in the comments.
const (
	Stored Algorithm = 0
	ZLIB   Algorithm = 1 // ZL
	LZMA   Algorithm = 2 // XZ
	CS     Algorithm = 3 // CS, of files from the nineties: refused
	LZ4    Algorithm = 4 // L4
	ZSTD   Algorithm = 5 // ZS
)

var algorithmNames = [...]string{"stored", "zlib", "lzma", "CS", "lz4", "zstd"}

func (a Algorithm) String() string {
	if a < 0 || int(a) >= len(algorithmNames) {
		return fmt.Sprintf("algorithm %d", int(a))
	}
	return algorithmNames[a]
}

// Settings is ROOT's code for how to compress: an [Algorithm] times 100 plus a
// level. ROOT takes levels from 0, which stores, to 99, and compresses by
// those over 9 as by 9. A code below 100 is a level of zlib's, as in files
// from before there was another.
type Settings int

// Default is ROOT's default: zstd at level 5.
const Default Settings = 505

const (
	topLevel = 9
	maxLevel = 99
)

// NewSettings returns the code of an algorithm and a level.
func NewSettings(a Algorithm, level int) Settings { return Settings(int(a)*100 + level) }

// Algorithm returns the algorithm: Stored if the level is 0.
func (s Settings) Algorithm() Algorithm {
	switch {
	case s.Level() == 0:
		return Stored
	case s >= 0 && s < 100:
		return ZLIB
	}
	return Algorithm(s / 100)
}

// Level returns the level.
func (s Settings) Level() int { return int(s % 100) }

func (s Settings) String() string {
	switch a := s.Algorithm(); {
	case s < 0:
		return fmt.Sprintf("settings %d", int(s))
	case a != Stored:
		return fmt.Sprintf("%v level %d", a, s.Level())
	}
	return Stored.String()
}

// Validate returns nil for the codes that Compress takes.
func (s Settings) Validate() error {
	if s < 0 {
		return &compress.Error{Format: format, Offset: -1, Err: fmt.Errorf("%w: %v", compress.ErrLevel, s)}
	}
	switch a := Algorithm(s / 100); a {
	case Stored, ZLIB, LZMA, LZ4, ZSTD:
		return nil
	case CS:
		return &compress.Error{Format: format, Offset: -1, Err: errCS}
	default:
		return &compress.Error{Format: format, Offset: -1, Err: fmt.Errorf("%w: %v", compress.ErrUnsupported, a)}
	}
}

var errCS = fmt.Errorf("%w: the old CS compression", compress.ErrUnsupported)

// codecs holds the codec of each algorithm and level, with the levels that
// ROOT gives its libraries: lz4 searches deeper from 4 on, and zstd's are
// doubled.
var codecs = func() (t [ZSTD + 1][topLevel + 1]compress.Codec) {
	for l := 1; l <= topLevel; l++ {
		t[ZLIB][l] = zlib.Codec{Level: l}
		t[LZMA][l] = xz.Codec{Level: l}
		t[LZ4][l] = lz4.Codec{Level: l}
		if l < 4 {
			t[LZ4][l] = lz4.Codec{Level: 1}
		}
		t[ZSTD][l] = zstd.Codec{Level: 2 * l}
	}
	return t
}()

func (s Settings) codec() compress.Codec {
	return codecs[s.Algorithm()][min(s.Level(), topLevel)]
}
