package rootio

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/eddy-go/eddy/compress"
)

// elementBranch makes a TBranchElement.
func elementBranch(name, class string, typ, id, streamerType int, entries [][]any, offsets bool, leaf ...any) *madeBranch {
	return &madeBranch{name: name, class: "TBranchElement", offsets: offsets, leaves: []*made{leafOf("TLeafElement", name, leaf...)},
		baskets: inBaskets(entries, 7, 9), v: []any{"fClassName", class, "fType", typ, "fID", id, "fStreamerType", streamerType}}
}

// headed puts bytes in front of the values of each entry; collected makes the head
// of a collection.
func headed(entries [][]any, head func(values []any, size int) []byte) (all [][]byte) {
	for _, e := range entries {
		var b []byte
		for _, v := range e {
			b = encode(b, v)
		}
		all = append(all, append(head(e, len(b)), b...))
	}
	return all
}

func collected(values []any, size int) []byte {
	b := be.AppendUint32(nil, uint32(size+6)|byteCountMask)
	return be.AppendUint32(be.AppendUint16(b, 9), uint32(len(values)))
}

func rawBaskets(entries [][]byte, sizes ...int) []*madeBasket {
	boxed := make([][]any, len(entries))
	baskets := inBaskets(boxed, sizes...)
	for _, k := range baskets {
		copy(k.entries, entries[k.first:])
	}
	return baskets
}

// Members of split objects: numbers of every type, arrays of fixed size, and
// arrays that another member counts.
func TestSplitMembers(t *testing.T) {
	rnd := rand.New(rand.NewPCG(21, 22))
	const n = 30
	types := map[int]Kind{typChar: Int8, typShort: Int16, typInt: Int32, typLong: Int64, typFloat: Float32, typCounter: Int32,
		typDouble: Float64, typLegacyChar: Int8, typUChar: Uint8, typUShort: Uint16, typUInt: Uint32, typULong: Uint64,
		typLong64: Int64, typULong64: Uint64, typBool: Bool}
	for typ, kind := range types {
		one := randomEntries(rnd, kind, n, func() int { return 1 })
		four := randomEntries(rnd, kind, n, func() int { return 4 })
		many := randomEntries(rnd, kind, n, func() int { return rnd.IntN(4) })
		inner := randomEntries(rnd, kind, n, func() int { return rnd.IntN(4) })
		pairs := randomEntries(rnd, kind, n, func() int { return 2 * rnd.IntN(4) })
		var counts [][]any
		for _, e := range inner {
			counts = append(counts, []any{int32(len(e))})
		}
		counted := elementBranch("many", "Thing", 0, 3, typOffsetP+typ, nil, true)
		counted.baskets = rawBaskets(headed(many, func(values []any, _ int) []byte {
			if len(values) == 0 && rnd.IntN(2) == 0 {
				return []byte{0}
			}
			return []byte{1}
		}), 8, 8)
		master := elementBranch("list", "TClonesArray", elementClones, 4, -1, counts, false)
		master.subs = []*madeBranch{
			elementBranch("list.inner", "Item", elementClonesInner, 0, typ, inner, true),
			elementBranch("list.pairs[2]", "Item", elementSTLInner, 1, typOffsetL+typ, pairs, true, "fLen", 2),
		}
		// The collection that a branch within another holds tells how many.
		master.subs[0].count = master
		for _, k := range master.subs[0].baskets {
			k.derived = true
		}
		top := &madeBranch{name: "thing", class: "TBranchElement", v: []any{"fClassName", "Thing", "fType", elementSplit, "fID", -2, "fStreamerType", -1},
			leaves: []*made{leafOf("TLeafElement", "thing")},
			subs: []*madeBranch{
				elementBranch("one", "Thing", 0, 1, typ, one, false),
				elementBranch("four[4]", "Thing", 0, 2, typOffsetL+typ, four, false, "fLen", 4),
				counted, master,
			}}
		tree := madeTreeOf(t, &madeTree{entries: n, branches: []*madeBranch{top}}, false, nil)
		if names := branchNames(tree); names != "thing.one thing.four thing.many thing.list thing.list.inner thing.list.pairs" {
			t.Errorf("branches %s", names)
		}
		checkBranch(t, tree, "thing.one", one)
		checkBranch(t, tree, "four", four)
		checkBranch(t, tree, "four[4]", four)
		checkBranch(t, tree, "many", many)
		checkBranch(t, tree, "list", counts)
		b := checkBranch(t, tree, "thing.list.inner", inner)
		if b.Counter() == nil || b.Counter().Name() != "thing.list" {
			t.Errorf("counted by %v", b.Counter())
		}
		checkBranch(t, tree, "pairs", pairs)
	}
}

