package edge

import (
	"runtime/debug"
	"testing"
	"unsafe"
)

func TestPagesAreProtected(t *testing.T) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	for _, n := range []int{0, 1, 5000, 70000} {
		box := Open(t, n)
		p, _ := box.Last(t, n)
		// One byte behind the end: the fault is what is tested.
		behind := (*byte)(unsafe.Add(unsafe.Pointer(&box.mem[0]), len(box.mem)))
		for name, touch := range map[string]func(){
			"read":  func() { box.mem[0] = *behind },
			"write": func() { *behind = 1 },
		} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%d bytes: a %s behind them is no fault", len(p), name)
					}
				}()
				touch()
			}()
		}
		box.Close()
	}
}
