package rootio

import (
	"testing"
)

// The values are those of the xxHash reference on the same bytes, which are
// checked through the blocks of other writers as well.
func TestXXHash64(t *testing.T) {
	p := make([]byte, 101)
	for i := range p {
		p[i] = byte(i * 7)
	}
	for n, want := range map[int]uint64{
		0:   0xef46db3751d8e999,
		1:   0xe934a84adb052768,
		3:   0x9ff70a635a6209ab,
		4:   0xae5acdc00a55ac41,
		7:   0xd734a6b26f3da63e,
		8:   0x87116b3365b924eb,
		9:   0x340667a92c4324ff,
		31:  0x0f187c62b1e722b7,
		32:  0x91b0cb0931a8c629,
		33:  0x931b043cf8d65b94,
		63:  0x219110bf13e2fa26,
		64:  0xbf3052e3445775d0,
		67:  0xf4aeba5d4ede41bc,
		100: 0x8e2272c08247d5db,
		101: 0x42312f4d55d9bd17,
	} {
		if got := xxhash64(p[:n]); got != want {
			t.Errorf("%d bytes: %x, want %x", n, got, want)
		}
	}
}
