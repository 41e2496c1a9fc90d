package edge

import "testing"

// failing is a test that notes that it failed.
type failing struct {
	testing.TB
	failed bool
}

func (f *failing) Helper()               {}
func (f *failing) Fatalf(string, ...any) { f.failed = true }

func TestWritesOutsideAreSeen(t *testing.T) {
	for _, at := range []int{-1, 0, side - 1} {
		f := &failing{TB: t}
		b, check := Canary(f, 10)
		b = b[:cap(b)]
		if at >= 0 {
			b[10+at]++
		}
		check()
		if f.failed != (at >= 0) {
			t.Errorf("write at %d: failed is %v", at, f.failed)
		}
	}
	box := Open(t, 100)
	defer box.Close()
	f := &failing{TB: t}
	p, check := box.Last(f, 100)
	if len(p) != 100 || cap(p) != 100 {
		t.Fatal(len(p), cap(p))
	}
	check()
	if f.failed {
		t.Error("nothing was written")
	}
	box.mem[len(box.mem)-101]++
	if check(); !f.failed {
		t.Error("a write before the slice is not seen")
	}
}
