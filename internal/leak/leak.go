// Package leak holds the checks that end a package's tests: no goroutine is left running and no pooled buffer is left
// out. It knows nothing of the pools, so that every package of the module can use it; how many buffers are out is a
// function that the caller hands in.
package leak

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Grace is how long a goroutine or a buffer may take to go after the code under test returned. A wait ends as soon as
// nothing is left, so that only a failing test takes this long.
const Grace = 5 * time.Second

// TB is the part of testing.TB that the checks need.
type TB interface {
	Helper()
	Cleanup(func())
	Errorf(format string, args ...any)
}

// Check fails t when goroutines that started after this call still run when t and its cleanups so far have ended. Call
// it first in the test: cleanups run last in, first out, so what the test's own cleanups close is closed by then.
//
// It sees the whole process and cannot tell whose a goroutine is: not for tests that run beside others (t.Parallel).
func Check(t TB) {
	t.Helper()
	before := ids(goroutines())
	t.Cleanup(func() {
		t.Helper()
		if left := wait(before, Grace); len(left) > 0 {
			t.Errorf("%s", report(left))
		}
	})
}

// Buffers fails t when more buffers are out at its end than at this call. inUse reports how many are out, and has to be
// exact for the buffers that the test takes.
func Buffers(t TB, inUse func() int64) {
	t.Helper()
	before := inUse()
	t.Cleanup(func() {
		t.Helper()
		if err := settle("buffers", before, inUse, Grace); err != nil {
			t.Errorf("%v", err)
		}
	})
}

// Balance is a check for Main: what names the thing counted, and inUse has to report 0 when all tests have run.
func Balance(what string, inUse func() int64) func() error {
	return func() error { return settle(what, 0, inUse, Grace) }
}

// Main runs a package's tests and then the checks, and exits: for TestMain. Besides checks it fails the run when any
// goroutine is left. The checks only run after tests that passed, as a failed test may well leave things behind.
//
//	func TestMain(m *testing.M) { leak.Main(m) }
func Main(m interface{ Run() int }, checks ...func() error) {
	os.Exit(run(m, os.Stderr.WriteString, Grace, checks...))
}

func run(m interface{ Run() int }, print func(string) (int, error), grace time.Duration, checks ...func() error) int {
	before := ids(goroutines())
	code := m.Run()
	if code != 0 {
		return code
	}
	for _, check := range checks {
		if err := check(); err != nil {
			print(fmt.Sprintf("FAIL: %v\n", err))
			code = 1
		}
	}
	if left := wait(before, grace); len(left) > 0 {
		print("FAIL: " + report(left) + "\n")
		code = 1
	}
	return code
}

// settle waits until inUse is no more than before.
func settle(what string, before int64, inUse func() int64, grace time.Duration) error {
	var n int64
	poll(grace, func() bool { n = inUse(); return n <= before })
	if n > before {
		return fmt.Errorf("%d %s still out (%d before)", n, what, before)
	}
	return nil
}

// wait returns the goroutines that are not in before and still run when the grace is over.
func wait(before map[string]bool, grace time.Duration) []goroutine {
	var left []goroutine
	poll(grace, func() bool {
		left = slices.DeleteFunc(goroutines(), func(g goroutine) bool { return before[g.id] || g.foreign() })
		return len(left) == 0
	})
	return left
}

// poll calls done until it reports true or the grace is over, at first often and then more seldom.
func poll(grace time.Duration, done func() bool) {
	end := time.Now().Add(grace)
	for pause := time.Millisecond; !done() && time.Now().Before(end); pause = min(2*pause, 100*time.Millisecond) {
		time.Sleep(pause)
	}
}

type goroutine struct {
	id    string
	stack string // with the header line
}

// foreign tells whether a goroutine belongs to the runtime or to the machinery that runs tests: those come and go on
// their own account.
func (g goroutine) foreign() bool {
	_, by, found := strings.Cut(g.stack, "\ncreated by ")
	if !found {
		return true // the main goroutine
	}
	for _, owner := range []string{"runtime.", "runtime/", "os/signal.", "testing.", "internal/fuzz."} {
		if strings.HasPrefix(by, owner) {
			return true
		}
	}
	return false
}

// goroutines returns every other goroutine of the process.
func goroutines() []goroutine {
	buf := make([]byte, 64<<10)
	for {
		n := runtime.Stack(buf, true)
		if n < len(buf) {
			buf = buf[:n]
			break
		}
		buf = make([]byte, 2*len(buf))
	}
	var all []goroutine
	for i, stack := range strings.Split(strings.TrimSpace(string(buf)), "\n\n") {
		if i == 0 {
			continue // the caller's own comes first
		}
		id, _, _ := strings.Cut(strings.TrimPrefix(stack, "goroutine "), " ")
		all = append(all, goroutine{id: id, stack: stack})
	}
	return all
}

func ids(all []goroutine) map[string]bool {
	set := make(map[string]bool, len(all))
	for _, g := range all {
		set[g.id] = true
	}
	return set
}

func report(left []goroutine) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d goroutines left running:", len(left))
	for _, g := range left {
		b.WriteString("\n\n" + g.stack)
	}
	return b.String()
}
