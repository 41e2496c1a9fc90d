package inflate

import (
	"fmt"
	"hash/adler32"
	"testing"

	"github.com/eddy-go/eddy/compress/internal/shapes"
)

func BenchmarkDecode(b *testing.B) {
	for _, s := range shapes.All {
		for _, n := range []int{4 << 10, 32 << 10, 1 << 20} {
			p := s.Gen(rng(1), n)
			z := deflateStd(b, p, 6)
			for lv, name := range []string{"pointers", "words", "bytes"} {
				b.Run(fmt.Sprintf("%s/%dK/%s", s.Name, n>>10, name), func(b *testing.B) {
					d := new(Decoder)
					d.level = speed(lv)
					dst := make([]byte, n)
					b.SetBytes(int64(n))
					b.ReportAllocs()
					for b.Loop() {
						d.Reset()
						if m, _, st, err := d.Decode(dst, 0, z, 0); m != n || st != Done || err != nil {
							b.Fatal(m, st, err)
						}
					}
				})
			}
		}
	}
}

func BenchmarkAdler32(b *testing.B) {
	p := shapes.All[1].Gen(rng(1), 32<<10)
	b.Run("words", func(b *testing.B) {
		b.SetBytes(int64(len(p)))
		for b.Loop() {
			Adler32(1, p)
		}
	})
	b.Run("std", func(b *testing.B) {
		b.SetBytes(int64(len(p)))
		for b.Loop() {
			adler32.Checksum(p)
		}
	})
}
