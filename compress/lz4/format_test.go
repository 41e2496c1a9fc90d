package lz4

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/eddy-go/eddy/compress"
	"github.com/eddy-go/eddy/compress/internal/codectest"
)

// decodeSlow is the format read to the letter, one byte at a time.
func decodeSlow(z []byte, limit int) ([]byte, bool) {
	var out []byte
	long := func(n int) (int, bool) {
		if n < 15 {
			return n, true
		}
		for {
			if len(z) == 0 {
				return 0, false
			}
			b := z[0]
			z = z[1:]
			if n += int(b); b != 255 {
				return n, true
			}
		}
	}
	for {
		if len(z) == 0 {
			return nil, false
		}
		token := z[0]
		z = z[1:]
		n, ok := long(int(token >> 4))
		if !ok || n > len(z) || len(out)+n > limit {
			return nil, false
		}
		out = append(out, z[:n]...)
		if z = z[n:]; len(z) == 0 {
			return out, true
		}
		if len(z) < 2 {
			return nil, false
		}
		off := int(z[0]) | int(z[1])<<8
		z = z[2:]
		if n, ok = long(int(token & 15)); !ok || off == 0 || off > len(out) || len(out)+n+4 > limit {
			return nil, false
		}
		for range n + 4 {
			out = append(out, out[len(out)-off])
		}
	}
}

func TestBlocks(t *testing.T) {
	for _, c := range []struct {
		name string
		z    string
		want string
		err  error
	}{
		{"empty", "\x00", "", nil},
		{"literals", "\x50water", "water", nil},
		{"long literals", "\xf0\x05" + strings.Repeat("w", 20), strings.Repeat("w", 20), nil},
		{"overlapping match", "\x16w\x01\x00\x50water", strings.Repeat("w", 11) + "water", nil},
		{"long match", "\x1fw\x01\x00\xff\x00\x50water", strings.Repeat("w", 1+4+15+255) + "water", nil},
		{"length of match in the last token", "\x56water", "water", nil},
		{"the same behind matches of each kind", "\x26wa\x02\x00\x1fx\x01\x00\x07\x5fwater", "wawawawawawaxxxxxxxxxxxxxxxxxxxxxxxxxxxwater", nil},
		{"no input", "", "", io.ErrUnexpectedEOF},
		{"offset 0", "\x10w\x00\x00\x50water", "", compress.ErrCorrupt},
		{"offset before the start", "\x10w\x02\x00\x50water", "", compress.ErrCorrupt},
		{"ends behind a match", "\x10w\x01\x00", "", io.ErrUnexpectedEOF},
		{"half an offset", "\x10w\x01", "", io.ErrUnexpectedEOF},
		{"length without an end", "\xf0\xff\xff", "", io.ErrUnexpectedEOF},
		{"literals beyond the end", "\x50wate", "", io.ErrUnexpectedEOF},
		{"length of many bytes", "\x1fw\x01\x00" + strings.Repeat("\xff", 8000) + "\x00\x50water", "", compress.ErrLimit},
	} {
		got, err := codectest.AppendDecompress(t, Codec{}, []byte(c.z), 1<<20)
		if string(got) != c.want || !errors.Is(err, c.err) {
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
		known, err := codectest.Decompress(t, Codec{}, []byte(c.z), len(c.want))
		if (err == nil) != (c.err == nil) || string(known) != c.want {
			t.Errorf("%s, size known: %q, %v", c.name, known, err)
		}
		if slow, ok := decodeSlow([]byte(c.z), 1<<20); ok != (c.err == nil) || ok && !bytes.Equal(slow, got) {
			t.Errorf("%s: the slow decoder differs", c.name)
		}
	}
}

// Lengths that an int of 32 bits does not hold: once negative, and once around
// to 14 again.
func TestLengthsOverAnInt(t *testing.T) {
	// And one that an int just holds, but not with what is there before.
	for _, c := range []struct {
		n    int
		last byte
	}{{1<<31/255 + 1, 0}, {(1<<32 - 1) / 255, 0}, {(1<<31 - 1 - 15) / 255, (1<<31-1-15)%255 - 2}} {
		n, long := c.n, append(bytes.Repeat([]byte{0xff}, c.n), c.last)
		for _, c := range []struct {
			name        string
			before      string
			limit, size error
		}{
			{"literals", "\xf0", io.ErrUnexpectedEOF, io.ErrUnexpectedEOF},
			{"match", "\x1fw\x01\x00", compress.ErrLimit, compress.ErrSize},
		} {
			z := slices.Concat([]byte(c.before), long, []byte("\x50water"))
			if got, err := codectest.AppendDecompress(t, Codec{}, z, 1000); len(got) != 0 || !errors.Is(err, c.limit) {
				t.Errorf("%s, %d bytes of length: %d bytes, %v", c.name, n, len(got), err)
			}
			for _, size := range []int{6, 24, 1000} { // 24 is what it is after overflow
				_, err := codectest.Decompress(t, Codec{}, z, size)
				if !errors.Is(err, c.size) {
					t.Errorf("%s, %d bytes of length, size %d: %v", c.name, n, size, err)
				}
			}
		}
	}
}

func FuzzDecompress(f *testing.F) {
	suite.FuzzDecompress(f, decodeSlow, []byte("\x1fw\x01\x00\xff\x00\x50water"), []byte("\x16w\x01\x00\x50water"))
}
