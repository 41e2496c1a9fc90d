package buffer

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"runtime"
	"runtime/debug"
	"sync"
	"testing"

	"github.com/eddy-go/eddy"
	"github.com/eddy-go/eddy/internal/race"
)

// net/http closes a request's body from another goroutine when the request is
// cancelled. What Read has copied must then be the document's, and nothing
// else's.
func TestCloseDuringRead(t *testing.T) {
	for round := range 200 {
		var b Buffer
		for range 3 {
			b.AppendBytes(bytes.Repeat([]byte{'a'}, 70_000))
		}
		r := b.ReadCloser()
		var wg sync.WaitGroup
		wg.Go(func() {
			p := make([]byte, 1000)
			for {
				n, err := r.Read(p)
				if bytes.Count(p[:n], []byte{'a'}) != n {
					t.Error("read what is not of the document")
				}
				if err != nil {
					if err != io.EOF && !errors.Is(err, fs.ErrClosed) {
						t.Error(err)
					}
					return
				}
			}
		})
		wg.Go(func() {
			for range round {
				runtime.Gosched()
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
			// Others have the memory now.
			other := arrays.Get(64 << 10)
			for i := range other {
				other[i] = 'b'
			}
			arrays.Put(other)
		})
		wg.Wait()
	}
}

type writeFunc func([]byte) (int, error)

func (f writeFunc) Write(p []byte) (int, error) { return f(p) }

func TestDumpToAWriterThatPanics(t *testing.T) {
	var b Buffer
	b.AppendBytes(make([]byte, 200_000))
	func() {
		defer func() { recover() }()
		b.DumpTo(writeFunc(func([]byte) (int, error) { panic("broken") }))
	}()
	if n := b.Size(); n != 200_000 {
		t.Errorf("size %d", n)
	}
	b.Free()
}

func TestImpossibleCounts(t *testing.T) {
	for _, size := range []int{3, 200_000} {
		for _, count := range []int{-100, 1 << 30} {
			var b Buffer
			b.AppendBytes(make([]byte, size))
			n, err := b.DumpTo(writeFunc(func([]byte) (int, error) { return count, nil }))
			if n != 0 || err == nil {
				t.Errorf("%d bytes, count %d: %d, %v", size, count, n, err)
			}
		}
	}
}

// Results are garbage of which collections come, in the midst of which the
// arrays must stay.
func TestLargeArraysSurviveCollections(t *testing.T) {
	if race.Enabled || eddy.Debug {
		t.Skip("such builds do not reuse all memory")
	}
	const runs, size = 300, 450_000
	chunk := make([]byte, 1000)
	build := func() {
		var b Buffer
		for range size / len(chunk) {
			b.AppendBytes(chunk)
		}
		b.BuildBytes()
	}
	for range 10 {
		build()
	}
	defer debug.SetGCPercent(debug.SetGCPercent(20))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range runs {
		build()
	}
	runtime.ReadMemStats(&after)
	if after.NumGC-before.NumGC < 5 {
		t.Fatalf("only %d collections", after.NumGC-before.NumGC)
	}
	if per := (after.TotalAlloc - before.TotalAlloc) / runs; per > size+size/50 {
		t.Errorf("%d bytes allocated for documents of %d", per, size)
	}
}

func TestAppendToLeavesTheContents(t *testing.T) {
	for _, size := range []int{0, 100, 300_000} {
		var b Buffer
		want := bytes.Repeat([]byte("contents"), size/8)
		b.AppendBytes(want)
		for range 2 {
			if got := b.AppendTo([]byte("before ")); string(got[:7]) != "before " || !bytes.Equal(got[7:], want) {
				t.Errorf("%d bytes: other contents", size)
			}
		}
		b.Free()
	}
}
