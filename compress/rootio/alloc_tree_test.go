package rootio

import (
	"context"
	"testing"

	"github.com/eddy-go/eddy/compress/internal/race"
)

// What a loop over entries allocates does not depend on how many entries or
// baskets it goes through; strings take one allocation for each chunk's text.
func TestAllocationsOfColumns(t *testing.T) {
	if !race.Counts {
		t.Skip("counts do not hold under the race detector and eddydebug")
	}
	ctx := context.Background()
	drift, err := openFixture(t, "scalars-zlib9.root").Tree("drift")
	if err != nil {
		t.Fatal(err)
	}
	clusters, err := openFixture(t, "jagged-zlib1.root").Tree("clusters")
	if err != nil {
		t.Fatal(err)
	}
	cols := []AnyColumn{columnOf[float64](t, drift, "level"), columnOf[int32](t, drift, "tick"), columnOf[uint8](t, drift, "mode")}
	steps := func(to int64) func() {
		return func() {
			for _, err := range Steps(ctx, 0, to, cols, Workers(1)) {
				if err != nil {
					t.Error(err)
				}
			}
		}
	}
	few, all := testing.AllocsPerRun(20, steps(10)), testing.AllocsPerRun(20, steps(-1))
	if all > few+2 || few > 25 {
		t.Errorf("%v allocations for all entries, %v for ten", all, few)
	}

	cells := columnOf[float32](t, clusters, "cells")
	batches := func(to int64) func() {
		return func() {
			for _, err := range cells.Batches(ctx, 0, to, Workers(1)) {
				if err != nil {
					t.Error(err)
				}
			}
		}
	}
	few, all = testing.AllocsPerRun(20, batches(10)), testing.AllocsPerRun(20, batches(-1))
	if all > few+2 || few > 15 {
		t.Errorf("jagged: %v allocations for all entries, %v for ten", all, few)
	}

	dst := make([]float64, drift.Entries())
	level := columnOf[float64](t, drift, "level")
	if n := testing.AllocsPerRun(20, func() {
		if n, err := level.Read(ctx, dst, 0, Workers(1)); n != len(dst) || err != nil {
			t.Error(n, err)
		}
	}); n > 15 {
		t.Errorf("Read: %v allocations", n)
	}

	label := columnOf[string](t, clusters, "label")
	chunks := 0
	if n := testing.AllocsPerRun(20, func() {
		chunks = 0
		for _, err := range label.Batches(ctx, 0, -1, Workers(1)) {
			if err != nil {
				t.Error(err)
			}
			chunks++
		}
	}); n > float64(15+2*chunks) {
		t.Errorf("strings: %v allocations for %d chunks", n, chunks)
	}
}

// A tree's record costs what its branches do.
func TestAllocationsOfATree(t *testing.T) {
	if !race.Counts {
		t.Skip("counts do not hold under the race detector and eddydebug")
	}
	k, err := openFixture(t, "scalars-zlib9.root").Key("drift")
	if err != nil {
		t.Fatal(err)
	}
	n := testing.AllocsPerRun(20, func() {
		if _, err := k.Tree(); err != nil {
			t.Error(err)
		}
	})
	if n > 6*100 {
		t.Errorf("%v allocations for 6 branches", n)
	}
}
