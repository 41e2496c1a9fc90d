package main

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"math"
	"strconv"

	"github.com/eddy-go/eddy/compress/rootio"
)

type sumCmd struct {
	selection
	SHA256 bool `name:"sha256" help:"Hash the values too: little-endian, in the order of entries; strings with line feeds between."`
	JSON   bool `help:"Print a line of JSON for each column."`
}

// A columnSum is what a column adds up to.
type columnSum struct {
	Tree    string `json:"tree"`
	Name    string `json:"name"`
	Type    string `json:"type"`
	First   int64  `json:"first_entry"`
	Entries int64  `json:"entries"`
	Count   int64  `json:"count"`            // of values
	Bytes   int64  `json:"bytes"`            // of values
	Sum     *float `json:"sum,omitempty"`    // in float64, in the order of entries; not of strings
	Min     *float `json:"min,omitempty"`    // of values that are a number
	Max     *float `json:"max,omitempty"`    //
	NaNs    int64  `json:"nans,omitempty"`   // values that are no number
	Hash    string `json:"sha256,omitempty"` // of columns that are not jagged
	Values  string `json:"sha256_values,omitempty"`
	Counts  string `json:"sha256_counts,omitempty"` // of how many items each entry has, in int32
}

// float is a number as JSON or text has it, exact: NaN and infinities are
// strings in JSON.
type float struct {
	f     float64
	exact string // of integers that float64 does not hold
}

func (f *float) String() string {
	if f == nil {
		return "-"
	}
	if f.exact != "" {
		return f.exact
	}
	return string(appendFloat(nil, f.f, 64))
}

// MarshalJSON implements json.Marshaler.
func (f *float) MarshalJSON() ([]byte, error) {
	if math.IsNaN(f.f) || math.IsInf(f.f, 0) {
		return strconv.AppendQuote(nil, f.String()), nil
	}
	return []byte(f.String()), nil
}

func (c *sumCmd) Run(s *session) error {
	src, err := c.open(s)
	if err != nil {
		return err
	}
	defer src.close()
	p := newProgress(s.stderr, 1000*int64(len(src.branches)), c.File)
	defer p.done()
	l := &lister{session: s}
	head := []string{"COLUMN", "TYPE", "ENTRIES", "VALUES", "SUM", "MIN", "MAX", "NAN"}
	if c.SHA256 {
		head = append(head, "SHA256")
	}
	t := l.table(head...)
	for i, b := range src.branches {
		sum, err := c.column(s, src, b, func(part float64) { p.at(int64((float64(i) + part) * 1000)) })
		if err != nil {
			p.clear()
			t.flush()
			return c.fault(err)
		}
		if c.JSON {
			err = l.json(sum)
		} else {
			cells := []any{sum.Name, sum.Type, sum.Entries, sum.Count, sum.Sum, sum.Min, sum.Max, sum.NaNs}
			switch {
			case !c.SHA256:
			case b.Jagged():
				cells = append(cells, sum.Values+" counts "+sum.Counts)
			default:
				cells = append(cells, sum.Hash)
			}
			err = t.row(cells...)
		}
		if err != nil {
			return err
		}
	}
	p.done()
	return t.flush()
}

// column sums up what of a branch is in range; at is told the part that is done.
func (c *sumCmd) column(s *session, src *source, b *rootio.Branch, at func(part float64)) (*columnSum, error) {
	col, err := newColumn(b)
	if err != nil {
		return nil, err
	}
	end := b.First() + b.Entries() // a tree may have more entries than a branch
	from := min(max(src.from, b.First()), end)
	to := max(from, min(src.to, end))
	sum, err := col.sum(s, from, to, c.SHA256, func(entry int64) {
		at(float64(entry-from) / float64(max(to-from, 1)))
	})
	if err != nil {
		return nil, err
	}
	sum.Tree, sum.Name, sum.Type = src.tree.Key().Path(), b.Name(), typeOf(b)
	sum.First, sum.Entries = from, to-from
	return sum, nil
}

