package rootio

import (
	"os"
	"testing"

	"github.com/eddy-go/eddy/compress/internal/race"
	"github.com/eddy-go/eddy/compress/internal/shapes"
)

// A walk costs what its few different strings do, not its records.
func TestAllocationsOfAWalk(t *testing.T) {
	if !race.Counts {
		t.Skip("counts do not hold under the race detector and eddydebug")
	}
	b, err := os.ReadFile("testdata/scalars-none.root")
	if err != nil {
		t.Fatal(err)
	}
	f := open(t, b)
	records := 0
	n := testing.AllocsPerRun(5, func() {
		records = 0
		for _, err := range f.Records() {
			if err != nil {
				t.Error(err)
			}
			records++
		}
	})
	if records != 88 || n > 40 {
		t.Errorf("%v allocations for %d records", n, records)
	}
}

func TestAllocations(t *testing.T) {
	if !race.Counts {
		t.Skip("counts do not hold under the race detector and eddydebug")
	}
	for _, a := range algorithms {
		for _, level := range []int{1, 5} {
			s := NewSettings(a, level)
			runs := 20
			if a == LZMA {
				runs = 3
			}
			src := shapes.Columns(shapes.Rand(1), 32<<10)
			dst := make([]byte, len(src))
			z := blockOf(t, src, s)
			if n := testing.AllocsPerRun(runs, func() { Compress(dst, src, s) }); n > 0 {
				t.Errorf("Compress by %v: %v allocations", s, n)
			}
			if n := testing.AllocsPerRun(runs, func() { Decompress(dst, z) }); n > 0 {
				t.Errorf("Decompress by %v: %v allocations", s, n)
			}
		}
	}
}
