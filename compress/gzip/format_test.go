package gzip

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/eddy-go/eddy/compress"
	"github.com/eddy-go/eddy/compress/internal/codectest"
)

// member is one member by hand: flags, the header fields that they ask for,
// and a stored block.
func member(flags byte, fields, data string) []byte {
	z := []byte{magic1, magic2, methodDeflate, flags, 1, 2, 3, 4, 5, 6}
	z = append(z, fields...)
	if flags&flagHeaderCRC != 0 {
		z = binary.LittleEndian.AppendUint16(z, uint16(crc32.ChecksumIEEE(z)))
	}
	z = append(z, 1)
	z = binary.LittleEndian.AppendUint16(z, uint16(len(data)))
	z = binary.LittleEndian.AppendUint16(z, ^uint16(len(data)))
	z = append(z, data...)
	return appendTrailer(z, crc32.ChecksumIEEE([]byte(data)), uint32(len(data)))
}

func join(z ...[]byte) []byte { return bytes.Join(z, nil) }

func TestMembersAndHeaders(t *testing.T) {
	wrongHeaderCRC := member(flagHeaderCRC, "", "x")
	wrongHeaderCRC[4]++
	wrongSize := member(0, "", "x")
	wrongSize[len(wrongSize)-1]++
	wrongCRC := member(0, "", "x")
	wrongCRC[len(wrongCRC)-5]++
	for _, c := range []struct {
		name string
		z    []byte
		want string
		err  error
	}{
		{"plain", member(0, "", "water"), "water", nil},
		{"text flag", member(1, "", "water"), "water", nil},
		{"name", member(flagName, "river.txt\x00", "water"), "water", nil},
		{"comment", member(flagComment, "slow\x00", "water"), "water", nil},
		{"extra", member(flagExtra, "\x05\x00abcde", "water"), "water", nil},
		{"everything", member(flagExtra|flagName|flagComment|flagHeaderCRC|1, "\x02\x00abn\x00c\x00", "water"), "water", nil},
		{"empty members around", join(member(0, "", ""), member(0, "", "wa"), member(0, "", ""), member(flagName, "\x00", "ter"), member(0, "", "")), "water", nil},
		{"only empty", join(member(0, "", ""), member(0, "", "")), "", nil},
		{"reserved flag", member(1<<5, "", "x"), "", compress.ErrCorrupt},
		{"other method", append([]byte{magic1, magic2, 7}, member(0, "", "x")[3:]...), "", compress.ErrCorrupt},
		{"wrong header CRC", wrongHeaderCRC, "", compress.ErrChecksum},
		{"wrong CRC", wrongCRC, "", compress.ErrChecksum},
		{"wrong size", wrongSize, "", compress.ErrSize},
		{"name without an end", member(flagName, "", "")[:10], "", io.ErrUnexpectedEOF},
		{"extra beyond the end", member(flagExtra, "\xff\xffab", "x"), "", io.ErrUnexpectedEOF},
		{"zeroes behind", append(member(0, "", "x"), 0, 0, 0), "", compress.ErrTrailing},
		{"half a member behind", append(member(0, "", "x"), magic1, magic2, methodDeflate, 0), "", io.ErrUnexpectedEOF},
		{"no input", nil, "", io.ErrUnexpectedEOF},
		// A match must not reach into the member before.
		{"match across members", join(member(0, "", strings.Repeat("x", 40)),
			[]byte{magic1, magic2, methodDeflate, 0, 0, 0, 0, 0, 0, 0, 0x03, 0x02, 0x00, 0, 0, 0, 0, 0, 0, 0, 0}), "", compress.ErrCorrupt},
	} {
		got, err := codectest.AppendDecompress(t, Codec{}, c.z, 1000)
		if string(got) != c.want || !errors.Is(err, c.err) {
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
		got, err = codectest.ReadAll(t, NewReader(bytes.NewReader(c.z)))
		if !errors.Is(err, c.err) || err == nil && string(got) != c.want {
			t.Errorf("%s, as a stream: %q, %v", c.name, got, err)
		}
		got, err = codectest.Decompress(t, Codec{}, c.z, len(c.want))
		if (err == nil) != (c.err == nil) || string(got) != c.want {
			t.Errorf("%s, size known: %q, %v", c.name, got, err)
		}
	}
}

func TestStandardLibrary(t *testing.T) {
	for _, n := range []int{0, 1, 1000, 100000} {
		p := bytes.Repeat([]byte("the water comes back "), n/21+1)[:n]
		for _, c := range suite.Levels {
			z, err := c.AppendCompress(nil, p)
			if err != nil {
				t.Fatal(err)
			}
			r, err := gzip.NewReader(bytes.NewReader(z))
			if err != nil {
				t.Fatal(err)
			}
			if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, p) {
				t.Fatal(c, n, err)
			}
		}
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		w.Name, w.Comment, w.Extra, w.ModTime = "river", "slow", []byte("abc"), time.Unix(1e9, 0)
		w.Write(p)
		w.Close()
		if got, err := codectest.AppendDecompress(t, Codec{}, b.Bytes(), n); err != nil || !bytes.Equal(got, p) {
			t.Fatal(n, err)
		}
	}
}

func FuzzDecompress(f *testing.F) {
	suite.FuzzDecompress(f, func(z []byte, limit int) ([]byte, bool) {
		r, err := gzip.NewReader(bytes.NewReader(z))
		if err != nil {
			return nil, false
		}
		p, err := io.ReadAll(io.LimitReader(r, int64(limit)+1))
		if err != nil || len(p) > limit {
			return nil, false
		}
		// The standard library does not look at the reserved flags.
		return p, !reserved(z)
	}, member(flagExtra|flagName|flagComment|flagHeaderCRC, "\x02\x00abn\x00c\x00", "water"), join(member(0, "", ""), member(0, "", "x")))
}

// reserved reports whether a member of z, which is right otherwise, has a
// reserved flag.
func reserved(z []byte) bool {
	src := bytes.NewReader(z)
	r, err := gzip.NewReader(src)
	at := 0
	for err == nil {
		if z[at+3]&flagReserved != 0 {
			return true
		}
		r.Multistream(false)
		io.Copy(io.Discard, r)
		at = len(z) - src.Len()
		err = r.Reset(src)
	}
	return false
}
