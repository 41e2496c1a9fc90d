package rootio

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/eddy-go/eddy/compress"
)

// A chunk is the values of a few baskets of one branch, one behind the other,
// decoded: what a worker makes, and a step shows.
type chunk struct {
	col    *column
	first  int64 // entries
	end    int64
	parts  []part
	order  int // of all chunks of a run
	charge int64

	values  room // numbers, or the text of strings
	n       int  // bytes of values
	offsets room // int32: where the values of entries begin, and the end
	entries int  // of them
	ends    room // int32: where strings end
	texts   int  // how many strings
	strs    []string
	scratch room // a record, compressed, and values that are converted
	loose   room

	state chunkState
	err   error
	crash *compress.PanicError
}

// lead is room before the values, for the key of a record that is stored as
// it is, and read together with it.
const lead = 512

func (c *chunk) free() {
	c.values.free()
	c.offsets.free()
	c.ends.free()
	c.scratch.free()
	c.loose.free()
	clear(c.strs)
	c.strs = c.strs[:0]
}

// decode reads and decodes all baskets of the chunk. charge is called before
// memory for what a basket holds is taken, with its size.
func (c *chunk) decode(f *File, charge func(int64) error) error {
	b := c.col.b
	l := &b.layout
	c.n, c.entries, c.texts = 0, 0, 0
	if b.jagged {
		c.growOffsets(int(c.end - c.first))
		c.setOffset(0, 0)
	}
	for i := range c.parts {
		p := &c.parts[i]
		if err := c.part(f, p, l, charge); err != nil {
			e := &Error{Offset: p.seek, Class: "TBasket", Name: b.name, Err: err}
			if p.embedded != nil || p.seek == 0 {
				e.Offset = b.tree.key.Offset
			}
			return e
		}
	}
	c.scratch.free()
	c.loose.free()
	if kindOf(l.typ) == String {
		c.makeStrings()
	}
	return nil
}

// A payload is the data of a basket: the values of its entries in their places
// in memory, and where these begin.
type payload struct {
	data    []byte
	keyLen  int
	entries int
	offsets []byte // big-endian int32, one for each entry, relative to the key; nil if there is no such table
	derived bool
}

// part reads one basket and decodes it.
func (c *chunk) part(f *File, p *part, l *layout, charge func(int64) error) error {
	// Numbers that are as large in memory as in the file are decoded where
	// they are read.
	inPlace := l.size == kindOf(l.typ).Size() && l.size > 0 && l.form != tbits && l.form != fields
	dst, used := &c.loose, 0
	if inPlace {
		dst, used = &c.values, lead+c.n
	}
	q, err := c.load(f, p, dst, used, charge)
	if err != nil {
		return err
	}
	switch l.form {
	case fixed:
		return c.fixed(q, l, inPlace, charge)
	}
	return fmt.Errorf("%w: form %d", compress.ErrUnsupported, l.form)
}

// load reads the record of a basket and decompresses it to dst, behind what is
// used there; both are at least lead.
func (c *chunk) load(f *File, p *part, dst *room, used int, charge func(int64) error) (payload, error) {
	used = max(used, lead)
	if p.embedded != nil {
		k := p.embedded
		if err := charge(int64(len(k.data))); err != nil {
			return payload{}, err
		}
		dst.grow(used+len(k.data), used)
		n := copy(dst.b[used:], k.data)
		q := payload{data: dst.b[used : used+n], keyLen: k.keyLen, entries: k.entries, derived: k.derived}
		if k.offsets.len() >= k.entries && k.entries > 0 {
			q.offsets = k.offsets.b[:4*k.entries]
		}
		return q, nil
	}
	if p.seek == 0 {
		return payload{}, fmt.Errorf("%w: entries %d to %d are in no basket", compress.ErrCorrupt, p.first, p.end)
	}
	n := int(p.nbytes)
	if err := charge(int64(n)); err != nil {
		return payload{}, err
	}
	if int64(n) > f.size-p.seek {
		return payload{}, errCut
	}
	c.scratch.grow(n, 0)
	rec := c.scratch.b[:n]
	if err := f.readAt(rec, p.seek); err != nil {
		return payload{}, err
	}
	k, err := parseBasketKey(rec, p)
	if err != nil {
		return payload{}, err
	}
	src := rec[k.keyLen:]
	if err := checkBlocks(src, k.objLen); err != nil {
		return payload{}, err
	}
	if err := charge(int64(k.objLen)); err != nil {
		return payload{}, err
	}
	dst.grow(used+k.objLen, used)
	out := dst.b[used : used+k.objLen]
	if _, err := Decompress(out, src); err != nil {
		return payload{}, err
	}
	return c.split(out, k)
}

