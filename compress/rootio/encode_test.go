package rootio

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/eddy-go/eddy/compress"
	"github.com/eddy-go/eddy/compress/internal/edge"
	"github.com/eddy-go/eddy/compress/internal/race"
	"github.com/eddy-go/eddy/compress/internal/shapes"
)

var algorithms = []Algorithm{ZLIB, LZMA, LZ4, ZSTD}

// few tells tests that run under emulation or the race detector to do less.
func few() bool { return testing.Short() || race.Enabled }

// pack compresses src and fails the test if that goes wrong, or writes
// outside of its slice.
func pack(t testing.TB, src []byte, s Settings) []byte {
	t.Helper()
	dst, check := edge.Canary(t, len(src))
	n, err := Compress(dst, src, s)
	if err != nil {
		t.Fatalf("%v of %d bytes: %v", s, len(src), err)
	}
	check()
	if n > len(src) {
		t.Fatalf("%v: %d bytes of %d", s, n, len(src))
	}
	return bytes.Clone(dst[:n])
}

// unpack decompresses z into size bytes, and fails the test if it writes
// outside of them.
func unpack(t testing.TB, z []byte, size int) ([]byte, error) {
	t.Helper()
	dst, check := edge.Canary(t, size)
	n, err := Decompress(dst, z)
	check()
	if err == nil && n != size {
		t.Fatalf("%d bytes of %d without an error", n, size)
	}
	return dst, err
}

func roundTrip(t *testing.T, what string, src []byte, s Settings) []byte {
	t.Helper()
	z := pack(t, src, s)
	got, err := unpack(t, z, len(src))
	if err != nil || !bytes.Equal(got, src) {
		t.Fatalf("%s of %d bytes by %v: %v", what, len(src), s, err)
	}
	size, blocks := 0, 0
	for b, err := range Blocks(z, len(src)) {
		if err != nil || b.Algorithm != s.Algorithm() {
			t.Fatalf("%s of %d bytes by %v: %+v, %v", what, len(src), s, b, err)
		}
		size += b.Size
		blocks++
	}
	if stored := len(z) == len(src); stored && (blocks > 0 || !bytes.Equal(z, src)) || !stored && size != len(src) {
		t.Fatalf("%s of %d bytes by %v: %d blocks of %d bytes", what, len(src), s, blocks, size)
	}
	return z
}

func TestRoundTripAtEveryLevel(t *testing.T) {
	sizes := []int{0, 1, 2, 8, 9, 10, 11, 12, 100, 255, 3000}
	step := 1
	if few() {
		sizes, step = []int{0, 1, 10, 11, 100, 1000}, 4
	}
	for i, sh := range shapes.All {
		for _, n := range sizes {
			src := sh.Gen(shapes.Rand(uint64(i)), n)
			for _, a := range algorithms {
				for level := 1; level <= topLevel; level += step {
					roundTrip(t, sh.Name, src, NewSettings(a, level))
				}
			}
		}
	}
}

func TestRoundTripOfRandomSizes(t *testing.T) {
	r := shapes.Rand(1)
	rounds := 300
	if few() {
		rounds = 40
	}
	for range rounds {
		sh := shapes.All[r.IntN(len(shapes.All))]
		src := sh.Gen(r, r.IntN(1<<r.IntN(16)))
		roundTrip(t, sh.Name, src, NewSettings(algorithms[r.IntN(len(algorithms))], 1+r.IntN(topLevel)))
	}
}

// The borders of zstd's own blocks are multiples of 128 KiB.
func TestRoundTripAroundMultiplesOf128KiB(t *testing.T) {
	for i, sh := range shapes.All {
		if i > 2 && few() {
			break
		}
		for _, multiple := range []int{1, 2, 3} {
			if multiple > 1 && few() {
				break
			}
			for _, off := range []int{-1024, -1, 0, 1} {
				src := sh.Gen(shapes.Rand(uint64(i)), multiple<<17+off)
				for _, s := range []Settings{501, 505, 101, 404, 401} {
					roundTrip(t, sh.Name, src, s)
				}
				if multiple == 1 && off >= 0 && i < 3 {
					roundTrip(t, sh.Name, src, 201)
					roundTrip(t, sh.Name, src, 509)
				}
			}
		}
	}
}

func TestBlocksAreOfThreeBytesSize(t *testing.T) {
	src := make([]byte, 2*MaxBlock+5)
	for i := range src {
		src[i] = byte(i >> 12)
	}
	settings := []Settings{101, 401, 501}
	if few() {
		settings = settings[1:2]
	}
	for _, s := range settings {
		for _, size := range []int{MaxBlock - 1, MaxBlock, MaxBlock + 100, 2*MaxBlock + 5} {
			if few() && size != MaxBlock+100 {
				continue
			}
			z := roundTrip(t, "steps", src[:size], s)
			left := size
			if size == 2*MaxBlock+5 {
				// The last block, of five bytes, does not shrink, so nothing is compressed.
				if len(z) != size {
					t.Fatalf("%v: %d bytes: not stored", s, size)
				}
				continue
			}
			for b := range Blocks(z, size) {
				if b.Size != min(left, MaxBlock) {
					t.Fatalf("%v: %d bytes: a block of %d where %d are left", s, size, b.Size, left)
				}
				left -= b.Size
			}
			if left != 0 {
				t.Fatalf("%v: %d bytes: %d are left", s, size, left)
			}
		}
	}
}

