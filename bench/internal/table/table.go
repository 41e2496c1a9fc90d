// Package table measures several implementations of the same work beside each
// other in one process, and prints what came out.
//
// A machine drifts: another tenant, a hot core, a collection at a bad moment.
// Figures taken one after the other carry that drift, so every round runs each
// implementation of a case once, in turn, and the ratio is taken inside a
// round before the median over rounds.
package table

import (
	"fmt"
	"strings"
)

// A Table is one group of cases with the peer that its ratios are taken against.
type Table struct {
	Name  string // as -table takes it
	Title string // one line: what is measured
	Peer  string // the implementation that the ratios are against
	Cases []Case
}

// A Case is one piece of work that every implementation does.
type Case struct {
	Name string
	Main bool // part of a run without -full

	// Slow says that one round takes seconds or minutes: part of a run with
	// -full, but not of the tests that run every case once.
	Slow bool

	// Bytes is what one operation moves; 0 leaves MB/s out.
	Bytes int

	// Parallel runs an implementation on GOMAXPROCS goroutines at once; the
	// figure is wall time divided by the operations of all of them, as in
	// testing.B.RunParallel.
	Parallel bool

	// Unit names what Sample returns, "" for nanoseconds.
	Unit string

	Impls []Impl
}

// An Impl is one row. Exactly one of Run and Sample is set.
type Impl struct {
	Name   string
	Config string // what a reader must know to compare: escaping, copies, modes

	// Check says whether the row means the same as its neighbours. It runs
	// before anything is measured; a row that fails is left out of the table,
	// and a row of eddy that fails fails the run.
	Check func() error

	// Run does the operation n times. In a parallel case it is called from
	// several goroutines at once.
	Run func(n int)

	// Sample measures by itself, once a round, and returns a figure in the
	// case's unit: for work whose cost is not the time of a loop.
	Sample func() float64

	// Done, if set, releases what the row holds; it runs after the case.
	Done func()
}

// Own reports whether a row is eddy's own, which must pass its check.
func (i *Impl) Own() bool {
	return i.Name == "eddy" || strings.HasPrefix(i.Name, "eddy_")
}

// CheckError says that a row of eddy does not mean what its neighbours mean.
type CheckError struct {
	Table, Case, Impl string
	Err               error
}

func (e *CheckError) Error() string {
	return fmt.Sprintf("%s/%s: %s failed its check: %v", e.Table, e.Case, e.Impl, e.Err)
}

func (e *CheckError) Unwrap() error { return e.Err }
