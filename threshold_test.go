package eddy_test

import (
	"fmt"
	"testing"

	"github.com/eddy-go/eddy"
)

var escaped []byte

// BenchmarkThreshold tells from which size on a buffer from the pool costs less than a new one. It writes one byte per
// cache line, as a buffer that nobody writes to needs neither.
func BenchmarkThreshold(b *testing.B) {
	touch := func(s []byte) {
		for i := 0; i < len(s); i += 64 {
			s[i] = 1
		}
	}
	for size := 16; size <= 64<<10; size *= 2 {
		b.Run(fmt.Sprintf("make/%d", size), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s := make([]byte, size)
				touch(s)
				escaped = s
			}
		})
		b.Run(fmt.Sprintf("pool/%d", size), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s := eddy.Get(size)
				touch(s)
				escaped = s
				eddy.Put(s)
			}
		})
	}
}
