package rootio

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/eddy-go/eddy/compress"
)

// An object is what was read of an object by the description of its class:
// a tree of values, for the code that knows what it looks for.
type object struct {
	class   string
	version int
	at      int // of its start in the payload
	end     int // behind it, once it is read
	members []member
	items   []*object // of a collection; nil where a pointer was null
	raw     any       // what a streamer of its own has read
	err     error     // why it could not be read; then it may have some members all the same
}

// A member's value is an int64, float64, string, *object, array, or nil for a
// null pointer.
type member struct {
	name  string
	base  bool
	value any
}

// array is an array of numbers as it lies in the file.
type array struct {
	typ int // of one number, an element type below 20
	b   []byte
}

func (a array) len() int {
	if s := sizeOf(a.typ); s > 0 {
		return len(a.b) / s
	}
	return 0
}

// int returns number i.
func (a array) int(i int) int64 {
	switch s := sizeOf(a.typ); s {
	case 1:
		return int64(int8(a.b[i]))
	case 2:
		return int64(int16(binary.BigEndian.Uint16(a.b[2*i:])))
	case 4:
		return int64(int32(binary.BigEndian.Uint32(a.b[4*i:])))
	case 8:
		return int64(binary.BigEndian.Uint64(a.b[8*i:]))
	}
	return 0
}

// get returns the member of that name, of the object or of one of its bases.
func (o *object) get(name string) (any, bool) {
	if o == nil {
		return nil, false
	}
	for i := range o.members {
		m := &o.members[i]
		if !m.base && m.name == name {
			return m.value, true
		}
	}
	for i := range o.members {
		m := &o.members[i]
		if b, _ := m.value.(*object); m.base && b != nil {
			if v, ok := b.get(name); ok {
				return v, true
			}
		}
	}
	return nil, false
}

// int returns a member that is a number. Old versions of classes have
// float64 where later ones have int64.
func (o *object) int(name string) (int64, bool) {
	v, _ := o.get(name)
	switch v := v.(type) {
	case int64:
		return v, true
	case float64:
		// NaN and what is too large become a value that nothing accepts.
		if v >= -1<<62 && v <= 1<<62 {
			return int64(v), true
		}
		return math.MinInt64, true
	}
	return 0, false
}

func (o *object) str(name string) string {
	v, _ := o.get(name)
	s, _ := v.(string)
	return s
}

// obj returns a member that is an object or the pointer to one; nil if it is null.
func (o *object) obj(name string) *object {
	v, _ := o.get(name)
	p, _ := v.(*object)
	return p
}

// is reports whether the object's class is, or is derived from, one of those.
func (o *object) is(class string) bool {
	if o == nil {
		return false
	}
	if o.class == class {
		return true
	}
	for i := range o.members {
		if b, _ := o.members[i].value.(*object); o.members[i].base && b.is(class) {
			return true
		}
	}
	return false
}

// object reads an object of a class, header first.
func (r *rbuf) object(class string) *object {
	o := &object{class: class, at: r.pos}
	if r.affordable() {
		r.into(o)
	}
	return o
}

// into reads o, whose class and place are set.
func (r *rbuf) into(o *object) {
	if r.err != nil {
		return
	}
	if !r.nested() {
		return
	}
	defer func() { r.depth--; o.end = r.pos }()
	if read := custom(o.class); read != nil {
		read(r, o)
		return
	}
	h := r.header()
	o.version = h.version
	if o.class == "TBranch" && h.version < 10 {
		r.oldBranch(o)
		r.finish(h, o.class)
		return
	}
	in := r.infos.find(o.class, h)
	if in == nil {
		o.err = fmt.Errorf("%w: class %s, version %d, is not described", compress.ErrUnsupported, o.class, h.version)
		if r.infos != nil && r.infos.err != nil {
			o.err = fmt.Errorf("%w, and the file's descriptions cannot be read: %w", o.err, r.infos.err)
		}
		if h.end < 0 && r.err == nil {
			r.err = fmt.Errorf("%w, and does not state its size (at byte %d of the payload)", o.err, h.start)
		}
		r.finish(h, o.class)
		return
	}
	o.version = in.version
	o.members = make([]member, 0, min(len(in.elements), maxGuess))
	for _, e := range in.elements {
		if h.end >= 0 && r.pos >= h.end && len(o.members) > 0 && r.err == nil && e.size() > 0 {
			r.fail("%s ends before its member %s", o.class, e.name)
		}
		v := r.member(o, e)
		if r.err != nil {
			return
		}
		o.members = append(o.members, member{name: e.name, base: e.base, value: v})
	}
	r.finish(h, o.class)
}

