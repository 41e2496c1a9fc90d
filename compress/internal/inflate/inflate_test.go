package inflate

import (
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"hash/adler32"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/eddy-go/eddy/compress/internal/edge"
	"github.com/eddy-go/eddy/compress/internal/race"
	"github.com/eddy-go/eddy/compress/internal/shapes"
)

// eachSpeed runs f with every loop that the platform has.
func eachSpeed(t *testing.T, f func(t *testing.T, d *Decoder)) {
	for lv, name := range []string{"pointers", "words", "bytes"} {
		if speed(lv) == speedUnsafe && !haveUnsafe {
			continue
		}
		t.Run(name, func(t *testing.T) { f(t, &Decoder{level: speed(lv)}) })
	}
}

var sizes = []int{0, 1, 2, 7, 8, 9, 100, 257, 258, 259, 1000, 4096, 32767, 32768, 70000, 300000}

// small tells tests to do with less, of every kind that there is.
func small() bool { return testing.Short() || race.Enabled }

func TestEqualsStandardLibrary(t *testing.T) {
	for si, s := range shapes.All {
		for i, n := range sizes {
			if small() && (n > 70000 || n > 5000 && i%len(shapes.All) != si) {
				continue // one large size of each shape
			}
			want := s.Gen(rng(uint64(si)), n)
			for _, level := range []int{-2, 0, 1, 6, 9} {
				z := deflateStd(t, want, level)
				// bytes behind the stream are not part of it
				box := edge.Open(t, len(z)+3)
				src, _ := box.Last(t, len(z)+3)
				copy(src[copy(src, z):], "\xff\xff\xff")
				for _, d := range decoders() {
					dst, check := edge.Canary(t, n)
					dp, sp, st, err := d.Decode(dst, 0, src, 0)
					if err != nil || st != Done || dp != n || sp != len(z) || !bytes.Equal(dst, want) {
						t.Fatalf("%s %d level %d loop %d: dp %d, sp %d of %d, status %d, %v", s.Name, n, level, d.level, dp, sp, len(z), st, err)
					}
					check()
				}
				box.Close()
			}
		}
	}
}

// decoders returns one with each loop that the platform has.
func decoders() []*Decoder {
	ds := []*Decoder{{level: speedWords}, {level: speedBytes}}
	if haveUnsafe {
		ds = append(ds, &Decoder{level: speedUnsafe})
	}
	return ds
}

func TestEndsAtProtectedPages(t *testing.T) {
	eachSpeed(t, func(t *testing.T, d *Decoder) {
		for si, s := range shapes.All {
			for _, n := range []int{1, 30, 300, 5000} {
				want := s.Gen(rng(uint64(si)), n)
				z := deflateStd(t, want, 6)
				src := edge.Page(t, len(z))
				copy(src, z)
				dst := edge.Page(t, n)
				d.Reset()
				if _, _, st, err := d.Decode(dst, 0, src, 0); st != Done || err != nil || !bytes.Equal(dst, want) {
					t.Fatal(s.Name, n, st, err)
				}
				// every shorter input and output, whose ends move through the loops' margins
				for cut := 1; cut <= min(len(z), 64); cut++ {
					d.Reset()
					dp, _, st, err := d.Decode(dst, 0, src[cut:], 0)
					_ = dp // garbage, which may be an error or not: the pages are the test
					_, _ = st, err
				}
				short := edge.Page(t, n)
				for cut := 1; cut <= min(n, 300); cut++ {
					out := short[cut:]
					d.Reset()
					dp, _, st, err := d.Decode(out, 0, src, 0)
					if err != nil || st != NeedOutput || dp != len(out) || !bytes.Equal(out, want[:dp]) {
						t.Fatal(s.Name, n, cut, dp, st, err)
					}
				}
			}
		}
	})
}

// pieces decodes z with input and output given a few bytes at a time.
func pieces(d *Decoder, z []byte, n int, in, out func() int) ([]byte, int, error) {
	d.Reset()
	dst := make([]byte, n+8)
	end, sp, dp, room := 0, 0, 0, 0
	for {
		var st Status
		var err error
		canary := dst[room : room+8]
		for i := range canary {
			canary[i] = 0xa5
		}
		dp, sp, st, err = d.Decode(dst[:room], dp, z[:end], sp)
		if string(canary) != "\xa5\xa5\xa5\xa5\xa5\xa5\xa5\xa5" {
			return nil, sp, errors.New("written behind the room")
		}
		switch {
		case err != nil:
			return dst[:dp], sp, err
		case st == Done:
			return dst[:dp], sp, nil
		case st == NeedInput:
			if end == len(z) {
				return dst[:dp], sp, io.ErrUnexpectedEOF
			}
			end = min(len(z), end+in())
		case st == NeedOutput:
			if room == n {
				return dst[:dp], sp, io.ErrShortBuffer
			}
			room = min(n, room+out())
		}
	}
}

