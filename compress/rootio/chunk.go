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
	file   *File
	first  int64 // entries
	end    int64
	parts  []part
	charge func(*chunk, int64) error // called before the chunk takes memory, with how much it will have

	values  room // numbers, or the text of strings, from base on
	base    int  // lead, or 0 if values is the caller's memory
	n       int  // bytes of values
	offsets room // int32: where the values of entries begin, and the end
	entries int  // decoded
	ends    room // int32: where strings end in values
	texts   int  // how many strings
	strs    []string
	text    int   // bytes of strs
	record  room  // of baskets, as they are in the file
	readAt  int64 // where those that record holds are in the file
	readLen int   // how many bytes of them
	loose   room  // values that are converted, before they are

	// of the run, see there
	order   int
	state   chunkState
	charged int64
	err     error // there are no values
	late    error // there are, and this is what follows them
	crash   *compress.PanicError
}

// lead is room before the values for the key of a record that is stored, and
// read in one piece with its values.
const lead = 512

// memory returns how many bytes the chunk holds.
func (c *chunk) memory() int64 {
	return int64(cap(c.values.pooled)) + int64(cap(c.offsets.pooled)) + int64(cap(c.ends.pooled)) +
		int64(cap(c.record.pooled)) + int64(cap(c.loose.pooled)) + int64(c.text) + stringSize*int64(cap(c.strs))
}

const stringSize = 2 * (32 << (^uint(0) >> 63)) / 8

// free gives all memory back.
func (c *chunk) free() {
	c.values.free()
	c.offsets.free()
	c.ends.free()
	c.record.free()
	c.loose.free()
	clear(c.strs)
	c.strs = c.strs[:0]
	c.text = 0
}

// grow makes a room at least n bytes large, of which the first used are kept.
func (c *chunk) grow(r *room, n, used int) error {
	if n < 0 || n > math.MaxInt32 {
		return compress.ErrTooLarge
	}
	if n <= len(r.b) {
		return nil
	}
	if c.charge != nil {
		// Old and new memory, which is a class of the pool and so up to a
		// quarter larger.
		if err := c.charge(c, c.memory()+int64(n)+int64(n)/4); err != nil {
			return err
		}
	}
	r.grow(n, used)
	return nil
}

// decode reads and decodes all baskets of the chunk.
func (c *chunk) decode() error {
	b := c.col.b
	c.n, c.entries, c.texts, c.readLen = 0, 0, 0, 0
	if len(c.parts) > 1 && c.base > 0 {
		// As much as chunks are joined to, at once.
		if err := c.grow(&c.values, c.base+chunkSize, 0); err != nil {
			return err
		}
	}
	for i := range c.parts {
		n, entries, texts := c.n, c.entries, c.texts
		err := c.decodePart(i)
		if err == nil {
			continue
		}
		p := &c.parts[i]
		e := &Error{Offset: p.seek, Class: "TBasket", Name: b.name, Err: err}
		if p.seek == 0 {
			e.Offset = b.tree.key.Offset
		}
		if i == 0 {
			return e
		}
		// The baskets before it are whole.
		c.n, c.entries, c.texts = n, entries, texts
		c.parts, c.end, c.late = c.parts[:i], p.first, e
		break
	}
	if b.kind == String {
		if err := c.makeStrings(); err != nil {
			return err
		}
	}
	c.record.free()
	c.loose.free()
	return nil
}

