package rootio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/eddy-go/eddy/compress"
	"github.com/eddy-go/eddy/compress/internal/shapes"
)

// known fails the test unless err is one that callers can tell.
func known(t testing.TB, err error) {
	t.Helper()
	var e *compress.Error
	if !errors.As(err, &e) {
		t.Fatalf("error %v (%T) has no *compress.Error", err, err)
	}
	for _, k := range []error{
		compress.ErrCorrupt, compress.ErrChecksum, compress.ErrSize, compress.ErrTrailing, compress.ErrDictionary,
		compress.ErrUnsupported, io.ErrUnexpectedEOF,
	} {
		if errors.Is(err, k) {
			return
		}
	}
	t.Fatalf("error %v is of no kind", err)
}

// rawBlock puts a header before the data of a block.
func rawBlock(a Algorithm, data []byte, size int) []byte {
	head := headerSize
	if a == LZ4 {
		head += hashSize
	}
	z := append(make([]byte, head), data...)
	putHeader(z, a, size)
	return z
}

// blockOf compresses src into one block, which must shrink.
func blockOf(t testing.TB, src []byte, s Settings) []byte {
	t.Helper()
	z := pack(t, src, s)
	if len(z) == len(src) {
		t.Fatalf("%v: %d bytes do not shrink", s, len(src))
	}
	return z
}

// Data that nearly does not compress has long literals and few matches, near
// the end too.
func TestLZ4OfNearlyIncompressibleData(t *testing.T) {
	r := shapes.Rand(4)
	rounds := 6000
	if few() {
		rounds = 1000
	}
	compressed := 0
	for i := range rounds {
		src := make([]byte, 32+r.IntN(4000))
		for j := range src {
			src[j] = byte(r.Uint32())
		}
		// A few short repeats, as many as to shrink it by a little.
		for range 1 + r.IntN(12) {
			n := 4 + r.IntN(24)
			if len(src) < 2*n {
				continue
			}
			from, to := r.IntN(len(src)-n), r.IntN(len(src)-n)
			copy(src[to:to+n], src[from:from+n])
		}
		z := roundTrip(t, fmt.Sprint("block ", i), src, NewSettings(LZ4, []int{1, 4, 9}[i%3]))
		if len(z) < len(src) {
			compressed++
		}
	}
	if compressed < rounds/4 {
		t.Errorf("%d of %d blocks were compressed", compressed, rounds)
	}
}

// The checksum behind the data is read and verified where the block is about
// as long as what it decodes to, or longer.
func TestZlibTrailerOfBlocksThatHardlyShrink(t *testing.T) {
	noise := shapes.All[1].Gen(shapes.Rand(5), 3000)
	for n := 1; n < len(noise); n = n*5/4 + 1 {
		// A block that grew, which another writer might keep beside one that shrank.
		data, err := codecs[ZLIB][1].AppendCompress(nil, noise[:n])
		if err != nil {
			t.Fatal(err)
		}
		zeros := make([]byte, 200)
		z := append(rawBlock(ZLIB, data, n), blockOf(t, zeros, 101)...)
		want := append(bytes.Clone(noise[:n]), zeros...)
		if got, err := unpack(t, z, len(want)); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%d bytes: %v", n, err)
		}
		z[headerSize+len(data)-1] ^= 1
		if _, err := unpack(t, z, len(want)); !errors.Is(err, compress.ErrChecksum) {
			t.Fatalf("%d bytes with a wrong checksum: %v", n, err)
		}
	}
}

func TestSeveralBlocksOfAnyAlgorithm(t *testing.T) {
	r := shapes.Rand(6)
	rounds := 200
	if few() {
		rounds = 30
	}
	for range rounds {
		var z, want []byte
		for range 2 + r.IntN(4) {
			src := []func(*rand.Rand, int) []byte{shapes.Columns, shapes.All[5].Gen}[r.IntN(2)](r, 300+r.IntN(2000))
			z = append(z, blockOf(t, src, NewSettings(algorithms[r.IntN(4)], 1+r.IntN(6)))...)
			want = append(want, src...)
		}
		if got, err := unpack(t, z, len(want)); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%d bytes: %v", len(want), err)
		}
	}
}

