package rootio

import (
	"math"
	"strings"
)

// A made is an object for a test's file: values of members by their names, those
// of bases among them. What is not named is zero.
type made struct {
	class string
	// A number is an int or a float64; text a string; an object, or what a
	// pointer points to, a *made; an array []int64; what is in a collection
	// []*made; what has code of its own []byte.
	v map[string]any
}

func make1(class string, pairs ...any) *made {
	m := &made{class: class, v: map[string]any{}}
	for i := 0; i < len(pairs); i += 2 {
		m.v[pairs[i].(string)] = pairs[i+1]
	}
	return m
}

// A maker writes objects as TBufferFile does, by descriptions of classes as
// builtin.go has them.
type maker struct {
	b       []byte
	keyLen  int
	classes map[string]int // by name, where their tag is
	objects map[*made]int
	// descriptions that differ from the package's, "class version"
	other map[string]string
	// version of classes that are not written as their highest one
	versions map[string]int
}

func newMaker(keyLen int) *maker {
	return &maker{keyLen: keyLen, classes: map[string]int{}, objects: map[*made]int{}, other: map[string]string{}, versions: map[string]int{}}
}

func (m *maker) u8(v int)      { m.b = append(m.b, byte(v)) }
func (m *maker) u16(v int)     { m.b = be.AppendUint16(m.b, uint16(v)) }
func (m *maker) u32(v int)     { m.b = be.AppendUint32(m.b, uint32(v)) }
func (m *maker) word(v uint32) { m.b = be.AppendUint32(m.b, v) }
func (m *maker) u64(v int64)   { m.b = be.AppendUint64(m.b, uint64(v)) }
func (m *maker) str(s string)  { m.b = text(m.b, s) }
func (m *maker) at() int       { return len(m.b) + m.keyLen }
func (m *maker) f64(v float64) { m.u64(int64(math.Float64bits(v))) }

// counted writes what f does with a byte count before it.
func (m *maker) counted(f func()) {
	start := len(m.b)
	m.u32(0)
	f()
	be.PutUint32(m.b[start:], uint32(len(m.b)-start-4)|byteCountMask)
}

// pointer writes what a pointer points to.
func (m *maker) pointer(o *made) {
	if o == nil {
		m.u32(0)
		return
	}
	if at, ok := m.objects[o]; ok {
		m.u32(at)
		return
	}
	m.objects[o] = m.at() + refOffset
	m.counted(func() {
		if at, ok := m.classes[o.class]; ok {
			m.word(uint32(at) | classMask)
		} else {
			m.classes[o.class] = m.at() + refOffset
			m.word(newClassTag)
			m.b = append(append(m.b, o.class...), 0)
		}
		m.object(o.class, o)
	})
}

// description returns how a class is written, and the version.
func (m *maker) description(class string) (text string, version int) {
	find := func(all map[string]string) {
		for head, d := range all {
			name, v, _ := strings.Cut(head, " ")
			n := 0
			for _, c := range v {
				n = 10*n + int(c-'0')
			}
			if want, ok := m.versions[class]; name == class && (ok && want == n || !ok && n > version) {
				text, version = d, n
			}
		}
	}
	if find(m.other); version == 0 {
		find(descriptions)
	}
	return text, version
}

// object writes an object of a class, with its header.
func (m *maker) object(class string, o *made) {
	if raw, ok := o.v["raw"].([]byte); ok && o.class == class {
		m.b = append(m.b, raw...)
		return
	}
	switch class {
	case "TObject":
		m.u16(1)
		m.u32(0)
		bits, _ := o.v["bits"].(int)
		m.u32(bits | 0x03000000)
		if bits&isReferenced != 0 {
			m.u16(1)
		}
		return
	case "TObjArray", "TList":
		m.counted(func() {
			m.u16(map[string]int{"TObjArray": 3, "TList": 5}[class])
			m.object("TObject", o)
			m.str("")
			items, _ := o.v["items"].([]*made)
			m.u32(len(items))
			if class == "TObjArray" {
				m.u32(0)
			}
			for _, item := range items {
				m.pointer(item)
				if class == "TList" {
					m.str("")
				}
			}
		})
		return
	case "TArrayD", "TArrayI":
		m.u32(0)
		return
	}
	if v, ok := o.v["old"].(int); ok && class == "TBranch" {
		m.old(o, v)
		return
	}
	d, version := m.description(class)
	m.counted(func() {
		m.u16(version)
		for word := range strings.FieldsSeq(d) {
			m.member(parseElement(word), o)
		}
	})
}

