// Package pull reads from readers that need not keep the rules of io.Reader.
package pull

import (
	"errors"
	"io"
)

// ErrCount is what a reader gets that returns a count which is negative or
// over what it was asked for.
var ErrCount = errors.New("reader returned an impossible count")

// A Reader counts what it reads from R, and returns bytes or an error, never
// both or neither.
type Reader struct {
	R   io.Reader
	N   int64
	err error
}

// tries are how often a reader may return nothing in a row.
const tries = 100

// Read reads into p, which must not be empty. The first error remains.
func (r *Reader) Read(p []byte) (int, error) {
	for try := 0; r.err == nil; try++ {
		if try == tries {
			r.err = io.ErrNoProgress
			break
		}
		n, err := r.R.Read(p)
		if n < 0 || n > len(p) {
			r.err = ErrCount
			break
		}
		r.N += int64(n)
		r.err = err
		if n > 0 {
			return n, nil
		}
	}
	return 0, r.err
}
