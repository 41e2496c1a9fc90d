package rootio

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/eddy-go/eddy/compress"
)

var errNoCounts = fmt.Errorf("%w: nothing tells where entries begin", compress.ErrUnsupported)

func errEntry(i int, format string, args ...any) error {
	return fmt.Errorf("%w: entry %d of the basket: %s", compress.ErrCorrupt, i, fmt.Sprintf(format, args...))
}

// decodeFixed decodes entries of one size.
func (c *chunk) decodeFixed(q payload, l *layout) error {
	if int64(q.entries)*int64(l.stride) != int64(len(q.data)) {
		return fmt.Errorf("%w: %d bytes for %d entries of %d", compress.ErrSize, len(q.data), q.entries, l.stride)
	}
	data := q.data
	if size := l.size * l.width; size != l.stride {
		// One of several leaves. What is moved is never over what is still
		// to be moved.
		for i, from := 0, l.offset; i < q.entries; i, from = i+1, from+l.stride {
			copy(data[i*size:(i+1)*size], data[from:])
		}
		data = data[:q.entries*size]
	}
	return c.put(data, l)
}

// put takes numbers, as the file has them, to the values. Where they are
// decoded in place data begins there.
func (c *chunk) put(data []byte, l *layout) error {
	if l.inPlace {
		if l.typ == typBool {
			toBools(data)
		} else {
			toNative(data, l.size)
		}
		c.n += len(data)
		return nil
	}
	n := len(data) / l.size
	size := kinds[kindOf(l.typ)].size
	if int64(n)*int64(size) > math.MaxInt32/2 {
		return compress.ErrTooLarge
	}
	if err := c.grow(&c.values, c.base+c.n+n*size, c.base+c.n); err != nil {
		return err
	}
	dst := c.values.b[c.base+c.n:]
	for i := range n {
		v := l.packing.value(l.typ, data[i*l.size:])
		if size == 4 {
			binary.NativeEndian.PutUint32(dst[4*i:], math.Float32bits(float32(v)))
		} else {
			binary.NativeEndian.PutUint64(dst[8*i:], math.Float64bits(v))
		}
	}
	c.n += n * size
	return nil
}

// decodeJagged decodes entries that have as many items as their size, or what
// is before them, says.
func (c *chunk) decodeJagged(q payload, l *layout) error {
	if q.offsets != nil && l.head == 0 {
		return c.decodePlain(q, l)
	}
	item := l.size * l.width
	data := q.data
	kind := kinds[kindOf(l.typ)].size
	base := c.n / kind // values before this basket
	pos, out := 0, 0
	for i := range q.entries {
		end, ok := q.end(i)
		if !ok {
			var err error
			if end, err = q.measure(i, pos, item, l); err != nil {
				return err
			}
		}
		if end < pos || end > len(data) {
			return errEntry(i, "ends at byte %d of %d", end, len(data))
		}
		body, err := l.body(data[pos:end], i)
		if err != nil {
			return err
		}
		if len(body)%item != 0 {
			return errEntry(i, "%d bytes for items of %d", len(body), item)
		}
		// Moved down over heads, or over nothing.
		copy(data[out:], body)
		out += len(body)
		c.setOffset(c.entries+i+1, base+out/l.size)
		pos = end
	}
	if pos != len(data) {
		return fmt.Errorf("%w: %d bytes behind the last entry", compress.ErrTrailing, len(data)-pos)
	}
	return c.put(data[:out], l)
}

// decodePlain is decodeJagged for entries of nothing but items, with a table of
// where they begin.
func (c *chunk) decodePlain(q payload, l *layout) error {
	item := uint32(l.size * l.width)
	size := uint32(l.size)
	base := uint32(c.n / kinds[kindOf(l.typ)].size)
	keyLen := uint32(q.keyLen)
	limit := uint32(len(q.data))
	offs := offsetsOf(c.offsets.b)[c.entries+1:][:q.entries]
	prev := uint32(0)
	table := q.offsets[4:]
	for i := range offs {
		end := limit
		if len(table) >= 4 {
			end = binary.BigEndian.Uint32(table) - keyLen
			table = table[4:]
		}
		if end < prev || end > limit || (end-prev)%item != 0 {
			return errEntry(i, "bytes %d to %d of %d, with items of %d", int32(prev), int32(end), limit, item)
		}
		offs[i] = int32(base + end/size)
		prev = end
	}
	return c.put(q.data, l)
}

