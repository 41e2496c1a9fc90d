package edge

import (
	"syscall"
	"testing"
)

// pages maps at least n bytes that end where a page begins that must not be
// touched. They are outside the Go heap.
func pages(t testing.TB, n int) []byte {
	t.Helper()
	page := syscall.Getpagesize()
	end := (n + page - 1) / page * page
	m, err := syscall.Mmap(-1, 0, end+page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mprotect(m[end:], syscall.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	return m[:end:end]
}
