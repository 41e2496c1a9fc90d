//go:build linux

package jsonwire

import (
	"math/rand/v2"
	"testing"
)

// Reading looks at nothing outside of its input: at both ends of a page whose neighbours cannot be touched, whoever
// does so dies.
func TestReadAtPageEnds(t *testing.T) {
	page := newPage(t)
	r := rand.New(rand.NewPCG(7, 7))
	for range 4000 {
		src := []byte{'"'}
		for n := r.IntN(100); len(src) < n; {
			src = append(src, pieces[r.IntN(len(pieces))]...)
		}
		if r.IntN(4) > 0 {
			src = append(src, '"')
		}
		end, flags := ScanString(src, 0)
		value, err := AppendUnescaped(nil, src[1:max(1, end-1)], flags)
		skipped, skipErr := Skip(src, 0, MaxDepth)
		for _, at := range []int{0, len(page) - len(src)} {
			clear(page)
			placed := page[at:][:copy(page[at:], src)]
			if e, f := ScanString(placed, 0); e != end || f != flags {
				t.Fatalf("ScanString(%q) at %d of a page = %d, %d; elsewhere %d, %d", src, at, e, f, end, flags)
			}
			v, e := AppendUnescaped(nil, placed[1:max(1, end-1)], flags)
			if string(v) != string(value) || (e == nil) != (err == nil) {
				t.Fatalf("AppendUnescaped(%q) at %d of a page = %q, %v; elsewhere %q, %v", src, at, v, e, value, err)
			}
			if n, e := Skip(placed, 0, MaxDepth); n != skipped || (e == nil) != (skipErr == nil) {
				t.Fatalf("Skip(%q) at %d of a page = %d, %v; elsewhere %d, %v", src, at, n, e, skipped, skipErr)
			}
		}
	}
}
