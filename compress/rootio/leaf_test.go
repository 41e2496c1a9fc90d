package rootio

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// A string of 255 bytes and more has its length in four bytes more.
func TestStringsAround255(t *testing.T) {
	var want [][]any
	for _, n := range []int{0, 1, 253, 254, 255, 256, 257, 65535, 70000, 0} {
		want = append(want, []any{strings.Repeat("x", n)})
	}
	for _, sizes := range [][]int{nil, {3, 3, 4}, {2, 5}} {
		for _, noTable := range []bool{false, true} {
			baskets := inBaskets(want, sizes...)
			for _, k := range baskets {
				k.noTable = noTable
			}
			tree := madeTreeOf(t, &madeTree{entries: int64(len(want)), branches: []*madeBranch{
				{name: "s", leaves: []*made{leafOf("TLeafC", "s")}, baskets: baskets, offsets: true}}}, false, nil)
			checkBranch(t, tree, "s", want)
		}
	}
}

// Names of 254, 255, 256 bytes and more: of trees, branches, leaves and titles.
func TestNamesAround255(t *testing.T) {
	want := [][]any{{int32(1)}, {int32(-2)}, {int32(3)}}
	for _, n := range []int{1, 254, 255, 256, 300, 1000} {
		name := strings.Repeat("n", n)
		for _, sizes := range [][]int{{3}, {2}} {
			for _, settings := range []Settings{0, 101} {
				w := newBuilder(t, false, 100)
				w.settings = settings
				mt := &madeTree{name: name, entries: 3, branches: []*madeBranch{{name: name, leaves: []*made{leafOf("TLeafI", name)}, baskets: inBaskets(want, sizes...)}}}
				mt.write(t, w, w.top)
				tree, err := open(t, w.close()).Tree(name)
				if err != nil {
					t.Fatal(err)
				}
				checkBranch(t, tree, name, want)
			}
		}
	}
}

// Leaves of one branch: in entries of one size, and of different ones.
func TestLeafLists(t *testing.T) {
	n := leafOf("TLeafS", "n")
	leaves := []*made{n, leafOf("TLeafB", "b"), leafOf("TLeafD", "d", "fLen", 2, "fTitle", "d[2]"), leafOf("TLeafI", "i", "fIsUnsigned", 1)}
	rnd := rand.New(rand.NewPCG(15, 16))
	var rows, vars [][]any
	var wn, wb, wd, wi, ws, wv [][]any
	for i := range 50 {
		k := int16(i % 4)
		b, d1, d2, u := random(rnd, Int8), random(rnd, Float64), random(rnd, Float64), random(rnd, Uint32)
		rows = append(rows, []any{k, b, d1, d2, u})
		wn, wb, wd, wi = append(wn, []any{k}), append(wb, []any{b}), append(wd, []any{d1, d2}), append(wi, []any{u})
		s := strings.Repeat("s", i*7)
		ws = append(ws, []any{s})
		row, values := []any{k, s}, []any{}
		for range k {
			v := random(rnd, Float32)
			values = append(values, v)
		}
		wv = append(wv, values)
		vars = append(vars, append(append(row, values...), u))
	}
	v := leafOf("TLeafF", "v", "fLeafCount", n, "fTitle", "v[n]")
	for _, noTable := range []bool{false, true} {
		varied := inBaskets(vars, 20)
		for _, k := range varied {
			k.noTable = noTable
		}
		tree := madeTreeOf(t, &madeTree{entries: 50, branches: []*madeBranch{
			{name: "row", leaves: leaves, baskets: inBaskets(rows, 20)},
			{name: "var", leaves: []*made{n, leafOf("TLeafC", "s"), v, leafOf("TLeafI", "i", "fIsUnsigned", 1)}, offsets: true, baskets: varied},
		}}, false, nil)
		if len(tree.Branches()) != 8 {
			t.Fatal(tree.Branches())
		}
		checkBranch(t, tree, "row.n", wn)
		checkBranch(t, tree, "row.b", wb)
		checkBranch(t, tree, "d", wd)
		checkBranch(t, tree, "row.i", wi)
		checkBranch(t, tree, "var.n", wn)
		checkBranch(t, tree, "s", ws)
		checkBranch(t, tree, "v", wv)
		checkBranch(t, tree, "var.i", wi)
		if _, err := tree.Branch("i"); !errors.Is(err, ErrNoBranch) || !strings.Contains(err.Error(), "2 branches") {
			t.Error(err)
		}
	}
}

// Double32_t and Float16_t: as a float, with a short mantissa, and as an integer
// between bounds.
func TestPackedNumbers(t *testing.T) {
	be24 := func(exp byte, man uint16) []byte { return be.AppendUint16([]byte{exp}, man) }
	k := func(entries ...[]byte) []*madeBasket { return []*madeBasket{{entries: entries}} }
	f32 := func(v float32) []byte { return be.AppendUint32(nil, math.Float32bits(v)) }
	steps := func(v uint32) []byte { return be.AppendUint32(nil, v) }
	tree := madeTreeOf(t, &madeTree{entries: 2, branches: []*madeBranch{
		{name: "plain", leaves: []*made{leafOf("TLeafD32", "plain")}, baskets: k(f32(1.5), f32(-0.1))},
		{name: "range", leaves: []*made{leafOf("TLeafD32", "range", "fTitle", "range[-1,3,16]")}, baskets: k(steps(0), steps(1<<15))},
		{name: "full", leaves: []*made{leafOf("TLeafD32", "full", "fTitle", "full[0,2pi]")}, baskets: k(steps(0), steps(math.MaxUint32))},
		{name: "bits", leaves: []*made{leafOf("TLeafD32", "bits", "fTitle", "bits[0,0,10]")}, baskets: k(be24(127, 1<<9), be24(128, 1<<11|1<<9))},
		{name: "half", leaves: []*made{leafOf("TLeafF16", "half")}, baskets: k(be24(127, 1<<11), be24(126, 1<<13))},
		{name: "halves", leaves: []*made{leafOf("TLeafF16", "halves", "fLen", 2, "fTitle", "halves[2][0,1,4]")}, baskets: k(append(steps(0), steps(8)...), append(steps(4), steps(16)...))},
	}}, false, nil)
	checkBranch(t, tree, "plain", [][]any{{1.5}, {float64(float32(-0.1))}})
	checkBranch(t, tree, "range", [][]any{{-1.0}, {1.0}})
	scale := float64(math.MaxUint32) / (2 * math.Pi)
	checkBranch(t, tree, "full", [][]any{{0.0}, {math.MaxUint32 / scale}})
	checkBranch(t, tree, "bits", [][]any{{1.5}, {-3.0}})
	checkBranch(t, tree, "half", [][]any{{float32(1.5)}, {float32(-0.5)}})
	checkBranch(t, tree, "halves", [][]any{{float32(0), float32(0.5)}, {float32(0.25), float32(1)}})
}
