package rootio

import (
	"fmt"
	"strings"

	"github.com/eddy-go/eddy/compress"
)

// What a TBranchElement is for, its fType.
const (
	elementWhole       = -1 // an object that cannot be split
	elementBase        = 1
	elementSplit       = 2
	elementClones      = 3 // a TClonesArray: holds how many objects
	elementSTL         = 4 // a collection, likewise
	elementClonesInner = 31
	elementSTLInner    = 41
)

// shapeElement finds out how the values of a TBranchElement lie in its baskets.
func (g *grower) shapeElement(b *Branch) error {
	o := b.object
	kind, ok1 := o.int("fType")
	id, ok2 := o.int("fID")
	typ64, ok3 := o.int("fStreamerType")
	if !ok1 || !ok2 || !ok3 {
		return o.because(fmt.Errorf("%w: a TBranchElement without fType, fID or fStreamerType", compress.ErrCorrupt))
	}
	typ := int(typ64)
	class := o.str("fClassName")
	l := &b.layout
	b.typ = class
	switch kind {
	case elementClones, elementSTL:
		l.form, l.typ, l.size, l.width, l.stride = fixed, typInt, 4, 1, 4
		return nil
	case 0, elementWhole, elementBase, elementSplit, elementClonesInner, elementSTLInner:
	default:
		return fmt.Errorf("%w: a TBranchElement of type %d", compress.ErrUnsupported, kind)
	}
	inner := kind == elementClonesInner || kind == elementSTLInner
	if id < 0 && !inner {
		// The whole of an object, as one.
		return b.shapeClass(class, 0)
	}
	e := g.element(o, int(id))
	n, ok := b.leaf.int("fLen")
	if !ok || n < 1 || n > maxWidth {
		return b.leaf.because(fmt.Errorf("%w: a leaf of %d values", compress.ErrCorrupt, n))
	}
	switch t := typ; {
	case t == typBits:
		l.form, l.typ, l.width = tbits, typBits, 1
		b.typ = typeNames[typBits]
		if inner {
			b.jagged = true
		}
		return nil
	case t > 0 && t < typOffsetL && t != typCharStar:
		return b.shapeNumbers(t, 1, inner, e)
	case t > typOffsetL && t < typOffsetP:
		return b.shapeNumbers(t-typOffsetL, int(n), inner, e)
	case t > typOffsetP && t < typOffsetP+20 && !inner:
		if err := b.shapeNumbers(t-typOffsetP, 1, true, e); err != nil {
			return err
		}
		l.head = 1
		return nil
	case t == typString && !inner:
		l.form, l.typ, l.width = textual, typString, 1
		b.typ = "TString"
		return nil
	case (t == typSTL || t == typSTLString || t == typStreamer) && !inner:
		if e == nil {
			return fmt.Errorf("%w: member %d of class %s is not described", compress.ErrUnsupported, id, class)
		}
		return b.shapeClass(e.typeName, stringHead)
	}
	name := class
	if e != nil {
		name = e.typeName
	}
	if inner {
		return fmt.Errorf("%w: members of type %s in a collection", compress.ErrUnsupported, name)
	}
	return fmt.Errorf("%w: objects of class %s, not split", compress.ErrUnsupported, name)
}

// element returns the member that the branch holds, as the file describes it.
func (g *grower) element(o *object, id int) *element {
	class := o.str("fClassName")
	version, _ := o.int("fClassVersion")
	sum, _ := o.int("fCheckSum")
	in := g.infos.exact(class, int(version), uint32(sum))
	if in == nil {
		return nil
	}
	name := o.str("fName")
	if i := strings.IndexByte(name, '['); i >= 0 {
		name = name[:i]
	}
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		name = name[i+1:]
	}
	if id >= 0 && id < len(in.elements) && in.elements[id].name == name {
		return in.elements[id]
	}
	for _, e := range in.elements {
		if e.name == name {
			return e
		}
	}
	return nil
}