// any reads what a pointer points to: nothing (nil), an object with its class
// before it, or a reference to one that came before. A faulty object that
// states its size does not spoil what comes after it: its err says what is
// wrong with it.
func (r *rbuf) any() *object {
	start := r.pos
	tag := r.u32()
	end := -1
	if tag&byteCountMask != 0 && tag&classMask == 0 {
		count := int(tag &^ byteCountMask)
		if count < 4 || count > r.left() {
			r.fail("an object of %d bytes, where %d are left", count, r.left())
			return nil
		}
		end = r.pos + count
		// It must not read what is read again behind it: objects in objects
		// would be read over and over.
		whole := r.b
		r.b = r.b[:end]
		defer func() { r.b = whole }()
		tag = r.u32()
	}
	if r.err != nil {
		return nil
	}
	var class string
	switch {
	case tag == newClassTag:
		class = r.cstr()
	case tag&classMask != 0:
		class = r.className(tag &^ classMask)
	case tag == 0:
		return nil
	default:
		o, ok := r.refs[tag]
		if !ok {
			if end < 0 {
				// A reference into what was skipped.
				if !r.affordable() {
					return nil
				}
				return &object{at: start, err: fmt.Errorf("%w: a reference to byte %d, where nothing was read", compress.ErrCorrupt, tag)}
			}
			r.fail("a reference to byte %d, where nothing was read", tag)
		}
		if end >= 0 && r.err == nil {
			r.pos = end
		}
		return o
	}
	o := &object{class: class, at: start}
	if r.affordable() && r.err == nil {
		if r.refs == nil {
			r.refs = make(map[uint32]*object)
		}
		r.refs[uint32(start+r.keyLen+refOffset)] = o
		r.into(o)
	}
	if end >= 0 {
		if r.err != nil && !r.spent {
			o.err, r.err = r.err, nil
		}
		r.pos = end
	}
	return o
}

// className returns the name of the class whose tag is at that place.
func (r *rbuf) className(at uint32) string {
	p := int64(at) - refOffset - int64(r.keyLen)
	if p < 0 || p > int64(len(r.b)-4) || p >= int64(r.pos) || binary.BigEndian.Uint32(r.b[p:]) != newClassTag {
		r.fail("a reference to a class at byte %d, where none is", at)
		return ""
	}
	c := rbuf{b: r.b[:r.pos], pos: int(p) + 4}
	name := c.cstr()
	if c.err != nil {
		r.err = c.err
	}
	return name
}

// member reads one member of o.
func (r *rbuf) member(o *object, e *element) any {
	switch t := e.typ; {
	case e.base:
		return r.object(e.name)
	case t == typCharStar:
		n := r.i32()
		return string(r.need(int(n)))
	case t > 0 && t < typOffsetL:
		return r.number(t, e)
	case t > typOffsetL && t < typOffsetP:
		return r.array(t-typOffsetL, int64(max(e.arrayLen, 1)), e)
	case t > typOffsetP && t < typOffsetP+20:
		n, ok := o.int(e.count)
		if !ok {
			r.fail("%s.%s is counted by %s, which is not there", o.class, e.name, e.count)
			return nil
		}
		if r.u8() == 0 || n == 0 {
			return array{typ: t - typOffsetP}
		}
		return r.array(t-typOffsetP, n*int64(max(e.arrayLen, 1)), e)
	case t == typString:
		return r.str()
	case t == typObject, t == typAny, t == typNamed, t == typTObject, t == typObjectp, t == typAnyp:
		if e.arrayLen > 1 {
			break
		}
		return r.object(e.className())
	case t == typObjectP, t == typAnyP:
		if e.arrayLen > 1 {
			break
		}
		if p := r.any(); p != nil {
			return p
		}
		return nil
	}
	// Collections and what has a streamer of its own are skipped.
	h := r.header()
	if h.end < 0 && r.err == nil {
		r.err = fmt.Errorf("%w: member %s.%s of type %s (at byte %d of the payload)", compress.ErrUnsupported, o.class, e.name, e.typeName, h.start)
		return nil
	}
	r.finish(h, e.name)
	return nil
}

// number reads one number.
func (r *rbuf) number(typ int, e *element) any {
	switch typ {
	case typChar, typLegacyChar:
		return int64(int8(r.u8()))
	case typUChar, typBool:
		return int64(r.u8())
	case typShort:
		return int64(int16(r.u16()))
	case typUShort:
		return int64(r.u16())
	case typInt, typCounter:
		return int64(r.i32())
	case typUInt:
		return int64(r.u32())
	case typBits:
		bits := r.u32()
		if bits&isReferenced != 0 {
			r.u16()
		}
		return int64(bits)
	case typLong, typLong64, typULong, typULong64:
		return r.i64()
	case typFloat:
		return float64(r.f32())
	case typDouble:
		return r.f64()
	case typDouble32, typFloat16:
		n := packedSize(typ, e.packing)
		b := r.need(n)
		if b == nil {
			return 0.0
		}
		return e.packing.value(typ, b)
	}
	r.fail("a number of type %d", typ)
	return nil
}

// array reads n numbers.
func (r *rbuf) array(typ int, n int64, e *element) any {
	size := int64(sizeOf(typ))
	if typ == typDouble32 || typ == typFloat16 {
		size = int64(packedSize(typ, e.packing))
	}
	if size == 0 {
		r.fail("an array of type %d", typ)
		return nil
	}
	if n < 0 || n > int64(r.left())/size {
		r.fail("an array of %d numbers, where %d bytes are left", n, r.left())
		return nil
	}
	return array{typ: typ, b: r.need(int(n * size))}
}
