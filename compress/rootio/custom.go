package rootio

// custom returns the function that reads objects of a class which ROOT writes
// by code of its own, not by a description; nil for all others.
func custom(class string) func(*rbuf, *object) {
	switch class {
	case "TObject":
		return readTObject
	case "TString":
		return func(r *rbuf, o *object) { o.raw = r.str() }
	case "TList", "THashList", "TSortedList":
		return readTList
	case "TObjArray", "TClonesArrayOfPointers":
		return readTObjArray
	case "TObjString":
		return readTObjString
	case "TArrayC":
		return func(r *rbuf, o *object) { readTArray(r, o, typChar) }
	case "TArrayS":
		return func(r *rbuf, o *object) { readTArray(r, o, typShort) }
	case "TArrayI":
		return func(r *rbuf, o *object) { readTArray(r, o, typInt) }
	case "TArrayL", "TArrayL64":
		return func(r *rbuf, o *object) { readTArray(r, o, typLong64) }
	case "TArrayF":
		return func(r *rbuf, o *object) { readTArray(r, o, typFloat) }
	case "TArrayD":
		return func(r *rbuf, o *object) { readTArray(r, o, typDouble) }
	case "TBasket":
		return readTBasket
	case "TStreamerInfo":
		return readInfo
	case "TStreamerElement":
		return readElement
	case "TStreamerBase", "TStreamerBasicType", "TStreamerBasicPointer", "TStreamerLoop",
		"TStreamerObject", "TStreamerObjectPointer", "TStreamerObjectAny", "TStreamerObjectAnyPointer",
		"TStreamerString", "TStreamerSTL", "TStreamerSTLstring", "TStreamerArtificial":
		return readElementOf
	}
	return nil
}

func readTObject(r *rbuf, o *object) {
	h := r.header()
	o.version = h.version
	id := int64(r.u32())
	bits := r.u32()
	if bits&isReferenced != 0 {
		r.u16() // which process made it
	}
	o.members = []member{{name: "fUniqueID", value: id}, {name: "fBits", value: int64(bits)}}
	r.finish(h, o.class)
}

func readTObjString(r *rbuf, o *object) {
	h := r.header()
	o.version = h.version
	base := r.object("TObject")
	o.members = []member{{name: "TObject", base: true, value: base}, {name: "fString", value: r.str()}}
	r.finish(h, o.class)
}

// maxGuess bounds for how many items or members memory is set aside before
// they are read.
const maxGuess = 64

// count reads how many items a collection has, each of at least min bytes.
func (r *rbuf) count(class string, min int) int {
	n := int(r.i32())
	if n < 0 || n > r.left()/min {
		r.fail("a %s of %d items, where %d bytes are left", class, n, r.left())
		return 0
	}
	return n
}

func readTList(r *rbuf, o *object) {
	h := r.header()
	o.version = h.version
	if h.version > 3 {
		r.object("TObject")
		r.str()
	}
	n := r.count(o.class, 4)
	o.items = make([]*object, 0, min(n, maxGuess))
	for range n {
		item := r.any()
		if h.version > 3 && o.class != "TSortedList" {
			// An option for drawing.
			n := int(r.u8())
			if h.version > 4 && n == 255 {
				n = int(r.i32())
			}
			r.need(n)
		}
		if r.err != nil {
			return
		}
		o.items = append(o.items, item)
	}
	r.finish(h, o.class)
}

func readTObjArray(r *rbuf, o *object) {
	h := r.header()
	o.version = h.version
	if h.version > 2 {
		r.object("TObject")
	}
	if h.version > 1 {
		r.str()
	}
	n := r.count(o.class, 4)
	r.i32() // the lowest index
	o.items = make([]*object, 0, min(n, maxGuess))
	for range n {
		item := r.any()
		if r.err != nil {
			return
		}
		o.items = append(o.items, item)
	}
	r.finish(h, o.class)
}

func readTArray(r *rbuf, o *object, typ int) {
	n := r.i32()
	o.raw = r.array(typ, int64(n), nil)
}
