package main

import (
	"testing"

	"github.com/eddy-go/eddy/bench/internal/table"
)

// BenchmarkTables runs the rows of every table for benchstat:
//
//	go test -bench 'Tables/json/Marshal_M' -count 10 | benchstat -col /impl -
func BenchmarkTables(b *testing.B) {
	for _, e := range tables {
		b.Run(e.name, func(b *testing.B) {
			t, err := e.build()
			if err != nil {
				b.Fatal(err)
			}
			for i := range t.Cases {
				c := &t.Cases[i]
				b.Run(c.Name, func(b *testing.B) {
					for j := range c.Impls {
						b.Run("impl="+c.Impls[j].Name, func(b *testing.B) { benchmarkRow(b, c, &c.Impls[j]) })
					}
				})
			}
		})
	}
}

func benchmarkRow(b *testing.B, c *table.Case, im *table.Impl) {
	if im.Check != nil {
		if err := im.Check(); err != nil {
			b.Fatal(err)
		}
	}
	if im.Done != nil {
		defer im.Done()
	}
	if im.Sample != nil {
		unit := c.Unit
		if unit == "" {
			unit = "ns/op"
		}
		sum := 0.0
		for range b.N {
			sum += im.Sample()
		}
		b.ReportMetric(sum/float64(b.N), unit)
		return
	}
	b.SetBytes(int64(c.Bytes))
	b.ReportAllocs()
	b.ResetTimer()
	if !c.Parallel {
		im.Run(b.N)
		return
	}
	b.RunParallel(func(pb *testing.PB) {
		n := 0
		for pb.Next() {
			n++
		}
		im.Run(n)
	})
}
