package xz

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"hash/crc64"
	"io"
	"strings"
	"testing"

	"github.com/eddy-go/eddy/compress"
	"github.com/eddy-go/eddy/compress/internal/codectest"
	"github.com/eddy-go/eddy/compress/internal/race"
	"github.com/eddy-go/eddy/compress/internal/shapes"
	"github.com/eddy-go/eddy/compress/xz/internal/lzma"
)

// part is one block by hand: its data, the chain before LZMA2 and what the
// header states.
type part struct {
	data         string
	filters      string // entries of the header
	count        byte   // of them
	encode       func([]byte)
	sized        bool
	lieSize      int64
	lieFlags     byte
	lzma         []byte // in place of data encoded
	damage       func(header []byte)
	damageBefore bool // of the header's CRC
}

func crc(z []byte) []byte { return binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(z)) }

func checkOf(kind byte, p []byte) []byte {
	switch kind {
	case checkCRC32:
		return crc(p)
	case checkCRC64:
		return binary.LittleEndian.AppendUint64(nil, crc64.Checksum(p, crc64Table))
	case checkSHA256:
		sum := sha256.Sum256(p)
		return sum[:]
	}
	return nil
}

func build(kind byte, parts ...part) []byte {
	flags := []byte{0, kind}
	z := append([]byte(magic), flags...)
	z = append(z, crc(flags)...)
	index := binary.AppendUvarint([]byte{0}, uint64(len(parts)))
	for _, p := range parts {
		raw := []byte(p.data)
		if p.encode != nil {
			p.encode(raw)
		}
		body := p.lzma
		if body == nil {
			body = new(lzma.Encoder).Append(nil, raw, settings[1])
		}
		h := []byte{0, p.count | p.lieFlags}
		if p.sized {
			h[1] |= 0xc0
			h = binary.AppendUvarint(h, uint64(len(body)))
			h = binary.AppendUvarint(h, uint64(int64(len(p.data))+p.lieSize))
		}
		h = append(h, p.filters...)
		h = append(h, filterLZMA2, 1, 20)
		for len(h)%4 != 0 {
			h = append(h, 0)
		}
		h[0] = byte(len(h) / 4)
		if p.damage != nil && p.damageBefore {
			p.damage(h)
		}
		h = append(h, crc(h)...)
		if p.damage != nil && !p.damageBefore {
			p.damage(h)
		}
		start := len(z)
		z = append(append(z, h...), body...)
		unpadded := len(z) - start + checkSize(kind)
		for (len(z)-start)%4 != 0 {
			z = append(z, 0)
		}
		z = append(z, checkOf(kind, []byte(p.data))...)
		index = binary.AppendUvarint(index, uint64(unpadded))
		index = binary.AppendUvarint(index, uint64(len(p.data)))
	}
	for len(index)%4 != 0 {
		index = append(index, 0)
	}
	index = append(index, crc(index)...)
	z = append(z, index...)
	foot := binary.LittleEndian.AppendUint32(nil, uint32(len(index)/4-1))
	foot = append(foot, flags...)
	z = append(append(z, crc(foot)...), foot...)
	return append(z, footerMagic...)
}

func delta(dist int) func([]byte) {
	return func(p []byte) {
		for i := len(p) - 1; i >= dist; i-- {
			p[i] -= p[i-dist]
		}
	}
}

// calls is code with nothing but CALLs that are far apart, which the x86
// filter converts without conditions: data decoded, and as it is stored.
func calls(start uint32) (data string, encode func([]byte)) {
	var p []byte
	for i := range 20 {
		p = append(p, strings.Repeat("\x90", 7+i)...)
		p = append(p, 0xe8)
		p = binary.LittleEndian.AppendUint32(p, uint32(1000*i-9000)&0x1ffffff|-(uint32(1000*i-9000)>>24&1)<<24)
	}
	return string(p), func(p []byte) {
		for i := 0; i+5 <= len(p); i++ {
			if p[i] == 0xe8 {
				v := binary.LittleEndian.Uint32(p[i+1:]) + start + uint32(i) + 5
				v = v&0x1ffffff | -(v>>24&1)<<24
				binary.LittleEndian.PutUint32(p[i+1:], v)
				i += 4
			}
		}
	}
}

