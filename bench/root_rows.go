package main

import (
	"bytes"
	stdzlib "compress/zlib"
	"context"
	"encoding/binary"
	"io"
	"math"

	"github.com/eddy-go/eddy/compress/rootio"
	kzlib "github.com/klauspost/compress/zlib"
)

// eddyRoot reads with columns in step.
type eddyRoot struct {
	workers int
	copies  []rootTree
}

// A rootTree sums up its columns.
type rootTree interface {
	sums(workers int) (rootSums, error)
}

func newEddyRoot(s *rootSet, workers int) (*eddyRoot, error) {
	r := &eddyRoot{workers: workers}
	for _, file := range s.files {
		f, err := rootio.Open(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			return nil, err
		}
		t, err := s.open(f)
		if err != nil {
			return nil, err
		}
		r.copies = append(r.copies, t)
	}
	return r, nil
}

func (r *eddyRoot) sums(i int) (rootSums, error) { return r.copies[i].sums(r.workers) }

// column opens a column of a tree; the first error stays.
func column[T rootio.Value](t *rootio.Tree, name string, first *error) *rootio.Column[T] {
	b, err := t.Branch(name)
	if err == nil {
		var c *rootio.Column[T]
		if c, err = rootio.NewColumn[T](b); err == nil {
			return c
		}
	}
	if *first == nil {
		*first = err
	}
	return nil
}

type scalarTree struct {
	all   []rootio.AnyColumn
	level *rootio.Column[float64]
	tick  *rootio.Column[int32]
	pulse *rootio.Column[float32]
	stamp *rootio.Column[int64]
	mode  *rootio.Column[uint8]
	noise *rootio.Column[float64]
}

func openScalars(f *rootio.File) (rootTree, error) {
	tree, err := f.Tree("drift")
	if err != nil {
		return nil, err
	}
	t := &scalarTree{
		level: column[float64](tree, "level", &err),
		tick:  column[int32](tree, "tick", &err),
		pulse: column[float32](tree, "pulse", &err),
		stamp: column[int64](tree, "stamp", &err),
		mode:  column[uint8](tree, "mode", &err),
		noise: column[float64](tree, "noise", &err),
	}
	t.all = []rootio.AnyColumn{t.level, t.tick, t.pulse, t.stamp, t.mode, t.noise}
	return t, err
}

func (t *scalarTree) sums(workers int) (sums rootSums, err error) {
	for step, err := range rootio.Steps(context.Background(), 0, -1, t.all, rootio.Workers(workers)) {
		if err != nil {
			return sums, err
		}
		// Entry by entry: six sums grow side by side, where one by one each
		// addition would wait for the last.
		level := t.level.Batch(step).Values
		tick := t.tick.Batch(step).Values[:len(level)]
		pulse := t.pulse.Batch(step).Values[:len(level)]
		stamp := t.stamp.Batch(step).Values[:len(level)]
		mode := t.mode.Batch(step).Values[:len(level)]
		noise := t.noise.Batch(step).Values[:len(level)]
		a, b, c, d, e, f := sums[0], sums[1], sums[2], sums[3], sums[4], sums[5]
		for i := range level {
			a += level[i]
			b += float64(tick[i])
			c += float64(pulse[i])
			d += float64(stamp[i])
			e += float64(mode[i])
			f += noise[i]
		}
		sums = rootSums{a, b, c, d, e, f}
	}
	return sums, nil
}

type jaggedTree struct {
	all   []rootio.AnyColumn
	n     *rootio.Column[int32]
	cells *rootio.Column[float32]
	label *rootio.Column[string]
}

func openJagged(f *rootio.File) (rootTree, error) {
	tree, err := f.Tree("clusters")
	if err != nil {
		return nil, err
	}
	t := &jaggedTree{
		n:     column[int32](tree, "n", &err),
		cells: column[float32](tree, "cells", &err),
		label: column[string](tree, "label", &err),
	}
	t.all = []rootio.AnyColumn{t.n, t.cells, t.label}
	return t, err
}

