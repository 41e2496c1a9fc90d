package rootio

import (
	"context"
	"fmt"
	"iter"
)

// An Option changes how entries are read.
type Option func(*options)

type options struct {
	workers int
	ahead   int64
}

// Workers sets how many goroutines decompress; 0 is GOMAXPROCS. With one, all
// is done on the caller's, and nothing read ahead.
func Workers(n int) Option { return func(o *options) { o.workers = n } }

// ReadAhead bounds the memory in bytes for what is read ahead of the step in
// hand.
func ReadAhead(n int64) Option { return func(o *options) { o.ahead = n } }

// A Step is a range of entries, of which the columns of a loop have the values
// at hand.
type Step struct {
	First, End int64
	cols       []*column
	chunks     []*chunk
}

// Len returns how many entries the step has.
func (s *Step) Len() int { return int(s.End - s.First) }

func (s *Step) chunkOf(c *column) *chunk {
	for i, col := range s.cols {
		if col == c {
			return s.chunks[i]
		}
	}
	panic("rootio: a column that is not one of the step's")
}

// Steps reads several columns in step: each step is a range of entries, as
// large as the baskets of all columns allow, for which [Column.Batch] gives the
// values of each. Ranges follow each other from from up to, but not with, to; a
// negative to stands for the end of the branch that ends first. The step and
// its memory are lent until the next one. An error ends the sequence.
func Steps(ctx context.Context, from, to int64, cols []AnyColumn, opts ...Option) iter.Seq2[*Step, error] {
	all := make([]*column, len(cols))
	for i, c := range cols {
		all[i] = c.self()
	}
	return steps(ctx, from, to, all, opts)
}

func steps(ctx context.Context, from, to int64, cols []*column, opts []Option) iter.Seq2[*Step, error] {
	return func(yield func(*Step, error) bool) {
		if len(cols) == 0 {
			return
		}
		end := cols[0].b.end
		for _, c := range cols {
			end = min(end, c.b.end)
		}
		if to < 0 {
			to = end
		}
		for _, c := range cols {
			if from < c.b.first || to > c.b.end || from > to {
				yield(nil, c.b.fault(fmt.Errorf("%w: %d to %d, where it has %d to %d", ErrRange, from, to, c.b.first, c.b.end)))
				return
			}
		}
		s := &Step{First: from, End: from, cols: cols, chunks: make([]*chunk, len(cols))}
		next := make([]int, len(cols))
		defer func() {
			for _, c := range s.chunks {
				if c != nil {
					c.free()
				}
			}
		}()
		for s.End < to {
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			s.First, s.End = s.End, to
			for i, col := range cols {
				c := s.chunks[i]
				if c == nil {
					c = &chunk{col: col}
					s.chunks[i] = c
				}
				for c.end <= s.First {
					p := col.b.parts[next[i]]
					next[i]++
					if p.end <= s.First {
						continue
					}
					c.parts = append(c.parts[:0], p)
					c.first, c.end = p.first, p.end
					if err := c.decode(col.b.tree.file, func(int64) error { return nil }); err != nil {
						yield(nil, err)
						return
					}
				}
				s.End = min(s.End, c.end)
			}
			if !yield(s, nil) {
				return
			}
		}
	}
}
