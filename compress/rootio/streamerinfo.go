package rootio

// An info describes a version of a class: its bases and members in the order
// in which they lie in a file.
type info struct {
	class    string
	version  int
	checksum uint32
	elements []*element
}

// An element is a base or a member.
type element struct {
	name     string
	title    string
	typeName string
	typ      int // one of the types, or -1
	arrayLen int // of all dimensions together; 0 if it is no array
	dims     []int
	base     bool
	count    string // the member that counts it
	packing  packing
}

// size returns the least bytes that the element takes; 0 if it is not known.
func (e *element) size() int {
	if e.base {
		return 0
	}
	return sizeOf(e.typ)
}

// className returns the class of a member that is an object or points to one.
func (e *element) className() string {
	switch e.typ {
	case typTObject:
		return "TObject"
	case typNamed:
		return "TNamed"
	}
	n := len(e.typeName)
	for n > 0 && (e.typeName[n-1] == '*' || e.typeName[n-1] == ' ') {
		n--
	}
	return e.typeName[:n]
}

// infos is what is known of classes.
type infos struct {
	byVersion map[classVersion]*info
	bySum     map[classSum]*info
	sums      map[uint32]bool
	err       error // why the file's own could not be read
}

type classVersion struct {
	class   string
	version int
}

type classSum struct {
	class string
	sum   uint32
}

// add adds a description. Of several of the same version the first counts.
func (s *infos) add(in *info) {
	if s.byVersion == nil {
		s.byVersion = make(map[classVersion]*info)
		s.bySum = make(map[classSum]*info)
		s.sums = make(map[uint32]bool)
	}
	if v := (classVersion{in.class, in.version}); s.byVersion[v] == nil {
		s.byVersion[v] = in
	}
	if in.checksum == 0 {
		return
	}
	if v := (classSum{in.class, in.checksum}); s.bySum[v] == nil {
		s.bySum[v] = in
	}
	s.sums[in.checksum] = true
}

func (s *infos) hasChecksum(sum uint32) bool { return s != nil && s.sums[sum] }

// find returns the description by which an object was written, of the file
// itself or else of what this package knows; nil if there is none.
func (s *infos) find(class string, h header) *info {
	in := (*info)(nil)
	if s != nil && h.checksum != 0 {
		in = s.bySum[classSum{class, h.checksum}]
	} else if s != nil {
		in = s.byVersion[classVersion{class, h.version}]
	}
	if in == nil {
		in = builtin(class, h.version)
	}
	return in
}

// exact returns the description with a checksum, or else that of a version.
func (s *infos) exact(class string, version int, sum uint32) *info {
	if s == nil {
		return nil
	}
	if in := s.bySum[classSum{class, sum}]; in != nil && sum != 0 {
		return in
	}
	return s.byVersion[classVersion{class, version}]
}

// readInfos reads the list of descriptions, the payload of a file's record
// StreamerInfo.
func readInfos(payload []byte, keyLen, maxObjects int) *infos {
	r := &rbuf{b: payload, keyLen: keyLen, maxObjects: maxObjects}
	list := r.object("TList")
	s := &infos{err: r.err}
	for _, o := range list.items {
		if in, ok := o.rawValue().(*info); ok && o.err == nil {
			s.add(in)
		}
	}
	return s
}

func (o *object) rawValue() any {
	if o == nil {
		return nil
	}
	return o.raw
}

// readInfo reads a TStreamerInfo.
func readInfo(r *rbuf, o *object) {
	h := r.header()
	o.version = h.version
	named := r.object("TNamed")
	in := &info{class: named.str("fName")}
	in.checksum = r.u32()
	in.version = int(r.i32())
	list := r.any()
	if list != nil {
		if list.err != nil && r.err == nil {
			r.err = list.err
		}
		for _, item := range list.items {
			if item != nil && item.err != nil && r.err == nil {
				r.err = item.err
			}
			if e, ok := item.rawValue().(*element); ok {
				in.elements = append(in.elements, e)
			}
		}
	}
	o.raw = in
	r.finish(h, o.class)
}

// readElement reads a TStreamerElement, and readElementOf one of the classes
// derived from it.
func readElement(r *rbuf, o *object) {
	h := r.header()
	o.version = h.version
	named := r.object("TNamed")
	e := &element{name: named.str("fName"), title: named.str("fTitle")}
	e.typ = int(r.i32())
	r.i32() // the size in memory
	e.arrayLen = int(r.i32())
	n := int(r.i32())
	if h.version == 1 {
		r.i32() // a length before the array
	}
	for i := range 5 {
		if d := int(r.i32()); i < n && d > 0 {
			e.dims = append(e.dims, d)
		}
	}
	e.typeName = r.str()
	e.packing = parsePacking(e.title)
	if e.arrayLen < 0 || n < 0 {
		r.fail("member %s is an array of %d", e.name, e.arrayLen)
	}
	o.raw = e
	r.finish(h, o.class)
}

func readElementOf(r *rbuf, o *object) {
	h := r.header()
	o.version = h.version
	var parent object
	if o.class == "TStreamerSTLstring" {
		parent.class = "TStreamerSTL"
	} else {
		parent.class = "TStreamerElement"
	}
	parent.at = r.pos
	r.into(&parent)
	e, _ := parent.raw.(*element)
	if e == nil {
		return
	}
	switch o.class {
	case "TStreamerBase":
		e.base = true
	case "TStreamerBasicPointer", "TStreamerLoop":
		r.i32() // the version of the class that counts
		e.count = r.str()
	}
	o.raw = e
	r.finish(h, o.class)
}
