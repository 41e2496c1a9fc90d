package rootio

import (
	"encoding/binary"
	"fmt"

	"github.com/eddy-go/eddy/compress"
)

// A payload is the data of a basket: its values where they are to be decoded,
// and what is known of where entries begin.
type payload struct {
	data    []byte
	keyLen  int
	entries int
	offsets []byte  // big-endian int32 for each entry, counted from the key; nil if there is no table
	counts  []int32 // of items, from another branch, where no table is
}

// end returns where entry i ends in data, which may be anywhere; false if no
// table says it.
func (q *payload) end(i int) (int, bool) {
	switch {
	case q.offsets == nil:
		return 0, false
	case i+1 == q.entries:
		return len(q.data), true
	}
	return int(int32(binary.BigEndian.Uint32(q.offsets[4*(i+1):]))) - q.keyLen, true
}

// setOffsets takes the table of where entries begin, the first of them where
// the values do.
func (q *payload) setOffsets(table []byte) error {
	if q.entries == 0 {
		return nil
	}
	q.offsets = table[:4*q.entries]
	if first := int32(binary.BigEndian.Uint32(table)); int(first) != q.keyLen {
		return errEntry(0, "begins at byte %d, the values at %d", first, q.keyLen)
	}
	return nil
}

// load reads the record of basket i and decompresses it to dst, behind what is
// used there.
func (c *chunk) load(i int, dst *room, used int) (payload, error) {
	p := &c.parts[i]
	switch {
	case p.embedded != nil:
		return c.loadEmbedded(p, dst, used)
	case p.seek == 0:
		return payload{}, fmt.Errorf("%w: entries %d to %d are in no basket", compress.ErrCorrupt, p.first, p.end)
	case int64(p.nbytes) > c.file.size-p.seek:
		return payload{}, errCut
	}
	if q, ok, err := c.loadStored(p, dst, used); ok {
		return q, err
	}
	rec, err := c.readRecord(i)
	if err != nil {
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
	if err := c.fits(k.objLen, p); err != nil {
		return payload{}, err
	}
	if err := c.grow(dst, used+k.objLen, used); err != nil {
		return payload{}, err
	}
	out := dst.b[used : used+k.objLen : used+k.objLen]
	if _, err := Decompress(out, src); err != nil {
		return payload{}, err
	}
	return c.split(out, k)
}

// maxJoined bounds what is read at once of baskets that follow each other.
const maxJoined = 256 << 10

// readRecord returns the record of basket i, which lies in the file. Those of
// the chunk that follow it there, as ROOT writes the baskets of a branch, are
// read together with it.
func (c *chunk) readRecord(i int) ([]byte, error) {
	p := &c.parts[i]
	n := int(p.nbytes)
	if at := p.seek - c.readAt; at >= 0 && at+int64(n) <= int64(c.readLen) {
		return c.record.b[at : at+int64(n)], nil
	}
	size := int64(n)
	for _, q := range c.parts[i+1:] {
		if q.seek != p.seek+size || q.embedded != nil || q.nbytes <= 0 || size+int64(q.nbytes) > maxJoined || q.seek+int64(q.nbytes) > c.file.size {
			break
		}
		size += int64(q.nbytes)
	}
	c.readLen = 0
	if err := c.grow(&c.record, int(size), 0); err != nil {
		return nil, err
	}
	if err := c.file.readAt(c.record.b[:size], p.seek); err != nil {
		if size == int64(n) {
			return nil, err
		}
		// The fault may be in what follows.
		size = int64(n)
		if err := c.file.readAt(c.record.b[:size], p.seek); err != nil {
			return nil, err
		}
	}
	c.readAt, c.readLen = p.seek, int(size)
	return c.record.b[:n], nil
}

// loadStored is load for a basket that is as large as it would be if it were
// stored: it is read to where its values belong. It returns false if that was
// not so.
func (c *chunk) loadStored(p *part, dst *room, used int) (payload, bool, error) {
	l := &c.col.b.layout
	if l.form != fixed || c.col.b.hasOffsets || used < lead {
		return payload{}, false, nil
	}
	values := (p.end - p.first) * int64(l.stride)
	keyLen := int64(p.nbytes) - values
	if keyLen < keyHeadSmall+keyTextMin || keyLen > lead {
		return payload{}, false, nil
	}
	if err := c.grow(dst, used+int(values), used); err != nil {
		return payload{}, true, err
	}
	start := used - int(keyLen)
	var behind [lead]byte // what the key is read over
	copy(behind[:keyLen], dst.b[start:used])
	rec := dst.b[start : used+int(values) : used+int(values)]
	err := c.file.readAt(rec, p.seek)
	var k basket
	if err == nil {
		k, err = parseBasketKey(rec, p)
	}
	copy(dst.b[start:used], behind[:keyLen])
	if err != nil {
		return payload{}, true, err
	}
	if int64(k.keyLen) != keyLen || int64(k.objLen) != values {
		return payload{}, false, nil // it is compressed after all
	}
	q, err := c.split(rec[keyLen:], k)
	return q, true, err
}

// loadEmbedded is load for a basket in the tree's record.
func (c *chunk) loadEmbedded(p *part, dst *room, used int) (payload, error) {
	k := p.embedded
	if err := c.fits(len(k.data), p); err != nil {
		return payload{}, err
	}
	if err := c.grow(dst, used+len(k.data), used); err != nil {
		return payload{}, err
	}
	out := dst.b[used : used+len(k.data) : used+len(k.data)]
	copy(out, k.data)
	q := payload{data: out, keyLen: k.keyLen, entries: k.entries}
	if !k.derived && k.offsets.len() > 0 {
		if k.offsets.len() < k.entries {
			return q, fmt.Errorf("%w: a table of %d offsets for %d entries", compress.ErrCorrupt, k.offsets.len(), k.entries)
		}
		return q, q.setOffsets(k.offsets.b)
	}
	return q, nil
}

// fits tells whether a basket's data has the size that its entries give it,
// where that is known: memory of the caller is not exceeded.
func (c *chunk) fits(n int, p *part) error {
	l := &c.col.b.layout
	if l.form == fixed && !c.col.b.hasOffsets && int64(n) != (p.end-p.first)*int64(l.stride) {
		return fmt.Errorf("%w: %d bytes for %d entries of %d", compress.ErrSize, n, p.end-p.first, l.stride)
	}
	return nil
}

// split finds the table of offsets behind the values.
func (c *chunk) split(out []byte, k basket) (payload, error) {
	border := k.last - k.keyLen
	q := payload{data: out[:border:border], keyLen: k.keyLen, entries: k.entries}
	rest := out[border:]
	if k.derived || len(rest) == 0 {
		return q, nil
	}
	if len(rest) < 4 {
		return q, fmt.Errorf("%w: a table of offsets of %d bytes", compress.ErrCorrupt, len(rest))
	}
	n := int64(binary.BigEndian.Uint32(rest))
	if n < int64(k.entries) || n > int64(len(rest)-4)/4 {
		return q, fmt.Errorf("%w: a table of %d offsets in %d bytes for %d entries", compress.ErrCorrupt, n, len(rest), k.entries)
	}
	if !c.col.b.hasOffsets && int64(len(rest)) != 4+4*n {
		return q, fmt.Errorf("%w: %d bytes behind the values, where the branch has no tables", compress.ErrTrailing, len(rest))
	}
	return q, q.setOffsets(rest[4:])
}
