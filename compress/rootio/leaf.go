package rootio

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/eddy-go/eddy/compress"
)

// A layout says how the values of a branch lie in an entry of its baskets.
type layout struct {
	form    form
	typ     int // of a value, an element type
	size    int // of a value in the file; 0 if that differs
	width   int // values in an entry, or in an item of a jagged one
	head    int // bytes in an entry before its items
	stride  int // of an entry of fixed size
	offset  int // of the values in it
	packing packing
	inPlace bool    // values are as large in memory as in the file, or are text
	before  []field // in entries of several leaves that differ in size
	after   []field
}

// settle sets what follows from the rest.
func (l *layout) settle() {
	k := kindOf(l.typ)
	l.inPlace = k == String || l.typ == typBits || l.size > 0 && l.size == kinds[k].size && l.typ != typDouble32 && l.typ != typFloat16
}

// counted tells whether the entries of a jagged layout say themselves how many
// items they have.
func (l *layout) counted() bool { return l.form == stl || l.form == stlText || l.form == fields }

// A form is how the size of an entry is known.
type form uint8

const (
	fixed   form = iota // all entries have the same size
	jagged              // items of one size, up to the entry's end
	stl                 // a byte count, a version and a count of items before them
	textual             // a string
	stlText             // as stl, of strings
	tbits               // TObject's bits: two more bytes where it is referenced
	fields              // one of several leaves
)

// A field is a leaf of an entry that has several.
type field struct {
	typ     int
	size    int // of a value; 0 for strings
	width   int
	counter int // which of the fields counts it; -1 if none does
}

// stlHead is the size of what is before the items of a collection.
const stlHead = 4 + 2 + 4

var leafTypes = map[string]struct{ signed, unsigned int }{
	"TLeafO":   {typBool, typBool},
	"TLeafB":   {typChar, typUChar},
	"TLeafS":   {typShort, typUShort},
	"TLeafI":   {typInt, typUInt},
	"TLeafL":   {typLong64, typULong64},
	"TLeafG":   {typLong64, typULong64},
	"TLeafF":   {typFloat, typFloat},
	"TLeafD":   {typDouble, typDouble},
	"TLeafF16": {typFloat16, typFloat16},
	"TLeafD32": {typDouble32, typDouble32},
	"TLeafC":   {typString, typString},
}

var typeNames = map[int]string{
	typChar: "Char_t", typShort: "Short_t", typInt: "Int_t", typLong: "Long_t", typFloat: "Float_t", typCounter: "Int_t",
	typDouble: "Double_t", typDouble32: "Double32_t", typLegacyChar: "Char_t", typUChar: "UChar_t", typUShort: "UShort_t",
	typUInt: "UInt_t", typULong: "ULong_t", typBits: "UInt_t", typLong64: "Long64_t", typULong64: "ULong64_t", typBool: "Bool_t",
	typFloat16: "Float16_t", typString: "TString", typSTLString: "string",
}

// maxWidth bounds the values of one entry of fixed size, so that sizes cannot
// overflow; what a file holds bounds them further.
const maxWidth = 1 << 26

// shape finds out how the values of a branch of one leaf lie in its baskets.
func (g *grower) shape(b *Branch) {
	if b.err == nil {
		b.err = g.shapeOf(b)
	}
	if b.err == nil {
		b.kind = kindOf(b.layout.typ)
		b.layout.settle()
		if b.kind == NoKind {
			b.err = fmt.Errorf("%w: values of type %d", compress.ErrUnsupported, b.layout.typ)
		}
	}
}

func (g *grower) shapeOf(b *Branch) error {
	leaf := b.leaf
	switch {
	case leaf == nil:
		return fmt.Errorf("%w: a branch without a leaf", compress.ErrUnsupported)
	case leaf.err != nil:
		return leaf.err
	case b.object.is("TBranchElement"):
		return g.shapeElement(b)
	case b.class == "TBranchObject" || leaf.is("TLeafObject"):
		return fmt.Errorf("%w: objects of class %s, not split", compress.ErrUnsupported, b.object.str("fClassName"))
	}
	f, dims, err := g.field(leaf)
	if err != nil {
		return err
	}
	l := &b.layout
	l.typ, l.size, l.width = f.typ, f.size, f.width
	l.packing = packingOf(leaf, f.typ)
	if f.typ == typDouble32 || f.typ == typFloat16 {
		l.size = packedSize(f.typ, l.packing)
	}
	b.dims = dims
	b.typ = cppType(typeNames[f.typ], dims)
	switch {
	case f.typ == typString:
		l.form, l.width = textual, 1
		b.typ = "Char_t*"
		b.dims = nil
		return nil
	case leaf.obj("fLeafCount") != nil:
		l.form, b.jagged = jagged, true
	default:
		l.form = fixed
		l.stride = l.size * l.width
	}
	return nil
}