func TestTwoZlibBlocks(t *testing.T) {
	a, b := shapes.Columns(shapes.Rand(1), 5000), shapes.Mixed(shapes.Rand(2), 3000)
	z := append(blockOf(t, a, 101), blockOf(t, b, 109)...)
	want := append(bytes.Clone(a), b...)
	if got, err := unpack(t, z, len(want)); err != nil || !bytes.Equal(got, want) {
		t.Fatal(err)
	}
}

// Every algorithm's blocks have a checksum as Compress writes them, so that a
// flipped bit shows or does no harm.
func TestEveryFlippedBitShowsOrDoesNoHarm(t *testing.T) {
	for i, gen := range []func() []byte{
		func() []byte { return shapes.Columns(shapes.Rand(1), 400) },
		func() []byte { return bytes.Repeat([]byte("abc"), 50) },
	} {
		src := gen()
		for _, s := range []Settings{101, 109, 201, 401, 409, 501, 509} {
			if few() && i == 0 && s%100 == 9 {
				continue
			}
			z := blockOf(t, src, s)
			for bit := range 8 * len(z) {
				z[bit/8] ^= 1 << (bit % 8)
				got, err := unpack(t, z, len(src))
				if err != nil {
					known(t, err)
				} else if !bytes.Equal(got, src) {
					t.Fatalf("%v: bit %d of %d: wrong data, no error", s, bit, 8*len(z))
				}
				z[bit/8] ^= 1 << (bit % 8)
			}
		}
	}
}

func TestEveryCutIsAnError(t *testing.T) {
	src := shapes.Columns(shapes.Rand(1), 2000)
	for _, s := range []Settings{101, 205, 401, 404, 505} {
		z := append(blockOf(t, src, s), blockOf(t, src[:900], s)...)
		for cut := range z {
			_, err := unpack(t, z[:cut], 2900)
			if !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Fatalf("%v: cut at %d of %d: %v", s, cut, len(z), err)
			}
			known(t, err)
		}
	}
}

func TestSizesThatLie(t *testing.T) {
	src := shapes.Columns(shapes.Rand(1), 1000)
	for _, s := range []Settings{101, 201, 401, 505} {
		z := blockOf(t, src, s)
		// The record's
		for _, size := range []int{0, 1, len(z) - 1, len(z) + 1, len(src) - 1, len(src) + 1, 3 * len(src)} {
			_, err := unpack(t, z, size)
			if err == nil {
				t.Fatalf("%v: %d bytes as %d: no error", s, len(src), size)
			}
			known(t, err)
		}
		// The block's
		for _, off := range []int{-len(src), -len(src) + 1, -100, -1, 1, 100, MaxBlock - len(src)} {
			bad := bytes.Clone(z)
			putUint24(bad[6:], len(src)+off)
			for _, size := range []int{len(src), len(src) + off} {
				if size < 0 || size == len(bad) {
					continue
				}
				_, err := unpack(t, bad, size)
				if err == nil {
					t.Fatalf("%v: a header of %d bytes for %d: no error", s, len(src)+off, len(src))
				}
				known(t, err)
			}
		}
		// The data's
		for _, off := range []int{-len(z) + headerSize, -20, -1, 1, 20, MaxBlock - len(z)} {
			bad := append(bytes.Clone(z), make([]byte, 30)...)
			putUint24(bad[3:], len(z)-headerSize+off)
			for _, bad := range [][]byte{bad[:len(z)], bad} {
				_, err := unpack(t, bad, len(src))
				if err == nil {
					t.Fatalf("%v: a header of %d bytes of data for %d: no error", s, len(z)-headerSize+off, len(z)-headerSize)
				}
				known(t, err)
			}
		}
	}
}

