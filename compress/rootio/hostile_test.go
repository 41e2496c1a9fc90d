package rootio

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/eddy-go/eddy/compress"
)

// Objects that state fewer bytes than they read would be read over and over,
// as often as there are ways through them.
func TestObjectsThatReachOverTheirEnd(t *testing.T) {
	const n = 60
	item := append(be.AppendUint32(nil, newClassTag), "TObjArray\x00"...)
	item = be.AppendUint16(item, 1)           // a version without a name
	item = be.AppendUint32(item, 3)           // items, which are behind the end
	item = be.AppendUint32(item, 0)           // the lowest index
	raw := be.AppendUint16(nil, 1)            // of the list of branches itself
	raw = be.AppendUint32(raw, n)             // items
	raw = be.AppendUint32(raw, 0)             // the lowest index
	head := uint32(len(item)) | byteCountMask // of each: up to its own end
	for range n {
		raw = append(be.AppendUint32(raw, head), item...)
	}
	tree := madeTreeOf(t, &madeTree{mangle: func(o *made) { o.v["fBranches"] = make1("TObjArray", "raw", raw) }}, false, nil)
	all := tree.Branches()
	if len(all) != n {
		t.Fatalf("%d branches, want %d", len(all), n)
	}
	for _, b := range all {
		if !errors.Is(b.Err(), compress.ErrCorrupt) {
			t.Errorf("%s: %v", b.Name(), b.Err())
		}
	}
}

// An object may end within the name of its class, or before it.
func TestObjectsThatEndInTheirClass(t *testing.T) {
	for _, class := range []string{"TBasket", "TBranch", "TObjArray", "TObjString", "TNamed", "none"} {
		name := append(be.AppendUint32(nil, newClassTag), class+"\x00"...)
		for count := range len(name) + 8 {
			r := rbuf{b: be.AppendUint32(nil, uint32(count)|byteCountMask), infos: &infos{}}
			r.b = append(append(r.b, name...), 0, 0, 0, 0, 1, 2, 3, 4)
			o := r.any()
			if o != nil && o.err == nil && r.err == nil && count <= len(name) {
				t.Errorf("%s in %d bytes: %+v", class, count, o)
			}
			if o != nil && r.err == nil && r.pos != 4+count {
				t.Errorf("%s in %d bytes: at byte %d", class, count, r.pos)
			}
		}
	}
}

// Collections that say they are as large as what follows them, and classes of
// more members than an object has bytes, take no memory for that.
func TestCollectionsTakeWhatTheyHave(t *testing.T) {
	const size = 1 << 20
	array := func(left int) []byte { // a version, how many items, the lowest index
		return be.AppendUint32(be.AppendUint32(be.AppendUint16(nil, 1), uint32(left/4)), 0)
	}
	m := newMaker(0)
	m.b = array(size - 100)
	m.classes["TObjArray"] = len(m.b) + 4 + refOffset
	for i := range 50 {
		tag := be.AppendUint32(nil, uint32(m.classes["TObjArray"])|classMask)
		if i == 0 {
			tag = append(be.AppendUint32(be.AppendUint32(nil, uint32(size-100)|byteCountMask), newClassTag), "TObjArray\x00"...)
		}
		m.b = append(append(m.b, tag...), array(size-2000)...)
	}
	m.b = append(m.b, make([]byte, size-len(m.b))...)
	r := rbuf{b: m.b, infos: &infos{}}
	var o *object
	if n := allocated(func() { o = r.object("TObjArray") }); n > 20*size {
		t.Errorf("%d bytes for arrays in %d", n, size)
	}
	if len(o.items) == 0 || o.items[0] == nil {
		t.Error("no array was read")
	}

	wide := &info{class: "TWide", version: 1}
	for range 100000 {
		wide.elements = append(wide.elements, &element{name: "x", typ: typDouble})
	}
	all := new(infos)
	all.add(wide)
	b := array(4000)
	b = append(append(be.AppendUint32(be.AppendUint32(b, 12|byteCountMask), newClassTag), "TWide\x00"...), 0, 1)
	for range 200 {
		b = be.AppendUint32(be.AppendUint32(b, 6|byteCountMask), (10+4+refOffset)|classMask)
		b = be.AppendUint16(b, 1)
	}
	r = rbuf{b: append(b, make([]byte, 4000)...), infos: all}
	if n := allocated(func() { o = r.object("TObjArray") }); n > 4<<20 {
		t.Errorf("%d bytes for objects in %d", n, len(r.b))
	}
	if len(o.items) < 200 || o.items[100].err == nil {
		t.Errorf("%d objects, %v", len(o.items), r.err)
	}
}

