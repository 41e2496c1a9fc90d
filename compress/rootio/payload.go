package rootio

import (
	"fmt"
	"io"
	"slices"

	"github.com/eddy-go/eddy"
	"github.com/eddy-go/eddy/compress"
)

var (
	errCut     = fmt.Errorf("record cut short: %w", io.ErrUnexpectedEOF)
	errOtherID = fmt.Errorf("%w: the record's key is another one", compress.ErrCorrupt)
)

// readChunk is how much of a payload is read at once, if not more is needed.
const readChunk = 1 << 20

// AppendPayload reads the record's payload and appends the object, decompressed,
// to dst: ObjLen bytes. (Of an RBlob, whose payload is RNTuple's own, it is the
// payload as it is.) The record's own key must agree with k. Memory for the
// object is set aside as its blocks give it, a small multiple at most; beside
// that it takes pooled buffers of the size of a block. With an error dst is
// returned as it was; the room behind its length may have been written.
func (k Key) AppendPayload(dst []byte) ([]byte, error) {
	out := dst
	err := k.each(func(n int) []byte {
		if cap(out)-len(out) < n {
			have := len(out) - len(dst)
			want := int64(max(n, have))
			out = slices.Grow(out, int(min(int64(k.size()-have), max(want, 64*int64(k.PayloadLen())))))
		}
		out = out[:len(out)+n]
		return out[len(out)-n:]
	})
	if err != nil {
		return dst, err
	}
	return out, nil
}

// Verify reads the record's payload and checks all of it: that its key agrees
// with k, that its blocks decompress to ObjLen bytes, and their checksums. It
// takes pooled memory of the size of two blocks.
func (k Key) Verify() error {
	var scratch []byte
	defer func() { eddy.Put(scratch) }()
	return k.each(func(n int) []byte {
		if len(scratch) < n {
			eddy.Put(scratch)
			scratch = eddy.Get(n)
			scratch = scratch[:cap(scratch)]
		}
		return scratch[:n:n]
	})
}

// Algorithm returns the algorithm of the payload's first block, and Stored
// where there are none.
func (k Key) Algorithm() (Algorithm, error) {
	if k.Stored() || k.Class == blobClass {
		return Stored, nil
	}
	var head [headerSize]byte
	err := k.file.readAt(head[:min(len(head), max(k.PayloadLen(), 0))], k.Offset+int64(k.KeyLen))
	if err != nil {
		return Stored, k.fault(err)
	}
	b, err := parseBlock(head[:min(len(head), k.PayloadLen())], 0, k.ObjLen)
	if err != nil {
		return Stored, k.fault(err)
	}
	return b.Algorithm, nil
}

// size is how many bytes AppendPayload appends.
func (k Key) size() int {
	if k.Class == blobClass {
		return k.PayloadLen()
	}
	return k.ObjLen
}

// each decompresses the record part by part into what room returns for n bytes.
func (k Key) each(room func(n int) []byte) error {
	w := k.file.newWindow(k.Offset, k.Offset+int64(k.NBytes), readChunk)
	defer w.free()
	if err := k.open(w); err != nil {
		return k.fault(err)
	}
	if k.size() == k.PayloadLen() {
		for rest := k.PayloadLen(); rest > 0; {
			n := min(rest, readChunk)
			rest -= n
			if err := w.fill(room(n)); err != nil {
				return k.fault(err)
			}
		}
		return nil
	}
	off, n := 0, 0
	for n < k.ObjLen {
		head, err := w.peek(int(min(headerSize, w.left())))
		if err != nil {
			return k.fault(err)
		}
		b, err := parseBlock(head, off, k.ObjLen-n)
		if err != nil {
			return k.fault(err)
		}
		src, err := w.take(b.Len)
		if err == io.ErrUnexpectedEOF {
			err = blockError(off, err)
		}
		if err != nil {
			return k.fault(err)
		}
		if err := decodeBlock(room(b.Size), src, b); err != nil {
			return k.fault(err)
		}
		off += b.Len
		n += b.Size
	}
	if w.left() > 0 {
		return k.fault(blockError(off, compress.ErrTrailing))
	}
	return nil
}

// open takes the record's own key from w, which begins with it, and checks
// that it is k.
func (k Key) open(w *window) error {
	if w.left() < int64(k.NBytes) {
		return errCut
	}
	p, err := w.take(k.KeyLen)
	if err != nil {
		return err
	}
	h, err := parseKeyHead(p)
	if err != nil {
		return err
	}
	c := cursor{b: p, off: h.size}
	class, name := c.text(), c.text()
	if c.short || h.nbytes != k.NBytes || h.keyLen != k.KeyLen || h.objLen != k.ObjLen || h.cycle != k.Cycle ||
		string(class) != k.Class || string(name) != k.Name {
		return errOtherID
	}
	return nil
}
