package rootio

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/eddy-go/eddy/compress"
)

// decodeStrings decodes entries that are a string, or a collection of strings.
func (c *chunk) decodeStrings(q payload, l *layout) error {
	data := q.data
	pos, out := 0, 0
	for i := range q.entries {
		n := 1
		end, ok := q.end(i)
		switch {
		case l.form == stlText:
			if !ok {
				var err error
				ok = true
				if end, err = q.measure(i, pos, 0, l); err != nil {
					return err
				}
			}
			if end < pos || end > len(data) {
				return errEntry(i, "ends at byte %d of %d", end, len(data))
			}
			var err error
			if n, err = collection(data[pos:end], i); err != nil {
				return err
			}
			pos += stlHead
		case l.head > 0:
			if len(data)-pos < l.head || binary.BigEndian.Uint32(data[pos:])&byteCountMask == 0 {
				return errEntry(i, "a string without a header")
			}
			pos += l.head
		}
		for range n {
			start, stop, err := stringAt(data, pos, i)
			if err != nil {
				return err
			}
			copy(data[out:], data[start:stop])
			out += stop - start
			pos = stop
			if err := c.addEnd(c.n + out); err != nil {
				return err
			}
		}
		if ok && pos != end {
			return errEntry(i, "ends at byte %d, and the next one begins at %d", pos, end)
		}
		if c.col.b.jagged {
			c.setOffset(c.entries+i+1, c.texts)
		}
	}
	if pos != len(data) {
		return fmt.Errorf("%w: %d bytes behind the last entry", compress.ErrTrailing, len(data)-pos)
	}
	c.n += out
	return nil
}

// addEnd adds a string that ends there in the values.
func (c *chunk) addEnd(end int) error {
	if 4*(c.texts+1) > len(c.ends.b) {
		if err := c.grow(&c.ends, max(2*len(c.ends.b), 4096), 4*c.texts); err != nil {
			return err
		}
	}
	binary.NativeEndian.PutUint32(c.ends.b[4*c.texts:], uint32(end))
	c.texts++
	return nil
}

// stringAt returns where the string at pos has its bytes: behind one byte of
// length, or behind 255 and four.
func stringAt(data []byte, pos, entry int) (start, stop int, err error) {
	if pos >= len(data) {
		return 0, 0, errEntry(entry, "no bytes left for a string")
	}
	n := int64(data[pos])
	pos++
	if n == 255 {
		if len(data)-pos < 4 {
			return 0, 0, errEntry(entry, "the length of a string is cut")
		}
		n = int64(int32(binary.BigEndian.Uint32(data[pos:])))
		pos += 4
	}
	if n < 0 || n > int64(len(data)-pos) {
		return 0, 0, errEntry(entry, "a string of %d bytes in %d", n, len(data)-pos)
	}
	return pos, pos + int(n), nil
}

// decodeFields decodes one leaf of several, in entries that differ in size.
func (c *chunk) decodeFields(q payload, l *layout) error {
	data := q.data
	pos, out := 0, 0
	values := make([]int64, len(l.before)+len(l.after)) // those that may count others
	kind := kinds[kindOf(l.typ)].size
	start := c.n
	target := len(l.before) - 1
	walk := func(i, j int, f field) error {
		n := int64(f.width)
		if f.counter >= 0 {
			n *= values[f.counter]
		}
		from, to := pos, 0
		if f.typ == typString {
			var err error
			if from, to, err = stringAt(data, pos, i); err != nil {
				return err
			}
		} else {
			if n < 0 || n > int64(len(data)-pos)/int64(f.size) {
				return errEntry(i, "%d values of %d bytes in %d", n, f.size, len(data)-pos)
			}
			to = pos + int(n)*f.size
			values[j] = 0
			if n > 0 {
				values[j] = countOf(f.typ, data[pos:])
			}
		}
		pos = to
		if j != target {
			return nil
		}
		copy(data[out:], data[from:to])
		out += to - from
		if f.typ == typString {
			return c.addEnd(start + out)
		}
		return nil
	}
	for i := range q.entries {
		for j, f := range l.before {
			if err := walk(i, j, f); err != nil {
				return err
			}
		}
		for j, f := range l.after {
			if err := walk(i, len(l.before)+j, f); err != nil {
				return err
			}
		}
		if end, ok := q.end(i); ok && pos != end {
			return errEntry(i, "ends at byte %d, and the next one begins at %d", pos, end)
		}
		if c.col.b.jagged {
			c.setOffset(c.entries+i+1, start/kind+out/l.size)
		}
	}
	if pos != len(data) {
		return fmt.Errorf("%w: %d bytes behind the last entry", compress.ErrTrailing, len(data)-pos)
	}
	if l.typ == typString {
		c.n += out
		return nil
	}
	return c.put(data[:out], l)
}

// countOf returns a number as the file has it, if it is one that may count
// others; negative if not.
func countOf(typ int, b []byte) int64 {
	switch typ {
	case typChar:
		return int64(int8(b[0]))
	case typUChar, typBool:
		return int64(b[0])
	case typShort:
		return int64(int16(binary.BigEndian.Uint16(b)))
	case typUShort:
		return int64(binary.BigEndian.Uint16(b))
	case typInt:
		return int64(int32(binary.BigEndian.Uint32(b)))
	case typUInt:
		return int64(binary.BigEndian.Uint32(b))
	case typLong64, typULong64:
		if v := int64(binary.BigEndian.Uint64(b)); v <= math.MaxInt32 {
			return v
		}
	}
	return -1
}
