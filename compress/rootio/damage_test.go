package rootio

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eddy-go/eddy/compress"
)

// damagedTree is a tree of a fixed, a jagged and a text branch, of which the
// second basket is damaged by change before the file is read.
func damagedTree(t *testing.T, settings Settings, change func(file []byte, k *madeBasket, branch string)) (*Tree, map[string][][]any, map[string]*madeBasket) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(41, 42))
	want := map[string][][]any{
		"fixed": randomEntries(rnd, Int32, 30, func() int { return 1 }),
		"many":  randomEntries(rnd, Float32, 30, func() int { return 1 + rnd.IntN(4) }),
		"text":  randomEntries(rnd, String, 30, func() int { return 1 }),
	}
	w := newBuilder(t, false, 100)
	w.settings = settings
	counter := leafOf("TLeafI", "n")
	mt := &madeTree{name: "made", entries: 30, branches: []*madeBranch{
		{name: "fixed", leaves: []*made{leafOf("TLeafI", "fixed")}, baskets: inBaskets(want["fixed"], 10, 10, 10)},
		{name: "many", leaves: []*made{leafOf("TLeafF", "many", "fLeafCount", counter)}, baskets: inBaskets(want["many"], 10, 10, 10), offsets: true},
		{name: "text", leaves: []*made{leafOf("TLeafC", "text")}, baskets: inBaskets(want["text"], 10, 10, 10), offsets: true},
	}}
	mt.write(t, w, w.top)
	file := w.close()
	baskets := map[string]*madeBasket{}
	for _, b := range mt.branches {
		baskets[b.name] = b.baskets[1]
		change(file, b.baskets[1], b.name)
	}
	tree, err := open(t, file).Tree("made")
	if err != nil {
		t.Fatal(err)
	}
	return tree, want, baskets
}

// checkDamage sees that each branch gives the entries before those of the damaged
// basket, and then an error that names its record.
func checkDamage(t *testing.T, what string, tree *Tree, want map[string][][]any, baskets map[string]*madeBasket) {
	t.Helper()
	for _, b := range tree.Branches() {
		for _, r := range [][2]int64{{0, 30}, {10, 20}} {
			var got [][]any
			err := anyReader(t, b).batches(t.Context(), r[0], r[1], func(values []any) error {
				got = append(got, values)
				return nil
			})
			var e *Error
			if err == nil || !errors.As(err, &e) || e.Offset != baskets[b.Name()].seek || e.Name != b.Name() {
				t.Errorf("%s, %s: %d entries, error %v", what, b.Name(), len(got), err)
			}
			if !errors.Is(err, compress.ErrCorrupt) && !errors.Is(err, compress.ErrSize) && !errors.Is(err, io.ErrUnexpectedEOF) &&
				!errors.Is(err, compress.ErrTrailing) && !errors.Is(err, compress.ErrUnsupported) {
				t.Errorf("%s, %s: %v", what, b.Name(), err)
			}
			if int64(len(got)) != 10-r[0] || !equalEntries(got, want[b.Name()][:len(got)]) {
				t.Errorf("%s, %s: wrong entries", what, b.Name())
			}
		}
		// What is behind it can be read.
		values, _, err := anyReader(t, b).append(t.Context(), 20, 30)
		if err != nil || !equalEntries([][]any{values}, [][]any{slices.Concat(want[b.Name()][20:]...)}) {
			t.Errorf("%s, %s: behind it: %v", what, b.Name(), err)
		}
	}
}

