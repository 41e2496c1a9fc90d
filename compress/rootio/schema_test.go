package rootio

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eddy-go/eddy/compress"
)

// A tree that is written by other descriptions of its classes than today's is
// read by those that the file has.
func TestReadByTheFilesDescriptions(t *testing.T) {
	rnd := rand.New(rand.NewPCG(31, 32))
	want := randomEntries(rnd, Float32, 60, func() int { return 2 })
	counts := make([][]any, 60)
	many := randomEntries(rnd, Int64, 60, func() int { return rnd.IntN(3) })
	for i := range counts {
		counts[i] = []any{int32(len(many[i]))}
	}
	make := func() *madeTree {
		counter := leafOf("TLeafI", "n")
		return &madeTree{name: "made", entries: 60, branches: []*madeBranch{
			{name: "x", leaves: []*made{leafOf("TLeafF", "x", "fLen", 2, "fTitle", "x[2]")}, baskets: inBaskets(want, 20, 20)},
			{name: "n", leaves: []*made{counter}, baskets: inBaskets(counts, 33)},
			{name: "many", leaves: []*made{leafOf("TLeafL", "many", "fLeafCount", counter)}, baskets: inBaskets(many, 25), offsets: true},
		}}
	}
	check := func(name string, mt *madeTree, classes []described) {
		t.Run(name, func(t *testing.T) {
			tree := madeTreeOf(t, mt, false, classes)
			checkBranch(t, tree, "x", want)
			checkBranch(t, tree, "many", many)
		})
	}
	branch := descriptions["TBranch 13"]
	tree := descriptions["TTree 20"]
	leaf := descriptions["TLeaf 2"]
	words := func(text string, f func(words []string) []string) string {
		return strings.Join(f(strings.Fields(text)), " ")
	}
	turned := func(text string) string {
		return words(text, func(w []string) []string {
			// Members that count others stay before those that they count.
			slices.Reverse(w)
			slices.SortStableFunc(w, func(a, b string) int {
				return strings.Count(a, "*f") - strings.Count(b, "*f")
			})
			return w
		})
	}
	check("as today", make(), nil)
	check("as today, and described", make(), []described{{class: "TBranch", version: 13, text: branch}, {class: "TTree", version: 20, text: tree}})

	mt := make()
	mt.other = map[string]string{"TBranch 99": turned(branch), "TTree 98": turned(tree), "TLeaf 97": turned(leaf)}
	check("members in another order", mt, []described{{class: "TBranch", version: 99, text: turned(branch)},
		{class: "TTree", version: 98, text: turned(tree)}, {class: "TLeaf", version: 97, text: turned(leaf)}})

	mt = make()
	more := "fNew:i " + words(branch, func(w []string) []string {
		return append(slices.Insert(w, 5, "fMore:d", "fText:s", "fThing:TThing*"), "fLast:l*fMaxBaskets")
	})
	mt.other = map[string]string{"TBranch 14": more}
	check("more members", mt, []described{{class: "TBranch", version: 14, text: more}})

	mt = make()
	fewer := "@TNamed fEntryOffsetLen:i fWriteBasket:i fMaxBaskets:I fEntries:d fBranches:TObjArray fLeaves:TObjArray fBaskets:TObjArray " +
		"fBasketBytes:i*fMaxBaskets fBasketEntry:i*fMaxBaskets fBasketSeek:i*fMaxBaskets"
	mt.other = map[string]string{"TBranch 15": fewer, "TTree 21": "@TNamed fEntries:i fBranches:TObjArray"}
	check("fewer members, and of other types", mt, []described{{class: "TBranch", version: 15, text: fewer}, {class: "TTree", version: 21, text: "@TNamed fEntries:i fBranches:TObjArray"}})

	mt = make()
	based := "@TWeird " + branch
	mt.other = map[string]string{"TBranch 16": based, "TWeird 4": "fWeird:i fWild:s", "TTree 22": "@TWeird " + tree}
	check("an unknown base is skipped by its size", mt, []described{{class: "TBranch", version: 16, text: based}, {class: "TTree", version: 22, text: "@TWeird " + tree}})
	mt = make()
	mt.other = map[string]string{"TBranch 16": based, "TWeird 4": "fWeird:i fWild:s"}
	check("an unknown base is described", mt, []described{{class: "TBranch", version: 16, text: based}, {class: "TWeird", version: 4, text: "fWeird:i fWild:s"}})

	for version := range 4 {
		mt = make()
		mt.versions = map[string]int{"TBranch": 10 + version, "TTree": 16 + version}
		check("older versions", mt, nil)
	}
	mt = make()
	mt.class = "TNtuple"
	check("a TNtuple", mt, nil)
	mt = make()
	mt.class = "TMyTree"
	mt.other = map[string]string{"TMyTree 3": "fMine:s @TTree"}
	check("a class derived from TTree", mt, []described{{class: "TMyTree", version: 3, text: "fMine:s @TTree"}})
}