func (t *jaggedTree) sums(workers int) (sums rootSums, err error) {
	for step, err := range rootio.Steps(context.Background(), 0, -1, t.all, rootio.Workers(workers)) {
		if err != nil {
			return sums, err
		}
		for _, v := range t.n.Batch(step).Values {
			sums[0] += float64(v)
		}
		cells := t.cells.Batch(step)
		for i := range step.Len() {
			for _, v := range cells.Entry(i) {
				sums[1] += float64(v)
			}
		}
		for _, text := range t.label.Batch(step).Values {
			sums[2] += float64(len(text))
		}
	}
	return sums, nil
}

// rootFloor reads every record and decompresses it: what a reader cannot do
// without.
type rootFloor struct {
	set          *rootSet
	src          bytes.Reader
	record, data []byte
}

func (r *rootFloor) sums(i int) (rootSums, error) {
	r.src.Reset(r.set.files[i])
	for _, b := range r.set.baskets {
		record := room(&r.record, b.nbytes)
		if _, err := r.src.ReadAt(record, int64(b.offset)); err != nil {
			return rootSums{}, err
		}
		if b.nbytes-b.keyLen == b.objLen {
			continue
		}
		if _, err := rootio.Decompress(room(&r.data, b.objLen), record[b.keyLen:]); err != nil {
			return rootSums{}, err
		}
	}
	return rootSums{}, nil
}

// inflater decompresses a zlib block.
type inflater interface {
	inflate(dst, src []byte) error
}

// rootScan reads every record, inflates it and adds up what it holds, in a
// loop over baskets: the reader that one would write by hand.
type rootScan struct {
	set          *rootSet
	codec        inflater
	src          bytes.Reader
	record, data []byte
}

func (r *rootScan) sums(i int) (rootSums, error) { return r.scan(r.set.files[i], r.set.baskets) }

func (r *rootScan) scan(file []byte, baskets []rootBasket) (sums rootSums, err error) {
	r.src.Reset(file)
	for _, b := range baskets {
		record := room(&r.record, b.nbytes)
		if _, err := r.src.ReadAt(record, int64(b.offset)); err != nil {
			return sums, err
		}
		data := record[b.keyLen:]
		if len(data) != b.objLen {
			data = room(&r.data, b.objLen)
			// The header of a block has 9 bytes. Baskets of the fixtures have one.
			if err := r.codec.inflate(data, record[b.keyLen+9:]); err != nil {
				return sums, err
			}
		}
		for k, name := range r.set.branches {
			if name == b.branch {
				rootAdd(&sums[k], name, data[:b.dataLen])
			}
		}
	}
	return sums, nil
}

// rootAdd adds up the data of a basket.
func rootAdd(sum *float64, branch string, data []byte) {
	s := *sum
	switch branch {
	case "level", "noise":
		for ; len(data) >= 8; data = data[8:] {
			s += math.Float64frombits(binary.BigEndian.Uint64(data))
		}
	case "stamp":
		for ; len(data) >= 8; data = data[8:] {
			s += float64(int64(binary.BigEndian.Uint64(data)))
		}
	case "pulse", "cells":
		for ; len(data) >= 4; data = data[4:] {
			s += float64(math.Float32frombits(binary.BigEndian.Uint32(data)))
		}
	case "tick", "n":
		for ; len(data) >= 4; data = data[4:] {
			s += float64(int32(binary.BigEndian.Uint32(data)))
		}
	case "mode":
		for _, v := range data {
			s += float64(v)
		}
	case "label":
		for len(data) > 0 {
			n := int(data[0])
			data = data[1:]
			if n == 255 {
				n = int(binary.BigEndian.Uint32(data))
				data = data[4:]
			}
			s += float64(n)
			data = data[n:]
		}
	}
	*sum = s
}

type klauspostInflate struct {
	src bytes.Reader
	r   io.ReadCloser
	end tail
}

func (z *klauspostInflate) inflate(dst, src []byte) (err error) {
	z.src.Reset(src)
	if z.r == nil {
		z.r, err = kzlib.NewReader(&z.src)
	} else {
		err = z.r.(kzlib.Resetter).Reset(&z.src, nil)
	}
	if err == nil {
		err = fullInto(z.r, dst, z.end[:])
	}
	return err
}

type stdInflate struct{}

func (stdInflate) inflate(dst, src []byte) error {
	r, err := stdzlib.NewReader(bytes.NewReader(src))
	if err != nil {
		return err
	}
	return full(r, dst)
}
