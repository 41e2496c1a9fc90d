package rootio

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eddy-go/eddy/compress"
)

// encode writes a value as a leaf does.
func encode(b []byte, v any) []byte {
	switch v := v.(type) {
	case bool:
		if v {
			return append(b, 1)
		}
		return append(b, 0)
	case int8:
		return append(b, byte(v))
	case uint8:
		return append(b, v)
	case int16:
		return be.AppendUint16(b, uint16(v))
	case uint16:
		return be.AppendUint16(b, v)
	case int32:
		return be.AppendUint32(b, uint32(v))
	case uint32:
		return be.AppendUint32(b, v)
	case int64:
		return be.AppendUint64(b, uint64(v))
	case uint64:
		return be.AppendUint64(b, v)
	case float32:
		return be.AppendUint32(b, math.Float32bits(v))
	case float64:
		return be.AppendUint64(b, math.Float64bits(v))
	case string:
		return text(b, v)
	}
	panic(fmt.Sprintf("%T", v))
}

func random(rnd *rand.Rand, k Kind) any {
	v := rnd.Uint64()
	switch k {
	case Bool:
		return v&1 != 0
	case Int8:
		return int8(v)
	case Uint8:
		return uint8(v)
	case Int16:
		return int16(v)
	case Uint16:
		return uint16(v)
	case Int32:
		return int32(v)
	case Uint32:
		return uint32(v)
	case Int64:
		return int64(v)
	case Uint64:
		return v
	case Float32:
		return float32(rnd.NormFloat64())
	case Float64:
		return rnd.NormFloat64()
	case String:
		return strings.Repeat(string(rune('a'+v%26)), int(v>>8%300))
	}
	panic(k)
}

// inBaskets divides entries into baskets; the last one is in the tree's record.
func inBaskets(entries [][]any, sizes ...int) (baskets []*madeBasket) {
	first := 0
	for i := 0; first < len(entries); i++ {
		n := len(entries) - first
		if i < len(sizes) {
			n = min(n, sizes[i])
		}
		k := &madeBasket{first: int64(first), embedded: i == len(sizes)}
		for _, e := range entries[first : first+n] {
			var b []byte
			for _, v := range e {
				b = encode(b, v)
			}
			k.entries = append(k.entries, b)
		}
		baskets = append(baskets, k)
		first += n
	}
	return baskets
}

func randomEntries(rnd *rand.Rand, k Kind, n int, width func() int) [][]any {
	all := make([][]any, n)
	for i := range all {
		all[i] = []any{}
		for range width() {
			all[i] = append(all[i], random(rnd, k))
		}
	}
	return all
}

func checkBranch(t *testing.T, tree *Tree, name string, want [][]any) *Branch {
	t.Helper()
	b, err := tree.Branch(name)
	if err != nil {
		t.Fatal(err)
	}
	if b.Err() != nil {
		t.Fatal(b.Err())
	}
	for _, workers := range []int{1, 2} {
		got := entries(t, b, Workers(workers))
		if len(got) != len(want) {
			t.Fatalf("%s: %d entries, not %d", name, len(got), len(want))
		}
		for i := range got {
			if !slices.Equal(got[i], want[i]) {
				t.Fatalf("%s: entry %d is %v, not %v", name, i, got[i], want[i])
			}
		}
	}
	return b
}

var leafKinds = []struct {
	class    string
	unsigned bool
	kind     Kind
}{
	{"TLeafO", false, Bool}, {"TLeafB", false, Int8}, {"TLeafB", true, Uint8}, {"TLeafS", false, Int16}, {"TLeafS", true, Uint16},
	{"TLeafI", false, Int32}, {"TLeafI", true, Uint32}, {"TLeafL", false, Int64}, {"TLeafL", true, Uint64},
	{"TLeafG", false, Int64}, {"TLeafG", true, Uint64}, {"TLeafF", false, Float32}, {"TLeafD", false, Float64}, {"TLeafC", false, String},
}