// Versions that nothing describes are refused by name, and so is a base that
// cannot be skipped.
func TestUnknownVersionsAreRefusedByName(t *testing.T) {
	want := [][]any{{int32(1)}, {int32(2)}}
	make := func() *madeTree {
		return &madeTree{name: "made", entries: 2, branches: []*madeBranch{{name: "x", leaves: []*made{leafOf("TLeafI", "x")}, baskets: inBaskets(want, 2)}}}
	}
	mt := make()
	mt.other = map[string]string{"TBranch 99": descriptions["TBranch 13"]}
	tree := madeTreeOf(t, mt, false, nil)
	if b := tree.Branches(); len(b) != 1 || !errors.Is(b[0].Err(), compress.ErrUnsupported) || !strings.Contains(b[0].Err().Error(), "class TBranch, version 99") {
		t.Error(b[0].Err())
	}
	mt = make()
	mt.other = map[string]string{"TLeaf 99": descriptions["TLeaf 2"]}
	tree = madeTreeOf(t, mt, false, nil)
	if b := tree.Branches(); len(b) != 1 || !strings.Contains(b[0].Err().Error(), "class TLeaf, version 99") {
		t.Error(b[0].Err())
	}
	mt = make()
	mt.other = map[string]string{"TTree 99": descriptions["TTree 20"]}
	_, err := open(t, madeFile(t, mt, false, nil)).Tree("made")
	var e *Error
	if !errors.Is(err, compress.ErrUnsupported) || !errors.As(err, &e) || e.Offset == 0 || !strings.Contains(err.Error(), "class TTree, version 99") {
		t.Error(err)
	}
	mt = make()
	mt.class = "TNoTree"
	mt.other = map[string]string{"TNoTree 1": "fMine:s"}
	_, err = open(t, madeFile(t, mt, false, []described{{class: "TNoTree", version: 1, text: "fMine:s"}})).Tree("made")
	if !errors.Is(err, compress.ErrUnsupported) || !strings.Contains(err.Error(), "no TTree but a TNoTree") {
		t.Error(err)
	}
}

// Branches of the versions that ROOT wrote by code of its own.
func TestOldBranches(t *testing.T) {
	rnd := rand.New(rand.NewPCG(33, 34))
	want := randomEntries(rnd, Uint16, 60, func() int { return 1 })
	for version := 6; version < 10; version++ {
		for _, wide := range []bool{false, true} {
			b := &madeBranch{name: "x", leaves: []*made{leafOf("TLeafS", "x", "fIsUnsigned", 1)}, baskets: inBaskets(want, 20, 30)}
			mt := &madeTree{name: "made", entries: 60, branches: []*madeBranch{b}}
			b.mangle = func(o *made) { o.v["old"], o.v["wide"] = version, wide }
			tree := madeTreeOf(t, mt, false, nil)
			checkBranch(t, tree, "x", want)
		}
	}
}

// old writes a TBranch of an old version.
func (m *maker) old(o *made, version int) {
	m.counted(func() {
		m.u16(version)
		m.object("TNamed", o)
		if version > 7 {
			m.object("TAttFill", o)
		}
		for _, name := range []string{"fCompress", "fBasketSize", "fEntryOffsetLen", "fWriteBasket", "fEntryNumber", "fOffset", "fMaxBaskets", "fSplitLevel"} {
			if name != "fSplitLevel" || version > 6 {
				m.number(typInt, o.v[name])
			}
		}
		for _, name := range []string{"fEntries", "fTotBytes", "fZipBytes"} {
			m.number(typDouble, o.v[name])
		}
		for _, name := range []string{"fBranches", "fLeaves", "fBaskets"} {
			m.object("TObjArray", o.v[name].(*made))
		}
		for _, name := range []string{"fBasketBytes", "fBasketEntry", "fBasketSeek"} {
			typ, mark := typInt, 1
			if name == "fBasketSeek" && o.v["wide"] == true {
				typ, mark = typLong64, 2
			}
			m.u8(mark)
			for _, v := range o.v[name].([]int64) {
				m.number(typ, v)
			}
		}
		m.str("")
	})
}

// Where the file's descriptions are damaged, trees are read as far as they need
// none, and errors say that.
func TestDamagedDescriptions(t *testing.T) {
	want := [][]any{{int32(1)}, {int32(2)}}
	d := elementBranch("d", "Thing", 0, 1, typDouble32, [][]any{{uint32(0)}, {uint32(1)}}, false)
	d.v = append(d.v, "fClassVersion", 1)
	mt := &madeTree{name: "made", entries: 2, branches: []*madeBranch{
		{name: "x", leaves: []*made{leafOf("TLeafI", "x")}, baskets: inBaskets(want, 2)}, d,
		{name: "y", class: "TBranchOfMine", leaves: []*made{leafOf("TLeafI", "y")}, baskets: inBaskets(want, 2)},
	}, other: map[string]string{"TBranchOfMine 1": "@TBranch"}}
	classes := []described{{class: "Thing", version: 1, text: "n:i d:d"}, {class: "TBranchOfMine", version: 1, text: "@TBranch"}}
	good := madeFile(t, mt, false, classes)
	seek := int(be.Uint32(good[37:]))
	for name, change := range map[string]func(file []byte){
		"cut":      func(file []byte) { file[seek+int(be.Uint32(file[seek:]))-1] ^= 1 },
		"key":      func(file []byte) { file[seek+4] = 0xff },
		"no seek":  func(file []byte) { be.PutUint32(file[37:], 0) },
		"far seek": func(file []byte) { be.PutUint32(file[37:], 1<<30) },
	} {
		file := append([]byte(nil), good...)
		change(file)
		tree, err := open(t, file).Tree("made")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		checkBranch(t, tree, "x", want)
		if b, err := tree.Branch("d"); err != nil || !errors.Is(b.Err(), compress.ErrUnsupported) {
			t.Errorf("%s: %v, %v", name, err, b.Err())
		}
		last := tree.Branches()[2]
		if err := last.Err(); !errors.Is(err, compress.ErrUnsupported) || !strings.Contains(err.Error(), "TBranchOfMine") ||
			strings.Contains(err.Error(), "descriptions cannot be read") != (name != "no seek") {
			t.Errorf("%s: %v", name, err)
		}
	}
	tree, err := open(t, good).Tree("made")
	if err != nil {
		t.Fatal(err)
	}
	checkBranch(t, tree, "y", want)
}
