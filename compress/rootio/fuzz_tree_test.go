package rootio

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
)

// fuzzFiles are small files of all that a tree can have, not compressed, so that
// changed bytes reach it.
func fuzzFiles(t testing.TB) (files [][]byte) {
	rnd := rand.New(rand.NewPCG(51, 52))
	const n = 12
	counts := make([][]any, n)
	many := randomEntries(rnd, Float32, n, func() int { return rnd.IntN(4) })
	for i := range counts {
		counts[i] = []any{int32(len(many[i]))}
	}
	make := func(derived bool) *madeTree {
		counter := leafOf("TLeafI", "n")
		mt := &madeTree{name: "made", entries: n, bits: isReferenced, branches: []*madeBranch{
			{name: "n", leaves: []*made{counter}, baskets: inBaskets(counts, 5, 5)},
			{name: "many", leaves: []*made{leafOf("TLeafF", "many", "fLeafCount", counter)}, baskets: inBaskets(many, 5, 5), offsets: true},
			{name: "text", leaves: []*made{leafOf("TLeafC", "text")}, baskets: inBaskets(randomEntries(rnd, String, n, func() int { return 1 }), 8), offsets: true},
			{name: "row", leaves: []*made{leafOf("TLeafS", "a"), leafOf("TLeafD", "b")}, baskets: inBaskets(twoFields(rnd, n), 8)},
			elementBranch("top", "vector<short>", 0, -1, -1, nil, true),
			elementBranch("bits", "TObject", 0, 1, typBits, nil, true),
			elementBranch("packed", "Thing", 0, 1, typFloat16, nil, false),
		}}
		mt.branches[4].baskets = rawBaskets(headed(randomEntries(rnd, Int16, n, func() int { return rnd.IntN(3) }), collected), 4)
		mt.branches[5].baskets = rawBaskets([][]byte{{0, 0, 0, 16, 0, 1}, {3, 0, 0, 0}}, 1)
		mt.branches[6].baskets = rawBaskets([][]byte{{127, 0, 0}, {126, 0, 0}}, 1)
		mt.branches[6].v = append(mt.branches[6].v, "fClassVersion", 7)
		if derived {
			for _, k := range mt.branches[1].baskets {
				k.derived = true
			}
		}
		return mt
	}
	classes := []described{{class: "Thing", version: 7, text: "n:i packed:f![0,0,10]"}, {class: "TBranch", version: 13, text: descriptions["TBranch 13"]}}
	for _, derived := range []bool{false, true} {
		w := newBuilder(t, derived, 100)
		w.settings = 0
		make(derived).write(t, w, w.top)
		w.info = w.pos()
		w.record(w.top.at, "TList", "StreamerInfo", "a title", 1, infoList(len(w.key(0, 0, "TList", "StreamerInfo", "a title", 1, 0, 0)), classes))
		files = append(files, w.close())
	}
	return append(files, fixtureBytes(t, "jagged-zlib1.root"))
}

func twoFields(rnd *rand.Rand, n int) (all [][]any) {
	for range n {
		all = append(all, []any{random(rnd, Int16), random(rnd, Float64)})
	}
	return all
}

// FuzzTree changes bytes of files and reads all that their trees have: values,
// or an error that names a record, and no panic, no buffer lost, and no memory
// for what the file does not hold.
func FuzzTree(f *testing.F) {
	files := fuzzFiles(f)
	f.Add(uint8(0), []byte{})
	f.Add(uint8(1), []byte{0, 9, 200, 40})
	f.Add(uint8(2), []byte{})
	for i := range 40 {
		f.Add(uint8(i%3), []byte{byte(i % 2), byte(37 * i), byte(11 * i), byte(255 - i)})
	}
	f.Fuzz(func(t *testing.T, which uint8, edits []byte) {
		file := bytes.Clone(files[int(which)%len(files)])
		for ; len(edits) >= 4; edits = edits[4:] {
			at := int(edits[0])<<16 | int(edits[1])<<8 | int(edits[2])
			file[at%len(file)] = edits[3]
		}
		buffers := inUse()
		readAll(t, file)
		if n := inUse(); n != buffers {
			t.Errorf("%d buffers are out, and %d before", n, buffers)
		}
	})
}

// readAll reads all trees of a file.
func readAll(t *testing.T, file []byte) {
	named := func(err error) {
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("an error that names no record: %v", err)
		}
	}
	f, err := Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		named(err)
		return
	}
	for k, err := range f.Keys() {
		if err != nil {
			named(err)
			continue
		}
		if !strings.HasPrefix(k.Class, "TTree") {
			continue
		}
		tree, err := k.Tree()
		if err != nil {
			named(err)
			continue
		}
		var cols []AnyColumn
		for _, b := range tree.Branches() {
			if b.Err() != nil {
				named(b.Err())
				continue
			}
			// A few bytes can stand for very many entries, as long as the
			// file has them.
			n := 0
			for _, err := range batchesOf(t, b) {
				if err != nil {
					named(err)
					break
				}
				if n++; n > 100 {
					break
				}
			}
			cols = append(cols, anyReader(t, b).column)
		}
		n := 0
		for _, err := range Steps(context.Background(), 0, -1, cols, Workers(2), ReadAhead(1<<20)) {
			if err != nil {
				named(err)
			}
			if n++; n > 100 {
				break
			}
		}
	}
}

// batchesOf steps through a branch alone and reads each value.
func batchesOf(t *testing.T, b *Branch) func(yield func(int, error) bool) {
	r := anyReader(t, b)
	return func(yield func(int, error) bool) {
		for s, err := range Steps(context.Background(), b.First(), -1, []AnyColumn{r.column}, Workers(1)) {
			if err != nil {
				yield(0, err)
				return
			}
			n := 0
			if s.Len() < 1<<16 {
				r.inStep(s, func(values []any) { n += len(values) })
			}
			if !yield(n, nil) {
				return
			}
		}
	}
}
