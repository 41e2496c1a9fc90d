// Package edge gives tests memory whose ends are watched.
package edge

import (
	"bytes"
	"testing"
)

// Canary returns a slice of length n whose array goes on for 64 bytes on both
// sides (cap > len), and a function that fails the test if any of those was
// written.
func Canary(t testing.TB, n int) ([]byte, func()) {
	t.Helper()
	const side = 64
	b := bytes.Repeat([]byte{0xa5}, n+2*side)
	return b[side : side+n : n+2*side], func() {
		t.Helper()
		for i := range side {
			if b[i] != 0xa5 || b[side+n+i] != 0xa5 {
				t.Fatalf("written outside the slice: %d before or %d behind its end", side-i, i)
			}
		}
	}
}
