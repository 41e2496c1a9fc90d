package rootio

import "testing"

// Columns in step may be of several files: what one of them has read is not
// taken to be of another, also not where memory is used again.
func TestStepsOverSeveralFiles(t *testing.T) {
	const n, each = 20000, 10000
	column := func(base int32) *Column[int32] {
		var baskets []*madeBasket
		for i := range n {
			if i%each == 0 {
				baskets = append(baskets, &madeBasket{first: int64(i)})
			}
			k := baskets[len(baskets)-1]
			k.entries = append(k.entries, be.AppendUint32(nil, uint32(base)+uint32(i)))
		}
		tree := madeTreeOf(t, &madeTree{entries: n, branches: []*madeBranch{
			{name: "x", leaves: []*made{leafOf("TLeafI", "x")}, baskets: baskets},
		}}, false, nil)
		b, err := tree.Branch("x")
		if err != nil {
			t.Fatal(err)
		}
		c, err := NewColumn[int32](b)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	for workers := 1; workers <= 4; workers++ {
		a, b, c := column(0), column(1e6), column(2e6)
		at := int64(0)
		for s, err := range Steps(t.Context(), 0, -1, []AnyColumn{a, b, c}, Workers(workers)) {
			if err != nil {
				t.Fatalf("%d workers: %v", workers, err)
			}
			for i := range s.Len() {
				want := int32(s.First) + int32(i)
				if x, y, z := a.Batch(s).Values[i], b.Batch(s).Values[i], c.Batch(s).Values[i]; x != want || y != 1e6+want || z != 2e6+want {
					t.Fatalf("%d workers, entry %d: %d, %d, %d", workers, want, x, y, z)
				}
			}
			at = s.End
		}
		if at != n {
			t.Errorf("%d workers: %d entries", workers, at)
		}
	}
}