// A few bytes of a file can hold any number of objects.
func TestObjectsWithoutEnd(t *testing.T) {
	const n = freeObjects + 1000
	raw := be.AppendUint32(be.AppendUint32(be.AppendUint16(nil, 1), n), 0)
	for kind, item := range map[string][]byte{
		"counted":    append(be.AppendUint32(be.AppendUint32(nil, 5|byteCountMask), newClassTag^1), 0), // faulty
		"texts":      append(be.AppendUint32(nil, 0), 0),                                               // set below
		"references": be.AppendUint32(nil, 1<<29),                                                      // to what is not there
	} {
		b := bytes.Clone(raw)
		if kind == "texts" {
			at := len(b) + refOffset
			b = append(append(be.AppendUint32(b, newClassTag), "TString\x00"...), 0)
			be.PutUint32(item, uint32(at)|classMask)
		}
		b = append(b, bytes.Repeat(item, n)...)
		r := rbuf{b: b, infos: &infos{}, maxObjects: 1000}
		var o *object
		alloc := allocated(func() { o = r.object("TObjArray") })
		if r.err == nil || !errors.Is(r.err, compress.ErrCorrupt) || len(o.items) > 1000 || alloc > 2<<20 {
			t.Errorf("%s: %d objects, %d bytes, error %v", kind, len(o.items), alloc, r.err)
		}
		if kind != "texts" {
			continue
		}
		w := newBuilder(t, false, 100)
		(&madeTree{name: "made", mangle: func(o *made) { o.v["fBranches"] = make1("TObjArray", "raw", b) }}).write(t, w, w.top)
		if _, err := open(t, w.close()).Tree("made"); !errors.Is(err, compress.ErrCorrupt) {
			t.Errorf("a tree of %d objects: %v", n, err)
		}
	}
}

// A walk has the paths of all directories that it is in: a small file of deep
// ones must not fill the memory.
func TestDirectoriesNestedWithoutEnd(t *testing.T) {
	for _, test := range []struct{ name, deep, want int }{
		{name: 5, deep: maxDirs, want: maxDirs},
		{name: 5, deep: maxDirs + 50, want: maxDirs + 1},
		{name: 1000, deep: 100, want: maxPath/1001 + 1},
		{name: 0, deep: maxDirs + 50, want: maxDirs + 1},
	} {
		w := newBuilder(t, false, 100)
		d := w.top
		for range test.deep {
			d = w.mkdir(d, strings.Repeat("n", test.name))
		}
		w.put(w.top, "TNote", "last", 1, []byte("a note"))
		f := open(t, w.close())
		dirs, faults := 0, 0
		var last Key
		for k, err := range f.Keys() {
			switch {
			case errors.Is(err, compress.ErrUnsupported):
				faults++
			case err != nil:
				t.Error(err)
			case k.IsDir():
				dirs++
			}
			if last = k; len(k.Dir) > maxPath {
				t.Fatalf("a path of %d bytes", len(k.Dir))
			}
		}
		if dirs != test.want || faults > 1 || (faults == 0) != (test.deep == test.want) || last.Name != "last" {
			t.Errorf("%d directories of %d with names of %d bytes, %d errors, the last key is %q", dirs, test.deep, test.name, faults, last.Name)
		}
	}
}

// The text of a type has all dimensions, and so has each list of lists that it
// becomes: there must not be any number of them.
func TestDimensionsWithoutEnd(t *testing.T) {
	for dims, want := range map[int]int{maxDims - 1: maxDims, maxDims: 1, 200000: 1} {
		title := "x[2]" + strings.Repeat("[1]", dims) + "/I"
		tree := madeTreeOf(t, &madeTree{branches: []*madeBranch{
			{name: "x", leaves: []*made{leafOf("TLeafI", "x", "fLen", 2, "fTitle", title)}},
		}}, false, nil)
		b := tree.Branches()[0]
		if b.Err() != nil || len(b.Dims()) != want || b.Width() != 2 {
			t.Errorf("%d dimensions: %d, width %d, %v", dims+1, len(b.Dims()), b.Width(), b.Err())
		}
	}
}