func TestInPieces(t *testing.T) {
	eachSpeed(t, func(t *testing.T, d *Decoder) {
		r := rng(7)
		for si, s := range shapes.All {
			n := 20000
			if small() {
				n = 5000
			}
			want := s.Gen(rng(uint64(si)), n)
			for _, level := range []int{-2, 0, 1, 6} {
				z := deflateStd(t, want, level)
				for name, step := range map[string]func() int{
					"one":   func() int { return 1 },
					"small": func() int { return 1 + r.IntN(40) },
					"large": func() int { return 1 + r.IntN(4000) },
				} {
					got, sp, err := pieces(d, z, n, step, step)
					if err != nil || sp != len(z) || !bytes.Equal(got, want) {
						t.Fatalf("%s level %d %s: %d bytes, sp %d of %d: %v", s.Name, level, name, len(got), sp, len(z), err)
					}
				}
			}
		}
	})
}

func TestTruncatedGivesPrefix(t *testing.T) {
	eachSpeed(t, func(t *testing.T, d *Decoder) {
		for si, s := range shapes.All {
			want := s.Gen(rng(uint64(si)), 3000)
			if small() {
				want = want[:600]
			}
			for _, level := range []int{-2, 0, 6} {
				z := deflateStd(t, want, level)
				dst, check := edge.Canary(t, len(want))
				src := edge.Page(t, len(z))
				last := 0
				for cut := range z {
					d.Reset()
					in := src[len(z)-cut:]
					copy(in, z)
					dp, _, st, err := d.Decode(dst, 0, in, 0)
					check()
					if err != nil || st != NeedInput {
						t.Fatalf("%s level %d cut %d: status %d, %v", s.Name, level, cut, st, err)
					}
					if dp < last || !bytes.Equal(dst[:dp], want[:dp]) {
						t.Fatalf("%s level %d cut %d: %d bytes are no prefix", s.Name, level, cut, dp)
					}
					last = dp
				}
			}
		}
	})
}

const agreeLimit = 1 << 16

// peer is what the standard library makes of a stream, with its state reused.
type peer struct {
	src bytes.Reader
	r   io.ReadCloser
	out [agreeLimit + 1]byte
}

func newPeer() *peer { return &peer{r: flate.NewReader(nil)} }

func (p *peer) decode(z []byte) (out []byte, used int, err error) {
	p.src.Reset(z)
	p.r.(flate.Resetter).Reset(&p.src, nil)
	n, err := io.ReadFull(p.r, p.out[:])
	if err == io.EOF || err == io.ErrUnexpectedEOF && p.ended() {
		err = nil
	}
	return p.out[:n], len(z) - p.src.Len(), err
}

// ended tells a full stream from a cut one, which ReadFull reports alike.
func (p *peer) ended() bool {
	n, err := p.r.Read(make([]byte, 1))
	return n == 0 && err == io.EOF
}

// agree fails the test unless d and the standard library say the same of z.
func (p *peer) agree(t testing.TB, d *Decoder, z []byte) {
	t.Helper()
	want, used, wantErr := p.decode(z)
	in, out := edge.Open(t, len(z)), edge.Open(t, agreeLimit)
	defer in.Close()
	defer out.Close()
	src, _ := in.Last(t, len(z))
	copy(src, z)
	// Room for all, and then for no more than there is, before a page: both
	// must say the same.
	dst, check := out.Inside(t, agreeLimit)
	clear(dst[:min(agreeLimit, len(want)+600)])
	d.Reset()
	dp, sp, st, err := d.Decode(dst, 0, src, 0)
	check()
	end := edge.Open(t, dp)
	defer end.Close()
	exact, check := end.Last(t, dp)
	clear(exact)
	d.Reset()
	dp2, _, st2, err2 := d.Decode(exact, 0, src, 0)
	check()
	if dp2 != dp || !bytes.Equal(exact, dst[:dp]) || (err2 == nil) && st2 == Done && (err != nil || st != Done) {
		t.Fatalf("%x: %d bytes, status %d, %v; with room for as much %d, %d, %v", z, dp, st, err, dp2, st2, err2)
	}
	if !bytes.Equal(src, z) {
		t.Fatalf("%x: the input was written to", z)
	}
	if len(want) > agreeLimit {
		if st != NeedOutput || err != nil || !bytes.Equal(dst, want[:agreeLimit]) {
			t.Fatalf("%x: standard library gives more than %d bytes; here status %d, %v", z, agreeLimit, st, err)
		}
		return
	}
	if !bytes.Equal(dst[:min(dp, len(want))], want[:min(dp, len(want))]) {
		t.Fatalf("%x: output differs", z)
	}
	var corrupt CorruptError
	switch {
	case wantErr == nil:
		if err != nil || st != Done || dp != len(want) || sp != used {
			t.Fatalf("%x: status %d, %v, dp %d of %d, sp %d of %d", z, st, err, dp, len(want), sp, used)
		}
	case err == nil && st == Done:
		t.Fatalf("%x: accepted; standard library: %v", z, wantErr)
	case err != nil && !errors.As(err, &corrupt):
		t.Fatalf("%x: error %T", z, err)
	}
}

