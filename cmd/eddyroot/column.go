package main

import (
	"context"
	"fmt"
	"iter"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/eddy-go/eddy/compress/rootio"
)

// A column is a branch that is read, whatever the type of its values.
type column interface {
	rootio.AnyColumn

	// take makes what follows about the values of a step.
	take(s *rootio.Step)
	// appendText appends entry i of the step as a field of CSV.
	appendText(dst []byte, i int) []byte
	// items returns how many values entry i has, or -1 if it is one value.
	items(i int) int
	// appendItem appends value k of entry i as a field of CSV.
	appendItem(dst []byte, i, k int) []byte

	// sum reads entries and sums them up.
	sum(ctx context.Context, from, to int64, hashed bool, at func(entry int64)) (*columnSum, error)

	arrowColumn
}

// newColumn returns a column of a branch.
func newColumn(b *rootio.Branch) (column, error) {
	switch b.Kind() {
	case rootio.Bool:
		return newTyped[bool](b)
	case rootio.Int8:
		return newTyped[int8](b)
	case rootio.Int16:
		return newTyped[int16](b)
	case rootio.Int32:
		return newTyped[int32](b)
	case rootio.Int64:
		return newTyped[int64](b)
	case rootio.Uint8:
		return newTyped[uint8](b)
	case rootio.Uint16:
		return newTyped[uint16](b)
	case rootio.Uint32:
		return newTyped[uint32](b)
	case rootio.Uint64:
		return newTyped[uint64](b)
	case rootio.Float32:
		return newTyped[float32](b)
	case rootio.Float64:
		return newTyped[float64](b)
	case rootio.String:
		return newTyped[string](b)
	}
	if b.Err() != nil {
		return nil, b.Err()
	}
	return nil, fmt.Errorf("%s: no way to read %v", b.Name(), b.Kind())
}

// A shape is what each entry is.
type shape struct {
	kind   rootio.Kind
	value  arrow.DataType // of a value, in Arrow
	dims   []int          // of an entry, or of each item of a jagged one
	width  int            // the product of dims
	jagged bool
}

func shapeOf(b *rootio.Branch) shape {
	return shape{b.Kind(), arrowValues[b.Kind()], b.Dims(), b.Width(), b.Jagged()}
}

// single tells that an entry is one value.
func (s *shape) single() bool { return !s.jagged && len(s.dims) == 0 }

// String returns the Go type of an entry.
func (s *shape) String() string {
	text := ""
	if s.jagged {
		text = "[]"
	}
	for _, d := range s.dims {
		text += "[" + strconv.Itoa(d) + "]"
	}
	return text + s.kind.String()
}

// typed is a column of a type.
type typed[T rootio.Value] struct {
	*rootio.Column[T]
	shape
	batch rootio.Batch[T]

	plain  func(dst []byte, v T) []byte // a value by itself
	listed func(dst []byte, v T) []byte // one in a list
	list   []byte

	arrowBuilder[T]
}

func newTyped[T rootio.Value](b *rootio.Branch) (column, error) {
	c, err := rootio.NewColumn[T](b)
	if err != nil {
		return nil, err
	}
	return &typed[T]{Column: c, shape: shapeOf(b), plain: textOf[T](false), listed: textOf[T](true)}, nil
}

func (t *typed[T]) take(s *rootio.Step) { t.batch = t.Batch(s) }

func (t *typed[T]) appendText(dst []byte, i int) []byte {
	if t.single() {
		return t.appendValue(dst, t.batch.Values[i])
	}
	values := t.batch.Entry(i)
	t.list = t.list[:0]
	if t.jagged {
		t.list = append(t.list, '[')
		for k := 0; k < len(values); k += t.width {
			if k > 0 {
				t.list = append(t.list, ',')
			}
			t.list = t.appendArray(t.list, values[k:k+t.width], t.dims)
		}
		t.list = append(t.list, ']')
	} else {
		t.list = t.appendArray(t.list, values, t.dims)
	}
	return appendField(dst, string(t.list))
}

// appendArray appends an array of dimensions as a list of lists.
func (t *typed[T]) appendArray(dst []byte, values []T, dims []int) []byte {
	if len(dims) == 0 {
		return t.listed(dst, values[0])
	}
	dst = append(dst, '[')
	each := len(values) / max(dims[0], 1)
	for k := range dims[0] {
		if k > 0 {
			dst = append(dst, ',')
		}
		dst = t.appendArray(dst, values[k*each:(k+1)*each], dims[1:])
	}
	return append(dst, ']')
}

func (t *typed[T]) appendValue(dst []byte, v T) []byte {
	if s, ok := any(v).(string); ok {
		return appendField(dst, s)
	}
	return t.plain(dst, v)
}

func (t *typed[T]) items(i int) int {
	if t.single() {
		return -1
	}
	return len(t.batch.Entry(i))
}

func (t *typed[T]) appendItem(dst []byte, i, k int) []byte {
	return t.appendValue(dst, t.batch.Entry(i)[k])
}

// columns are the branches of a source that are read in step.
func (src *source) columns() ([]column, error) {
	all := make([]column, len(src.branches))
	for i, b := range src.branches {
		var err error
		if all[i], err = newColumn(b); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// steps reads columns in step; each has its values at hand. The last entry
// that is read, and with it how far the file is, goes to at.
func (src *source) steps(ctx context.Context, all []column, at func(entry int64)) iter.Seq2[*rootio.Step, error] {
	cols := make([]rootio.AnyColumn, len(all))
	for i, c := range all {
		cols[i] = c
	}
	return func(yield func(*rootio.Step, error) bool) {
		for s, err := range rootio.Steps(ctx, src.from, src.to, cols) {
			if err == nil {
				for _, c := range all {
					c.take(s)
				}
			}
			if !yield(s, err) {
				return
			}
			if err == nil {
				at(s.End)
			}
		}
	}
}
