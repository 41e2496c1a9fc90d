package rootio

import (
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/eddy-go/eddy/compress"
)

// Members of every type are read, and what cannot be is skipped by its size or
// refused by its name.
func TestMembersOfEveryType(t *testing.T) {
	in := &info{class: "TAll", version: 3}
	m := newMaker(0)
	add := func(name string, typ int, write func(), more ...func(*element)) {
		e := &element{name: name, typ: typ, typeName: typeNames[typ]}
		for _, f := range more {
			f(e)
		}
		in.elements = append(in.elements, e)
		write()
	}
	class := func(c string) func(*element) { return func(e *element) { e.typeName = c } }
	m.counted(func() {
		m.u16(3)
		add("char", typChar, func() { m.u8(-5) })
		add("uchar", typUChar, func() { m.u8(250) })
		add("bool", typBool, func() { m.u8(1) })
		add("short", typShort, func() { m.u16(-300) })
		add("ushort", typUShort, func() { m.u16(65000) })
		add("int", typInt, func() { m.u32(-70000) })
		add("uint", typUInt, func() { m.word(4000000000) })
		add("long", typLong, func() { m.u64(-1 << 40) })
		add("ulong", typULong64, func() { m.u64(1 << 40) })
		add("float", typFloat, func() { m.word(math.Float32bits(1.5)) })
		add("double", typDouble, func() { m.f64(2.5) })
		add("packed", typDouble32, func() { m.word(1 << 15) }, func(e *element) { e.packing = parsePacking("[-1,3,16]") })
		add("half", typFloat16, func() { m.b = append(m.b, 127, 0, 0) })
		add("bits", typBits, func() { m.u32(isReferenced); m.u16(9) })
		add("cstr", typCharStar, func() { m.u32(3); m.b = append(m.b, "abc"...) })
		add("array", typOffsetL+typShort, func() { m.u16(1); m.u16(-2); m.u16(3) }, func(e *element) { e.arrayLen = 3 })
		add("counted", typOffsetP+typDouble, func() { m.u8(1); m.f64(1); m.f64(2) }, func(e *element) { e.count = "two" })
		add("text", typString, func() { m.str("text") })
		add("note", typAny, func() { m.object("TNamed", make1("TNamed", "fName", "a", "fTitle", "b")) }, class("TNamed"))
		add("named", typNamed, func() { m.object("TNamed", make1("TNamed", "fName", "c")) })
		add("object", typTObject, func() { m.object("TObject", make1("TObject")) })
		add("null", typObjectP, func() { m.u32(0) }, class("TNamed*"))
		add("strings", typObjectp, func() {
			m.object("TList", make1("TList", "items", []*made{make1("TObjString", "raw", []byte{0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 2, 'h', 'i'})}))
		}, class("TList*"))
		add("doubles", typAny, func() { m.u32(2); m.f64(7); m.f64(8) }, class("TArrayD"))
		add("map", typSTL, func() { m.counted(func() { m.u16(1); m.u64(0) }) }, class("map<int,int>"))
		add("last", typInt, func() { m.u32(99) })
	})
	// What counts must be known: two is in front.
	in.elements = append([]*element{{name: "two", typ: typCounter}}, in.elements...)
	m.b = append(append(append([]byte{}, m.b[:6]...), 0, 0, 0, 2), m.b[6:]...)
	be.PutUint32(m.b, be.Uint32(m.b)+4)

	s := &infos{}
	s.add(in)
	r := &rbuf{b: m.b, infos: s}
	o := r.object("TAll")
	if r.err != nil || o.err != nil || r.left() != 0 {
		t.Fatal(r.err, o.err, r.left())
	}
	for name, want := range map[string]int64{"char": -5, "uchar": 250, "bool": 1, "short": -300, "ushort": 65000, "int": -70000,
		"uint": 4000000000, "long": -1 << 40, "ulong": 1 << 40, "bits": isReferenced, "float": 1, "packed": 1, "half": 1, "last": 99} {
		if got, ok := o.int(name); !ok || got != want {
			t.Errorf("%s is %d", name, got)
		}
	}
	for name, want := range map[string]float64{"float": 1.5, "double": 2.5, "packed": 1, "half": 1} {
		if got, _ := o.get(name); got != want {
			t.Errorf("%s is %v", name, got)
		}
	}
	if o.str("cstr") != "abc" || o.str("text") != "text" || o.obj("note").str("fTitle") != "b" || o.obj("named").str("fName") != "c" || o.obj("null") != nil {
		t.Error("texts and objects")
	}
	if v, _ := o.get("array"); v.(array).len() != 3 || v.(array).int(1) != -2 {
		t.Error("array")
	}
	if v, _ := o.get("counted"); v.(array).len() != 2 {
		t.Error("counted")
	}
	if list := o.obj("strings"); list == nil || len(list.items) != 1 || list.items[0].str("fString") != "hi" {
		t.Error("strings")
	}
	if a, _ := o.obj("doubles").rawValue().(array); a.len() != 2 {
		t.Error("doubles")
	}
	if _, ok := o.int("text"); ok {
		t.Error("a text is a number")
	}
	if _, ok := o.get("none"); ok {
		t.Error("a member that is not there")
	}

	// Cut anywhere, it is an error.
	for n := range m.b {
		r := &rbuf{b: m.b[:n], infos: s}
		r.object("TAll")
		if r.err == nil || !errors.Is(r.err, io.ErrUnexpectedEOF) && !errors.Is(r.err, compress.ErrCorrupt) && n > 4 {
			t.Fatalf("cut at %d: %v", n, r.err)
		}
	}
	// Without a size, what is not known cannot be skipped.
	r = &rbuf{b: []byte{0, 7, 1, 2, 3}, infos: s}
	if r.object("TStrange"); !errors.Is(r.err, compress.ErrUnsupported) || !strings.Contains(r.err.Error(), "TStrange") {
		t.Error(r.err)
	}
}

