// Package edge gives tests memory whose ends are watched.
package edge

import (
	"bytes"
	"sync"
	"testing"
)

const (
	side = 64 // bytes that are watched beside a slice
	mark = 0xa5
)

var marks = bytes.Repeat([]byte{mark}, side)

// watch makes the places marks, and returns a function that fails the test if
// one is not as it was.
func watch(t testing.TB, places ...[]byte) func() {
	for _, p := range places {
		copy(p, marks)
	}
	return func() {
		t.Helper()
		for i, p := range places {
			if !bytes.Equal(p, marks) {
				t.Fatalf("written %s the slice: % x", [...]string{"before", "behind"}[i], p)
			}
		}
	}
}

// Canary returns a slice of length n whose array goes on for 64 bytes on both
// sides (cap > len), and a function that fails the test if any of those was
// written.
func Canary(t testing.TB, n int) ([]byte, func()) {
	t.Helper()
	return between(t, make([]byte, n+2*side))
}

func between(t testing.TB, b []byte) ([]byte, func()) {
	end := len(b) - side
	return b[side:end:len(b)], watch(t, b[:side], b[end:])
}

// A Box is memory for slices that end where a page begins that must not be
// touched, to be used again: mapping it for every slice would cost more than
// most tests do.
type Box struct{ mem []byte }

var spare struct {
	sync.Mutex
	boxes []*Box
}

// Open returns a Box for slices of up to n bytes. It is of one goroutine until
// it is closed.
func Open(t testing.TB, n int) *Box {
	t.Helper()
	n += 2 * side
	spare.Lock()
	for i, b := range spare.boxes {
		if len(b.mem) >= n {
			last := len(spare.boxes) - 1
			spare.boxes[i] = spare.boxes[last]
			spare.boxes = spare.boxes[:last]
			spare.Unlock()
			return b
		}
	}
	spare.Unlock()
	return &Box{pages(t, max(n, 1<<16))}
}

// Close gives the Box back. It stays mapped for as long as the process runs.
func (b *Box) Close() {
	spare.Lock()
	spare.boxes = append(spare.boxes, b)
	spare.Unlock()
}

// Last returns the last n bytes, of capacity n and undefined contents, and a
// function that fails the test if what is before them was written.
func (b *Box) Last(t testing.TB, n int) ([]byte, func()) {
	t.Helper()
	at := len(b.mem) - n
	return b.mem[at:len(b.mem):len(b.mem)], watch(t, b.mem[at-side:at])
}

// Inside is Canary in the Box, and before its page.
func (b *Box) Inside(t testing.TB, n int) ([]byte, func()) {
	t.Helper()
	return between(t, b.mem[len(b.mem)-n-2*side:])
}

// Page returns a slice of length and capacity n that ends where a page begins
// that must not be touched: a read or write behind it kills the test, on
// linux. It must not be used after the test.
func Page(t testing.TB, n int) []byte {
	t.Helper()
	b := Open(t, n)
	t.Cleanup(b.Close)
	p, _ := b.Last(t, n)
	clear(p)
	return p
}
