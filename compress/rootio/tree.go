package rootio

import (
	"fmt"
	"math"
	"strings"

	"github.com/eddy-go/eddy/compress"
)

// A Tree is a TTree, or a TNtuple, of a file: columns of values, which its
// branches hold. It is read whole by File.Tree, but for the baskets in which
// the values lie, and may be used by any number of goroutines.
type Tree struct {
	file     *File
	key      Key
	title    string
	entries  int64
	branches []*Branch
	byName   map[string]*Branch
}

// Name returns the tree's name.
func (t *Tree) Name() string { return t.key.Name }

// Title returns the tree's title.
func (t *Tree) Title() string { return t.title }

// Key returns the key of the tree.
func (t *Tree) Key() Key { return t.key }

// Entries returns how many entries the tree has. A branch may have fewer, or
// more, if it was filled by itself.
func (t *Tree) Entries() int64 { return t.entries }

// Branches returns all branches that hold values of their own, those within
// others too, in the order of the file. Where a branch has several leaves each
// of them is listed, as a branch "branch.leaf". Those that cannot be read are
// listed as well: their Err says why. The slice is the caller's.
func (t *Tree) Branches() []*Branch { return append([]*Branch(nil), t.branches...) }

// Branch returns the branch of that name, see [Branch.Name]; the last part of a
// name with dots is enough if no other branch ends in it. The error wraps
// ErrNoBranch.
func (t *Tree) Branch(name string) (*Branch, error) {
	if b, ok := t.byName[name]; ok {
		return b, nil
	}
	var found *Branch
	n := 0
	if i := strings.IndexByte(name, '['); i > 0 {
		return t.Branch(name[:i]) // as ROOT has it
	}
	for _, b := range t.branches {
		if strings.HasSuffix(b.name, "."+name) {
			found = b
			n++
		}
	}
	switch n {
	case 1:
		return found, nil
	case 0:
		return nil, t.key.fault(fmt.Errorf("%w: %q", ErrNoBranch, name))
	}
	return nil, t.key.fault(fmt.Errorf("%w: %d branches end in %q", ErrNoBranch, n, name))
}

// tree reads the tree of a key.
func (f *File) tree(k Key) (*Tree, error) {
	payload, err := k.AppendPayload(nil)
	if err != nil {
		return nil, err
	}
	r := &rbuf{b: payload, keyLen: k.KeyLen, infos: f.streamers(), maxObjects: freeObjects + k.PayloadLen()}
	o := r.object(k.Class)
	t, err := newTree(f, k, o, r.err)
	if err != nil {
		return nil, k.fault(err)
	}
	return t, nil
}

// newTree makes a tree of the object that was read, as far as it was: err says
// why not further. What lies behind the branches is of no importance.
func newTree(f *File, k Key, o *object, err error) (*Tree, error) {
	if !o.is("TTree") {
		if err == nil {
			err = o.err
		}
		if err == nil {
			err = fmt.Errorf("%w: no TTree but a %s", compress.ErrUnsupported, k.Class)
		}
		return nil, err
	}
	entries, ok := o.int("fEntries")
	branches := o.obj("fBranches")
	if !ok || branches == nil {
		if err == nil {
			err = o.because(fmt.Errorf("%w: a tree without fEntries or fBranches", compress.ErrCorrupt))
		}
		return nil, err
	}
	if err != nil && branches.end == 0 {
		return nil, err
	}
	if entries < 0 {
		return nil, fmt.Errorf("%w: a tree of %d entries", compress.ErrCorrupt, entries)
	}
	t := &Tree{file: f, key: k, title: o.str("fTitle"), entries: entries, byName: make(map[string]*Branch)}
	g := grower{tree: t, infos: f.streamers(), seen: make(map[*object]bool), counts: make(map[*object]*Branch)}
	for _, b := range branches.items {
		g.grow(b, "", "", 0)
	}
	g.link()
	for _, b := range t.branches {
		// The record, which may be large, is not kept.
		b.object, b.leaf = nil, nil
		if _, ok := t.byName[b.name]; !ok {
			t.byName[b.name] = b
		}
	}
	return t, nil
}

// because returns why something was not found in the object: that it, or the
// first of its bases that failed, was not read, or else err.
func (o *object) because(err error) error {
	if why := o.firstErr(); why != nil {
		return why
	}
	return err
}