// ROOT stores what does not shrink, what is shorter than a header, and
// everything at level 0.
func TestStoredAsROOTDoes(t *testing.T) {
	noise := shapes.All[1].Gen(shapes.Rand(1), 4000)
	for _, a := range algorithms {
		if z := pack(t, noise, NewSettings(a, 9)); !bytes.Equal(z, noise) {
			t.Errorf("%v: noise becomes %d bytes of %d", a, len(z), len(noise))
		}
		if z := pack(t, make([]byte, 10), NewSettings(a, 9)); len(z) != 10 {
			t.Errorf("%v: ten zeros become %d bytes", a, len(z))
		}
		if z := pack(t, make([]byte, 1000), NewSettings(a, 0)); len(z) != 1000 {
			t.Errorf("%v: level 0 makes %d bytes of 1000", a, len(z))
		}
		if z := pack(t, make([]byte, 1000), NewSettings(a, 1)); len(z) >= 100 {
			t.Errorf("%v: a thousand zeros become %d bytes", a, len(z))
		}
	}
}

// A compressed payload is always shorter than its object: what is as long is
// stored.
func TestBarelyShrinking(t *testing.T) {
	r := shapes.Rand(2)
	noise := shapes.All[1].Gen(r, 700)
	for _, a := range algorithms {
		stored, compressed := 0, 0
		step := 13
		if few() {
			step = 60
		}
		for n := 20; n < len(noise); n += step {
			for run := 0; run < 120 && run < n; run += 1 + run/20 {
				src := bytes.Clone(noise[:n])
				clear(src[:run])
				if z := roundTrip(t, "noise", src, NewSettings(a, 1)); len(z) == n {
					stored++
				} else {
					compressed++
				}
			}
		}
		if stored == 0 || compressed == 0 {
			t.Errorf("%v: %d stored, %d compressed: the border was not met", a, stored, compressed)
		}
	}
}

func TestLevelsOver9AreAs9(t *testing.T) {
	src := shapes.Mixed(shapes.Rand(1), 5000)
	for _, a := range algorithms {
		want := pack(t, src, NewSettings(a, 9))
		for _, level := range []int{10, 50, maxLevel} {
			if !bytes.Equal(pack(t, src, NewSettings(a, level)), want) {
				t.Errorf("%v: level %d is not as 9", a, level)
			}
		}
	}
	if !bytes.Equal(pack(t, src, 6), pack(t, src, 106)) {
		t.Error("code 6 is not zlib at level 6")
	}
}

func TestSettings(t *testing.T) {
	for _, c := range []struct {
		s     Settings
		a     Algorithm
		level int
		text  string
		err   error
	}{
		{0, Stored, 0, "stored", nil},
		{1, ZLIB, 1, "zlib level 1", nil},
		{100, Stored, 0, "stored", nil},
		{101, ZLIB, 1, "zlib level 1", nil},
		{207, LZMA, 7, "lzma level 7", nil},
		{301, CS, 1, "CS level 1", compress.ErrUnsupported},
		{404, LZ4, 4, "lz4 level 4", nil},
		{Default, ZSTD, 5, "zstd level 5", nil},
		{599, ZSTD, 99, "zstd level 99", nil},
		{601, Algorithm(6), 1, "algorithm 6 level 1", compress.ErrUnsupported},
		{-1, Algorithm(0), -1, "settings -1", compress.ErrLevel},
	} {
		if c.s.Algorithm() != c.a || c.s.Level() != c.level || c.s.String() != c.text || !errors.Is(c.s.Validate(), c.err) {
			t.Errorf("%d: %v, %d, %q, %v", c.s, c.s.Algorithm(), c.s.Level(), c.s.String(), c.s.Validate())
		}
		dst := make([]byte, 100)
		if n, err := Compress(dst, make([]byte, 100), c.s); !errors.Is(err, c.err) || (err == nil) != (n > 0) {
			t.Errorf("%d: Compress: %d, %v", c.s, n, err)
		}
	}
}

func TestCompressWantsRoomForAll(t *testing.T) {
	for _, a := range algorithms {
		if n, err := Compress(make([]byte, 99), make([]byte, 100), NewSettings(a, 1)); n != 0 || !errors.Is(err, io.ErrShortBuffer) {
			t.Errorf("%v: %d, %v", a, n, err)
		}
		// More room changes nothing, whether the encoder's worst case fits or not.
		src := shapes.Mixed(shapes.Rand(1), 3000)
		want := pack(t, src, NewSettings(a, 1))
		for _, room := range []int{0, 1, 40, 10000} {
			dst := make([]byte, len(src)+room)
			n, err := Compress(dst, src, NewSettings(a, 1))
			if err != nil || !bytes.Equal(dst[:n], want) {
				t.Errorf("%v: with %d bytes more room: %d, %v", a, room, n, err)
			}
		}
	}
}
