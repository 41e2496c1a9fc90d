package inflate

import (
	"bytes"
	"testing"

	"github.com/eddy-go/eddy/compress/internal/edge"
)

// Matches of each short length that end at each distance before the end of the
// output, which is the end of a page, while there is input enough for the
// loops by words: copies in words must not run over.
func TestMatchesNearTheEnd(t *testing.T) {
	const before = 100
	page := edge.Page(t, before+10+40)
	for rest := range 40 {
		for length := uint(3); length <= 10; length++ {
			for _, dist := range []uint{1, 2, 17} {
				b := new(bitString).field(0, 1).field(1, 2)
				var want []byte
				for i := range uint(before) {
					b.code(0x30+'a'+i%20, 8)
					want = append(want, byte('a'+i%20))
				}
				b.code(length-2, 7) // 257 to 264 are lengths without further bits
				switch dist {
				case 17:
					b.code(8, 5).field(0, 3)
				default:
					b.code(dist-1, 5)
				}
				for range length {
					want = append(want, want[len(want)-int(dist)])
				}
				for range rest {
					b.code(0x190, 9)
					want = append(want, 144)
				}
				b.code(0, 7)
				for range 12 { // empty stored blocks
					b.field(0, 1).field(0, 2).field(0, (8-b.n%8)%8).field(0, 16).field(0xffff, 16)
				}
				b.field(1, 1).field(1, 2).code(0, 7)
				eachSpeed(t, func(t *testing.T, d *Decoder) {
					dst := page[len(page)-len(want):]
					clear(dst)
					dp, sp, st, err := d.Decode(dst, 0, b.out, 0)
					if err != nil || st != Done || sp != len(b.out) || !bytes.Equal(dst[:dp], want) {
						t.Fatalf("length %d, distance %d, %d bytes behind: %d of %d, status %d, %v", length, dist, rest, dp, len(want), st, err)
					}
				})
			}
		}
	}
}
