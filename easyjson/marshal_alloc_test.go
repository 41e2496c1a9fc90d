package easyjson

import (
	"io"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/eddy-go/eddy"
	"github.com/eddy-go/eddy/internal/race"
)

func TestMarshalAllocations(t *testing.T) {
	if race.Enabled || eddy.Debug {
		t.Skip("pools do not keep what they are given")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // which empties pools
	for _, p := range pages() {
		want, err := Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		if got := testing.AllocsPerRun(20, func() { Marshal(p) }); got != 1 {
			t.Errorf("Marshal of %d bytes: %v allocations", len(want), got)
		}
		if got := testing.AllocsPerRun(20, func() { MarshalToWriter(p, io.Discard) }); got != 0 {
			t.Errorf("MarshalToWriter of %d bytes: %v allocations", len(want), got)
		}
		if got := bytesPerRun(func() { MarshalToWriter(p, io.Discard) }); got >= 100 {
			t.Errorf("MarshalToWriter of %d bytes: %d bytes an op", len(want), got)
		}
		if got := bytesPerRun(func() { MarshalToWriter(p, shortWriter{0}) }); got >= 100 {
			t.Errorf("MarshalToWriter of %d bytes to a writer that fails: %d bytes an op", len(want), got)
		}
	}
}

// bytesPerRun returns the bytes that f allocates on average, once warm.
func bytesPerRun(f func()) int {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // each processor has pools of its own
	const runs = 10
	f()
	f()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range runs {
		f()
	}
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc-before.TotalAlloc) / runs
}