// split finds the table of offsets behind the values.
func (c *chunk) split(out []byte, k basket) (payload, error) {
	border := k.last - k.keyLen
	q := payload{data: out[:border:border], keyLen: k.keyLen, entries: k.entries, derived: k.derived}
	rest := out[border:]
	if k.derived || !c.col.b.hasOffsets || len(rest) == 0 {
		return q, nil
	}
	if len(rest) < 4 {
		return q, fmt.Errorf("%w: a table of offsets of %d bytes", compress.ErrCorrupt, len(rest))
	}
	n := int64(binary.BigEndian.Uint32(rest))
	if n < int64(k.entries) || n > int64(len(rest)-4)/4 {
		return q, fmt.Errorf("%w: a table of %d offsets in %d bytes for %d entries", compress.ErrCorrupt, n, len(rest), k.entries)
	}
	q.offsets = rest[4 : 4+4*k.entries]
	return q, nil
}

// fixed decodes entries of one size.
func (c *chunk) fixed(q payload, l *layout, inPlace bool, charge func(int64) error) error {
	if int64(q.entries)*int64(l.stride) != int64(len(q.data)) {
		return fmt.Errorf("%w: %d bytes for %d entries of %d", compress.ErrSize, len(q.data), q.entries, l.stride)
	}
	size := l.size * l.width
	if inPlace {
		data := q.data
		if size != l.stride {
			for i, from := 0, l.offset; i < len(data)/l.stride; i, from = i+1, from+l.stride {
				copy(data[i*size:(i+1)*size], data[from:])
			}
			data = data[:q.entries*size]
		}
		c.finish(data, l)
		c.n += len(data)
		return nil
	}
	return c.convert(q.data, q.entries, l, charge)
}

// finish makes numbers those of the processor.
func (c *chunk) finish(data []byte, l *layout) {
	if l.typ == typBool {
		toBools(data)
		return
	}
	toNative(data, l.size)
}

// convert decodes numbers that are larger in memory than in the file.
func (c *chunk) convert(src []byte, entries int, l *layout, charge func(int64) error) error {
	n := entries * l.width
	size := kindOf(l.typ).Size()
	if int64(entries)*int64(l.width)*int64(size) > math.MaxInt32 {
		return compress.ErrTooLarge
	}
	if err := charge(int64(n * size)); err != nil {
		return err
	}
	c.values.grow(lead+c.n+n*size, lead+c.n)
	dst := c.values.b[lead+c.n:]
	i := 0
	for e := range entries {
		at := src[e*l.stride+l.offset:]
		for w := range l.width {
			v := l.packing.value(l.typ, at[w*l.size:])
			if size == 4 {
				binary.NativeEndian.PutUint32(dst[4*i:], math.Float32bits(float32(v)))
			} else {
				binary.NativeEndian.PutUint64(dst[8*i:], math.Float64bits(v))
			}
			i++
		}
	}
	c.n += n * size
	return nil
}

func (c *chunk) growOffsets(entries int) { c.offsets.grow(4*(c.entries+entries+1), 4*(c.entries+1)) }

func (c *chunk) setOffset(i, v int) { binary.NativeEndian.PutUint32(c.offsets.b[4*i:], uint32(v)) }

func (c *chunk) makeStrings() {}

type chunkState uint8