// sum reads entries and sums them up.
func (t *typed[T]) sum(ctx context.Context, from, to int64, hashed bool, at func(int64)) (*columnSum, error) {
	s := &columnSum{}
	var values, counts hash.Hash
	if hashed {
		values, counts = sha256.New(), sha256.New()
	}
	a := adder[T]{}
	var scratch []byte
	for b, err := range t.Batches(ctx, from, to) {
		if err != nil {
			return nil, err
		}
		vs := b.Flat()
		if hashed {
			scratch = hashValues(values, scratch[:0], vs, s.Count > 0)
			if b.Offsets != nil {
				scratch = scratch[:0]
				for i := range b.Len() {
					n := (b.Offsets[i+1] - b.Offsets[i]) / int32(t.width)
					scratch = binary.LittleEndian.AppendUint32(scratch, uint32(n))
				}
				counts.Write(scratch)
			}
		}
		s.Count += int64(len(vs))
		s.Bytes += a.add(vs)
		at(b.First + int64(b.Len()))
	}
	a.result(s)
	if hashed {
		s.Hash = hex.EncodeToString(values.Sum(nil))
		if t.jagged {
			s.Values, s.Hash = s.Hash, ""
			s.Counts = hex.EncodeToString(counts.Sum(nil))
		}
	}
	return s, nil
}

// hashValues writes values to h, from the low end or, strings, with a line
// feed between. It returns scratch, which may have grown.
func hashValues[T rootio.Value](h io.Writer, scratch []byte, vs []T, more bool) []byte {
	if strs, ok := any(vs).([]string); ok {
		for _, s := range strs {
			if more {
				scratch = append(scratch, '\n')
			}
			more = true
			scratch = append(scratch, s...)
			if len(scratch) > 32<<10 {
				h.Write(scratch)
				scratch = scratch[:0]
			}
		}
	} else {
		var err error
		if scratch, err = binary.Append(scratch, binary.LittleEndian, vs); err != nil {
			panic(err) // all others have a size
		}
	}
	h.Write(scratch)
	return scratch
}

// An adder adds values up.
type adder[T rootio.Value] struct {
	sum      float64
	min, max T
	any      bool // a number was seen
	nans     int64
}

// add adds values and returns their size in bytes.
func (a *adder[T]) add(vs []T) int64 {
	switch vs := any(vs).(type) {
	case []string:
		n := 0
		for _, s := range vs {
			n += len(s)
		}
		return int64(n)
	case []bool:
		for _, v := range vs {
			if v {
				a.sum++
			}
		}
		return int64(len(vs))
	case []int8:
		return addNumbers(any(a).(*adder[int8]), vs)
	case []int16:
		return addNumbers(any(a).(*adder[int16]), vs)
	case []int32:
		return addNumbers(any(a).(*adder[int32]), vs)
	case []int64:
		return addNumbers(any(a).(*adder[int64]), vs)
	case []uint8:
		return addNumbers(any(a).(*adder[uint8]), vs)
	case []uint16:
		return addNumbers(any(a).(*adder[uint16]), vs)
	case []uint32:
		return addNumbers(any(a).(*adder[uint32]), vs)
	case []uint64:
		return addNumbers(any(a).(*adder[uint64]), vs)
	case []float32:
		return addNumbers(any(a).(*adder[float32]), vs)
	case []float64:
		return addNumbers(any(a).(*adder[float64]), vs)
	}
	return 0
}

type number interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64
}

func addNumbers[T interface {
	number
	rootio.Value
}](a *adder[T], vs []T) int64 {
	for _, v := range vs {
		a.sum += float64(v)
		if v != v {
			a.nans++
			continue
		}
		if !a.any {
			a.any, a.min, a.max = true, v, v
		}
		a.min, a.max = min(a.min, v), max(a.max, v)
	}
	return int64(len(vs) * binary.Size(*new(T)))
}

// result fills in what the values add up to.
func (a *adder[T]) result(s *columnSum) {
	s.NaNs = a.nans
	switch any(a.min).(type) {
	case string:
		return
	case bool:
		s.Sum = &float{f: a.sum}
		return
	}
	s.Sum = &float{f: a.sum}
	if a.any {
		s.Min, s.Max = exact(a.min), exact(a.max)
	}
}

// exact is a value with all its digits.
func exact[T rootio.Value](v T) *float {
	f := &float{exact: string(textOf[T](false)(nil, v))}
	f.f, _ = strconv.ParseFloat(f.exact, 64)
	return f
}

var (
	_ json.Marshaler = (*float)(nil)
	_ fmt.Stringer   = (*float)(nil)
)
