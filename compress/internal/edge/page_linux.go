package edge

import (
	"syscall"
	"testing"
)

// Page returns a slice of length and capacity n that ends where a page begins
// that must not be touched: a read or write behind it kills the test. The
// memory is outside the Go heap and is unmapped when the test ends.
func Page(t testing.TB, n int) []byte {
	t.Helper()
	page := syscall.Getpagesize()
	size := (n+page-1)/page*page + page
	m, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Munmap(m) })
	end := size - page
	if err := syscall.Mprotect(m[end:], syscall.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	return m[end-n : end : end]
}
