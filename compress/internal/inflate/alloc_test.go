package inflate

import (
	"testing"

	"github.com/eddy-go/eddy/compress/internal/race"
	"github.com/eddy-go/eddy/compress/internal/shapes"
)

func TestDecodeAllocatesNothing(t *testing.T) {
	if !race.Counts {
		t.Skip("counts do not hold under the race detector and eddydebug")
	}
	d := new(Decoder)
	for _, level := range []int{-2, 0, 6} {
		want := shapes.All[4].Gen(rng(1), 20000)
		z := deflateStd(t, want, level)
		dst := make([]byte, len(want))
		if n := testing.AllocsPerRun(50, func() {
			d.Reset()
			d.Decode(dst, 0, z, 0)
		}); n != 0 {
			t.Errorf("level %d: %v allocations", level, n)
		}
	}
}
