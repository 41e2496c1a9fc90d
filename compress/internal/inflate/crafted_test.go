package inflate

import (
	"bytes"
	"testing"

	"github.com/eddy-go/eddy/compress/internal/edge"
	"github.com/eddy-go/eddy/compress/internal/race"
	"github.com/eddy-go/eddy/compress/internal/shapes"
)

// bitString writes streams by hand: fields least significant bit first, codes
// most significant bit first, as RFC 1951 3.1.1 has it.
type bitString struct {
	out []byte
	n   uint
}

func (b *bitString) bit(v uint) {
	if b.n%8 == 0 {
		b.out = append(b.out, 0)
	}
	b.out[b.n/8] |= byte(v&1) << (b.n % 8)
	b.n++
}

func (b *bitString) field(v, k uint) *bitString {
	for i := range k {
		b.bit(v >> i)
	}
	return b
}

func (b *bitString) code(v, k uint) *bitString {
	for i := range k {
		b.bit(v >> (k - 1 - i))
	}
	return b
}

// dynamic begins a last block whose code lengths are given one by one, with a
// code of the code lengths of four bits for each of 0 to 15.
func (b *bitString) dynamic(lit, dist []uint) *bitString {
	b.field(1, 1).field(2, 2)
	b.field(uint(len(lit)-257), 5).field(uint(len(dist)-1), 5).field(19-4, 4)
	for _, i := range preOrder {
		if i < 16 {
			b.field(4, 3)
		} else {
			b.field(0, 3)
		}
	}
	for _, l := range append(append([]uint(nil), lit...), dist...) {
		b.code(l, 4)
	}
	return b
}

// lits returns code lengths by symbol.
func lits(n int, of map[int]uint) []uint {
	l := make([]uint, n)
	for s, v := range of {
		l[s] = v
	}
	return l
}