// Sizes in the key of a basket that are wrong are errors: never other entries,
// never a panic.
func TestWrongSizesInABasketsKey(t *testing.T) {
	keyEnd := func(file []byte, k *madeBasket) int { return int(k.seek) + int(be.Uint16(file[k.seek+14:])) }
	fields := map[string]func(file []byte, k *madeBasket) int{
		"fNbytes": func(_ []byte, k *madeBasket) int { return int(k.seek) },
		"fObjlen": func(_ []byte, k *madeBasket) int { return int(k.seek) + 6 },
		"fNevBuf": func(file []byte, k *madeBasket) int { return keyEnd(file, k) - 9 },
		"fLast":   func(file []byte, k *madeBasket) int { return keyEnd(file, k) - 5 },
	}
	for name, at := range fields {
		for _, settings := range []Settings{0, 101} {
			for _, delta := range []int64{-1, 1, -4, 4, 100, -100, -5000, 1 << 20, 1 << 30, -(1 << 31), math.MaxInt32} {
				if settings == 0 && name == "fObjlen" && delta > 0 {
					delta = -delta // stored, it is longer than the record: an error of another kind, tested below
				}
				tree, want, baskets := damagedTree(t, settings, func(file []byte, k *madeBasket, branch string) {
					p := file[at(file, k):]
					be.PutUint32(p, uint32(int64(be.Uint32(p))+delta))
				})
				checkDamage(t, fmt.Sprintf("%s by %d, %v", name, delta, settings), tree, want, baskets)
			}
		}
	}
	for _, settings := range []Settings{0, 101} {
		for _, delta := range []int{-1, 1, -4, 4, 60, -30, -60, 10000, 32000} {
			tree, want, baskets := damagedTree(t, settings, func(file []byte, k *madeBasket, branch string) {
				be.PutUint16(file[k.seek+14:], be.Uint16(file[k.seek+14:])+uint16(delta))
			})
			checkDamage(t, fmt.Sprintf("fKeylen by %d, %v", delta, settings), tree, want, baskets)
		}
	}
	// Another class, another record.
	tree, want, baskets := damagedTree(t, 101, func(file []byte, k *madeBasket, branch string) {
		i := bytes.Index(file[k.seek:], []byte("TBasket"))
		file[int(k.seek)+i] = 'X'
	})
	checkDamage(t, "class", tree, want, baskets)
	tree, want, baskets = damagedTree(t, 101, func(file []byte, k *madeBasket, branch string) {
		be.PutUint32(file[k.seek+18:], uint32(k.seek+1))
	})
	checkDamage(t, "fSeekKey", tree, want, baskets)
}

// A table of where entries begin that is wrong.
func TestWrongEntryOffsets(t *testing.T) {
	for name, change := range map[string]func(table []byte, entries int, keyLen uint32){
		"count":           func(p []byte, n int, _ uint32) { be.PutUint32(p, uint32(n-1)) },
		"large count":     func(p []byte, n int, _ uint32) { be.PutUint32(p, uint32(n+2)) },
		"huge count":      func(p []byte, n int, _ uint32) { be.PutUint32(p, 1<<31-1) },
		"negative count":  func(p []byte, n int, _ uint32) { be.PutUint32(p, 1<<31) },
		"first":           func(p []byte, _ int, keyLen uint32) { be.PutUint32(p[4:], keyLen+4) },
		"first at zero":   func(p []byte, _ int, _ uint32) { be.PutUint32(p[4:], 0) },
		"not relative":    func(p []byte, n int, keyLen uint32) { shift(p[4:4+4*n], -keyLen) },
		"descending":      func(p []byte, _ int, _ uint32) { swapWords(p[8:], p[12:]) },
		"beyond the end":  func(p []byte, n int, _ uint32) { be.PutUint32(p[4*n:], 1<<20) },
		"far beyond":      func(p []byte, n int, _ uint32) { be.PutUint32(p[4*n:], math.MaxUint32) },
		"between values":  func(p []byte, _ int, _ uint32) { be.PutUint32(p[12:], be.Uint32(p[12:])+1) },
		"before the data": func(p []byte, _ int, keyLen uint32) { be.PutUint32(p[8:], keyLen-4) },
	} {
		tree, want, baskets := damagedTree(t, 0, func(file []byte, k *madeBasket, branch string) {
			if branch == "fixed" {
				be.PutUint32(file[k.seek:], 0) // it has no table: any error will do
				return
			}
			keyLen := int(be.Uint16(file[k.seek+14:]))
			last := int(be.Uint32(file[int(k.seek)+keyLen-5:]))
			change(file[int(k.seek)+last:], len(k.entries), uint32(keyLen))
		})
		checkDamage(t, name, tree, want, baskets)
	}
}

func shift(words []byte, by uint32) {
	for ; len(words) >= 4; words = words[4:] {
		be.PutUint32(words, be.Uint32(words)+by)
	}
}

func swapWords(a, b []byte) {
	x, y := be.Uint32(a), be.Uint32(b)
	be.PutUint32(a, y)
	be.PutUint32(b, x)
}

