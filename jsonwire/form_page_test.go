//go:build linux

package jsonwire

import (
	"math/rand/v2"
	"syscall"
	"testing"
	"unsafe"
)

// newPage returns a page of memory between two that cannot be touched.
func newPage(t *testing.T) []byte {
	size := syscall.Getpagesize()
	m, err := syscall.Mmap(-1, 0, 3*size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(m); err != nil {
			t.Error(err)
		}
	})
	for _, guard := range [][]byte{m[:size], m[2*size:]} {
		if err := syscall.Mprotect(guard, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	return m[size : 2*size : 2*size]
}

// What is read and what is stored, at both ends of pages whose neighbours
// cannot be touched: whoever does so dies.
func TestFormAtPageEnds(t *testing.T) {
	from, to := newPage(t), newPage(t)
	r := rand.New(rand.NewPCG(5, 5))
	for i := range 3000 {
		s := text(r, r.IntN(1+i%80))
		e := Escape(i % 4)
		want := standard(t, s, e)
		want = want[1 : len(want)-1]
		room := max(len(s), len(want)) + r.IntN(2*FormSlack)
		if i%3 == 0 {
			room = len(s) + FormSlack
		}
		for _, at := range []int{0, r.IntN(FormSlack), len(from) - len(s) - r.IntN(FormSlack), len(from) - len(s)} {
			clear(from)
			placed := from[at:][:copy(from[at:], s)]
			b := to[len(to)-room:]
			next, done := Form(b, 0, unsafe.String(unsafe.SliceData(placed), len(placed)), e)
			got := string(b[:next])
			if done == len(s) && got != want || done < len(s) && got != want[:len(got)] {
				t.Fatalf("Form(%q, %d) at %d of a page, with %d bytes of room: %d, %q\nwant %q", s, e, at, room, done, got, want)
			}
		}
	}
}
