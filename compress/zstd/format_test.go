package zstd

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/eddy-go/eddy/compress"
	"github.com/eddy-go/eddy/compress/internal/codectest"
)

// head begins a frame: descriptor and the fields that follow it.
func head(descriptor byte, fields ...byte) []byte {
	z := binary.LittleEndian.AppendUint32(nil, magic)
	return append(append(z, descriptor), fields...)
}

// block appends one of the given type and size field.
func block(z []byte, last bool, kind, size int, data string) []byte {
	h := size<<3 | kind<<1
	if last {
		h |= 1
	}
	return append(append(z, byte(h), byte(h>>8), byte(h>>16)), data...)
}

func skip(id uint32, data string) []byte {
	z := binary.LittleEndian.AppendUint32(nil, skippable+id)
	z = binary.LittleEndian.AppendUint32(z, uint32(len(data)))
	return append(z, data...)
}

func join(z ...[]byte) []byte { return bytes.Join(z, nil) }

// plain is a frame of one raw block, its size stated.
func plain(data string) []byte {
	return block(head(flagSingle, byte(len(data))), true, blockRaw, len(data), data)
}

func TestFrames(t *testing.T) {
	window := byte(0) // 1 KiB
	for _, c := range []struct {
		name string
		z    []byte
		want string
		err  error
	}{
		{"raw", plain("water"), "water", nil},
		{"RLE", block(head(flagSingle, 9), true, blockRLE, 9, "w"), "wwwwwwwww", nil},
		{"no size stated", block(head(0, window), true, blockRaw, 5, "water"), "water", nil},
		{"empty blocks between", block(block(block(block(head(0, window), false, blockRaw, 0, ""), false, blockRaw, 3, "wat"),
			false, blockRLE, 0, "x"), true, blockRaw, 2, "er"), "water", nil},
		{"empty, one block", block(head(flagSingle, 0), true, blockRaw, 0, ""), "", nil},
		{"two frames", join(plain("wa"), plain("ter")), "water", nil},
		{"empty frame between", join(plain("wa"), plain(""), plain("ter")), "water", nil},
		{"skippable around", join(skip(0, "abc"), plain("wa"), skip(15, ""), plain("ter"), skip(3, "x")), "water", nil},
		{"skippable alone", skip(7, "abc"), "", nil},
		{"dictionary 0 is none", block(head(flagSingle|1, 0, 5), true, blockRaw, 5, "water"), "water", nil},
		{"size in two bytes", block(head(flagSingle|1<<6, 0, 0), true, blockRLE, 256, "w"), strings.Repeat("w", 256), nil},
		{"size in eight bytes", block(head(flagSingle|3<<6, 5, 0, 0, 0, 0, 0, 0, 0), true, blockRaw, 5, "water"), "water", nil},

		{"no input", nil, "", io.ErrUnexpectedEOF},
		{"reserved bit", block(head(flagSingle|flagReserved, 5), true, blockRaw, 5, "water"), "", compress.ErrCorrupt},
		{"reserved block type", block(head(flagSingle, 5), true, 3, 5, "water"), "", compress.ErrCorrupt},
		{"dictionary", block(head(flagSingle|1, 9, 5), true, blockRaw, 5, "water"), "", compress.ErrDictionary},
		{"size too large for the blocks", block(head(flagSingle|3<<6, 0, 0, 0, 0, 0, 0, 0, 0x7f), true, blockRaw, 5, "water"), "", compress.ErrSize},
		{"size too small", block(head(flagSingle, 4), true, blockRaw, 5, "water"), "", compress.ErrCorrupt},
		{"size one too large", block(head(flagSingle, 6), true, blockRaw, 5, "water"), "", compress.ErrSize},
		{"block over the window", block(head(0, window), true, blockRLE, 1025, "w"), "", compress.ErrCorrupt},
		{"block over 128 KiB", block(head(0, 20<<3), true, blockRLE, 128<<10+1, "w"), "", compress.ErrCorrupt},
		{"compressed block of garbage", block(head(0, 20<<3), true, blockCompressed, 6, "\xff\xff\xff\xff\xff\xff"), "", compress.ErrCorrupt},
		{"no last block", block(head(0, window), false, blockRaw, 5, "water"), "", io.ErrUnexpectedEOF},
		{"checksum missing", block(head(flagSingle|flagChecksum, 5), true, blockRaw, 5, "water"), "", io.ErrUnexpectedEOF},
		{"checksum wrong", append(block(head(flagSingle|flagChecksum, 5), true, blockRaw, 5, "water"), 1, 2, 3, 4), "", compress.ErrChecksum},
		{"skippable cut", skip(0, "abcdef")[:12], "", io.ErrUnexpectedEOF},
		{"skippable of 4 GiB", append(skip(0, "")[:4], 0xff, 0xff, 0xff, 0xff), "", io.ErrUnexpectedEOF},
		{"garbage behind", append(plain("water"), "?"...), "", compress.ErrTrailing},
	} {
		got, err := codectest.AppendDecompress(t, Codec{}, c.z, 1<<20)
		if string(got) != c.want || !errors.Is(err, c.err) {
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
		got, err = codectest.Decompress(t, Codec{}, c.z, len(c.want))
		if (err == nil) != (c.err == nil) || string(got) != c.want {
			t.Errorf("%s, size known: %q, %v", c.name, got, err)
		}
	}
}

func TestHugeWindowCostsNothing(t *testing.T) {
	// A window of 1 GiB is a claim that needs no memory where the output is
	// the window.
	z := block(head(0, 20<<3), true, blockRaw, 5, "water")
	if got, err := (Codec{}).AppendDecompress(nil, z, 100); err != nil || string(got) != "water" || cap(got) > 1024 {
		t.Fatalf("%q, cap %d, %v", got, cap(got), err)
	}
}

// Blocks of a few bytes, which might hold 128 KiB each, and a size that they
// might have together, of which nothing is true: it costs no more than the
// limit allows, and nothing where the size is over that.
func TestClaimedSizes(t *testing.T) {
	const size = 64 << 20
	z := head(flagSingle|2<<6, 0, 0, 0, size>>24)
	for range size / maxBlock {
		z = block(z, false, blockCompressed, 2, "\xff\xff")
	}
	z = block(z, true, blockRaw, 0, "")
	for _, c := range []struct {
		limit int
		err   error
		most  int
	}{
		{size, compress.ErrCorrupt, 3*size + 1<<20},
		{size - 1, compress.ErrLimit, 1 << 20},
	} {
		n := allocated(func() {
			if _, err := (Codec{}).AppendDecompress(nil, z, c.limit); !errors.Is(err, c.err) {
				t.Errorf("limit %d: %v", c.limit, err)
			}
		})
		if n > uint64(c.most) {
			t.Errorf("limit %d: %d bytes allocated for %d", c.limit, n, len(z))
		}
	}
}

func TestManyRLEBlocksMeetTheLimit(t *testing.T) {
	// 4 bytes a block of 128 KiB.
	z := head(0, 20<<3)
	for range 100 {
		z = block(z, false, blockRLE, 128<<10, "w")
	}
	z = block(z, true, blockRaw, 0, "")
	if _, err := codectest.AppendDecompress(t, Codec{}, z, 1<<20); !errors.Is(err, compress.ErrLimit) {
		t.Fatal(err)
	}
	got, err := codectest.AppendDecompress(t, Codec{}, z, 100*128<<10)
	if err != nil || len(got) != 100*128<<10 {
		t.Fatal(len(got), err)
	}
}

func FuzzDecompress(f *testing.F) {
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		f.Fatal(err)
	}
	defer r.Close()
	suite.FuzzDecompress(f, func(z []byte, limit int) ([]byte, bool) {
		// The peer takes input that ends between frames, or in a magic
		// number, and so nothing at all.
		if _, err := frames(z); err != nil {
			return nil, false
		}
		r.Reset(bytes.NewReader(z))
		p, err := io.ReadAll(io.LimitReader(r, int64(limit)+1))
		return p, err == nil && len(p) <= limit
	}, plain("water"), join(skip(2, "abc"), plain("a"), block(head(0, 0), true, blockRLE, 5, "x")))
}

// frames counts the frames of z.
func frames(z []byte) (n int, err error) {
	for {
		f, err := parseFrame(z)
		if err != nil {
			return n, err
		}
		n++
		if z = z[f.end:]; len(z) == 0 {
			return n, nil
		}
	}
}
