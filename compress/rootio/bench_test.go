package rootio

import (
	"bytes"
	"context"
	"os"
	"testing"
)

func fixtureBytes(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func openFixture(t testing.TB, name string) *File {
	t.Helper()
	return open(t, fixtureBytes(t, name))
}

func columnOf[T Value](t testing.TB, tree *Tree, name string) *Column[T] {
	t.Helper()
	b, err := tree.Branch(name)
	if err != nil {
		t.Fatal(err)
	}
	c, err := NewColumn[T](b)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

type number interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64
}

func sum[T number](values []T) (s float64) {
	for _, v := range values {
		s += float64(v)
	}
	return s
}

// BenchmarkScalars sums six columns in step; the floor only reads and
// decompresses their baskets.
func BenchmarkScalars(b *testing.B) {
	for _, name := range []string{"none", "lz4", "zlib1", "zlib6", "zstd", "lzma"} {
		data := fixtureBytes(b, "scalars-"+name+".root")
		f, err := Open(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			b.Fatal(err)
		}
		tree, err := f.Tree("drift")
		if err != nil {
			b.Fatal(err)
		}
		level := columnOf[float64](b, tree, "level")
		tick := columnOf[int32](b, tree, "tick")
		pulse := columnOf[float32](b, tree, "pulse")
		stamp := columnOf[int64](b, tree, "stamp")
		mode := columnOf[uint8](b, tree, "mode")
		noise := columnOf[float64](b, tree, "noise")
		all := []AnyColumn{level, tick, pulse, stamp, mode, noise}
		size := int64(0)
		for _, c := range all {
			size += c.Branch().Entries() * int64(c.Branch().Kind().Size())
		}
		b.Run(name+"/floor", func(b *testing.B) {
			b.SetBytes(size)
			benchFloor(b, f, all)
		})
		for _, workers := range []int{1, 2} {
			b.Run(name+map[int]string{1: "/1", 2: "/2"}[workers], func(b *testing.B) {
				b.SetBytes(size)
				b.ReportAllocs()
				var s [6]float64
				for b.Loop() {
					for step, err := range Steps(context.Background(), 0, -1, all, Workers(workers)) {
						if err != nil {
							b.Fatal(err)
						}
						s[0] += sum(level.Batch(step).Values)
						s[1] += sum(tick.Batch(step).Values)
						s[2] += sum(pulse.Batch(step).Values)
						s[3] += sum(stamp.Batch(step).Values)
						s[4] += sum(mode.Batch(step).Values)
						s[5] += sum(noise.Batch(step).Values)
					}
				}
			})
		}
	}
}

// BenchmarkJagged goes through a scalar, a jagged and a text column in step.
func BenchmarkJagged(b *testing.B) {
	data := fixtureBytes(b, "jagged-zlib1.root")
	f, err := Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		b.Fatal(err)
	}
	tree, err := f.Tree("clusters")
	if err != nil {
		b.Fatal(err)
	}
	n, cells, label := columnOf[int32](b, tree, "n"), columnOf[float32](b, tree, "cells"), columnOf[string](b, tree, "label")
	cols := []AnyColumn{n, cells, label}
	b.Run("floor", func(b *testing.B) { benchFloor(b, f, cols) })
	for _, c := range cols {
		b.Run(c.Branch().Name(), func(b *testing.B) { benchSteps(b, []AnyColumn{c}, 1) })
	}
	for _, workers := range []int{1, 2} {
		b.Run(map[int]string{1: "all/1", 2: "all/2"}[workers], func(b *testing.B) { benchSteps(b, cols, workers) })
	}
}

func benchSteps(b *testing.B, cols []AnyColumn, workers int) {
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range Steps(context.Background(), 0, -1, cols, Workers(workers)) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}

// benchFloor reads and decompresses the baskets of columns, and no more.
func benchFloor(b *testing.B, f *File, cols []AnyColumn) {
	var rec, out room
	for b.Loop() {
		for _, c := range cols {
			for i := range c.Branch().parts {
				p := &c.Branch().parts[i]
				rec.grow(int(p.nbytes), 0)
				if err := f.readAt(rec.b[:p.nbytes], p.seek); err != nil {
					b.Fatal(err)
				}
				k, err := parseBasketKey(rec.b[:p.nbytes], p)
				if err != nil {
					b.Fatal(err)
				}
				out.grow(k.objLen, 0)
				if _, err := Decompress(out.b[:k.objLen], rec.b[k.keyLen:p.nbytes]); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
	rec.free()
	out.free()
}