func branchNames(tree *Tree) string {
	var names []string
	for _, b := range tree.Branches() {
		names = append(names, b.Name())
	}
	return strings.Join(names, " ")
}

// Collections and strings that are an entry by themselves, and those that are
// members, for which the file describes the class.
func TestCollections(t *testing.T) {
	rnd := rand.New(rand.NewPCG(23, 24))
	const n = 40
	for class, kind := range map[string]Kind{"vector<bool>": Bool, "vector<char>": Int8, "vector<unsigned char>": Uint8,
		"std::vector<short,std::allocator<short> >": Int16, "set<int>": Int32, "list<unsigned int>": Uint32, "vector<Long64_t>": Int64,
		"deque<unsigned long>": Uint64, "vector<float>": Float32, "ROOT::VecOps::RVec<double>": Float64, "vector<string>": String, "multiset<TString>": String} {
		want := randomEntries(rnd, kind, n, func() int { return rnd.IntN(5) })
		for _, noTable := range []bool{false, true} {
			baskets := func() []*madeBasket {
				all := rawBaskets(headed(want, collected), 11, 20)
				for _, k := range all {
					k.noTable = noTable
				}
				return all
			}
			whole := elementBranch("whole", class, 0, -1, -1, nil, true)
			whole.baskets = baskets()
			mem := elementBranch("member", "Thing", 0, 1, typSTL, nil, true)
			mem.baskets = baskets()
			mem.v = append(mem.v, "fClassVersion", 3)
			mt := &madeTree{entries: n, branches: []*madeBranch{whole}}
			tree := madeTreeOf(t, mt, false, nil)
			if b := checkBranch(t, tree, "whole", want); b.Type() != class {
				t.Error(b.Type())
			}
			if strings.Contains(class, " ") {
				continue // the tests' descriptions are words
			}
			mt.branches = []*madeBranch{mem}
			tree = madeTreeOf(t, mt, false, []described{{class: "Thing", version: 3, text: "other:i member:" + strings.TrimPrefix(class, "std::")}})
			checkBranch(t, tree, "member", want)
		}
	}
}

func TestStringsOfElements(t *testing.T) {
	var want [][]any
	for _, n := range []int{0, 3, 254, 255, 256, 1000} {
		want = append(want, []any{strings.Repeat("s", n)})
	}
	member := elementBranch("member", "Thing", 0, 0, typSTLString, nil, true)
	member.baskets = rawBaskets(headed(want, func(_ []any, size int) []byte {
		return be.AppendUint16(be.AppendUint32(nil, uint32(size+2)|byteCountMask), 2)
	}), 2, 2)
	member.v = append(member.v, "fClassVersion", 1)
	tree := madeTreeOf(t, &madeTree{entries: 6, branches: []*madeBranch{
		elementBranch("tstring", "Thing", 0, 0, typString, want, true),
		elementBranch("whole", "string", elementWhole, -1, -1, want, true),
		elementBranch("name", "TString", elementWhole, -1, -1, want, true),
		member,
	}}, false, []described{{class: "Thing", version: 1, text: "member:string"}})
	for _, name := range []string{"tstring", "whole", "name", "member"} {
		checkBranch(t, tree, name, want)
	}
}

// A member's range comes from the file's description of its class, found by its
// checksum where the class has no version.
func TestPackedMembers(t *testing.T) {
	d := elementBranch("d", "Thing", 0, 1, typDouble32, [][]any{{uint32(0)}, {uint32(1 << 15)}}, false)
	d.v = append(d.v, "fClassVersion", 0, "fCheckSum", 4711)
	f := elementBranch("f", "Thing", 0, 2, typFloat16, nil, false)
	f.baskets = rawBaskets([][]byte{{127, 0, 0}, {126, 0, 0}}, 1)
	f.v = d.v
	f.v = append(append([]any(nil), d.v...), "fID", 2, "fStreamerType", typFloat16)
	classes := []described{{class: "Thing", version: 7, text: "wrong:i"}, {class: "Thing", version: 8, checksum: 4711, text: "n:i d:d![-1,3,16] f:f"}}
	tree := madeTreeOf(t, &madeTree{entries: 2, branches: []*madeBranch{d, f}}, false, classes)
	checkBranch(t, tree, "d", [][]any{{-1.0}, {1.0}})
	checkBranch(t, tree, "f", [][]any{{float32(1)}, {float32(0.5)}})
	// Without a description there is no telling.
	tree = madeTreeOf(t, &madeTree{entries: 2, branches: []*madeBranch{d}}, false, nil)
	if b, err := tree.Branch("d"); err != nil || !errors.Is(b.Err(), compress.ErrUnsupported) {
		t.Error(b.Err())
	}
}