// A string that says it is longer than what is left.
func TestWrongStringLengths(t *testing.T) {
	for _, length := range [][]byte{{200}, {255, 0, 0, 1, 0}, {255, 255, 255, 255, 255}, {255, 0}, {}} {
		entries := [][]byte{text(nil, "one"), length}
		tree := madeTreeOf(t, &madeTree{entries: 2, branches: []*madeBranch{{name: "s", leaves: []*made{leafOf("TLeafC", "s")},
			baskets: []*madeBasket{{entries: entries}}}}}, false, nil)
		_, _, err := columnOf[string](t, tree, "s").Append(t.Context(), nil, nil, 0, -1)
		if !errors.Is(err, compress.ErrCorrupt) {
			t.Errorf("%v: %v", length, err)
		}
	}
}

// Tables of a branch that do not fit each other.
func TestWrongTablesOfABranch(t *testing.T) {
	want := [][]any{{int32(1)}, {int32(2)}, {int32(3)}, {int32(4)}}
	for name, change := range map[string]func(o *made){
		"fWriteBasket below zero": func(o *made) { o.v["fWriteBasket"] = -1 },
		"fWriteBasket too large":  func(o *made) { o.v["fWriteBasket"] = 100 },
		"fEntries below zero":     func(o *made) { o.v["fEntries"] = -1 },
		"fEntries too small":      func(o *made) { o.v["fEntries"] = 1 },
		"fEntries huge":           func(o *made) { o.v["fEntries"] = int64(math.MaxInt64); o.v["fFirstEntry"] = 1 },
		"fFirstEntry":             func(o *made) { o.v["fFirstEntry"] = 1 },
		"negative":                func(o *made) { o.v["fBasketEntry"].([]int64)[0] = -1 },
		"no first basket":         func(o *made) { o.v["fBasketEntry"].([]int64)[0] = 1 },
		"seek below zero":         func(o *made) { o.v["fBasketSeek"].([]int64)[1] = -5 },
		"bytes below zero":        func(o *made) { o.v["fBasketBytes"].([]int64)[1] = -5 },
		"no bytes":                func(o *made) { o.v["fBasketBytes"].([]int64)[0] = 0 },
		"no baskets":              func(o *made) { o.v["fWriteBasket"] = 0 },
		"no tables": func(o *made) {
			o.v["fMaxBaskets"] = 0
			delete(o.v, "fBasketBytes")
			delete(o.v, "fBasketEntry")
			delete(o.v, "fBasketSeek")
		},
		"fMaxBaskets too small":  func(o *made) { o.v["fMaxBaskets"] = 1 },
		"fMaxBaskets too large":  func(o *made) { o.v["fMaxBaskets"] = 1 << 30 },
		"fMaxBaskets below zero": func(o *made) { o.v["fMaxBaskets"] = -3 },
	} {
		mt := &madeTree{entries: 4, branches: []*madeBranch{
			{name: "x", leaves: []*made{leafOf("TLeafI", "x")}, baskets: inBaskets(want, 2, 2), mangle: change},
			{name: "y", leaves: []*made{leafOf("TLeafI", "y")}, baskets: inBaskets(want, 2, 2)},
		}}
		tree := madeTreeOf(t, mt, false, nil)
		if n := len(tree.Branches()); n != 2 {
			t.Errorf("%s: %d branches", name, n)
			continue
		}
		var e *Error
		err := tree.Branches()[0].Err()
		if !errors.As(err, &e) || e.Offset != tree.Key().Offset || !errors.Is(err, compress.ErrCorrupt) && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s: %v", name, err)
		}
		checkBranch(t, tree, "y", want)
	}
	// These show when the entries are read.
	for name, change := range map[string]func(o *made){
		"seek behind the file": func(o *made) { o.v["fBasketSeek"].([]int64)[1] = 1 << 40 },
		"far behind the file":  func(o *made) { o.v["fBasketSeek"].([]int64)[1] = math.MaxInt64 },
		"lost":                 func(o *made) { o.v["fBasketSeek"].([]int64)[1] = 0 },
		"bytes":                func(o *made) { o.v["fBasketBytes"].([]int64)[1]++ },
		"many bytes":           func(o *made) { o.v["fBasketBytes"].([]int64)[1] = math.MaxInt32 },
		"entries":              func(o *made) { o.v["fBasketEntry"].([]int64)[1]-- },
		"more entries":         func(o *made) { o.v["fEntries"] = 5 },
		"very many entries":    func(o *made) { o.v["fEntries"] = int64(1) << 60 },
	} {
		mt := &madeTree{entries: 4, branches: []*madeBranch{{name: "x", leaves: []*made{leafOf("TLeafI", "x")}, baskets: inBaskets(want, 2, 2), mangle: change}}}
		tree := madeTreeOf(t, mt, false, nil)
		if err := tree.Branches()[0].Err(); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		c := columnOf[int32](t, tree, "x")
		used := allocated(func() {
			_, _, err := c.Append(t.Context(), nil, nil, 0, -1, Workers(1))
			var e *Error
			if !errors.As(err, &e) || e.Offset == 0 {
				t.Errorf("%s: %v", name, err)
			}
		})
		if used > 1<<20 {
			t.Errorf("%s: %d bytes were allocated", name, used)
		}
	}
}

