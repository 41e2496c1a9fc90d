package main

import (
	"errors"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/eddy-go/eddy/compress/rootio"
)

// arrowColumn is what a column is for Arrow. Entries are collected until they
// are taken as an array.
type arrowColumn interface {
	arrowType() arrow.DataType
	// setBinary makes strings binary.
	setBinary()
	// arrowSize returns how many bytes entries lo to hi of the step take.
	arrowSize(lo, hi int) int
	// appendArrow adds entries lo to hi of the step, without hi itself.
	appendArrow(lo, hi int) error
	// arrowData returns what was added. It may be used until the next
	// appendArrow, which begins anew.
	arrowData() arrow.ArrayData
}

// arrowBuilder collects the values of a column in Arrow's layout.
type arrowBuilder[T rootio.Value] struct {
	taken  bool
	rows   int
	values []T
	lists  []int32 // where in values, counted in items, lists begin, and the end
	text   []byte  // of strings, or the bits of bools
	ends   []int32 // where in text strings begin, and the end
}

var arrowValues = map[rootio.Kind]arrow.DataType{
	rootio.Bool:    arrow.FixedWidthTypes.Boolean,
	rootio.Int8:    arrow.PrimitiveTypes.Int8,
	rootio.Int16:   arrow.PrimitiveTypes.Int16,
	rootio.Int32:   arrow.PrimitiveTypes.Int32,
	rootio.Int64:   arrow.PrimitiveTypes.Int64,
	rootio.Uint8:   arrow.PrimitiveTypes.Uint8,
	rootio.Uint16:  arrow.PrimitiveTypes.Uint16,
	rootio.Uint32:  arrow.PrimitiveTypes.Uint32,
	rootio.Uint64:  arrow.PrimitiveTypes.Uint64,
	rootio.Float32: arrow.PrimitiveTypes.Float32,
	rootio.Float64: arrow.PrimitiveTypes.Float64,
	rootio.String:  arrow.BinaryTypes.String,
}

func (t *typed[T]) setBinary() { t.value = arrow.BinaryTypes.Binary }

// arrowType is a list of an array of values, as far as the column has them.
func (t *typed[T]) arrowType() arrow.DataType {
	typ := t.value
	for i := len(t.dims) - 1; i >= 0; i-- {
		typ = arrow.FixedSizeListOf(int32(t.dims[i]), typ)
	}
	if t.jagged {
		typ = arrow.ListOf(typ)
	}
	return typ
}

// span returns the values of entries lo to hi of the step.
func (t *typed[T]) span(lo, hi int) []T {
	if o := t.batch.Offsets; o != nil {
		return t.batch.Values[o[lo]:o[hi]]
	}
	return t.batch.Values[lo*t.width : hi*t.width]
}

func (t *typed[T]) arrowSize(lo, hi int) int {
	vs := t.span(lo, hi)
	n := len(vs) * t.kind.Size()
	if strs, ok := any(vs).([]string); ok {
		for _, s := range strs {
			n += 4 + len(s)
		}
	}
	if t.batch.Offsets != nil {
		n += 4 * (hi - lo)
	}
	return n
}

var errNotUTF8 = errors.New("the string is no UTF-8, which utf8 of --strings asks for")

func (t *typed[T]) appendArrow(lo, hi int) error {
	b := &t.arrowBuilder
	if b.taken {
		*b = arrowBuilder[T]{values: b.values[:0], lists: b.lists[:0], text: b.text[:0], ends: b.ends[:0]}
	}
	if t.batch.Offsets != nil {
		if len(b.lists) == 0 {
			b.lists = append(b.lists, 0)
		}
		at := b.lists[len(b.lists)-1]
		for i := lo; i < hi; i++ {
			at += (t.batch.Offsets[i+1] - t.batch.Offsets[i]) / int32(t.width)
			b.lists = append(b.lists, at)
		}
	}
	b.rows += hi - lo
	vs := t.span(lo, hi)
	strs, ok := any(vs).([]string)
	if !ok {
		b.values = append(b.values, vs...)
		return nil
	}
	if len(b.ends) == 0 {
		b.ends = append(b.ends, 0)
	}
	for _, s := range strs {
		if t.value == arrow.BinaryTypes.String && !utf8.ValidString(s) {
			return errNotUTF8
		}
		b.text = append(b.text, s...)
		b.ends = append(b.ends, int32(len(b.text)))
	}
	return nil
}

func (t *typed[T]) arrowData() arrow.ArrayData {
	b := &t.arrowBuilder
	b.taken = true
	n := len(b.values)
	buffers := []*memory.Buffer{nil, nil}
	switch vs := any(b.values).(type) {
	case []bool:
		b.text = appendBits(b.text, vs)
		buffers[1] = memory.NewBufferBytes(b.text)
	case []string:
		if len(b.ends) == 0 {
			b.ends = append(b.ends, 0)
		}
		n = len(b.ends) - 1
		buffers[1] = memory.NewBufferBytes(arrow.GetBytes(b.ends))
		buffers = append(buffers, memory.NewBufferBytes(b.text))
	default:
		buffers[1] = memory.NewBufferBytes(bytesOf(b.values))
	}
	data := array.NewData(t.value, n, buffers, nil, 0, 0)
	typ := t.value
	for i := len(t.dims) - 1; i >= 0; i-- {
		n /= max(t.dims[i], 1)
		typ = arrow.FixedSizeListOf(int32(t.dims[i]), typ)
		data = array.NewData(typ, n, []*memory.Buffer{nil}, []arrow.ArrayData{data}, 0, 0)
	}
	if t.jagged {
		if len(b.lists) == 0 {
			b.lists = append(b.lists, 0)
		}
		offsets := memory.NewBufferBytes(arrow.GetBytes(b.lists))
		data = array.NewData(arrow.ListOf(typ), b.rows, []*memory.Buffer{nil, offsets}, []arrow.ArrayData{data}, 0, 0)
	}
	return data
}

// appendBits appends bools as Arrow has them, the first in the lowest bit.
func appendBits(dst []byte, vs []bool) []byte {
	for i, v := range vs {
		if i%8 == 0 {
			dst = append(dst, 0)
		}
		if v {
			dst[len(dst)-1] |= 1 << (i % 8)
		}
	}
	return dst
}

// bytesOf is the memory of numbers.
func bytesOf(vs any) []byte {
	switch vs := vs.(type) {
	case []int8:
		return arrow.GetBytes(vs)
	case []int16:
		return arrow.GetBytes(vs)
	case []int32:
		return arrow.GetBytes(vs)
	case []int64:
		return arrow.GetBytes(vs)
	case []uint8:
		return vs
	case []uint16:
		return arrow.GetBytes(vs)
	case []uint32:
		return arrow.GetBytes(vs)
	case []uint64:
		return arrow.GetBytes(vs)
	case []float32:
		return arrow.GetBytes(vs)
	case []float64:
		return arrow.GetBytes(vs)
	}
	return nil
}