// A payload longer than its object would be written over the object's end.
func TestPayloadLongerThanItsObject(t *testing.T) {
	src := shapes.Columns(shapes.Rand(1), 1000)
	z := blockOf(t, src, 101)
	for _, size := range []int{0, 1, 8, len(z) - 1} {
		_, err := unpack(t, z, size)
		if !errors.Is(err, compress.ErrSize) && !errors.Is(err, compress.ErrTrailing) {
			t.Errorf("%d bytes: %v", size, err)
		}
		known(t, err)
	}
	// There are writers that keep a block that grew.
	noise := shapes.All[1].Gen(shapes.Rand(5), 600)
	for _, a := range algorithms {
		data, err := codecs[a][1].AppendCompress(nil, noise)
		if err != nil {
			t.Fatal(err)
		}
		z := rawBlock(a, data, len(noise))
		if got, err := unpack(t, z, len(noise)); len(z) <= len(noise) || err != nil || !bytes.Equal(got, noise) {
			t.Errorf("%v: %d bytes of %d: %v", a, len(z), len(noise), err)
		}
	}
}

func TestUnknownAlgorithmIsRefusedByName(t *testing.T) {
	src := make([]byte, 500)
	for _, c := range []struct {
		head string
		want error
		text string
	}{
		{"CS\x08", compress.ErrUnsupported, "root: unsupported feature of the format: the old CS compression (at offset 0)"},
		{"ZL\x07", compress.ErrUnsupported, "root: unsupported feature of the format: ZL of version 7 (at offset 0)"},
		{"XZ\x01", compress.ErrUnsupported, "root: unsupported feature of the format: XZ of version 1 (at offset 0)"},
		{"L4\x02", compress.ErrUnsupported, "root: unsupported feature of the format: L4 of version 2 (at offset 0)"},
		{"ZS\x00", compress.ErrUnsupported, "root: unsupported feature of the format: ZS of version 0 (at offset 0)"},
		{"zl\x08", compress.ErrCorrupt, `root: corrupt data: no block begins with "zl" (at offset 0)`},
		{"\x00\x00\x00", compress.ErrCorrupt, `root: corrupt data: no block begins with "\x00\x00" (at offset 0)`},
	} {
		z := blockOf(t, src, 101)
		copy(z, c.head)
		if _, err := unpack(t, z, len(src)); !errors.Is(err, c.want) || err.Error() != c.text {
			t.Errorf("%q: %v", c.head, err)
		}
	}
}

func TestBlocksTooShortForTheirHeader(t *testing.T) {
	for a := ZLIB; a <= ZSTD; a++ {
		for size := range hashSize + 1 {
			z := make([]byte, headerSize+size)
			copy(z, magics[a])
			z[2] = methods[a]
			putUint24(z[3:], size)
			putUint24(z[6:], 100)
			_, err := unpack(t, z, 100)
			if err == nil {
				t.Fatalf("%v of %d bytes: no error", a, size)
			}
			known(t, err)
		}
	}
	for size := range headerSize {
		if _, err := unpack(t, []byte("ZL\x08\x01\x00\x00\x40\x00")[:min(size, 8)], 64); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
}

// A block that holds less than its header says leaves bytes unwritten: what
// was in the slice before must not pass for data.
func TestShortBlocksAreErrors(t *testing.T) {
	for _, s := range []Settings{101, 201, 401, 505} {
		src := shapes.Columns(shapes.Rand(1), 800)
		z := blockOf(t, src, s)
		putUint24(z[6:], len(src)+1)
		if s.Algorithm() == LZ4 {
			putHeader(z, LZ4, len(src)+1)
		}
		dst := bytes.Repeat([]byte{0x5e}, len(src)+1)
		if _, err := Decompress(dst, z); !errors.Is(err, compress.ErrSize) && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%v: %v", s, err)
		}
	}
}

func TestChecksumsAreVerified(t *testing.T) {
	src := shapes.Columns(shapes.Rand(1), 500)
	for s, at := range map[Settings]int{101: -1, 401: headerSize, 501: -1} {
		z := blockOf(t, src, s)
		if at < 0 {
			at += len(z)
		}
		z[at] ^= 0x10
		if _, err := unpack(t, z, len(src)); !errors.Is(err, compress.ErrChecksum) {
			t.Errorf("%v: %v", s, err)
		}
	}
}

