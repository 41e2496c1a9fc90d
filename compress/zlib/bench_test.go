package zlib

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	kzlib "github.com/klauspost/compress/zlib"

	"github.com/eddy-go/eddy/compress/internal/shapes"
)

func BenchmarkDecompress(b *testing.B) {
	for _, s := range shapes.All {
		for _, n := range []int{4 << 10, 32 << 10, 1 << 20} {
			p := s.Gen(shapes.Rand(1), n)
			for _, level := range []int{1, 6} {
				var buf bytes.Buffer
				w, _ := kzlib.NewWriterLevel(&buf, level)
				w.Write(p)
				w.Close()
				z := buf.Bytes()
				name := fmt.Sprintf("%s/%dK/level%d", s.Name, n>>10, level)
				dst := make([]byte, n)
				b.Run(name+"/eddy", func(b *testing.B) {
					b.SetBytes(int64(n))
					b.ReportAllocs()
					for b.Loop() {
						if _, err := (Codec{}).Decompress(dst, z); err != nil {
							b.Fatal(err)
						}
					}
				})
				b.Run(name+"/klauspost", func(b *testing.B) {
					src := bytes.NewReader(z)
					r, _ := kzlib.NewReader(src)
					b.SetBytes(int64(n))
					for b.Loop() {
						src.Reset(z)
						r.(kzlib.Resetter).Reset(src, nil)
						if _, err := io.ReadFull(r, dst); err != nil {
							b.Fatal(err)
						}
						if n, err := r.Read(dst[:1]); n != 0 || err != io.EOF {
							b.Fatal(n, err)
						}
					}
				})
			}
		}
	}
}

func BenchmarkCompress(b *testing.B) {
	for _, s := range shapes.All {
		for _, n := range []int{4 << 10, 32 << 10} {
			p := s.Gen(shapes.Rand(1), n)
			for _, level := range []int{1, 6, 9} {
				dst := make([]byte, 0, 2*n+1000)
				b.Run(fmt.Sprintf("%s/%dK/level%d", s.Name, n>>10, level), func(b *testing.B) {
					b.SetBytes(int64(n))
					b.ReportAllocs()
					var z []byte
					for b.Loop() {
						z, _ = Codec{level}.AppendCompress(dst, p)
					}
					b.ReportMetric(float64(n)/float64(len(z)), "ratio")
				})
			}
		}
	}
}