var crafted = []struct {
	name string
	bits func() []byte
	want string // "-" for an error
}{
	{"fixed, empty", func() []byte { return new(bitString).field(1, 1).field(1, 2).code(0, 7).out }, ""},
	{"stored, empty, three times, then fixed", func() []byte {
		b := new(bitString)
		for range 3 {
			b.field(0, 1).field(0, 2)
			b.field(0, (8-b.n%8)%8).field(0, 16).field(0xffff, 16)
		}
		return b.field(1, 1).field(1, 2).code(0x30+'x', 8).code(0, 7).out
	}, "x"},
	{"stored, length and its complement disagree", func() []byte {
		return new(bitString).field(1, 1).field(0, 7).field(1, 16).field(0xffff, 16).field('x', 8).out
	}, "-"},
	{"reserved block type", func() []byte { return new(bitString).field(1, 1).field(3, 2).field(0, 30).out }, "-"},
	{"fixed, reserved length 286", func() []byte {
		return new(bitString).field(1, 1).field(1, 2).code(0xc0+6, 8).code(0, 7).field(0, 40).out
	}, "-"},
	{"fixed, reserved distance 30", func() []byte {
		return new(bitString).field(1, 1).field(1, 2).code(0x30+'x', 8).code(1, 7).code(30, 5).code(0, 7).field(0, 40).out
	}, "-"},
	{"fixed, distance before the start", func() []byte {
		return new(bitString).field(1, 1).field(1, 2).code(0x30+'x', 8).code(1, 7).code(1, 5).code(0, 7).field(0, 40).out
	}, "-"},
	{"fixed, overlapping match", func() []byte {
		return new(bitString).field(1, 1).field(1, 2).code(0x30+'x', 8).code(1, 7).code(0, 5).code(0, 7).out
	}, "xxxx"},
	// RFC 1951 3.2.7: "If only one distance code is used, it is encoded using
	// one bit, not zero bits; in this case there is a single code length of
	// one, with one unused code."
	{"one distance code of one bit", func() []byte {
		b := new(bitString).dynamic(lits(258, map[int]uint{'a': 2, 'b': 2, 256: 2, 257: 2}), []uint{1})
		return b.code(0, 2).code(3, 2).code(0, 1).code(1, 2).code(2, 2).out
	}, "aaaab"},
	{"one distance code of one bit, the unused code", func() []byte {
		b := new(bitString).dynamic(lits(258, map[int]uint{'a': 2, 'b': 2, 256: 2, 257: 2}), []uint{1})
		return b.code(0, 2).code(3, 2).code(1, 1).code(1, 2).code(2, 2).field(0, 40).out
	}, "-"},
	// "One distance code of zero bits means that there are no distance codes
	// used at all (the data is all literals)."
	{"no distance code", func() []byte {
		b := new(bitString).dynamic(lits(257, map[int]uint{'a': 1, 'b': 2, 256: 2}), []uint{0})
		return b.code(0, 1).code(2, 2).code(0, 1).code(3, 2).out
	}, "aba"},
	{"no distance code, but a match", func() []byte {
		b := new(bitString).dynamic(lits(258, map[int]uint{'a': 2, 'b': 2, 256: 2, 257: 2}), []uint{0})
		return b.code(0, 2).code(3, 2).code(0, 1).code(2, 2).field(0, 40).out
	}, "-"},
	{"end of block alone, of one bit", func() []byte {
		return new(bitString).dynamic(lits(257, map[int]uint{256: 1}), []uint{0}).code(0, 1).out
	}, ""},
	{"distance code incomplete otherwise", func() []byte {
		b := new(bitString).dynamic(lits(257, map[int]uint{'a': 1, 'b': 2, 256: 2}), []uint{2, 2})
		return b.code(0, 1).code(3, 2).field(0, 40).out
	}, "-"},
	{"literal code incomplete", func() []byte {
		b := new(bitString).dynamic(lits(257, map[int]uint{'a': 2, 256: 2}), []uint{0})
		return b.code(0, 2).code(1, 2).field(0, 40).out
	}, "-"},
	{"literal code oversubscribed", func() []byte {
		b := new(bitString).dynamic(lits(257, map[int]uint{'a': 1, 'b': 1, 256: 1}), []uint{0})
		return b.code(0, 1).field(0, 40).out
	}, "-"},
	{"no end of block", func() []byte {
		b := new(bitString).dynamic(lits(257, map[int]uint{'a': 1, 'b': 1}), []uint{0})
		return b.code(0, 1).code(1, 1).out
	}, "-"},
	{"code of 15 bits", func() []byte {
		of := map[int]uint{256: 15, 'o': 15}
		for l := uint(1); l < 15; l++ {
			of[int(l)] = l
		}
		b := new(bitString).dynamic(lits(257, of), []uint{0})
		return b.code(1<<15-2, 15).code(0, 1).code(1<<15-2, 15).code(1<<15-1, 15).out
	}, "o\x01o"},
	{"286 literal codes and 31 distance codes", func() []byte {
		l := lits(286, map[int]uint{'a': 1, 'b': 2, 256: 2})
		return new(bitString).dynamic(l, make([]uint, 31)).code(0, 1).code(3, 2).field(0, 40).out
	}, "-"},
	{"287 literal codes", func() []byte {
		l := lits(287, map[int]uint{'a': 1, 'b': 2, 256: 2})
		return new(bitString).dynamic(l, make([]uint, 1)).code(0, 1).code(3, 2).field(0, 40).out
	}, "-"},
}

func TestCrafted(t *testing.T) {
	for _, c := range crafted {
		t.Run(c.name, func(t *testing.T) {
			z := c.bits()
			for _, pad := range []int{0, 40} { // 40: enough for the loops by words
				src := edge.Page(t, len(z)+pad)
				copy(src, z)
				eachSpeed(t, func(t *testing.T, d *Decoder) {
					dst, check := edge.Canary(t, 1000)
					defer check()
					dp, sp, st, err := d.Decode(dst, 0, src, 0)
					if c.want == "-" {
						if err == nil && st == Done {
							t.Fatalf("accepted, %q", dst[:dp])
						}
						if err == nil && pad > 0 {
							t.Fatalf("no error, status %d", st)
						}
						return
					}
					if err != nil || st != Done || string(dst[:dp]) != c.want || sp != len(z) {
						t.Fatalf("%q, sp %d of %d, status %d, %v", dst[:dp], sp, len(z), st, err)
					}
				})
			}
			newPeer().agree(t, new(Decoder), z)
		})
	}
}

