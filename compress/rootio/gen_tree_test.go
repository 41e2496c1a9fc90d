package rootio

import (
	"testing"
)

// A madeTree is a TTree for a test's file.
type madeTree struct {
	name, class string
	entries     int64
	branches    []*madeBranch
	bits        int // of its TObject
	// as in maker
	other    map[string]string
	versions map[string]int
	mangle   func(tree *made)
}

// A madeBranch is a branch of it.
type madeBranch struct {
	name, class string
	leaves      []*made
	baskets     []*madeBasket
	subs        []*madeBranch
	offsets     bool          // entries have no fixed size
	first       int64         // fFirstEntry
	v           []any         // more values, by pairs: of a TBranchElement
	count       *madeBranch   // fBranchCount
	mangle      func(o *made) // of the object, when it is complete
	object      *made
}

// A madeBasket is entries, each of the bytes that it has in a file.
type madeBasket struct {
	first    int64
	entries  [][]byte
	embedded bool
	derived  bool // where entries begin is not stored
	noTable  bool
	nevSize  int // of the table, or an entry; 0 is right
	flag     int // of an embedded one, if set
	lost     bool
	seek     int64
	nbytes   int
}

func leafOf(class, name string, pairs ...any) *made {
	l := make1(class, append([]any{"fName", name, "fTitle", name, "fLen", 1}, pairs...)...)
	return l
}

// write writes the baskets and the tree.
func (mt *madeTree) write(t testing.TB, w *builder, d *builtDir) {
	t.Helper()
	class := mt.class
	if class == "" {
		class = "TTree"
	}
	m := newMaker(0)
	if mt.other != nil {
		m.other = mt.other
	}
	if mt.versions != nil {
		m.versions = mt.versions
	}
	var items, leaves []*made
	for _, b := range mt.branches {
		items = append(items, b.make(w, d, mt, &leaves))
	}
	for _, b := range mt.branches {
		b.link()
	}
	tree := make1(class, "fName", mt.name, "fTitle", "made", "bits", mt.bits, "fEntries", mt.entries, "fWeight", 1.0,
		"fBranches", make1("TObjArray", "items", items), "fLeaves", make1("TObjArray", "items", leaves))
	if mt.mangle != nil {
		mt.mangle(tree)
	}
	m.keyLen = len(w.key(0, 0, class, mt.name, "a title", 1, 0, 0))
	m.object(class, tree)
	w.put(d, class, mt.name, 1, m.b)
}

func (b *madeBranch) make(w *builder, d *builtDir, mt *madeTree, leaves *[]*made) *made {
	class := b.class
	if class == "" {
		class = "TBranch"
	}
	var bytes, starts, seeks []int64
	var embedded []*made
	total, write := int64(0), 0
	for i, k := range b.baskets {
		if !k.embedded {
			k.write(w, d, b, mt)
			if write = i + 1; k.lost {
				k.seek = 0
			}
		}
		for len(embedded) < i+1 {
			embedded = append(embedded, nil)
		}
		if k.embedded {
			embedded[i] = make1("TBasket", "raw", k.object(w, b, mt))
		}
		bytes = append(bytes, int64(k.nbytes))
		starts = append(starts, k.first)
		seeks = append(seeks, k.seek)
		total += int64(len(k.entries))
	}
	// Tables are longer than they must be.
	for range 3 {
		bytes, starts, seeks = append(bytes, 0), append(starts, b.first+total), append(seeks, 0)
	}
	offsetLen := 0
	if b.offsets {
		offsetLen = 1000
	}
	var subs []*made
	for _, s := range b.subs {
		subs = append(subs, s.make(w, d, mt, leaves))
	}
	*leaves = append(*leaves, b.leaves...)
	b.object = make1(class, append([]any{"fName", b.name, "fTitle", b.name, "fCompress", int(w.settings), "fBasketSize", 32000,
		"fEntryOffsetLen", offsetLen, "fWriteBasket", write, "fEntryNumber", b.first + total, "fMaxBaskets", len(bytes),
		"fEntries", total, "fFirstEntry", b.first, "fTotBytes", 10 * total, "fZipBytes", 5 * total, "bits", mt.bits,
		"fBranches", make1("TObjArray", "items", subs), "fLeaves", make1("TObjArray", "items", b.leaves),
		"fBaskets", make1("TObjArray", "items", embedded),
		"fBasketBytes", bytes, "fBasketEntry", starts, "fBasketSeek", seeks}, b.v...)...)
	if b.mangle != nil {
		b.mangle(b.object)
	}
	return b.object
}