// measure returns where entry i ends, which begins at pos, if no table says so.
func (q *payload) measure(i, pos, item int, l *layout) (int, error) {
	rest := q.data[pos:]
	if l.form == stl || l.form == stlText {
		if len(rest) < stlHead {
			return 0, errEntry(i, "%d bytes left", len(rest))
		}
		n := binary.BigEndian.Uint32(rest)
		if n&byteCountMask == 0 {
			return 0, errEntry(i, "a collection without its size")
		}
		return pos + 4 + int(min(n&^byteCountMask, math.MaxInt32/2)), nil
	}
	if q.counts == nil {
		return 0, errNoCounts
	}
	n := int64(q.counts[i])
	if l.head == 1 {
		if len(rest) == 0 {
			return 0, errEntry(i, "no bytes left")
		}
		if rest[0] == 0 {
			n = 0
		}
	}
	if end := int64(pos) + int64(l.head) + n*int64(item); end <= int64(len(q.data)) {
		return int(end), nil
	}
	return 0, errEntry(i, "%d items in %d bytes", n, len(rest))
}

// body returns the items of an entry, without what is before them.
func (l *layout) body(e []byte, i int) ([]byte, error) {
	switch {
	case l.head == 0:
		return e, nil
	case l.head == 1:
		// Whether there is an array. An empty one may be either.
		if len(e) < 1 || e[0] == 0 && len(e) > 1 {
			return nil, errEntry(i, "an array without its mark")
		}
		return e[1:], nil
	}
	n, err := collection(e, i)
	if err != nil {
		return nil, err
	}
	e = e[stlHead:]
	if l.form == stl && int64(n)*int64(l.size*l.width) != int64(len(e)) {
		return nil, errEntry(i, "%d items of %d bytes in %d", n, l.size*l.width, len(e))
	}
	return e, nil
}

// collection reads what is before the items of a collection, and returns how
// many there are.
func collection(e []byte, i int) (int, error) {
	if len(e) < stlHead {
		return 0, errEntry(i, "a collection of %d bytes", len(e))
	}
	size := binary.BigEndian.Uint32(e)
	version := binary.BigEndian.Uint16(e[4:])
	n := int32(binary.BigEndian.Uint32(e[6:]))
	switch {
	case size&byteCountMask == 0 || int64(size&^byteCountMask) != int64(len(e)-4):
		return 0, errEntry(i, "a collection that states %d bytes in %d", size&^byteCountMask, len(e)-4)
	case version&memberWise != 0:
		return 0, fmt.Errorf("%w: entry %d of the basket: a collection written member by member", compress.ErrUnsupported, i)
	case n < 0:
		return 0, errEntry(i, "a collection of %d items", n)
	}
	return int(n), nil
}

// decodeBits decodes the bits of TObjects: four bytes, and two more if the
// object is referenced.
func (c *chunk) decodeBits(q payload, l *layout) error {
	data := q.data
	pos, out := 0, 0
	base := c.n / 4
	one := func(i int) error {
		if len(data)-pos < 4 {
			return errEntry(i, "%d bytes left", len(data)-pos)
		}
		v := binary.BigEndian.Uint32(data[pos:])
		pos += 4
		if v&isReferenced != 0 {
			pos += 2
		}
		if pos > len(data) {
			return errEntry(i, "cut short")
		}
		binary.NativeEndian.PutUint32(data[out:], v)
		out += 4
		return nil
	}
	for i := range q.entries {
		end, ok := q.end(i)
		switch {
		case !c.col.b.jagged:
			if err := one(i); err != nil {
				return err
			}
		case ok:
			for pos < end {
				if err := one(i); err != nil {
					return err
				}
			}
		case q.counts != nil:
			for range q.counts[i] {
				if err := one(i); err != nil {
					return err
				}
			}
		default:
			return errNoCounts
		}
		if ok && pos != end {
			return errEntry(i, "ends at byte %d, and the next one begins at %d", pos, end)
		}
		if c.col.b.jagged {
			c.setOffset(c.entries+i+1, base+out/4)
		}
	}
	if pos != len(data) {
		return fmt.Errorf("%w: %d bytes behind the last entry", compress.ErrTrailing, len(data)-pos)
	}
	c.n += out
	return nil
}