func (m *maker) member(e *element, o *made) {
	v := o.v[e.name]
	if e.base {
		m.object(e.name, o)
		return
	}
	switch {
	case e.typ == typString:
		s, _ := v.(string)
		m.str(s)
	case e.typ == typObjectP:
		p, _ := v.(*made)
		m.pointer(p)
	case e.typ == typAny:
		p, _ := v.(*made)
		if p == nil {
			p = make1(e.typeName)
		}
		m.object(e.typeName, p)
	case e.typ > typOffsetP:
		values, _ := v.([]int64)
		if values == nil {
			m.u8(0)
			return
		}
		m.u8(1)
		for _, x := range values {
			m.number(e.typ-typOffsetP, x)
		}
	default:
		m.number(e.typ, v)
	}
}

func (m *maker) number(typ int, v any) {
	var i int64
	f := 0.0
	switch v := v.(type) {
	case int:
		i, f = int64(v), float64(v)
	case int64:
		i, f = v, float64(v)
	case float64:
		i, f = int64(v), v
	case bool:
		if v {
			i = 1
		}
	}
	switch {
	case typ == typDouble:
		m.f64(f)
	case typ == typFloat:
		m.word(math.Float32bits(float32(f)))
	case sizeOf(typ) == 1:
		m.u8(int(i))
	case sizeOf(typ) == 2:
		m.u16(int(i))
	case sizeOf(typ) == 4:
		m.u32(int(int32(i)))
	default:
		m.u64(i)
	}
}

// A described is a class in a file's list of descriptions.
type described struct {
	class    string
	version  int
	checksum uint32
	text     string // as builtin.go has it; a comment may follow a type behind a !
}

// infoList makes the payload of a record StreamerInfo.
func infoList(keyLen int, classes []described) []byte {
	m := newMaker(keyLen)
	var items []*made
	for _, d := range classes {
		var elements []*made
		for word := range strings.FieldsSeq(d.text) {
			word, title, _ := strings.Cut(word, "!")
			e := parseElement(word)
			elements = append(elements, m.elementOf(e, title))
		}
		in := newMaker(0)
		in.classes, in.objects = m.classes, m.objects
		items = append(items, make1("TStreamerInfo", "fName", d.class, "version", d.version, "sum", int(d.checksum), "items", elements))
	}
	m.other["TStreamerInfo 9"] = "@TNamed sum:I version:i list:TObjArray*"
	m.other["TStreamerElement 4"] = "@TNamed type:i size:i length:i dims:i d0:i d1:i d2:i d3:i d4:i typeName:s"
	for class, more := range map[string]string{
		"TStreamerBase 3": " baseVersion:i", "TStreamerBasicType 2": "", "TStreamerString 2": "", "TStreamerObjectPointer 2": "",
		"TStreamerObject 2": "", "TStreamerObjectAny 2": "", "TStreamerBasicPointer 2": " countVersion:i countName:s countClass:s",
		"TStreamerSTL 3": " stl:i contained:i",
	} {
		m.other[class] = "@TStreamerElement" + more
	}
	for _, in := range items {
		in.v["list"] = make1("TObjArray", "items", in.v["items"])
	}
	m.object("TList", make1("TList", "items", items))
	return m.b
}

func (m *maker) elementOf(e *element, title string) *made {
	o := make1("TStreamerBasicType", "fName", e.name, "fTitle", title, "type", e.typ, "typeName", e.typeName)
	if v, ok := typeNames[e.typ]; ok {
		o.v["typeName"] = v
	}
	switch {
	case e.base:
		o.class = "TStreamerBase"
		o.v["typeName"] = "BASE"
	case e.typ == typString:
		o.class = "TStreamerString"
		o.v["typeName"] = "TString"
	case e.typ == typObjectP:
		o.class = "TStreamerObjectPointer"
	case e.typ == typAny:
		o.class = "TStreamerObjectAny"
		if strings.HasPrefix(e.typeName, "vector<") || e.typeName == "string" {
			o.class = "TStreamerSTL"
			o.v["type"] = typSTL
		}
	case e.typ > typOffsetP:
		o.class = "TStreamerBasicPointer"
		o.v["countName"] = e.count
	}
	return o
}