func (b *madeBranch) link() {
	if b.count != nil {
		b.object.v["fBranchCount"] = b.count.object
	}
	for _, s := range b.subs {
		s.link()
	}
}

// key makes the key of a basket, whose sizes are set later.
func (k *madeBasket) key(w *builder, b *madeBranch, mt *madeTree, last int) []byte {
	key := w.key(w.pos(), 0, "TBasket", b.name, mt.name, 1, 0, 0)
	size := k.nevSize
	if size == 0 {
		if size = 1000; !b.offsets && len(k.entries) > 0 {
			size = len(k.entries[0]) // of an entry
		}
	}
	key = be.AppendUint32(be.AppendUint16(key, 3), 32000)
	if k.derived {
		key = append(be.AppendUint32(key, uint32(-size)), derivedOffsets)
	} else {
		key = be.AppendUint32(key, uint32(size))
	}
	key = be.AppendUint32(key, uint32(len(k.entries)))
	return append(be.AppendUint32(key, uint32(last)), 0)
}

// parts returns the key, its data, and the table of where entries begin.
func (k *madeBasket) parts(w *builder, b *madeBranch, mt *madeTree) (key, data, table []byte) {
	keyLen := len(k.key(w, b, mt, 0))
	table = be.AppendUint32(nil, uint32(len(k.entries)+1))
	for _, e := range k.entries {
		table = be.AppendUint32(table, uint32(keyLen+len(data)))
		data = append(data, e...)
	}
	table = be.AppendUint32(table, 0) // ROOT sets one more, and not always
	if !b.offsets || k.derived || k.noTable {
		table = nil
	}
	return k.key(w, b, mt, keyLen+len(data)), data, table
}

func (k *madeBasket) write(w *builder, d *builtDir, b *madeBranch, mt *madeTree) {
	k.seek = w.pos()
	key, data, table := k.parts(w, b, mt)
	object := append(data, table...)
	payload := object
	if w.settings != 0 && len(object) > 0 {
		payload = pack(w.t, object, w.settings)
	}
	be.PutUint32(key, uint32(len(key)+len(payload)))
	be.PutUint32(key[6:], uint32(len(object)))
	be.PutUint16(key[14:], uint16(len(key)))
	k.nbytes = len(key) + len(payload)
	w.b = append(append(w.b, key...), payload...)
}

// object makes the basket as it is in the tree's record.
func (k *madeBasket) object(w *builder, b *madeBranch, mt *madeTree) []byte {
	key, data, table := k.parts(w, b, mt)
	be.PutUint32(key, 0) // sizes are not set
	be.PutUint32(key[6:], uint32(len(data)))
	be.PutUint16(key[14:], uint16(len(key)))
	flag := 12 // data, no table
	if table != nil {
		flag = 11
	}
	if k.derived {
		flag = 92
	}
	if k.flag != 0 {
		flag = k.flag
	}
	out := append([]byte(nil), key...)
	out[len(out)-1] = byte(flag)
	out = append(out, table...)
	out = append(out, make([]byte, len(key))...) // where the key would be
	return append(out, data...)
}

// madeFile writes a file with one tree, and perhaps descriptions of classes.
func madeFile(t testing.TB, mt *madeTree, big bool, classes []described) []byte {
	t.Helper()
	w := newBuilder(t, big, 100)
	mt.write(t, w, w.top)
	if classes != nil {
		w.info = w.pos()
		keyLen := len(w.key(0, 0, "TList", "StreamerInfo", "a title", 1, 0, 0))
		w.record(w.top.at, "TList", "StreamerInfo", "a title", 1, infoList(keyLen, classes))
	}
	return w.close()
}

// madeTreeOf opens what madeFile makes.
func madeTreeOf(t testing.TB, mt *madeTree, big bool, classes []described) *Tree {
	t.Helper()
	if mt.name == "" {
		mt.name = "made"
	}
	tree, err := open(t, madeFile(t, mt, big, classes)).Tree(mt.name)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}