// Leaves of every kind: one value, arrays of one and two dimensions, and as many
// as another leaf says, in several baskets and in one that is in the tree's
// record, in files with offsets of 32 and of 64 bits.
func TestLeavesOfEveryKind(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	const n = 300
	for _, big := range []bool{false, true} {
		for _, l := range leafKinds {
			unsigned := map[bool]int{true: 1}[l.unsigned]
			sizes := []int{1 + rnd.IntN(100), 1 + rnd.IntN(100)}
			counts := make([]int, n)
			countValues := make([][]any, n)
			for i := range counts {
				counts[i] = rnd.IntN(6)
				countValues[i] = []any{int32(counts[i])}
			}
			i := -1
			one := randomEntries(rnd, l.kind, n, func() int { return 1 })
			three := randomEntries(rnd, l.kind, n, func() int { return 3 })
			six := randomEntries(rnd, l.kind, n, func() int { return 6 })
			many := randomEntries(rnd, l.kind, n, func() int { i++; return counts[i] })
			i = -1
			pairs := randomEntries(rnd, l.kind, n, func() int { i++; return 2 * counts[i] })
			counter := leafOf("TLeafI", "count")
			mt := &madeTree{entries: n, branches: []*madeBranch{
				{name: "one", leaves: []*made{leafOf(l.class, "one", "fIsUnsigned", unsigned)}, baskets: inBaskets(one, sizes...), offsets: l.kind == String},
				{name: "count", leaves: []*made{counter}, baskets: inBaskets(countValues, 50)},
			}}
			if l.kind != String {
				mt.branches = append(mt.branches,
					&madeBranch{name: "three", leaves: []*made{leafOf(l.class, "three", "fIsUnsigned", unsigned, "fLen", 3, "fTitle", "three[3]")}, baskets: inBaskets(three, sizes...)},
					&madeBranch{name: "six", leaves: []*made{leafOf(l.class, "six", "fIsUnsigned", unsigned, "fLen", 6, "fTitle", "six[2][3]")}, baskets: inBaskets(six, 60, 7)},
					&madeBranch{name: "many", leaves: []*made{leafOf(l.class, "many", "fIsUnsigned", unsigned, "fLeafCount", counter, "fTitle", "many[count]")}, baskets: inBaskets(many, sizes...), offsets: true},
					&madeBranch{name: "pairs", leaves: []*made{leafOf(l.class, "pairs", "fIsUnsigned", unsigned, "fLeafCount", counter, "fLen", 2, "fTitle", "pairs[count][2]")}, baskets: inBaskets(pairs, 99), offsets: true},
				)
			}
			tree := madeTreeOf(t, mt, big, nil)
			b := checkBranch(t, tree, "one", one)
			if b.Kind() != l.kind || b.Jagged() || b.Dims() != nil || b.Width() != 1 || b.Baskets() != 3 {
				t.Errorf("one of %s: %v, %v, %v", l.class, b.Kind(), b.Dims(), b.Baskets())
			}
			if l.kind == String {
				continue
			}
			if b = checkBranch(t, tree, "three", three); !slices.Equal(b.Dims(), []int{3}) || b.Width() != 3 {
				t.Errorf("dimensions %v", b.Dims())
			}
			if b = checkBranch(t, tree, "six", six); !slices.Equal(b.Dims(), []int{2, 3}) {
				t.Errorf("dimensions %v", b.Dims())
			}
			if b = checkBranch(t, tree, "many", many); !b.Jagged() || b.Dims() != nil || b.Counter().Name() != "count" {
				t.Errorf("dimensions %v, counted by %v", b.Dims(), b.Counter())
			}
			if b = checkBranch(t, tree, "pairs", pairs); !b.Jagged() || !slices.Equal(b.Dims(), []int{2}) {
				t.Errorf("dimensions %v", b.Dims())
			}
		}
	}
}

// Bytes of a bool that are neither 0 nor 1 are true.
func TestBoolsAreBools(t *testing.T) {
	k := &madeBasket{entries: [][]byte{{0}, {1}, {2}, {255}, {128}}}
	tree := madeTreeOf(t, &madeTree{entries: 5, branches: []*madeBranch{{name: "x", leaves: []*made{leafOf("TLeafO", "x")}, baskets: []*madeBasket{k}}}}, false, nil)
	checkBranch(t, tree, "x", [][]any{{false}, {true}, {true}, {true}, {true}})
	got := make([]bool, 5)
	if _, err := columnOf[bool](t, tree, "x").Read(t.Context(), got, 0); err != nil || !slices.Equal(got, []bool{false, true, true, true, true}) {
		t.Error(got, err)
	}
}

// Objects that are referenced have two more bytes.
func TestReferencedObjects(t *testing.T) {
	want := [][]any{{int32(1)}, {int32(-2)}, {int32(3)}}
	leaf := leafOf("TLeafI", "x", "bits", isReferenced)
	mt := &madeTree{entries: 3, bits: isReferenced, branches: []*madeBranch{{name: "x", leaves: []*made{leaf}, baskets: inBaskets(want, 2)}}}
	checkBranch(t, madeTreeOf(t, mt, false, nil), "x", want)
}

