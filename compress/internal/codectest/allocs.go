package codectest

import (
	"testing"

	"github.com/eddy-go/eddy/compress/internal/edge"
	"github.com/eddy-go/eddy/compress/internal/race"
	"github.com/eddy-go/eddy/compress/internal/shapes"
)

func (s Suite) allocations(t *testing.T) {
	if !race.Counts {
		t.Skip("counts do not hold under the race detector and eddydebug")
	}
	runs := 20
	if s.Slow {
		runs = 2
	}
	for _, sh := range []shapes.Shape{{Name: "columns", Gen: shapes.Columns}, {Name: "mixed", Gen: shapes.Mixed}} {
		for _, n := range []int{4 << 10, 32 << 10} {
			p := sh.Gen(shapes.Rand(1), n)
			for _, c := range s.Levels {
				z, same, done := input(t, pack(t, c, p))
				dst, check := edge.Canary(t, n)
				b, checkRoom := edge.Canary(t, c.CompressBound(n))
				room := b[:0:len(b)]
				for _, op := range []struct {
					name string
					want float64
					f    func()
				}{
					{"AppendCompress", 0, func() { c.AppendCompress(room, p) }},
					{"AppendCompress to nil", 1, func() { c.AppendCompress(nil, p) }},
					{"Decompress", 0, func() { c.Decompress(dst, z) }},
					{"AppendDecompress", 0, func() { c.AppendDecompress(room, z, n) }},
					{"AppendDecompress to nil", 1, func() { c.AppendDecompress(nil, z, n) }},
				} {
					op.f()
					if got := allocs(runs, op.want, op.f); got > op.want {
						t.Errorf("%s of %s %d at %v: %v allocations", op.name, sh.Name, n, c, got)
					}
					check()
					checkRoom()
					same()
				}
				done()
			}
		}
	}
}

// allocs is testing.AllocsPerRun, but the best of some where that is over
// want: a collection in between empties the pools.
func allocs(runs int, want float64, f func()) float64 {
	got := testing.AllocsPerRun(runs, f)
	for try := 0; try < 4 && got > want; try++ {
		got = testing.AllocsPerRun(runs, f)
	}
	return got
}