// firstErr returns why the object, or the first of its bases that failed, was
// not read.
func (o *object) firstErr() error {
	if o == nil {
		return nil
	}
	if o.err != nil {
		return o.err
	}
	for i := range o.members {
		if b, _ := o.members[i].value.(*object); b != nil && o.members[i].base {
			if err := b.firstErr(); err != nil {
				return err
			}
		}
	}
	return nil
}

// A grower makes the branches of a tree of the objects that were read.
type grower struct {
	tree   *Tree
	infos  *infos
	seen   map[*object]bool
	counts map[*object]*Branch // by their leaf
}

// grow adds the branch o and those within it. It is within the branch parent,
// whose own name, without those that it is within, is own.
func (g *grower) grow(o *object, parent, own string, depth int) {
	if o == nil || g.seen[o] || depth > maxDepth {
		return
	}
	g.seen[o] = true
	self := o.str("fName")
	name := fullName(parent, own, self)
	b := Branch{tree: g.tree, name: name, title: o.str("fTitle"), class: o.class, object: o}
	if b.name == "" {
		b.name = fmt.Sprintf("(%s at byte %d)", o.class, o.at)
	}
	subs := o.obj("fBranches")
	leaves := o.obj("fLeaves")
	inner := 0
	if subs != nil {
		inner = len(subs.items)
	}
	err := o.err
	if err == nil && (subs == nil || leaves == nil || !o.is("TBranch")) {
		err = o.because(fmt.Errorf("%w: a branch of class %q", compress.ErrUnsupported, o.class))
	}
	if err == nil {
		err = b.seekTables(o)
	}
	switch {
	case err != nil:
		b.err = err
		g.add(&b)
	case inner > 0 && len(b.parts) == 0:
		// It holds nothing but other branches.
	case len(leaves.items) > 1:
		g.leafList(b, leaves.items)
	default:
		if len(leaves.items) == 1 {
			b.leaf = leaves.items[0]
		}
		g.shape(&b)
		g.add(&b)
	}
	if subs == nil {
		return
	}
	for _, sub := range subs.items {
		g.grow(sub, name, self, depth+1)
	}
}

// fullName returns the name of a branch within another one, with the dimensions
// of an array left out. ROOT's names may have the other's in front or not.
func fullName(parent, own, self string) string {
	if i := strings.IndexByte(self, '['); i > 0 && strings.HasSuffix(self, "]") {
		self = self[:i]
	}
	parent, own = strings.TrimSuffix(parent, "."), strings.TrimSuffix(own, ".")
	switch {
	case parent == "" || strings.HasPrefix(self, parent+"."):
		return self
	case strings.HasPrefix(self, own+"."):
		return strings.TrimSuffix(parent, own) + self
	}
	return parent + "." + self
}

func (g *grower) add(b *Branch) {
	if b.err != nil {
		b.kind = NoKind
	}
	g.tree.branches = append(g.tree.branches, b)
	if b.leaf != nil {
		g.counts[b.leaf] = b
	}
}

// link finds the branches that count others.
func (g *grower) link() {
	for _, b := range g.tree.branches {
		if b.leaf == nil || !b.jagged {
			continue
		}
		count := b.leaf.obj("fLeafCount")
		if by := b.object.obj("fBranchCount"); count == nil && by != nil {
			if leaves := by.obj("fLeaves"); leaves != nil && len(leaves.items) > 0 {
				count = leaves.items[0]
			}
		}
		if c := g.counts[count]; count != nil && c != b {
			b.counter = c
		}
	}
}

// seekTables reads where the branch's baskets are.
func (b *Branch) seekTables(o *object) error {
	write, ok1 := o.int("fWriteBasket")
	entries, ok2 := o.int("fEntries")
	if !ok1 || !ok2 {
		return o.because(fmt.Errorf("%w: a branch without fWriteBasket or fEntries", compress.ErrCorrupt))
	}
	b.first, _ = o.int("fFirstEntry")
	b.raw, _ = o.int("fTotBytes")
	b.zip, _ = o.int("fZipBytes")
	settings, _ := o.int("fCompress")
	b.settings = Settings(settings)
	offsetLen, _ := o.int("fEntryOffsetLen")
	b.hasOffsets = offsetLen > 0
	if entries < 0 || b.first < 0 || entries > math.MaxInt64-b.first {
		return fmt.Errorf("%w: a branch of %d entries from %d", compress.ErrCorrupt, entries, b.first)
	}
	b.end = b.first + entries
	get := func(name string) array {
		v, _ := o.get(name)
		a, _ := v.(array)
		return a
	}
	return b.place(int(write), get("fBasketBytes"), get("fBasketEntry"), get("fBasketSeek"), o.obj("fBaskets"))
}
