package rootio

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/eddy-go/eddy"
)

// TestMain checks at the end that no goroutine of a test runs and that every
// pooled buffer went back.
func TestMain(m *testing.M) {
	eddy.CountPuts(true)
	before := runtime.NumGoroutine()
	code := m.Run()
	if fuzzing := flag.Lookup("test.fuzz"); code == 0 && fuzzing.Value.String() == "" {
		for _, err := range []error{settled("buffers are out", 0, inUse), settled("goroutines run", before, goroutines), eddy.Misuse()} {
			if err != nil {
				fmt.Println("FAIL:", err)
				code = 1
			}
		}
	}
	os.Exit(code)
}

// inUse returns how many pooled buffers are out.
func inUse() (n int) {
	for _, s := range eddy.Pools() {
		n += int(s.InUse)
	}
	return n
}

func goroutines() int { return runtime.NumGoroutine() }

// settled waits until now is no more than before.
func settled(what string, before int, now func() int) error {
	for range 500 {
		if now() <= before {
			return nil
		}
		time.Sleep(10 * time.Millisecond)
	}
	return fmt.Errorf("%d %s, and %d before", now(), what, before)
}

// nothingLeft fails t if f leaves a goroutine or a buffer. It sees the whole
// process: not for parallel tests.
func nothingLeft(t *testing.T, f func()) {
	t.Helper()
	buffers, routines := inUse(), goroutines()
	f()
	if n := inUse(); n != buffers {
		t.Errorf("%d buffers are out, and %d before", n, buffers)
	}
	if err := settled("goroutines run", routines, goroutines); err != nil {
		t.Error(err)
	}
}