// field reads what a TLeaf says: type, and how many values.
func (g *grower) field(leaf *object) (f field, dims []int, err error) {
	f.counter = -1
	types, ok := leafTypes[leaf.class]
	if !ok {
		return f, nil, fmt.Errorf("%w: a leaf of class %s", compress.ErrUnsupported, leaf.class)
	}
	f.typ = types.signed
	if unsigned, _ := leaf.int("fIsUnsigned"); unsigned != 0 {
		f.typ = types.unsigned
	}
	f.size = sizeOf(f.typ)
	if f.typ == typDouble32 || f.typ == typFloat16 {
		f.size = packedSize(f.typ, packingOf(leaf, f.typ))
	}
	n, ok := leaf.int("fLen")
	if !ok || n < 1 || n > maxWidth {
		return f, nil, leaf.because(fmt.Errorf("%w: a leaf of %d values", compress.ErrCorrupt, n))
	}
	f.width = int(n)
	return f, dimsOf(leaf.str("fTitle"), f.width), nil
}

func packingOf(leaf *object, typ int) packing {
	if typ != typDouble32 && typ != typFloat16 {
		return packing{}
	}
	return parsePacking(leaf.str("fTitle"))
}

// maxDims bounds the dimensions of an array; one with more of them is taken for
// one with all its values in a row.
const maxDims = 32

// dimsOf reads the dimensions of an array from a title such as "x[n][2][3]/F",
// if they are those of width values.
func dimsOf(title string, width int) []int {
	if width == 1 {
		// A dimension of one is one value, as for ROOT.
		return nil
	}
	var dims []int
	rest := title
	for {
		i := strings.IndexByte(rest, '[')
		if i < 0 {
			break
		}
		inner, behind, ok := strings.Cut(rest[i+1:], "]")
		if !ok {
			break
		}
		if n, err := strconv.Atoi(strings.TrimSpace(inner)); err == nil && n > 0 {
			if len(dims) == maxDims {
				return []int{width}
			}
			dims = append(dims, n)
		}
		rest = behind
	}
	product := 1
	for _, d := range dims {
		if d > width || product > width {
			product = 0
			break
		}
		product *= d
	}
	if product != width {
		return []int{width}
	}
	return dims
}

func cppType(name string, dims []int) string {
	for _, d := range dims {
		name += "[" + strconv.Itoa(d) + "]"
	}
	return name
}

// leafList adds the leaves of a branch that has several: an entry has a value,
// or an array, of each of them.
func (g *grower) leafList(b Branch, leaves []*object) {
	var all []field
	var dims [][]int
	variable := false
	stride := 0
	index := make(map[*object]int, len(leaves))
	var listErr error
	for i, leaf := range leaves {
		var f field
		var d []int
		var err error
		switch {
		case leaf == nil:
			err = fmt.Errorf("%w: a null leaf", compress.ErrCorrupt)
		case leaf.err != nil:
			err = leaf.err
		default:
			f, d, err = g.field(leaf)
		}
		if err == nil {
			if count := leaf.obj("fLeafCount"); count != nil {
				if at, ok := index[count]; ok {
					f.counter = at
				} else {
					err = fmt.Errorf("%w: leaf %s is counted by another branch's %s", compress.ErrUnsupported, leaf.str("fName"), count.str("fName"))
				}
			}
		}
		if err != nil && listErr == nil {
			listErr = err
		}
		if f.typ == typString || f.counter >= 0 {
			variable = true
		}
		if stride += f.size * f.width; stride > maxWidth*8 {
			listErr = fmt.Errorf("%w: entries of %d bytes", compress.ErrCorrupt, stride)
		}
		if leaf != nil {
			index[leaf] = i
		}
		all = append(all, f)
		dims = append(dims, d)
	}
	offset := 0
	for i, leaf := range leaves {
		c := b
		c.leaf = leaf
		c.name = b.name + "." + leaf.str("fName")
		c.err = listErr
		c.dims = dims[i]
		if listErr == nil {
			f := all[i]
			c.kind = kindOf(f.typ)
			c.typ = cppType(typeNames[f.typ], dims[i])
			c.layout = layout{form: fixed, typ: f.typ, size: f.size, width: f.width, stride: stride, offset: offset, packing: packingOf(leaf, f.typ)}
			if variable {
				c.layout.form = fields
				c.layout.before = all[:i+1]
				c.layout.after = all[i+1:]
				c.jagged = f.counter >= 0 && f.typ != typString
				if f.typ == typString {
					c.layout.width, c.dims, c.typ = 1, nil, "Char_t*"
				}
			}
			c.layout.settle()
			offset += f.size * f.width
		}
		g.add(&c)
	}
}
