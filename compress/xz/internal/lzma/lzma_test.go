package lzma

import (
	"bytes"
	"testing"

	"github.com/eddy-go/eddy/compress/internal/sink"
)

// FuzzDecode holds the chunk decoder to end without a panic, whatever it is
// given: behind a container's checks a fuzzer hardly gets there.
func FuzzDecode(f *testing.F) {
	set := Settings{Depth: 8, Nice: 32, Dict: 1 << 16, Lazy: true}
	e := new(Encoder)
	for _, p := range []string{"", "w", "water water water wheel", string(bytes.Repeat([]byte("abcabd"), 90))} {
		f.Add(e.Append(nil, []byte(p), set))
	}
	d := new(Decoder)
	f.Fuzz(func(t *testing.T, z []byte) {
		s := sink.ForAppend(nil, 1<<16)
		sp, err := d.Decode(&s, z, 0, 1<<16)
		if sp > len(z) || err == nil && (sp == 0 || z[sp-1] != 0) {
			t.Fatalf("%d of %d, %v", sp, len(z), err)
		}
		first := bytes.Clone(s.Finish())
		if err != nil {
			return
		}
		// The same with another decoder, whose state is new, and the size known.
		dst := make([]byte, len(first))
		s = sink.ForSize(dst)
		if _, err := new(Decoder).Decode(&s, z, 0, 1<<16); err != nil || !bytes.Equal(dst, first) {
			t.Fatalf("decoded again: %v", err)
		}
	})
}

func FuzzEncode(f *testing.F) {
	f.Add([]byte("water water water wheel"), uint8(3), uint8(20), true)
	e, d := new(Encoder), new(Decoder)
	f.Fuzz(func(t *testing.T, p []byte, depth, nice uint8, lazy bool) {
		set := Settings{Depth: int(depth), Nice: 3 + int(nice), Dict: 1 << (4 + depth%12), Lazy: lazy}
		z := e.Append(nil, p, set)
		dst := make([]byte, len(p))
		s := sink.ForSize(dst)
		if _, err := d.Decode(&s, z, 0, uint32(set.Dict)); err != nil || !bytes.Equal(dst, p) {
			t.Fatal(err)
		}
	})
}

func TestDistanceBeyondTheDictionary(t *testing.T) {
	p := make([]byte, 6000)
	for i := range p {
		p[i] = byte(i * i >> 7)
	}
	p = append(p, p[:500]...)
	z := new(Encoder).Append(nil, p, Settings{Depth: 8, Nice: 64, Dict: 1 << 13})
	for _, c := range []struct {
		dict uint32
		want error
	}{{1 << 13, nil}, {6000, nil}, {5999, ErrCorrupt}, {4096, ErrCorrupt}} {
		s := sink.ForSize(make([]byte, len(p)))
		if _, err := new(Decoder).Decode(&s, z, 0, c.dict); err != c.want {
			t.Errorf("dictionary of %d: %v", c.dict, err)
		}
	}
}

// A chunk must end where its range coder does, with nothing left over.
func TestChunksEndEven(t *testing.T) {
	p := []byte("water water water wheel, water water wheel")
	z := new(Encoder).Append(nil, p, Settings{Depth: 8, Nice: 64, Dict: 1 << 13})
	const head = 6 // of the chunk; behind it is a zero, the end
	if packed := int(z[3])<<8 | int(z[4]) + 1; z[0] < 0xe0 || len(z) != head+packed+1 {
		t.Fatalf("no single chunk: % x", z)
	}
	end := len(z) - 1
	for _, c := range []struct {
		name string
		z    []byte
		want error
	}{
		{"as it is", z, nil},
		{"last byte damaged", append(append(bytes.Clone(z[:end-1]), z[end-1]^1), 0), ErrCorrupt},
		{"a byte more", append(bytes.Clone(z[:end]), 0, 0), ErrCorrupt},
		{"a byte less", append(bytes.Clone(z[:end-1]), 0), ErrCorrupt},
	} {
		if d := len(c.z) - len(z); d != 0 {
			n := int(c.z[4]) + d
			c.z[4] = byte(n)
		}
		dst := make([]byte, len(p))
		s := sink.ForSize(dst)
		if _, err := new(Decoder).Decode(&s, c.z, 0, 1<<13); err != c.want || err == nil && !bytes.Equal(dst, p) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestSpecialTreesDoNotOverlap(t *testing.T) {
	end := uint32(1)
	for slot := uint32(4); slot < 14; slot++ {
		bits := slot>>1 - 1
		if base := specialBase(slot); base+1 < end {
			t.Fatalf("slot %d begins at %d, before %d", slot, base+1, end)
		}
		if end = specialBase(slot) + 1<<bits; end > fullDists {
			t.Fatalf("slot %d ends at %d", slot, end)
		}
	}
}