func TestStreams(t *testing.T) {
	code, encode := calls(0)
	code4k, encode4k := calls(4096)
	slope := strings.Repeat("abcdefgh", 40)
	for _, kind := range []byte{checkNone, checkCRC32, checkCRC64, checkSHA256} {
		one := build(kind, part{data: "water"})
		for _, c := range []struct {
			name string
			z    []byte
			want string
			err  error
		}{
			{"one block", one, "water", nil},
			{"no block", build(kind), "", nil},
			{"empty block", build(kind, part{}), "", nil},
			{"blocks", build(kind, part{data: "wa"}, part{}, part{data: "ter", sized: true}), "water", nil},
			{"streams", bytes.Join([][]byte{one, build(kind), one}, nil), "waterwater", nil},
			{"streams with padding", bytes.Join([][]byte{one, make([]byte, 8), one, make([]byte, 4)}, nil), "waterwater", nil},
			{"delta", build(kind, part{data: slope, filters: "\x03\x01\x07", count: 1, encode: delta(8)}), slope, nil},
			{"delta of 256", build(kind, part{data: slope, filters: "\x03\x01\xff", count: 1, encode: delta(256)}), slope, nil},
			{"x86", build(kind, part{data: code, filters: "\x04\x00", count: 1, encode: encode}), code, nil},
			{"x86 from 4096 and delta", build(kind, part{data: code4k, filters: "\x04\x04\x00\x10\x00\x00\x03\x01\x00", count: 2,
				encode: func(p []byte) { encode4k(p); delta(1)(p) }}), code4k, nil},
			{"padding of 3", append(bytes.Clone(one), 0, 0, 0), "", compress.ErrCorrupt},
			{"garbage behind", append(bytes.Clone(one), "garbage"...), "", compress.ErrTrailing},
			{"size stated wrong", build(kind, part{data: "water", sized: true, lieSize: 1}), "", compress.ErrSize},
			{"reserved block flag", build(kind, part{data: "water", lieFlags: 4}), "", compress.ErrUnsupported},
			{"unknown filter", build(kind, part{data: "water", filters: "\x0b\x00", count: 1}), "", compress.ErrUnsupported},
			{"LZMA2 not last", build(kind, part{data: "water", filters: "\x21\x01\x10", count: 1}), "", compress.ErrUnsupported},
			{"delta without its byte", build(kind, part{data: "water", filters: "\x03\x00", count: 1}), "", compress.ErrCorrupt},
			{"wrong CRC of a block header", build(kind, part{data: "water", damage: func(h []byte) { h[len(h)-1]++ }}), "", compress.ErrChecksum},
			{"padding of a block header", build(kind, part{data: "water", damageBefore: true, damage: func(h []byte) { h[len(h)-1] = 1 }}), "", compress.ErrUnsupported},
			{"stored size of zero stated", build(kind, part{data: "water", sized: true, damageBefore: true, damage: func(h []byte) { h[2] = 0 }}), "", compress.ErrSize},
			{"dictionary property 41", build(kind, part{data: "water", damageBefore: true, damage: func(h []byte) { h[4] = 41 }}), "", compress.ErrCorrupt},
			{"first chunk without a dictionary reset", build(kind, part{data: "water", lzma: []byte("\x02\x00\x04water\x00")}), "", compress.ErrCorrupt},
			{"control 3", build(kind, part{data: "water", lzma: []byte("\x03\x00\x04water\x00")}), "", compress.ErrCorrupt},
			{"LZMA before properties", build(kind, part{data: "water", lzma: []byte("\x01\x00\x04water\x80\x00\x00\x00\x05\x00\x00\x00\x00\x00\x00\x00")}), "", compress.ErrCorrupt},
			{"lc and lp over 4", build(kind, part{data: "water", lzma: []byte("\xe0\x00\x00\x00\x05\x20\x00\x00\x00\x00\x00\x00\x00")}), "", compress.ErrCorrupt},
			{"no input", nil, "", io.ErrUnexpectedEOF},
			{"no xz", []byte("PK\x03\x04 something else"), "", compress.ErrCorrupt},
		} {
			got, err := codectest.AppendDecompress(t, Codec{}, c.z, 1<<20)
			if string(got) != c.want || !errors.Is(err, c.err) {
				t.Errorf("%s, check %d: %q, %v", c.name, kind, got, err)
			}
			got, err = codectest.Decompress(t, Codec{}, c.z, len(c.want))
			if (err == nil) != (c.err == nil) || string(got) != c.want {
				t.Errorf("%s, check %d, size known: %q, %v", c.name, kind, got, err)
			}
		}
	}
	if _, err := codectest.AppendDecompress(t, Codec{}, build(2, part{data: "water"}), 100); !errors.Is(err, compress.ErrUnsupported) {
		t.Errorf("unassigned check: %v", err)
	}
}

