package rootio

import (
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