// Objects that contain themselves, and very many in each other.
func TestLoopsAndDepth(t *testing.T) {
	want := [][]any{{int32(1)}, {int32(2)}}
	loop := &madeBranch{name: "x", leaves: []*made{leafOf("TLeafI", "x")}, baskets: inBaskets(want, 2)}
	loop.mangle = func(o *made) { o.v["fBranches"] = make1("TObjArray", "items", []*made{o, o}) }
	mt := &madeTree{entries: 2, branches: []*madeBranch{loop}}
	checkBranch(t, madeTreeOf(t, mt, false, nil), "x", want)

	deep := &madeBranch{name: "end", leaves: []*made{leafOf("TLeafI", "end")}, baskets: inBaskets(want, 2)}
	for i := range 120 {
		deep = &madeBranch{name: fmt.Sprint(i), subs: []*madeBranch{deep}}
	}
	good := &madeBranch{name: "good", leaves: []*made{leafOf("TLeafI", "good")}, baskets: inBaskets(want, 2)}
	tree := madeTreeOf(t, &madeTree{entries: 2, branches: []*madeBranch{deep, good}}, false, nil)
	checkBranch(t, tree, "good", want)
	found := false
	for _, b := range tree.Branches() {
		found = found || b.Err() != nil && strings.Contains(b.Err().Error(), "deeper")
	}
	if !found {
		t.Errorf("branches %.200s", branchNames(tree))
	}
	// A leaf that counts itself.
	leaf := leafOf("TLeafI", "x")
	leaf.v["fLeafCount"] = leaf
	tree = madeTreeOf(t, &madeTree{entries: 2, branches: []*madeBranch{{name: "x", leaves: []*made{leaf}, baskets: inBaskets(want, 2)}}}, false, nil)
	if _, _, err := columnOf[int32](t, tree, "x").Append(t.Context(), nil, nil, 0, -1); !errors.Is(err, compress.ErrUnsupported) {
		t.Error(err)
	}
}

// Any byte of a tree's record may be any other: the tree, or an error, and its
// branches or errors, and never a panic.
func TestEveryByteOfATreesRecord(t *testing.T) {
	want := [][]any{{int32(1)}, {int32(-2)}, {int32(3)}}
	many := [][]any{{"a"}, {"bc"}, {""}}
	w := newBuilder(t, false, 100)
	w.settings = 0
	mt := &madeTree{name: "made", entries: 3, branches: []*madeBranch{
		{name: "x", leaves: []*made{leafOf("TLeafI", "x")}, baskets: inBaskets(want, 1)},
		{name: "s", leaves: []*made{leafOf("TLeafC", "s")}, baskets: inBaskets(many, 2), offsets: true},
		elementBranch("e", "vector<int>", 0, -1, -1, nil, true),
	}}
	mt.write(t, w, w.top)
	file := w.close()
	k, err := open(t, file).Key("made")
	if err != nil {
		t.Fatal(err)
	}
	step := 1
	if testing.Short() {
		step = 7
	}
	for i := 0; i < k.ObjLen; i += step {
		at := int(k.Offset) + k.KeyLen + i
		old := file[at]
		for _, v := range []byte{old ^ 1, old ^ 0x80, 0, 255, old ^ 0x40} {
			file[at] = v
			tree, err := k.Tree()
			if err != nil {
				var e *Error
				if !errors.As(err, &e) || e.Offset != k.Offset {
					t.Fatalf("byte %d: %v", i, err)
				}
				continue
			}
			for _, b := range tree.Branches() {
				if b.Err() == nil {
					anyReader(t, b).append(t.Context(), b.First(), -1, Workers(1))
				}
			}
		}
		file[at] = old
	}
}
