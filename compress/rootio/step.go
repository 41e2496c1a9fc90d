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

// DefaultReadAhead is how much memory, in bytes, is taken for what is read
// ahead, if the option ReadAhead says nothing else.
const DefaultReadAhead = 32 << 20

// Workers sets how many goroutines read and decompress beside the caller's. 0
// is GOMAXPROCS. With one, no goroutine is started: all is done by the caller's
// when it is needed, and nothing read ahead.
func Workers(n int) Option { return func(o *options) { o.workers = n } }

// ReadAhead bounds the memory in bytes for what is read and decompressed before
// the loop comes to it. What the step in hand has does not count: it is a run
// of baskets of each column, of some 64 KiB or of one basket, if that is larger.
func ReadAhead(n int64) Option { return func(o *options) { o.ahead = n } }

// A Step is a range of entries, of which the columns of a loop have the values
// at hand: see [Column.Batch].
type Step struct {
	First, End int64 // from First up to, but not with, End

	streams []*stream
	index   map[*column]int
}

// Len returns how many entries the step has.
func (s *Step) Len() int { return int(s.End - s.First) }

// chunkOf returns what c's values are in.
func (s *Step) chunkOf(c *column) *chunk {
	i := 0
	if s.index != nil {
		var ok bool
		if i, ok = s.index[c]; !ok {
			i = len(s.streams)
		}
	} else {
		for i < len(s.streams) && s.streams[i].col != c {
			i++
		}
	}
	if i == len(s.streams) || s.streams[i].now == nil {
		panic("rootio: Batch of a column that is not in the step")
	}
	return s.streams[i].now
}

// Steps reads several columns in step: each step is a range of entries, as
// large as the baskets of all columns allow, for which [Column.Batch] gives the
// values of each. Ranges follow each other from from up to, but not with, to; a
// negative to stands for the end of the branch that ends first. The step, and
// what Batch gives, are lent until the next one.
//
// Baskets are read and decompressed by several goroutines, before the loop
// comes to them: see Workers and ReadAhead. When the loop ends, in whatever
// way, none of them is left, and all memory is back in its pools. A read that
// is under way then is waited for. An error ends the sequence: in its place,
// after all entries before it. It is ctx's if that is done.
func Steps(ctx context.Context, from, to int64, cols []AnyColumn, opts ...Option) iter.Seq2[*Step, error] {
	all := make([]*column, len(cols))
	for i, c := range cols {
		all[i] = c.self()
	}
	return steps(ctx, from, to, all, nil, opts)
}

func steps(ctx context.Context, from, to int64, cols []*column, dst []byte, opts []Option) iter.Seq2[*Step, error] {
	return func(yield func(*Step, error) bool) {
		if len(cols) == 0 {
			return
		}
		to := to
		if to < 0 {
			to = cols[0].b.end
			for _, c := range cols {
				to = min(to, c.b.end)
			}
		}
		for _, c := range cols {
			if from < c.b.first || to > c.b.end || from > to {
				yield(nil, c.b.fault(fmt.Errorf("%w: %d to %d of %d to %d", ErrRange, from, to, c.b.first, c.b.end)))
				return
			}
		}
		if err := ctx.Err(); err != nil {
			yield(nil, err)
			return
		}
		r := newRun(ctx, from, to, cols, dst, opts)
		defer r.close()
		s := &r.step
		for s.End < to {
			s.First, s.End = s.End, to
			for _, st := range r.streams {
				if st.now == nil || st.now.end <= s.First {
					if err := r.next(st); err != nil {
						yield(nil, err)
						return
					}
				}
				s.End = min(s.End, st.now.end)
			}
			if !yield(s, nil) {
				return
			}
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
		}
	}
}
