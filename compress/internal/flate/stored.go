package flate

import (
	"encoding/binary"
	"errors"
	"io"
)

// At its fast levels the encoder stores what it finds no match in, 64 KiB at a
// time, even where a few byte values make up all of it. It writes such a block
// in three parts: the bits up to the next byte, the length with its
// complement, and the bytes. From the length on everything is in whole bytes,
// so an output that watches for these parts can write something else that
// decodes to the same: no bytes at that length, and then blocks of a code
// alone, up to a whole byte. The encoder goes on as if it had stored the
// bytes, and its later matches may reach into them.

// leastStored is from where on it is worth a look. It is more than the encoder
// writes at once of anything but bytes that it stores.
const leastStored = 512

// errNoEnd: the encoder ended with a block that was replaced, whose header had
// to say that it is the last.
var errNoEnd = errors.New("encoder ended in stored bytes")

// output is what the encoders write to: a writer, or else a slice.
type output struct {
	w io.Writer
	b []byte

	watch bool // for stored blocks of a stream
	held  bool // head is not yet written
	last  bool // the last block was replaced
	head  [4]byte
}

func (o *output) Write(p []byte) (int, error) {
	if o.w == nil {
		o.b = append(o.b, p...)
		return len(p), nil
	}
	if o.held {
		o.held = false
		if int(binary.LittleEndian.Uint16(o.head[:])) == len(p) && shrinks(p) {
			o.last = true
			return len(p), o.encode(p)
		}
		if _, err := o.put(o.head[:]); err != nil {
			return 0, err
		}
	} else if o.watch && len(p) == len(o.head) {
		n := binary.LittleEndian.Uint16(p)
		if n >= leastStored && n == ^binary.LittleEndian.Uint16(p[2:]) {
			o.held = true
			copy(o.head[:], p)
			return len(p), nil
		}
	}
	o.last = false
	return o.put(p)
}

func (o *output) put(p []byte) (int, error) {
	n, err := o.w.Write(p)
	if n < len(p) && err == nil {
		err = io.ErrShortWrite
	}
	return n, err
}

// encode writes what makes the begun block one of no bytes, and p coded.
func (o *output) encode(p []byte) error {
	copy(o.head[:], "\x00\x00\xff\xff")
	if _, err := o.put(o.head[:]); err != nil {
		return err
	}
	pool := encoders[0] // HuffmanOnly
	e := pool.Get()
	defer pool.Put(e)
	e.out.w = o.w
	e.w.Reset(&e.out)
	if _, err := e.w.Write(p); err != nil {
		return err
	}
	return e.w.Flush()
}

// shrinks estimates whether a code alone makes p smaller, by a part of it.
func shrinks(p []byte) bool {
	const part = 4 << 10
	if len(p) > part {
		at := (len(p) - part) / 2
		p = p[at : at+part]
	}
	return orderZero(p) < len(p)-len(p)/16
}
