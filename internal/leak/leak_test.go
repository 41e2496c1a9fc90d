package leak

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// recorder stands in for a test that fails: it keeps what was reported and runs cleanups when told.
type recorder struct {
	cleanups []func()
	errors   []string
}

func (r *recorder) Helper()          {}
func (r *recorder) Cleanup(f func()) { r.cleanups = append(r.cleanups, f) }
func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}
func (r *recorder) end() {
	for i := len(r.cleanups) - 1; i >= 0; i-- {
		r.cleanups[i]()
	}
}

func blockHere(c chan struct{}) { <-c }

func TestCheckPassesWhenTheGoroutineEndsInTime(t *testing.T) {
	var r recorder
	Check(&r)
	release := make(chan struct{})
	go blockHere(release)
	time.AfterFunc(20*time.Millisecond, func() { close(release) })
	r.end()
	if len(r.errors) != 0 {
		t.Errorf("reported a goroutine that ended within the grace: %q", r.errors)
	}
}

func TestCheckWaitsForCleanupsOfTheTest(t *testing.T) {
	var r recorder
	Check(&r)
	release := make(chan struct{})
	go blockHere(release)
	r.Cleanup(func() { close(release) })
	r.end()
	if len(r.errors) != 0 {
		t.Errorf("reported a goroutine that a cleanup ended: %q", r.errors)
	}
}

func TestWaitNamesWhatIsLeft(t *testing.T) {
	before := ids(goroutines())
	release := make(chan struct{})
	defer close(release)
	go blockHere(release)
	left := wait(before, 10*time.Millisecond)
	if len(left) != 1 {
		t.Fatalf("found %d goroutines, want 1:\n%s", len(left), report(left))
	}
	if text := report(left); !strings.HasPrefix(text, "1 goroutines left running:") || !strings.Contains(text, "blockHere") {
		t.Errorf("the report does not name the goroutine:\n%s", text)
	}
}

func TestGoroutinesFromBeforeAreNotReported(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	go blockHere(release)
	before := ids(goroutines())
	if left := wait(before, 10*time.Millisecond); len(left) != 0 {
		t.Errorf("reported what ran before:\n%s", report(left))
	}
}

func TestGoroutinesOfTestsAreNotReported(t *testing.T) {
	before := ids(goroutines())
	release := make(chan struct{})
	t.Run("group", func(t *testing.T) {
		for range 2 {
			t.Run("", func(t *testing.T) { t.Parallel(); <-release })
		}
		if left := wait(before, 10*time.Millisecond); len(left) != 0 {
			t.Errorf("reported the tests themselves:\n%s", report(left))
		}
		close(release)
	})
}

func TestBuffers(t *testing.T) {
	var out atomic.Int64
	out.Store(3)
	var r recorder
	Buffers(&r, out.Load)
	out.Add(1)
	time.AfterFunc(10*time.Millisecond, func() { out.Add(-1) })
	r.end()
	if len(r.errors) != 0 {
		t.Errorf("reported a buffer that came back: %q", r.errors)
	}
	err := settle("buffers", 3, func() int64 { return 5 }, time.Millisecond)
	if err == nil || err.Error() != "5 buffers still out (3 before)" {
		t.Errorf("two buffers out: got %v", err)
	}
}

type tests func() int

func (f tests) Run() int { return f() }

func TestRun(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	broken := errors.New("one buffer out")
	for _, c := range []struct {
		name  string
		tests tests
		check error
		code  int
		text  string
	}{
		{"clean", func() int { return 0 }, nil, 0, ""},
		{"failed tests keep their code and run no check", func() int { return 2 }, broken, 2, ""},
		{"a check", func() int { return 0 }, broken, 1, "one buffer out"},
		{"a goroutine", func() int { go blockHere(release); return 0 }, nil, 1, "blockHere"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var text strings.Builder
			code := run(c.tests, text.WriteString, 10*time.Millisecond, func() error { return c.check })
			if code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			if c.text == "" && text.Len() != 0 || !strings.Contains(text.String(), c.text) {
				t.Errorf("printed %q, want %q in it", text.String(), c.text)
			}
		})
	}
}

func TestBalance(t *testing.T) {
	if err := Balance("buffers", func() int64 { return 0 })(); err != nil {
		t.Errorf("nothing out: %v", err)
	}
}