// enx86 is the filter itself, kept as a list of the opcodes that were passed
// over rather than as bits.
func enx86(p []byte, start uint32) {
	near := func(b byte) bool { return b == 0 || b == 0xff }
	type opcode struct {
		at   int
		near bool
	}
	var passed []opcode // since the last that was converted
	last := -5
	for i := 0; i+5 <= len(p); i++ {
		if p[i]&0xfe != 0xe8 {
			continue
		}
		if i-last > 5 {
			passed = nil
		}
		last = i
		var mask, nears uint32 // of the four bytes before
		for _, o := range passed {
			if back := i - o.at; back <= 3 {
				mask |= 1 << (back - 1)
			}
			if back := i - o.at; back <= 3 && o.near {
				nears |= 1 << (back - 1)
			}
		}
		ok := near(p[i+4]) && nears == 0
		switch mask {
		case 0, 1, 2, 4:
		default:
			ok = false
		}
		if !ok {
			passed = append(passed, opcode{i, near(p[i+4])})
			continue
		}
		behind := start + uint32(i) + 5
		dest := binary.LittleEndian.Uint32(p[i+1:]) + behind
		if mask != 0 {
			seen := map[uint32]uint32{1: 1, 2: 2, 4: 3}[mask]
			for near(byte(dest >> (24 - 8*seen))) {
				dest = (dest ^ (1<<(32-8*seen) - 1)) + behind
			}
		}
		dest &= 1<<25 - 1
		binary.LittleEndian.PutUint32(p[i+1:], dest|-(dest>>24)<<24)
		passed = nil
		i += 4
	}
}

func TestX86FilterOnDenseOpcodes(t *testing.T) {
	r := shapes.Rand(6)
	for round := range 300 {
		code := make([]byte, r.IntN(3000))
		for i := range code {
			switch r.IntN(2 + round%4) {
			case 0:
				code[i] = 0xe8 + byte(r.IntN(2))
			case 1:
				code[i] = -byte(r.IntN(2))
			default:
				code[i] = byte(r.Uint32())
			}
		}
		start := r.Uint32() &^ 3
		p := bytes.Clone(code)
		enx86(p, start)
		unx86(p, start)
		if !bytes.Equal(p, code) {
			t.Fatalf("round %d differs", round)
		}
	}
}

func TestIndexIsHeldAgainstBlocks(t *testing.T) {
	// Blocks of two streams under each other's index.
	a := build(checkCRC32, part{data: "wa"}, part{data: "ter"})
	b := build(checkCRC32, part{data: "wat"}, part{data: "er"})
	at := func(z []byte) int { return len(z) - headSize - 4*int(z[len(z)-8]+1) }
	z := append(bytes.Clone(a[:at(a)]), b[at(b):]...)
	if _, err := codectest.AppendDecompress(t, Codec{}, z, 100); !errors.Is(err, compress.ErrCorrupt) {
		t.Fatal(err)
	}
}

func TestChunksOfEveryKind(t *testing.T) {
	// Compressible and random stretches longer than chunks, so that stored
	// chunks, new states and chunks that go on follow each other.
	r := shapes.Rand(4)
	var p []byte
	parts := 12
	if race.Enabled {
		parts = 5
	}
	for i := range parts {
		s := shapes.All[1+i%2*3]
		p = append(p, s.Gen(r, 50000+r.IntN(100000))...)
	}
	for _, c := range []Codec{{1}, {3}} {
		z, err := c.AppendCompress(nil, p)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := codectest.Decompress(t, c, z, len(p)); err != nil || !bytes.Equal(got, p) {
			t.Fatal(c, err)
		}
	}
}

func FuzzDecompress(f *testing.F) {
	code, encode := calls(0)
	suite.FuzzDecompress(f, nil,
		build(checkNone, part{data: "water"}, part{data: "wheel", sized: true}),
		build(checkNone, part{data: code, filters: "\x04\x00", count: 1, encode: encode}),
		build(checkNone, part{data: code, filters: "\x03\x01\x03", count: 1, encode: delta(4)}))
}
