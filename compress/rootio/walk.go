package rootio

import (
	"fmt"
	"io"
	"iter"

	"github.com/eddy-go/eddy/compress"
)

// A Record is what the walk through a file finds at an offset: a record, by
// its own key, or a free gap, of which there is an offset only.
type Record struct {
	Key
	Gap int64 // bytes of the gap; 0 for a record
}

// Records walks through all records in the order of the file: keys alone are
// read. With an error the Record has the offset where it is. The caller may go
// on then: the walk looks for the next key that says it is where it is. In a
// file with Damage it ends at its last byte.
func (f *File) Records() iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		var names texts
		end := f.end
		if f.damage != nil {
			end = f.size
		}
		last := f.begin // the last record that was found
		for off := f.begin; off < end; {
			r, next, err := f.record(off, end, &names)
			if next == off && err == nil {
				return
			}
			if !yield(r, err) {
				return
			}
			if err != nil {
				// The size of the last record may be what is wrong.
				next = f.search(last+1, end, &names)
			}
			if err == nil && r.Gap == 0 {
				last = off
			}
			off = next
		}
	}
}

// search returns the offset of the first record from off on, or end: a key that
// can be one, and that says it is where it is.
func (f *File) search(off, end int64, names *texts) int64 {
	w := f.newWindow(off, end, listChunk)
	defer w.free()
	for ; w.left() >= keyHeadSmall+keyTextMin; off++ {
		p, err := w.peek(int(min(keyHeadBig, w.left())))
		if err != nil {
			break
		}
		if h, err := parseKeyHead(p); err == nil && h.seek == off && int64(h.nbytes) <= end-off {
			if _, err := f.readKey(off, names); err == nil {
				return off
			}
		}
		w.lo++
	}
	return end
}

// record reads what is at off, and returns where the next one is. That is off
// itself at the end of a file that was not closed.
func (f *File) record(off, end int64, names *texts) (Record, int64, error) {
	r := Record{Key: Key{Offset: off, file: f}}
	b, err := f.readHead(off, names)
	if err != nil {
		return r, off, r.fault(err)
	}
	if len(b) < 4 || end-off < 4 {
		return r, off, r.fault(errCut)
	}
	n := (&cursor{b: b}).int32()
	switch {
	case n == 0 && f.damage != nil:
		// Space that was set aside and never written.
		return r, off, nil
	case n == 0:
		return r, off, r.fault(fmt.Errorf("%w: record of no bytes", compress.ErrCorrupt))
	case n < 0:
		next := off - int64(n)
		if n == -longestGap {
			next = max(next, f.gaps()[off])
		}
		if next > end {
			return r, off, r.fault(fmt.Errorf("free gap of %d bytes: %w", next-off, io.ErrUnexpectedEOF))
		}
		r.Gap = next - off
		return r, next, nil
	}
	k, err := f.keyAt(off, b, names)
	if err != nil {
		return r, off, err
	}
	r.Key = k
	next := off + int64(k.NBytes)
	if next > end {
		return r, off, r.fault(errCut)
	}
	return r, next, nil
}

// readGaps reads the list of free gaps, as far as it can be read: the end of
// each by its start.
func (f *File) readGaps() map[int64]int64 {
	if f.seekFree <= f.begin {
		return nil
	}
	var names texts
	k, err := f.readKey(f.seekFree, &names)
	if err != nil || !k.Stored() || k.ObjLen > maxGaps {
		return nil
	}
	p, err := k.AppendPayload(nil)
	if err != nil {
		return nil
	}
	gaps := map[int64]int64{}
	for c := (cursor{b: p}); c.off < len(p) && !c.short; {
		big := c.int16() > bigKey
		first, end := c.offset(big), c.offset(big)+1
		// The last one reaches from the end of the file to that of the format.
		if !c.short && first >= f.begin && end > first && end <= f.end {
			gaps[first] = end
		}
	}
	return gaps
}

// longestGap is what ROOT writes into gaps of that size and of any larger one,
// of which the list of gaps knows the end.
const longestGap = 2000000000

// maxGaps bounds the list of gaps, in bytes.
const maxGaps = 16 << 20
