package rootio

import (
	"context"
	"fmt"
	"iter"

	"github.com/eddy-go/eddy/compress"
)

// A Column reads the values of a branch as values of T, which is the type that
// the branch's Kind names. It may be used by any number of goroutines.
type Column[T Value] struct{ column }

// column is what columns of all types are.
type column struct{ b *Branch }

// AnyColumn is a *Column of any type.
type AnyColumn interface {
	Branch() *Branch
	self() *column
}

// NewColumn returns a column of b. The error wraps ErrType if T is not the type
// of b's values, and is b's Err if b cannot be read.
func NewColumn[T Value](b *Branch) (*Column[T], error) {
	if b.err != nil {
		return nil, b.Err()
	}
	if k := kindFor[T](); k != b.kind {
		return nil, b.fault(fmt.Errorf("%w: %s values are no %s", ErrType, b.kind, k))
	}
	return &Column[T]{column{b}}, nil
}

// Branch returns the branch.
func (c *column) Branch() *Branch { return c.b }

func (c *column) self() *column { return c }

// A Batch is the values of consecutive entries.
type Batch[T Value] struct {
	First int64 // the number of the first entry
	// Values has those of all entries, one behind the other; see Flat.
	Values []T
	// Offsets says where in Values the entries of a jagged branch begin, and
	// has one more for the end: entry i is Values[Offsets[i]:Offsets[i+1]]. The
	// first one need not be zero. It is nil where all entries have Width values.
	Offsets []int32
	Width   int // values in an entry; 0 if the branch is jagged
}

// Len returns how many entries the batch has.
func (b Batch[T]) Len() int {
	if b.Offsets != nil {
		return len(b.Offsets) - 1
	}
	return len(b.Values) / b.Width
}

// Flat returns the values of all entries of the batch, one behind the other.
// (Of a jagged branch Values may have more, of entries before and behind.)
func (b Batch[T]) Flat() []T {
	if b.Offsets != nil {
		return b.Values[b.Offsets[0]:b.Offsets[len(b.Offsets)-1]]
	}
	return b.Values
}

// Entry returns the values of entry i of the batch, counted from zero.
func (b Batch[T]) Entry(i int) []T {
	if b.Offsets != nil {
		return b.Values[b.Offsets[i]:b.Offsets[i+1]:b.Offsets[i+1]]
	}
	return b.Values[i*b.Width : (i+1)*b.Width : (i+1)*b.Width]
}

// Batches gives the entries from from up to, but not with, to in order, in
// batches of one basket or of a few. A negative to stands for the end of the
// branch. A batch's memory is lent until the next step of the loop, that of
// strings is the caller's own. An error ends the sequence.
func (c *Column[T]) Batches(ctx context.Context, from, to int64, opts ...Option) iter.Seq2[Batch[T], error] {
	return func(yield func(Batch[T], error) bool) {
		for s, err := range steps(ctx, from, to, []*column{&c.column}, nil, opts) {
			if err != nil {
				yield(Batch[T]{}, err)
				return
			}
			if !yield(c.Batch(s), nil) {
				return
			}
		}
	}
}

// Batch returns the column's values in step s.
func (c *Column[T]) Batch(s *Step) Batch[T] {
	chunk := s.chunkOf(&c.column)
	l := &c.b.layout
	lo, hi := int(s.First-chunk.first), int(s.End-chunk.first)
	b := Batch[T]{First: s.First, Width: l.width}
	if c.b.jagged {
		b.Offsets = offsetsOf(chunk.offsets.b[:4*(chunk.entries+1)])[lo : hi+1 : hi+1]
		b.Width = 0
	}
	if c.b.kind == String {
		strs := chunk.strs
		if !c.b.jagged {
			strs = strs[lo:hi:hi]
		}
		b.Values = any(strs).([]T)
		return b
	}
	values := valuesOf[T](chunk.values.b[chunk.base : chunk.base+chunk.n])
	if !c.b.jagged {
		values = values[lo*l.width : hi*l.width : hi*l.width]
	}
	b.Values = values
	return b
}

// Read reads entries from from on into dst, as many whole ones as fit or as the
// branch has, and returns how many values that are. Where the branch holds
// numbers as large as those in memory, as nearly all do, they are decompressed
// to dst itself. The branch must not be jagged. With an error as many values
// are read as it returns; those behind may have been overwritten.
func (c *Column[T]) Read(ctx context.Context, dst []T, from int64, opts ...Option) (int, error) {
	l := &c.b.layout
	if c.b.jagged {
		return 0, c.b.fault(fmt.Errorf("%w: Read of a jagged branch", compress.ErrUnsupported))
	}
	to := c.b.end
	if n := int64(len(dst) / l.width); n < to-from {
		to = from + n
	}
	var memory []byte
	if l.form == fixed && l.inPlace && l.typ != typBool && l.stride == l.size*l.width && !c.b.hasOffsets {
		memory = bytesOf(dst)
	}
	n := 0
	for s, err := range steps(ctx, from, to, []*column{&c.column}, memory, opts) {
		if err != nil {
			return n, err
		}
		if s.chunkOf(&c.column).base == 0 {
			n += s.Len() * l.width // it is there
			continue
		}
		n += copy(dst[n:], c.Batch(s).Values)
	}
	return n, nil
}

// Append appends the values of the entries from from up to, but not with, to, to
// values, and for each entry of a jagged branch where its values end in there to
// ends. A negative to stands for the end of the branch. With an error it
// returns what it has appended, of whole entries.
func (c *Column[T]) Append(ctx context.Context, values []T, ends []int, from, to int64, opts ...Option) ([]T, []int, error) {
	for b, err := range c.Batches(ctx, from, to, opts...) {
		if err != nil {
			return values, ends, err
		}
		if b.Offsets != nil {
			base := len(values) - int(b.Offsets[0])
			for _, o := range b.Offsets[1:] {
				ends = append(ends, base+int(o))
			}
		}
		values = append(values, b.Flat()...)
	}
	return values, ends, nil
}