// Collections that are wrong: a size or count that lies, one that was written
// member by member.
func TestWrongCollections(t *testing.T) {
	good := headed([][]any{{int32(1), int32(2)}, {int32(3)}}, collected)
	for name, c := range map[string]struct {
		at   int
		b    byte
		want error
	}{
		"size":        {3, 99, compress.ErrCorrupt},
		"no size":     {0, 0, compress.ErrCorrupt},
		"count":       {9, 3, compress.ErrCorrupt},
		"count below": {6, 0x80, compress.ErrCorrupt},
		"memberwise":  {4, memberWise >> 8, compress.ErrUnsupported},
	} {
		for _, noTable := range []bool{false, true} {
			entries := [][]byte{append([]byte(nil), good[0]...), good[1]}
			entries[0][c.at] = c.b
			b := elementBranch("x", "vector<int>", 0, -1, -1, nil, true)
			b.baskets = rawBaskets(entries, 2)
			b.baskets[0].noTable = noTable
			tree := madeTreeOf(t, &madeTree{entries: 2, branches: []*madeBranch{b}}, false, nil)
			_, _, err := columnOf[int32](t, tree, "x").Append(t.Context(), nil, nil, 0, -1)
			var e *Error
			if !errors.Is(err, c.want) || !errors.As(err, &e) || e.Offset != b.baskets[0].seek {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// What cannot be read is listed with the reason, and does not stop the others.
func TestUnreadableBranchesAreListed(t *testing.T) {
	want := [][]any{{int32(1)}, {int32(-2)}, {int32(3)}}
	good := func(name string) *madeBranch {
		return &madeBranch{name: name, leaves: []*made{leafOf("TLeafI", name)}, baskets: inBaskets(want, 2)}
	}
	odd := func(name, class string, leaves ...*made) *madeBranch {
		return &madeBranch{name: name, class: class, leaves: leaves, baskets: inBaskets(want, 3)}
	}
	object := odd("object", "TBranchObject", leafOf("TLeafObject", "object"))
	object.v = []any{"fClassName", "TCloud"}
	unknown := odd("unknown", "TBranchOfTomorrow", leafOf("TLeafI", "unknown"))
	tomorrow := odd("leaf", "TBranch", leafOf("TLeafOfTomorrow", "leaf"))
	elements := map[string]*madeBranch{
		"of class TCloud":             elementBranch("whole", "TCloud", 0, -1, -1, want, true),
		"collections of vector<int>":  elementBranch("nested", "vector<vector<int> >", 0, -1, -1, want, true),
		"of class map<int,int>":       elementBranch("map", "map<int,int>", 0, -1, -1, want, true),
		"is not described":            elementBranch("member", "TCloud", 0, 3, typSTL, want, true),
		"a TBranchElement of type 77": elementBranch("type", "TCloud", 77, 3, typInt, want, true),
		"members of type":             elementBranch("inner", "TCloud", elementSTLInner, 3, typSTL, want, true),
		"class TLeafOfTomorrow":       tomorrow,
		"class TBranchOfTomorrow":     unknown,
		"objects of class TCloud":     object,
		"a branch without a leaf":     odd("bare", "TBranch"),
	}
	mt := &madeTree{entries: 3, branches: []*madeBranch{good("first")}, other: map[string]string{
		"TBranchOfTomorrow 1": "what:i @TBranch", "TLeafOfTomorrow 1": "what:i @TLeaf"}}
	for _, b := range elements {
		mt.branches = append(mt.branches, b, good("good."+b.name))
	}
	tree := madeTreeOf(t, mt, false, nil)
	if len(tree.Branches()) != len(mt.branches) {
		t.Fatalf("branches %s", branchNames(tree))
	}
	for _, b := range tree.Branches() {
		if b.Err() == nil {
			checkBranch(t, tree, b.Name(), want)
		}
	}
	for reason, m := range elements {
		var b *Branch
		for _, x := range tree.Branches() {
			if x.Name() == m.name || strings.Contains(x.Name(), "TBranchOfTomorrow") && m == unknown {
				b = x
			}
		}
		if b == nil {
			t.Fatalf("%s is not listed: %s", m.name, branchNames(tree))
		}
		var e *Error
		if err := b.Err(); !errors.Is(err, compress.ErrUnsupported) || !errors.As(err, &e) || e.Offset != tree.Key().Offset || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: %v, not %s", m.name, err, reason)
		}
		if _, err := NewColumn[int32](b); !errors.Is(err, compress.ErrUnsupported) {
			t.Error(err)
		}
		if b.Kind() != NoKind {
			t.Errorf("%s: %v", m.name, b.Kind())
		}
	}
}
