package xz

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/eddy-go/eddy/compress"
	"github.com/eddy-go/eddy/compress/internal/codectest"
)

// Every field outside of the data, damaged alone: with no help from checks of
// the data, and with the CRC around it made right again.
func TestDamagedFields(t *testing.T) {
	for _, kind := range []byte{checkNone, checkCRC32, checkCRC64, checkSHA256} {
		z := build(kind, part{data: "water"}, part{data: "waterwheels"})
		foot := len(z) - headSize
		index := foot - 4*int(binary.LittleEndian.Uint32(z[foot+4:])+1)
		check := index - checkSize(kind)
		pad := check - 1
		if z[pad] != 0 || z[index] != 0 || z[foot-5] != 0 {
			t.Fatalf("check %d: no padding in the block or in the index: % x", kind, z)
		}
		recrc := func(z []byte, from, to int) { copy(z[to:], crc(z[from:to])) }
		type field struct {
			name     string
			from, to int
			fix      func([]byte)
			err      error
		}
		fields := []field{
			{"block padding", pad, check, nil, compress.ErrCorrupt},
			{"check", check, index, nil, compress.ErrChecksum},
			{"index padding", foot - 5, foot - 4, func(z []byte) { recrc(z, index, foot-4) }, compress.ErrCorrupt},
			{"number of records", index + 1, index + 2, func(z []byte) { recrc(z, index, foot-4) }, compress.ErrCorrupt},
			{"record", index + 2, index + 6, func(z []byte) { recrc(z, index, foot-4) }, compress.ErrCorrupt},
			{"CRC of the index", foot - 4, foot, nil, compress.ErrChecksum},
			{"CRC of the footer", foot, foot + 4, nil, compress.ErrChecksum},
			{"backward size", foot + 4, foot + 8, func(z []byte) { copy(z[foot:], crc(z[foot+4:foot+10])) }, compress.ErrCorrupt},
			{"flags of the footer", foot + 8, foot + 10, func(z []byte) { copy(z[foot:], crc(z[foot+4:foot+10])) }, compress.ErrCorrupt},
			{"magic of the footer", foot + 10, foot + 12, nil, compress.ErrCorrupt},
			{"CRC of the header", 8, 12, nil, compress.ErrChecksum},
		}
		for _, f := range fields {
			for bit := 8 * f.from; bit < 8*f.to; bit++ {
				bad := bytes.Clone(z)
				bad[bit/8] ^= 1 << (bit % 8)
				if f.fix != nil {
					f.fix(bad)
				}
				_, err := codectest.AppendDecompress(t, Codec{}, bad, 1000)
				if !errors.Is(err, f.err) {
					t.Errorf("check %d, %s, bit %d: %v", kind, f.name, bit-8*f.from, err)
				}
			}
		}
	}
}

// Bits of a stream's flags that mean nothing yet, in header and footer alike.
func TestReservedStreamFlags(t *testing.T) {
	for bit := range 16 {
		z := build(checkNone, part{data: "water"})
		foot := len(z) - headSize
		for _, at := range []int{len(magic), foot + 8} {
			z[at+bit/8] ^= 1 << (bit % 8)
		}
		copy(z[8:], crc(z[6:8]))
		copy(z[foot:], crc(z[foot+4:foot+10]))
		want := compress.ErrCorrupt
		switch bit {
		case 8, 10: // checks that are read: there is none behind the block
			continue
		case 9, 11: // others
			want = compress.ErrUnsupported
		}
		if _, err := codectest.AppendDecompress(t, Codec{}, z, 1000); !errors.Is(err, want) {
			t.Errorf("bit %d: %v", bit, err)
		}
	}
}