// decodePart reads and decodes one basket.
func (c *chunk) decodePart(i int) error {
	p := &c.parts[i]
	b := c.col.b
	l := &b.layout
	n := int(p.end - p.first)
	if p.end-p.first > math.MaxInt32/8 {
		return compress.ErrTooLarge
	}
	dst, used := &c.values, c.base+c.n
	if !l.inPlace {
		dst, used = &c.loose, lead
	}
	q, err := c.load(i, dst, used)
	if err != nil {
		return err
	}
	if b.jagged {
		// That there are n entries is seen by the table of offsets, by what
		// is in front of each, or by the values of the branch that counts.
		switch {
		case q.offsets != nil:
		case !l.counted():
			if q.counts, err = c.counts(p); err != nil {
				return err
			}
		case n > len(q.data):
			return fmt.Errorf("%w: %d entries in %d bytes", compress.ErrSize, n, len(q.data))
		}
		if err := c.grow(&c.offsets, 4*(c.entries+n+1), 4*(c.entries+1)); err != nil {
			return err
		}
		if c.entries == 0 {
			c.setOffset(0, 0)
		}
	}
	switch l.form {
	case fixed:
		err = c.decodeFixed(q, l)
	case jagged, stl:
		err = c.decodeJagged(q, l)
	case textual, stlText:
		err = c.decodeStrings(q, l)
	case tbits:
		err = c.decodeBits(q, l)
	case fields:
		err = c.decodeFields(q, l)
	}
	c.entries += n
	return err
}

// setOffset sets where in values entry i begins.
func (c *chunk) setOffset(i, v int) { binary.NativeEndian.PutUint32(c.offsets.b[4*i:], uint32(v)) }

// makeStrings makes strings of the text, all in one allocation.
func (c *chunk) makeStrings() error {
	if c.charge != nil {
		if err := c.charge(c, c.memory()+int64(c.n)+stringSize*int64(c.texts)); err != nil {
			return err
		}
	}
	all := string(c.values.b[min(c.base, len(c.values.b)):][:c.n])
	c.text = len(all)
	if cap(c.strs) < c.texts {
		c.strs = make([]string, 0, c.texts)
	}
	c.strs = c.strs[:c.texts]
	start := 0
	for i := range c.strs {
		end := int(binary.NativeEndian.Uint32(c.ends.b[4*i:]))
		c.strs[i] = all[start:end]
		start = end
	}
	c.values.free()
	c.ends.free()
	return nil
}

// counts reads how many items the entries of p have from the branch that
// counts them.
func (c *chunk) counts(p *part) ([]int32, error) {
	counter := c.col.b.counter
	if counter == nil || counter.err != nil || counter.jagged || counter.layout.form != fixed || counter.layout.width != 1 {
		return nil, errNoCounts
	}
	n := chunk{col: &column{counter}, file: c.file, base: lead}
	if c.charge != nil {
		n.charge = func(_ *chunk, size int64) error { return c.charge(c, c.memory()+size) }
	}
	defer n.free()
	counts := make([]int32, 0, min(p.end-p.first, 1<<16))
	for _, q := range counter.parts {
		if q.end <= p.first || q.first >= p.end {
			continue
		}
		n.parts = append(n.parts[:0], q)
		if err := n.decode(); err != nil {
			return nil, err
		}
		size := kinds[counter.kind].size
		for e := max(p.first, q.first); e < min(p.end, q.end); e++ {
			v, ok := integer(counter.kind, n.values.b[n.base+int(e-q.first)*size:])
			if !ok || v < 0 || v > math.MaxInt32 {
				return nil, errNoCounts
			}
			counts = append(counts, int32(v))
		}
	}
	if int64(len(counts)) != p.end-p.first {
		return nil, errNoCounts
	}
	return counts, nil
}

// integer returns the number that b begins with.
func integer(k Kind, b []byte) (int64, bool) {
	switch k {
	case Int8:
		return int64(int8(b[0])), true
	case Uint8, Bool:
		return int64(b[0]), true
	case Int16:
		return int64(int16(binary.NativeEndian.Uint16(b))), true
	case Uint16:
		return int64(binary.NativeEndian.Uint16(b)), true
	case Int32:
		return int64(int32(binary.NativeEndian.Uint32(b))), true
	case Uint32:
		return int64(binary.NativeEndian.Uint32(b)), true
	case Int64, Uint64:
		return int64(binary.NativeEndian.Uint64(b)), true
	}
	return 0, false
}