func TestOffsetsOfErrorsAreThoseInThePayload(t *testing.T) {
	src := shapes.Columns(shapes.Rand(1), 500)
	first := blockOf(t, src, 101)
	z := append(bytes.Clone(first), blockOf(t, src, 501)...)
	z[len(first)+headerSize] ^= 0xff // the frame's magic number
	_, err := unpack(t, z, 2*len(src))
	var e *compress.Error
	if !errors.As(err, &e) || e.Format != "root zstd" || e.Offset != int64(len(first)+headerSize) {
		t.Errorf("%v", err)
	}
}

// allocated returns how many bytes f allocates.
func allocated(f func()) uint64 {
	var a, b runtime.MemStats
	runtime.ReadMemStats(&a)
	f()
	runtime.ReadMemStats(&b)
	return b.TotalAlloc - a.TotalAlloc
}

// zstdFrame is a frame of one raw block, with a window of 2 to the given power.
func zstdFrame(window int, data []byte) []byte {
	z := binary.LittleEndian.AppendUint32(nil, 0xfd2fb528)
	z = append(z, 0, byte(window-10)<<3)
	head := len(data)<<3 | 1
	z = append(z, byte(head), byte(head>>8), byte(head>>16))
	return append(z, data...)
}

func TestZstdWindowOf512MBIsNotBelieved(t *testing.T) {
	rest := make([]byte, 1000)
	data := []byte("some bytes")
	want := append(bytes.Clone(data), rest...)
	tail := blockOf(t, rest, 501)
	for _, window := range []int{20, 29, 40} {
		z := append(rawBlock(ZSTD, zstdFrame(window, data), len(data)), tail...)
		if _, err := unpack(t, append(rawBlock(ZSTD, zstdFrame(20, data), len(data)), tail...), len(want)); err != nil {
			t.Fatal(err) // the decoder is there from now on
		}
		var got []byte
		var err error
		if n := allocated(func() { got, err = unpack(t, z, len(want)) }); n > 4<<20 {
			t.Errorf("window of 2^%d: %d bytes allocated", window, n)
		}
		if err == nil && !bytes.Equal(got, want) {
			t.Errorf("window of 2^%d: wrong data", window)
		}
		if window == 29 && err != nil {
			t.Errorf("window of 2^%d: %v", window, err)
		}
	}
}

func TestNoGoroutineIsLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	src := shapes.Columns(shapes.Rand(1), 1<<17)
	for _, a := range algorithms {
		z := blockOf(t, src, NewSettings(a, 1))
		for range 3 {
			if _, err := unpack(t, z, len(src)); err != nil {
				t.Fatal(err)
			}
			unpack(t, z[:len(z)/2], len(src))
		}
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines, %d before", n, before)
	}
}

func TestBlocksListsHeadersAlone(t *testing.T) {
	src := shapes.Columns(shapes.Rand(1), 500)
	z := append(blockOf(t, src, 101), blockOf(t, src[:400], 404)...)
	var got []Block
	for b, err := range Blocks(z, 900) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, b)
	}
	if len(got) != 2 || got[0].Algorithm != ZLIB || got[1].Algorithm != LZ4 || got[0].Size != 500 || got[1].Size != 400 ||
		got[1].Offset != got[0].Len || got[1].Offset+got[1].Len != len(z) {
		t.Errorf("%+v", got)
	}
	for _, c := range []struct {
		z    []byte
		size int
		want error
	}{
		{z, 899, compress.ErrSize}, {z, 901, io.ErrUnexpectedEOF}, {z[:len(z)-1], 900, io.ErrUnexpectedEOF},
		{append(bytes.Clone(z), 0), 900, compress.ErrTrailing}, {z, 10, compress.ErrSize}, {z, len(z) - 1, compress.ErrSize}, {nil, 10, io.ErrUnexpectedEOF},
	} {
		var last error
		for _, err := range Blocks(c.z, c.size) {
			last = err
		}
		if !errors.Is(last, c.want) {
			t.Errorf("%d bytes for %d: %v, want %v", len(c.z), c.size, last, c.want)
		}
	}
	// What no codec can make of so few bytes is not set memory aside for.
	z = rawBlock(ZLIB, make([]byte, 20), 1<<20)
	for _, err := range Blocks(z, 1<<20) {
		if !errors.Is(err, compress.ErrSize) {
			t.Errorf("a megabyte of 20 bytes: %v", err)
		}
	}
}