// The highest byte of an offset in a basket of a tree's record may count by what
// objects were moved, and a table of that may follow.
func TestEmbeddedDisplacements(t *testing.T) {
	want := [][]any{{"one"}, {"two"}, {"three"}}
	for _, flag := range []int{31, 51} {
		k := inBaskets(want)[0]
		k.flag = flag
		k.embedded = true
		b := &madeBranch{name: "s", leaves: []*made{leafOf("TLeafC", "s")}, baskets: []*madeBasket{k}, offsets: true}
		b.mangle = func(o *made) {
			raw := o.v["fBaskets"].(*made).v["items"].([]*made)[0].v["raw"].([]byte)
			keyLen := int(be.Uint16(raw[14:]))
			table := raw[keyLen : keyLen+4*5]
			if flag == 31 {
				for i := 4; i < len(table); i += 4 {
					table[i] = 3
				}
				return
			}
			moved := append(append([]byte{}, raw[:keyLen+len(table)]...), table...)
			o.v["fBaskets"].(*made).v["items"].([]*made)[0].v["raw"] = append(moved, raw[keyLen+len(table):]...)
		}
		checkBranch(t, madeTreeOf(t, &madeTree{entries: 3, branches: []*madeBranch{b}}, false, nil), "s", want)
	}
}

// Counters of every type of integer.
func TestCountersOfEveryType(t *testing.T) {
	want := [][]any{{int16(1), int16(2)}, {}, {int16(3)}, {int16(4), int16(5), int16(6)}}
	for _, l := range leafKinds {
		counts := make([][]any, 4)
		for i, e := range want {
			switch n := len(e); l.kind {
			case Int8:
				counts[i] = []any{int8(n)}
			case Uint8:
				counts[i] = []any{uint8(n)}
			case Int16:
				counts[i] = []any{int16(n)}
			case Uint16:
				counts[i] = []any{uint16(n)}
			case Int32:
				counts[i] = []any{int32(n)}
			case Uint32:
				counts[i] = []any{uint32(n)}
			case Int64:
				counts[i] = []any{int64(n)}
			case Uint64:
				counts[i] = []any{uint64(n)}
			case Float64:
				counts[i] = []any{float64(n)}
			}
		}
		if counts[0] == nil {
			continue
		}
		unsigned := map[bool]int{true: 1}[l.unsigned]
		counter := leafOf(l.class, "n", "fIsUnsigned", unsigned)
		many := leafOf("TLeafS", "many", "fLeafCount", counter)
		derived := inBaskets(want, 2, 2)
		for _, k := range derived {
			k.derived = true
		}
		// As a branch of its own, and as a leaf in front.
		var rows [][]any
		for i := range want {
			rows = append(rows, append(counts[i], want[i]...))
		}
		tree := madeTreeOf(t, &madeTree{entries: 4, branches: []*madeBranch{
			{name: "n", leaves: []*made{counter}, baskets: inBaskets(counts, 3, 1)},
			{name: "many", leaves: []*made{many}, baskets: derived, offsets: true},
		}}, false, nil)
		row := madeTreeOf(t, &madeTree{entries: 4, branches: []*madeBranch{
			{name: "row", leaves: []*made{counter, many}, baskets: inBaskets(rows, 4), offsets: true}}}, false, nil)
		if l.kind == Float64 {
			// It counts nothing.
			if _, _, err := columnOf[int16](t, tree, "many").Append(t.Context(), nil, nil, 0, -1); !errors.Is(err, compress.ErrUnsupported) {
				t.Error(err)
			}
			if _, _, err := columnOf[int16](t, row, "row.many").Append(t.Context(), nil, nil, 0, -1); !errors.Is(err, compress.ErrCorrupt) {
				t.Error(err)
			}
			continue
		}
		checkBranch(t, tree, "many", want)
		checkBranch(t, row, "row.many", want)
	}
}

// What a branch says of itself.
func TestBranchMetadata(t *testing.T) {
	tree, err := openFixture(t, "scalars-zlib9.root").Tree("drift")
	if err != nil {
		t.Fatal(err)
	}
	b, err := tree.Branch("mode")
	if err != nil {
		t.Fatal(err)
	}
	if b.Tree() != tree || b.Class() != "TBranch" || b.Title() != "mode/b" || b.Type() != "UChar_t" || b.Settings() != 109 ||
		b.RawBytes() < 40000 || b.ZipBytes() <= 0 || b.ZipBytes() >= b.RawBytes() || b.Kind().Size() != 1 || b.First() != 0 || b.Counter() != nil {
		t.Errorf("%v %v %q %q %v %v %v", b.Tree(), b.Class(), b.Title(), b.Type(), b.Settings(), b.RawBytes(), b.ZipBytes())
	}
	if Kind(200).String() != "none" || Kind(200).Size() != 0 || String.Size() != 0 {
		t.Error("kinds that are none")
	}
}