// The bits of a split object's TObject have two more bytes in those entries
// that are referenced.
func TestReferencedBits(t *testing.T) {
	var want [][]any
	k := &madeBasket{}
	inner := &madeBasket{}
	var wantInner [][]any
	for i := range 20 {
		bits := uint32(0x03000000)
		if i%3 == 0 {
			bits |= isReferenced
		}
		e := be.AppendUint32(nil, bits)
		if i%3 == 0 {
			e = append(e, 0, 1)
		}
		want = append(want, []any{bits})
		k.entries = append(k.entries, e)
		var all []byte
		of := []any{}
		for range i % 4 {
			all = append(all, e...)
			of = append(of, bits)
		}
		wantInner = append(wantInner, of)
		inner.entries = append(inner.entries, all)
	}
	element := func(name string, typ int, k *madeBasket) *madeBranch {
		return &madeBranch{name: name, class: "TBranchElement", offsets: true, leaves: []*made{leafOf("TLeafElement", name)}, baskets: []*madeBasket{k},
			v: []any{"fClassName", "TObject", "fType", typ, "fID", 1, "fStreamerType", typBits}}
	}
	tree := madeTreeOf(t, &madeTree{entries: 20, branches: []*madeBranch{element("fBits", 0, k), element("fInner", elementClonesInner, inner)}}, false, nil)
	checkBranch(t, tree, "fBits", want)
	checkBranch(t, tree, "fInner", wantInner)
}

// What a basket in the tree's record holds is decided by its leaf and flag, not
// by the size of the table that it was made for.
func TestEmbeddedBaskets(t *testing.T) {
	rnd := rand.New(rand.NewPCG(9, 10))
	fixed := randomEntries(rnd, Int32, 9, func() int { return 1 })
	many := randomEntries(rnd, Float32, 9, func() int { return rnd.IntN(4) })
	for _, size := range []int{1, 9, 1000} {
		for _, sizes := range [][]int{nil, {4}} {
			counter := leafOf("TLeafI", "n")
			counts := make([][]any, 9)
			for i := range counts {
				counts[i] = []any{int32(len(many[i]))}
			}
			mt := &madeTree{entries: 9, branches: []*madeBranch{
				{name: "n", leaves: []*made{counter}, baskets: inBaskets(counts, sizes...)},
				{name: "fixed", leaves: []*made{leafOf("TLeafI", "fixed")}, baskets: inBaskets(fixed, sizes...)},
				{name: "many", leaves: []*made{leafOf("TLeafF", "many", "fLeafCount", counter)}, baskets: inBaskets(many, sizes...), offsets: true},
			}}
			for _, b := range mt.branches {
				for _, k := range b.baskets {
					k.nevSize = size
				}
			}
			// One more basket, begun and empty.
			mt.branches[1].baskets = append(mt.branches[1].baskets, &madeBasket{first: 9, embedded: true})
			tree := madeTreeOf(t, mt, false, nil)
			checkBranch(t, tree, "fixed", fixed)
			checkBranch(t, tree, "many", many)
		}
	}
}

// Where a basket does not store where its entries begin, the counter tells.
func TestDerivedOffsets(t *testing.T) {
	rnd := rand.New(rand.NewPCG(11, 12))
	many := randomEntries(rnd, Float64, 90, func() int { return rnd.IntN(4) })
	counts := make([][]any, 90)
	for i := range counts {
		counts[i] = []any{uint8(len(many[i]))}
	}
	counter := leafOf("TLeafB", "n", "fIsUnsigned", 1)
	mt := &madeTree{entries: 90, branches: []*madeBranch{
		{name: "n", leaves: []*made{counter}, baskets: inBaskets(counts, 13, 40, 8)},
		{name: "many", leaves: []*made{leafOf("TLeafD", "many", "fLeafCount", counter)}, baskets: inBaskets(many, 20, 40), offsets: true},
	}}
	for _, k := range mt.branches[1].baskets {
		k.derived = true
	}
	checkBranch(t, madeTreeOf(t, mt, false, nil), "many", many)
	// Without a counter there is no telling, and a counter that is wrong shows.
	counts[17][0] = uint8(200)
	mt.branches[0].baskets = inBaskets(counts, 13, 40, 8)
	tree := madeTreeOf(t, mt, false, nil)
	if _, _, err := columnOf[float64](t, tree, "many").Append(t.Context(), nil, nil, 0, -1); !errors.Is(err, compress.ErrCorrupt) {
		t.Error(err)
	}
	mt.branches[1].leaves[0] = leafOf("TLeafD", "many", "fLeafCount", leafOf("TLeafI", "elsewhere"))
	tree = madeTreeOf(t, mt, false, nil)
	if _, _, err := columnOf[float64](t, tree, "many").Append(t.Context(), nil, nil, 0, -1); !errors.Is(err, compress.ErrUnsupported) {
		t.Error(err)
	}
}