func TestEveryFlippedBit(t *testing.T) {
	p := newPeer()
	n := 400
	if small() {
		n = 60
	}
	eachSpeed(t, func(t *testing.T, d *Decoder) {
		for si, s := range shapes.All {
			for _, level := range []int{-2, 0, 6} {
				z := deflateStd(t, s.Gen(rng(uint64(si)), n), level)
				for bit := range 8 * len(z) {
					z[bit/8] ^= 1 << (bit % 8)
					p.agree(t, d, z)
					z[bit/8] ^= 1 << (bit % 8)
				}
			}
		}
	})
}

// mutate changes z in place in one of several ways and returns it.
func mutate(r *rand.Rand, z []byte) []byte {
	if len(z) == 0 {
		return z
	}
	for range 1 + r.IntN(4) {
		i := r.IntN(len(z))
		switch r.IntN(5) {
		case 0:
			z[i] ^= 1 << r.IntN(8)
		case 1:
			z[i] = byte(r.Uint32())
		case 2:
			z = z[:i+1]
		case 3:
			j := r.IntN(len(z))
			copy(z[i:], z[j:])
		case 4:
			z = append(z, z[i:]...)
		}
	}
	return z
}

func TestMutations(t *testing.T) {
	n := 50000
	if small() {
		n = 2000
	}
	p := newPeer()
	eachSpeed(t, func(t *testing.T, d *Decoder) {
		r := rng(11)
		for i := range n / 3 {
			s := shapes.All[i%len(shapes.All)]
			z := deflateStd(t, s.Gen(r, r.IntN(600)), []int{-2, 1, 6}[i%3])
			p.agree(t, d, mutate(r, z))
		}
	})
}

func FuzzDecode(f *testing.F) {
	for i, s := range shapes.All {
		for _, level := range []int{-2, 0, 6} {
			f.Add(deflateStd(f, s.Gen(rng(uint64(i)), 300), level))
		}
	}
	for _, c := range crafted {
		f.Add(c.bits())
	}
	p := newPeer()
	ds := []*Decoder{{}, {level: speedWords}, {level: speedBytes}}
	f.Fuzz(func(t *testing.T, z []byte) {
		for _, d := range ds {
			p.agree(t, d, z)
		}
	})
}

func FuzzRoundTrip(f *testing.F) {
	f.Add([]byte("a stream in which the water comes back comes back"), uint16(3))
	f.Add(bytes.Repeat([]byte{7, 7, 1}, 500), uint16(400))
	d := new(Decoder)
	f.Fuzz(func(t *testing.T, p []byte, step uint16) {
		z := deflateStd(t, p, 6)
		got, sp, err := pieces(d, z, len(p), func() int { return 1 + int(step) }, func() int { return 1 + int(step)/2 })
		if err != nil || sp != len(z) || !bytes.Equal(got, p) {
			t.Fatal(len(got), len(p), sp, err)
		}
	})
}

func TestAdler32EqualsStandardLibrary(t *testing.T) {
	for _, p := range [][]byte{
		shapes.All[1].Gen(rng(3), 20000),
		bytes.Repeat([]byte{0xff}, 300000), // the sums' largest values
		make([]byte, 1000),
	} {
		whole := adler32.Checksum(p)
		for n := 0; n <= len(p); n += 1 + n/20 {
			if got, want := Adler32(1, p[:n]), adler32.Checksum(p[:n]); got != want {
				t.Fatalf("%d bytes: %08x, want %08x", n, got, want)
			}
			if got := Adler32(Adler32(1, p[:n]), p[n:]); got != whole {
				t.Fatalf("continued at %d: %08x", n, got)
			}
		}
	}
}

func TestPositionsOutsidePanic(t *testing.T) {
	for _, pos := range [][2]int{{-1, 0}, {3, 0}, {0, -1}, {0, 5}} {
		t.Run(fmt.Sprint(pos), func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Fatal("no panic")
				}
			}()
			new(Decoder).Decode(make([]byte, 2), pos[0], make([]byte, 4), pos[1])
		})
	}
}
