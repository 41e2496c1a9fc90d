package zlib

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"hash/adler32"
	"io"
	"testing"

	"github.com/eddy-go/eddy/compress"
	"github.com/eddy-go/eddy/compress/internal/codectest"
)

func std(t testing.TB, p []byte, level int, dict []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := zlib.NewWriterLevelDict(&b, level, dict)
	if err != nil {
		t.Fatal(err)
	}
	w.Write(p)
	w.Close()
	return b.Bytes()
}

// stored is a stream by hand: stored blocks of the given parts.
func stored(parts ...string) []byte {
	z := []byte{0x78, 0x01}
	sum := adler32.New()
	for i, p := range parts {
		last := byte(0)
		if i == len(parts)-1 {
			last = 1
		}
		z = append(z, last)
		z = binary.LittleEndian.AppendUint16(z, uint16(len(p)))
		z = binary.LittleEndian.AppendUint16(z, ^uint16(len(p)))
		z = append(z, p...)
		io.WriteString(sum, p)
	}
	return binary.BigEndian.AppendUint32(z, sum.Sum32())
}

func TestHeaderAndTrailer(t *testing.T) {
	good := stored("water", "", "")
	with := func(i int, v byte) []byte {
		z := bytes.Clone(good)
		if i < 0 {
			i += len(z)
		}
		z[i] = v
		return z
	}
	for _, c := range []struct {
		name string
		z    []byte
		want error
	}{
		{"empty stored blocks", good, nil},
		{"window of 256 bytes", append([]byte{0x08, 0x1d}, good[2:]...), nil},
		{"wrong FCHECK", with(1, 0x02), compress.ErrCorrupt},
		{"method 7", append([]byte{0x77, 0x85}, good[2:]...), compress.ErrCorrupt},
		{"window of 64 KiB", append([]byte{0x88, 0x1c}, good[2:]...), compress.ErrCorrupt},
		{"preset dictionary", std(t, []byte("water"), 6, []byte("water and wind")), compress.ErrDictionary},
		{"wrong Adler-32", with(-1, good[len(good)-1]^1), compress.ErrChecksum},
		{"no input", nil, io.ErrUnexpectedEOF},
	} {
		got, err := codectest.Decompress(t, Codec{}, c.z, 5)
		if !errors.Is(err, c.want) || err == nil && string(got) != "water" {
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
		got, err = codectest.AppendDecompress(t, Codec{}, c.z, 10)
		if !errors.Is(err, c.want) || err == nil && string(got) != "water" {
			t.Errorf("%s, size unknown: %q, %v", c.name, got, err)
		}
		got, err = codectest.ReadAll(t, NewReader(bytes.NewReader(c.z)))
		if !errors.Is(err, c.want) || err == nil && string(got) != "water" {
			t.Errorf("%s, as a stream: %q, %v", c.name, got, err)
		}
	}
}

func TestErrorSaysWhere(t *testing.T) {
	z := stored("water", "wheel")
	z[2+5+5] ^= 2 // the second block's type: reserved bits of a stored block
	z[2+5+5] |= 6
	_, err := codectest.Decompress(t, Codec{}, z, 10)
	var e *compress.Error
	if !errors.As(err, &e) || e.Format != "zlib" || e.Offset < 12 || e.Offset > 22 || !errors.Is(err, compress.ErrCorrupt) {
		t.Fatalf("%v", err)
	}
}

func TestStandardLibraryReadsOurs(t *testing.T) {
	for _, n := range []int{0, 1, 1000, 100000} {
		p := bytes.Repeat([]byte("the water comes back "), n/21+1)[:n]
		for _, c := range suite.Levels {
			z, err := c.AppendCompress(nil, p)
			if err != nil {
				t.Fatal(err)
			}
			r, err := zlib.NewReader(bytes.NewReader(z))
			if err != nil {
				t.Fatal(err)
			}
			if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, p) {
				t.Fatal(c, n, err)
			}
		}
	}
}

func FuzzDecompress(f *testing.F) {
	suite.FuzzDecompress(f, func(z []byte, limit int) ([]byte, bool) {
		src := bytes.NewReader(z)
		r, err := zlib.NewReader(src)
		if err != nil {
			return nil, false
		}
		p, err := io.ReadAll(io.LimitReader(r, int64(limit)+1))
		return p, err == nil && len(p) <= limit && src.Len() == 0
	}, stored("a", "", "bc"), std(f, []byte("water"), 6, []byte("water")))
}
