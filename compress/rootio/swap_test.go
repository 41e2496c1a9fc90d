package rootio

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eddy-go/eddy/compress/internal/edge"
)

// Numbers of all sizes, at every length around blocks and at every place, are
// reversed byte by byte, and nothing beside them changes.
func TestNumbersAreSwapped(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	const room = 16
	for _, size := range []int{1, 2, 4, 8} {
		for n := 0; n <= 64+64+48; n += size {
			for at := range 9 {
				got := make([]byte, room+at+n+room)
				for i := range got {
					got[i] = byte(r.Uint32())
				}
				want := bytes.Clone(got)
				if !bigEndian {
					for i := range n / size {
						slices.Reverse(want[room+at+i*size:][:size])
					}
				}
				toNative(got[room+at:][:n], size)
				if !bytes.Equal(got, want) {
					t.Fatalf("%d bytes of numbers of %d at %d: %x, want %x", n, size, at, got, want)
				}
			}
		}
	}
}

// The loops over words do what blocks do.
func TestLoopsSwapAsBlocksDo(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 12))
	for size, loop := range map[int]func([]byte){2: swap2, 4: swap4, 8: swap8} {
		for n := 0; n <= 256; n += size {
			a := make([]byte, n)
			for i := range a {
				a[i] = byte(r.Uint32())
			}
			b, want := bytes.Clone(a), bytes.Clone(a)
			for i := range n / size {
				slices.Reverse(want[i*size:][:size])
			}
			loop(a)
			loop(swapBlocks(b, size))
			if !bytes.Equal(a, want) || !bytes.Equal(b, want) {
				t.Fatalf("%d bytes of numbers of %d: %x and with blocks %x, want %x", n, size, a, b, want)
			}
		}
	}
}

// Numbers that end where a page begins that must not be touched.
func TestSwapEndsAtProtectedPages(t *testing.T) {
	for _, size := range []int{2, 4, 8} {
		for n := size; n <= 256; n += size {
			b := edge.Page(t, n)
			b[0] = 1
			if toNative(b, size); !bigEndian && b[size-1] != 1 {
				t.Fatalf("%d bytes of numbers of %d: %x", n, size, b)
			}
		}
	}
}
