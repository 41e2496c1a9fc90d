package eddy

import (
	"context"
	"fmt"
	"testing"
)

func BenchmarkBytePool(b *testing.B) {
	for _, n := range []int{64, 1 << 10, 32 << 10, 1 << 20} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var p BytePool
			b.ReportAllocs()
			for b.Loop() {
				buf := p.Get(n)
				buf[0] = 1
				p.Put(buf)
			}
		})
	}
}

func BenchmarkBytePoolParallel(b *testing.B) {
	var p BytePool
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			buf := p.Get(1024)
			buf[0] = 1
			p.Put(buf)
		}
	})
}

func BenchmarkReserve(b *testing.B) {
	p := BytePool{Reserve: 8 << 20}
	b.ReportAllocs()
	for b.Loop() {
		buf := p.Get(1 << 20)
		buf[0] = 1
		p.Put(buf)
	}
}

func BenchmarkPool(b *testing.B) {
	var p Pool[[64]byte]
	b.ReportAllocs()
	for b.Loop() {
		v := p.Get()
		v[0] = 1
		p.Put(v)
	}
}

func BenchmarkFixedPool(b *testing.B) {
	p := NewFixedPool(4, 4096)
	ctx := context.Background()
	b.ReportAllocs()
	for b.Loop() {
		buf, err := p.Get(ctx)
		if err != nil {
			b.Fatal(err)
		}
		buf[0] = 1
		p.Put(buf)
	}
}
