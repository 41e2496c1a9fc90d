package rootio

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/eddy-go/eddy/compress"
)

// A basket is the values of some entries of a branch: what the key of its
// record says, and, if it lies in the tree's own record, its data.
type basket struct {
	keyLen  int
	objLen  int
	entries int  // fNevBuf
	last    int  // where the values end, counted from the start of the key
	derived bool // where entries begin is not stored: the branch's counter tells

	data    []byte // of an embedded basket: the values
	offsets array  // of an embedded basket: where entries begin, as last
}

// derivedOffsets is the bit of fIOBits for it, the only one that there is.
const derivedOffsets = 1

// readBasketHead reads what a basket has in its key behind the strings.
func readBasketHead(r *rbuf, k *basket) (flag int) {
	r.u16() // version
	r.i32() // size of the buffer
	if size := r.i32(); size < 0 {
		bits := r.u8()
		if bits&^derivedOffsets != 0 {
			r.fail("a basket with the I/O features %#x", bits)
		}
		k.derived = bits&derivedOffsets != 0
	}
	k.entries = int(r.i32())
	k.last = int(r.i32())
	flag = int(r.u8())
	if k.entries < 0 || k.last < 0 {
		r.fail("a basket of %d entries that end at byte %d", k.entries, k.last)
	}
	return flag
}

// readTBasket reads a basket that lies in the record of its tree. What it holds
// is decided by its flag, not by how large a table of offsets it was made for.
func readTBasket(r *rbuf, o *object) {
	k := &basket{}
	start := r.pos
	h, err := parseKeyHead(r.b[start:])
	if err != nil {
		// Sizes are zero where the basket was never written.
		h, err = embeddedKey(r.b[start:])
	}
	if err != nil {
		r.err = fmt.Errorf("%w (at byte %d of the payload)", err, start)
		return
	}
	r.pos = start + h.size
	r.str()
	r.str()
	r.str()
	version := r.peek16()
	k.keyLen = h.keyLen
	flag := readBasketHead(r, k)
	if flag >= 80 {
		flag -= 80
		k.derived = true
	}
	table := flag != 0 && flag%10 != 2 && !k.derived
	if table && k.entries > 0 {
		k.offsets, _ = r.array(typInt, int64(r.i32()), nil).(array)
		if flag > 20 && flag < 40 {
			k.offsets.b = withoutDisplacement(k.offsets.b)
		}
		if flag > 40 {
			r.array(typInt, int64(r.i32()), nil)
		}
	}
	if flag == 1 || flag > 10 {
		n := k.last
		if version <= 1 {
			n = int(r.i32())
		}
		buf := r.need(n)
		switch {
		case r.err != nil:
		case k.keyLen > len(buf):
			r.fail("an embedded basket with a key of %d bytes in %d", k.keyLen, len(buf))
		default:
			// The record of the tree is not kept.
			k.data, k.offsets.b = bytes.Clone(buf[k.keyLen:]), bytes.Clone(k.offsets.b)
		}
	} else if k.entries > 0 {
		r.fail("an embedded basket of %d entries without data", k.entries)
	}
	o.raw = k
}

// embeddedKey reads the fixed part of a key of which the sizes need not be set.
func embeddedKey(p []byte) (keyHead, error) {
	var h keyHead
	c := cursor{b: p}
	h.nbytes = int(c.int32())
	h.version = int(c.int16())
	h.objLen = int(c.int32())
	c.int32()
	h.keyLen = int(c.int16())
	h.cycle = int(c.int16())
	c.offset(h.version > bigKey)
	c.offset(h.version > bigKey)
	h.size = c.off
	if c.short || h.version <= 0 || h.keyLen < 0 {
		return h, errShortKey
	}
	return h, nil
}

// withoutDisplacement returns offsets without the high byte, which counts what
// objects were moved by.
func withoutDisplacement(b []byte) []byte {
	b = bytes.Clone(b)
	for i := 0; i+4 <= len(b); i += 4 {
		b[i] = 0
	}
	return b
}

func (r *rbuf) peek16() uint16 {
	if r.err != nil || r.left() < 2 {
		return 0
	}
	return binary.BigEndian.Uint16(r.b[r.pos:])
}

// parseBasketKey reads the key that begins the record rec of a part.
func parseBasketKey(rec []byte, p *part) (basket, error) {
	var k basket
	h, err := parseKeyHead(rec)
	if err != nil {
		return k, err
	}
	switch {
	case h.nbytes != int(p.nbytes):
		return k, fmt.Errorf("%w: a record of %d bytes where the branch has %d", compress.ErrCorrupt, h.nbytes, p.nbytes)
	case h.seek != p.seek:
		return k, fmt.Errorf("%w: the key says it is at offset %d", compress.ErrCorrupt, h.seek)
	case h.keyLen > len(rec):
		return k, errShortKey
	}
	c := cursor{b: rec[:h.keyLen], off: h.size}
	class := c.text()
	c.text()
	c.text()
	if c.short || string(class) != "TBasket" {
		return k, fmt.Errorf("%w: no TBasket", compress.ErrCorrupt)
	}
	k.keyLen, k.objLen = h.keyLen, h.objLen
	r := rbuf{b: rec[:h.keyLen], pos: c.off}
	readBasketHead(&r, &k)
	switch {
	case r.err != nil:
		return k, r.err
	case int64(k.entries) != p.end-p.first:
		return k, fmt.Errorf("%w: a basket of %d entries for %d to %d", compress.ErrCorrupt, k.entries, p.first, p.end)
	case k.last < k.keyLen || k.last-k.keyLen > k.objLen:
		return k, fmt.Errorf("%w: entries that end at byte %d of %d", compress.ErrCorrupt, k.last-k.keyLen, k.objLen)
	case h.nbytes-h.keyLen > h.objLen:
		return k, fmt.Errorf("%w: a payload of %d bytes for %d", compress.ErrSize, h.nbytes-h.keyLen, h.objLen)
	}
	return k, nil
}
