//go:build !eddydebug

package buffer

import (
	"errors"
	"io"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/eddy-go/eddy/internal/race"
)

// bytesPerRun returns the bytes that f allocates on average, once warm.
func bytesPerRun(f func()) int {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // which empties pools
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))  // each processor has its own
	const runs = 10
	for range 50 { // until large documents are forgotten
		f()
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range runs {
		f()
	}
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc-before.TotalAlloc) / runs
}

// Whatever way the contents leave the buffer, all arrays go back to the pool:
// another document of the same size needs no memory but what it returns.
func TestMemoryGoesBack(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector drops what is pooled")
	}
	t.Run("whole", memoryGoesBack)
	t.Run("chunked", func(t *testing.T) { chunked(t); memoryGoesBack(t) })
}

func memoryGoesBack(t *testing.T) {
	failing := errors.New("failing")
	large, mine, scratch := make([]byte, 2<<20), make([]byte, 0, 1024), make([]byte, 1000)
	ways := []struct {
		name   string
		result bool // allocates the contents once more
		way    func(b *Buffer)
	}{
		{"BuildBytes", true, func(b *Buffer) { b.BuildBytes() }},
		{"reuse", false, func(b *Buffer) { b.BuildBytes(large) }},
		{"DumpTo", false, func(b *Buffer) { b.DumpTo(io.Discard) }},
		{"failing", false, func(b *Buffer) { b.DumpTo(writerFunc(func([]byte) (int, error) { return 0, failing })) }},
		{"short", false, func(b *Buffer) { b.DumpTo(writerFunc(func(p []byte) (int, error) { return len(p) / 2, nil })) }},
		{"read all", false, func(b *Buffer) {
			for r := b.ReadCloser(); ; {
				if _, err := r.Read(scratch); err == io.EOF {
					return
				}
			}
		}},
		{"read a little", false, func(b *Buffer) { r := b.ReadCloser(); r.Read(scratch); r.Close(); r.Close() }},
		{"Free", false, func(b *Buffer) { b.Free(); b.Free() }},
		{"replaced", false, func(b *Buffer) { b.Buf = append(mine, "mine"...); b.DumpTo(io.Discard) }},
		{"resliced", false, func(b *Buffer) { b.Buf = b.Buf[1:]; b.DumpTo(io.Discard) }},
		{"nil", false, func(b *Buffer) { b.Buf = nil; b.DumpTo(io.Discard) }},
		{"restored", false, func(b *Buffer) { c := *b; b.EnsureSpace(100_000); *b = c; b.DumpTo(io.Discard) }},
	}
	for _, w := range ways {
		for _, n := range sizes {
			p := make([]byte, n)
			b := newBuffer()
			got := bytesPerRun(func() {
				b.AppendBytes(p[:n/2])
				b.AppendBytes(p[n/2:])
				w.way(b)
			})
			limit := 256
			if w.result {
				limit += n + n/4
			}
			if got > limit {
				t.Errorf("%s after %d bytes: %d bytes an op", w.name, n, got)
			}
		}
	}
}

func TestAllocations(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector drops what is pooled")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // which empties pools
	for _, n := range []int{10, 10_000, 400_000} {
		p := make([]byte, n)
		b := newBuffer()
		for name, c := range map[string]struct {
			allocs float64
			f      func()
		}{
			"DumpTo":     {0, func() { b.DumpTo(io.Discard) }},
			"BuildBytes": {1, func() { b.BuildBytes() }},
			"ReadCloser": {1, func() { b.ReadCloser().Close() }},
		} {
			if got := testing.AllocsPerRun(50, func() { b.AppendBytes(p); c.f() }); got != c.allocs {
				t.Errorf("%s of %d bytes: %v allocations, want %v", name, n, got, c.allocs)
			}
		}
	}
}