func (b *Branch) shapeNumbers(typ, width int, many bool, e *element) error {
	l := &b.layout
	l.typ, l.size, l.width = typ, sizeOf(typ), width
	if typ == typDouble32 || typ == typFloat16 {
		if e == nil {
			return fmt.Errorf("%w: a %s that the file does not describe", compress.ErrUnsupported, typeNames[typ])
		}
		l.packing = e.packing
		l.size = packedSize(typ, e.packing)
	}
	if l.size == 0 {
		return fmt.Errorf("%w: values of type %d", compress.ErrUnsupported, typ)
	}
	if width > 1 {
		b.dims = []int{width}
		if e != nil && len(e.dims) > 0 {
			product := 1
			for _, d := range e.dims {
				if d > maxWidth || product > maxWidth {
					product = 0
					break
				}
				product *= d
			}
			if product == width {
				b.dims = e.dims
			}
		}
	}
	b.typ = cppType(typeNames[typ], b.dims)
	if many {
		l.form, b.jagged = jagged, true
		return nil
	}
	l.form, l.stride = fixed, l.size*width
	return nil
}

// shapeClass is for entries that are objects of a class as a whole: strings and
// collections of numbers or strings can be read. head is what is before a
// std::string.
func (b *Branch) shapeClass(class string, head int) error {
	l := &b.layout
	b.typ = class
	name := strings.TrimPrefix(strings.TrimSpace(class), "std::")
	switch name {
	case "TString":
		l.form, l.typ, l.width = textual, typString, 1
		return nil
	case "string":
		l.form, l.typ, l.width, l.head = textual, typString, 1, head
		return nil
	}
	item, ok := itemOf(name)
	if !ok {
		return fmt.Errorf("%w: objects of class %s, not split", compress.ErrUnsupported, class)
	}
	typ, ok := numberNames[item]
	if !ok {
		return fmt.Errorf("%w: collections of %s", compress.ErrUnsupported, item)
	}
	b.jagged = true
	l.typ, l.size, l.width, l.head, l.form = typ, sizeOf(typ), 1, stlHead, stl
	switch typ {
	case typString:
		l.form = stlText
	case typDouble32, typFloat16:
		l.size = packedSize(typ, packing{})
	}
	return nil
}

// stringHead is the size of what is before a std::string that is a member.
const stringHead = 4 + 2

var collections = []string{"vector", "list", "deque", "set", "multiset", "unordered_set", "unordered_multiset", "forward_list",
	"ROOT::VecOps::RVec", "ROOT::RVec"}

// itemOf returns the type of the items of a collection.
func itemOf(class string) (string, bool) {
	outer, rest, ok := strings.Cut(class, "<")
	if !ok || !strings.HasSuffix(strings.TrimSpace(rest), ">") {
		return "", false
	}
	known := false
	for _, c := range collections {
		known = known || c == strings.TrimSpace(outer)
	}
	if !known {
		return "", false
	}
	rest = strings.TrimSuffix(strings.TrimSpace(rest), ">")
	// The first argument; allocators and orders follow.
	depth := 0
	for i, c := range rest {
		switch c {
		case '<':
			depth++
		case '>':
			depth--
		case ',':
			if depth == 0 {
				return normal(rest[:i]), true
			}
		}
	}
	return normal(rest), true
}

func normal(name string) string {
	return strings.TrimPrefix(strings.Join(strings.Fields(name), " "), "std::")
}

var numberNames = map[string]int{
	"bool": typBool, "Bool_t": typBool,
	"char": typChar, "Char_t": typChar, "signed char": typChar, "int8_t": typChar, "Int_t8": typChar,
	"unsigned char": typUChar, "UChar_t": typUChar, "uint8_t": typUChar,
	"short": typShort, "Short_t": typShort, "int16_t": typShort, "Version_t": typShort,
	"unsigned short": typUShort, "UShort_t": typUShort, "uint16_t": typUShort,
	"int": typInt, "Int_t": typInt, "int32_t": typInt,
	"unsigned int": typUInt, "unsigned": typUInt, "UInt_t": typUInt, "uint32_t": typUInt,
	"long": typLong, "Long_t": typLong, "long long": typLong64, "Long64_t": typLong64, "int64_t": typLong64,
	"unsigned long": typULong, "ULong_t": typULong, "unsigned long long": typULong64, "ULong64_t": typULong64, "uint64_t": typULong64, "size_t": typULong,
	"float": typFloat, "Float_t": typFloat, "double": typDouble, "Double_t": typDouble,
	"Double32_t": typDouble32, "Float16_t": typFloat16,
	"string": typString, "TString": typString,
}