// A branch without entries in a tree that has some, and a tree without any.
func TestEmptyBranchesAndTrees(t *testing.T) {
	want := [][]any{{int32(1)}, {int32(-2)}, {int32(3)}}
	mt := &madeTree{entries: 3, branches: []*madeBranch{
		{name: "some", leaves: []*made{leafOf("TLeafI", "some")}, baskets: inBaskets(want, 3)},
		{name: "none", leaves: []*made{leafOf("TLeafD", "none")}},
		{name: "text", leaves: []*made{leafOf("TLeafC", "text")}, offsets: true},
		{name: "begun", leaves: []*made{leafOf("TLeafD", "begun")}, baskets: []*madeBasket{{embedded: true}}},
	}}
	tree := madeTreeOf(t, mt, false, nil)
	checkBranch(t, tree, "some", want)
	for _, name := range []string{"none", "text", "begun"} {
		b := checkBranch(t, tree, name, nil)
		if b.Entries() != 0 || tree.Entries() != 3 {
			t.Errorf("%s: %d entries of %d", name, b.Entries(), tree.Entries())
		}
	}
	// Asked for entries that it does not have, it says so.
	some, none := columnOf[int32](t, tree, "some"), columnOf[float64](t, tree, "none")
	for _, err := range Steps(t.Context(), 0, 3, []AnyColumn{some, none}) {
		if !errors.Is(err, ErrRange) || !strings.Contains(err.Error(), "none") {
			t.Error(err)
		}
	}
	for range Steps(t.Context(), 0, -1, []AnyColumn{some, none}) {
		t.Error("a step")
	}
	tree = madeTreeOf(t, &madeTree{}, false, nil)
	if tree.Entries() != 0 || len(tree.Branches()) != 0 {
		t.Error(tree.Entries(), tree.Branches())
	}
	tree = madeTreeOf(t, &madeTree{branches: mt.branches[1:]}, false, nil)
	checkBranch(t, tree, "none", nil)
}

// A branch that was made when the tree had entries begins with a later one.
func TestBranchThatBeginsLater(t *testing.T) {
	want := [][]any{{int32(1)}, {int32(-2)}, {int32(3)}}
	late := inBaskets(want, 2)
	for _, k := range late {
		k.first += 10
	}
	mt := &madeTree{entries: 13, branches: []*madeBranch{{name: "late", first: 10, leaves: []*made{leafOf("TLeafI", "late")}, baskets: late}}}
	tree := madeTreeOf(t, mt, false, nil)
	b := checkBranch(t, tree, "late", want)
	if b.First() != 10 || b.Entries() != 3 {
		t.Errorf("%d entries from %d", b.Entries(), b.First())
	}
	c := columnOf[int32](t, tree, "late")
	for batch, err := range c.Batches(t.Context(), 11, 13, Workers(1)) {
		if err != nil {
			t.Fatal(err)
		}
		if batch.First == 11 && batch.Values[0] != -2 {
			t.Error(batch)
		}
	}
	for _, err := range c.Batches(t.Context(), 0, 13) {
		if !errors.Is(err, ErrRange) {
			t.Error(err)
		}
	}
}

// Baskets are joined by the numbers of their entries, in whatever order the
// branch lists them.
func TestBasketsInAnyOrder(t *testing.T) {
	rnd := rand.New(rand.NewPCG(13, 14))
	want := randomEntries(rnd, Int16, 100, func() int { return 1 })
	for range 20 {
		baskets := inBaskets(want, 10, 20, 5, 30, 15, 20)
		rnd.Shuffle(len(baskets), func(i, j int) { baskets[i], baskets[j] = baskets[j], baskets[i] })
		tree := madeTreeOf(t, &madeTree{entries: 100, branches: []*madeBranch{{name: "x", leaves: []*made{leafOf("TLeafS", "x")}, baskets: baskets}}}, false, nil)
		checkBranch(t, tree, "x", want)
	}
}

// Empty baskets between others.
func TestEmptyBaskets(t *testing.T) {
	want := [][]any{{"a"}, {"bc"}, {""}, {"def"}}
	baskets := inBaskets(want, 2, 2)
	baskets = []*madeBasket{{first: 0}, baskets[0], {first: 2}, {first: 2}, baskets[1], {first: 4}}
	tree := madeTreeOf(t, &madeTree{entries: 4, branches: []*madeBranch{{name: "x", offsets: true, leaves: []*made{leafOf("TLeafC", "x")}, baskets: baskets}}}, false, nil)
	checkBranch(t, tree, "x", want)
}