// Two literals of eleven bits, a length of twenty and a distance of 28: the
// most bits that a round can take, at every alignment.
func TestLongestSymbols(t *testing.T) {
	const history = 32768
	want := shapes.All[1].Gen(rng(8), history)
	b := new(bitString).field(0, 1).field(0, 2).field(0, 5).field(history, 16).field(^uint(history)&0xffff, 16)
	for _, v := range want {
		b.field(uint(v), 8)
	}
	// One code of each length, and two of the longest, which is all ones.
	of := map[int]uint{256: 15, 284: 15, 'a': 11}
	for l := 1; l < 15; l++ {
		if l != 11 {
			of[l] = uint(l)
		}
	}
	dists := make([]uint, 30)
	for l := 1; l < 15; l++ {
		dists[l] = uint(l)
	}
	dists[28], dists[29] = 15, 15
	b.dynamic(lits(285, of), dists)
	for i := range uint(60) {
		for range i % 3 {
			b.code(1<<11-2, 11)
			want = append(want, 'a')
		}
		extra := i * 131 & (1<<13 - 1)
		b.code(1<<15-1, 15).field(i%31, 5).code(1<<15-1, 15).field(extra, 13)
		at := len(want) - 24577 - int(extra)
		want = append(want, want[at:at+227+int(i%31)]...)
		if i%4 == 0 {
			b.code(0, 1) // moves the next ones by a bit
			want = append(want, 1)
		}
	}
	b.code(1<<15-2, 15)
	src := edge.Page(t, len(b.out))
	copy(src, b.out)
	page := edge.Page(t, len(want))
	eachSpeed(t, func(t *testing.T, d *Decoder) {
		between, check := edge.Canary(t, len(want))
		for _, dst := range [][]byte{page, between} {
			clear(dst)
			d.Reset()
			dp, sp, st, err := d.Decode(dst, 0, src, 0)
			if err != nil || st != Done || dp != len(want) || sp != len(src) || !bytes.Equal(dst, want) {
				t.Fatalf("dp %d of %d, sp %d of %d, status %d, %v", dp, len(want), sp, len(src), st, err)
			}
		}
		check()
	})
	newPeer().agree(t, new(Decoder), b.out)
}

func TestSubtablesFit(t *testing.T) {
	// Random complete codes, deep ones among them: the bound on the tables'
	// size that tables.go argues.
	r := rng(5)
	d := new(Decoder)
	deepest := 0
	n := 20000
	if testing.Short() || race.Enabled {
		n = 2000
	}
	for range n {
		lens := make([]uint8, 2, 288)
		lens[0], lens[1] = 1, 1
		want := 2 + r.IntN(285)
		deep := r.IntN(3)
		for len(lens) < want {
			// split a code into two of one more bit
			i := r.IntN(len(lens))
			if deep > 0 {
				i = len(lens) - 1 - r.IntN(min(len(lens), 3*deep))
			}
			if lens[i] == maxCodeLen {
				i = r.IntN(len(lens))
				if lens[i] == maxCodeLen {
					continue
				}
			}
			lens[i]++
			lens = append(lens, lens[i])
			deepest = max(deepest, int(lens[i]))
		}
		r.Shuffle(len(lens), func(i, j int) { lens[i], lens[j] = lens[j], lens[i] })
		if !build(d.ownLit[:], lens, litEntry[:], litRoot) {
			t.Fatal("complete code refused")
		}
		if len(lens) <= 32 && !build(d.ownDist[:], lens, distEntry[:], distRoot) {
			t.Fatal("complete code refused")
		}
	}
	if deepest != maxCodeLen {
		t.Fatal("no code of full depth")
	}
}
