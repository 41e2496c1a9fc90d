package rootio

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/eddy-go/eddy/compress"
)

// A Branch is a column of a tree: for each entry one value, an array of fixed
// size, or as many values as the entry has.
type Branch struct {
	tree  *Tree
	name  string
	title string
	class string
	typ   string // in C++
	kind  Kind
	dims  []int

	jagged     bool
	hasOffsets bool // baskets end in a table of where entries begin
	layout     layout
	err        error

	first, end int64 // entries
	parts      []part
	raw, zip   int64
	settings   Settings
	counter    *Branch

	object, leaf *object // while the tree is read
}

// Name returns the branch's name: with those of the branches that it is within
// before it, each with a dot behind, if ROOT did not already put them there.
func (b *Branch) Name() string { return b.name }

// Title returns the branch's title, for simple branches a list of its leaves
// such as "x[n]/F".
func (b *Branch) Title() string { return b.title }

// Tree returns the tree.
func (b *Branch) Tree() *Tree { return b.tree }

// Class returns the C++ class of the branch itself, such as "TBranchElement".
func (b *Branch) Class() string { return b.class }

// Type returns the C++ type of an entry, such as "vector<float>" or
// "Float_t[3]", as far as the file tells it.
func (b *Branch) Type() string { return b.typ }

// Kind returns what the values are; NoKind if Err is not nil.
func (b *Branch) Kind() Kind { return b.kind }

// Dims returns the dimensions of the array that each entry is, or, if Jagged,
// each item of an entry; nil if that is one value. The slice is the caller's.
func (b *Branch) Dims() []int { return slices.Clone(b.dims) }

// Width returns how many values an entry has, or, if Jagged, each item of it:
// the product of Dims.
func (b *Branch) Width() int { return b.layout.width }

// Jagged tells whether entries differ in how many items they have.
func (b *Branch) Jagged() bool { return b.jagged }

// Counter returns the branch that holds how many items each entry has, if
// there is one.
func (b *Branch) Counter() *Branch { return b.counter }

// Err returns nil if the branch can be read, and otherwise the reason, which
// wraps compress.ErrUnsupported or compress.ErrCorrupt.
func (b *Branch) Err() error {
	if b.err == nil {
		return nil
	}
	return b.fault(b.err)
}

// Entries returns how many entries the branch has. They are those of the tree
// from First on.
func (b *Branch) Entries() int64 { return b.end - b.first }

// First returns the number of the first entry: zero, but for branches that
// were made when the tree had entries already.
func (b *Branch) First() int64 { return b.first }

// Baskets returns in how many parts the entries are stored.
func (b *Branch) Baskets() int { return len(b.parts) }

// RawBytes returns how many bytes the branch takes decompressed, keys included,
// as its writer counted them, and ZipBytes how many in the file.
func (b *Branch) RawBytes() int64 { return b.raw }

// ZipBytes returns how many bytes the branch takes in the file, keys included,
// as its writer counted them.
func (b *Branch) ZipBytes() int64 { return b.zip }

// Settings returns how the branch was compressed.
func (b *Branch) Settings() Settings { return b.settings }

// fault makes err one of the branch: at its tree's record.
func (b *Branch) fault(err error) error {
	return b.tree.key.fault(fmt.Errorf("branch %s: %w", b.name, err))
}

// A part is a basket: entries from first to end.
type part struct {
	first, end int64
	seek       int64
	nbytes     int32
	embedded   *basket // in the tree's own record
}

// place makes the list of parts from the branch's tables, which have an element
// for each basket: how many bytes its record has, its first entry, its offset.
// Baskets that were not full when the tree was written are in its record.
func (b *Branch) place(write int, bytes, entries, seeks array, baskets *object) error {
	tables := min(bytes.len(), entries.len(), seeks.len())
	if write < 0 || write > tables {
		return fmt.Errorf("%w: %d baskets, where the tables have %d", compress.ErrCorrupt, write, tables)
	}
	var items []*object
	if baskets != nil {
		items = baskets.items
	}
	for i := range max(write, len(items)) {
		var in *basket
		if i < len(items) {
			if in, _ = items[i].rawValue().(*basket); in == nil && items[i] != nil && items[i].err != nil {
				return items[i].err
			}
		}
		p := part{}
		switch {
		case i < write && seeks.int(i) != 0:
			p.seek = seeks.int(i)
			n := bytes.int(i)
			if p.seek < 0 || n <= 0 {
				return fmt.Errorf("%w: basket %d of %d bytes at offset %d", compress.ErrCorrupt, i, n, p.seek)
			}
			p.nbytes = int32(n)
		case in != nil && i < entries.len():
			if in.entries == 0 {
				continue
			}
			p.embedded = in
		case i < write:
			// Lost: its entries are an error when they are read.
		default:
			continue
		}
		p.first = entries.int(i)
		b.parts = append(b.parts, p)
	}
	// Parts are joined by the numbers of their entries.
	slices.SortStableFunc(b.parts, func(p, q part) int { return cmp.Compare(p.first, q.first) })
	for i := range b.parts {
		p := &b.parts[i]
		p.end = b.end
		if i+1 < len(b.parts) {
			p.end = b.parts[i+1].first
		}
		if p.first < b.first || p.end > b.end || p.end < p.first {
			return fmt.Errorf("%w: a basket of entries %d to %d in a branch of %d to %d", compress.ErrCorrupt, p.first, p.end, b.first, b.end)
		}
		if p.embedded != nil && int64(p.embedded.entries) != p.end-p.first {
			return fmt.Errorf("%w: a basket of %d entries for %d to %d", compress.ErrCorrupt, p.embedded.entries, p.first, p.end)
		}
	}
	b.parts = slices.DeleteFunc(b.parts, func(p part) bool { return p.first == p.end })
	switch {
	case len(b.parts) == 0 && b.end > b.first && !b.mayBeBare():
		return fmt.Errorf("%w: %d entries in no basket", compress.ErrCorrupt, b.end-b.first)
	case len(b.parts) > 0 && b.parts[0].first > b.first:
		return fmt.Errorf("%w: the entries before %d are in no basket", compress.ErrCorrupt, b.parts[0].first)
	}
	return nil
}

// mayBeBare tells whether the branch may have entries but no baskets: those
// that only hold others have.
func (b *Branch) mayBeBare() bool {
	subs := b.object.obj("fBranches")
	return subs != nil && len(subs.items) > 0
}
