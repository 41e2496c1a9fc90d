package jsonserialization

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/eddy-go/eddy"
	"github.com/eddy-go/eddy/jsonwire"
)

// record is what parsing finds out about a value. Offsets are those in the
// content, of strings and names without their quotes.
type record struct {
	start, end         uint32
	nameStart, nameEnd uint32 // of a member
	at                 uint32 // index among the document's nodes
	nodes              uint32 // this one and all inside of it
	count              uint32 // elements or members
	kind               kind
	flags              jsonwire.StringFlags // of a string
	nameFlags          jsonwire.StringFlags
	repeats            bool // two members of the object may have one name
}

// scan is what parsing works in. It holds no pointers, so it can be pooled
// while the nodes that are made of it cannot.
type scan struct {
	records []record
	open    []opened
}

// opened is an array or object that has not ended yet.
type opened struct {
	at    uint32
	names uint64 // a bit for each member's name, to notice repeated ones
}

// maxScan bounds what is kept of large documents.
const maxScan = 1 << 15

var scans = eddy.Pool[scan]{
	Name: "kiota/jsonserialization.scan",
	Reset: func(s *scan) bool {
		s.records, s.open = s.records[:0], s.open[:0]
		return cap(s.records) <= maxScan && cap(s.open) <= maxScan
	},
}

// parse checks the document and lays out its nodes.
func parse(content []byte) (*document, error) {
	if uint64(len(content)) > math.MaxUint32 {
		return nil, ErrTooLarge
	}
	s := scans.Get()
	defer scans.Put(s)
	stringCount, err := s.document(content)
	if err != nil {
		return nil, fmt.Errorf("invalid json type: %w", err)
	}
	doc := &document{
		content: bytes.Clone(content),
		nodes:   make([]JsonParseNode, len(s.records)),
	}
	doc.strings.left = stringCount
	for i := range s.records {
		n := &doc.nodes[i]
		n.doc = doc
		n.record = s.records[i]
	}
	return doc, nil
}

func syntax(offset int, err error) error {
	return &jsonwire.SyntaxError{Offset: offset, Err: err}
}

// unexpected is the error for the byte at i, or for its absence.
func unexpected(src []byte, i int) error {
	if i >= len(src) {
		return syntax(len(src), io.ErrUnexpectedEOF)
	}
	return syntax(i, jsonwire.ErrCharacter)
}

// document records the values of src in the order in which they begin, and
// counts its strings. It keeps open arrays and objects in a list and not on the
// stack.
func (s *scan) document(src []byte) (stringCount int, err error) {
	i := 0
	var name record // only what concerns the name
	for {
		// A value begins.
		i = jsonwire.SkipSpace(src, i)
		if i >= len(src) {
			return 0, unexpected(src, i)
		}
		r := name
		name = record{}
		r.at, r.nodes = uint32(len(s.records)), 1
		switch c := src[i]; c {
		case '"':
			end, flags, err := scanString(src, i)
			if err != nil {
				return 0, err
			}
			r.kind, r.flags = kindString, flags
			r.start, r.end = uint32(i+1), uint32(end-1)
			i = end
			stringCount++
		case '{', '[':
			if len(s.open) >= maxDepth {
				return 0, syntax(i, jsonwire.ErrDepth)
			}
			s.open = append(s.open, opened{at: r.at})
			r.kind, r.start = kindArray, uint32(i)
			if c == '{' {
				r.kind = kindObject
			}
			s.records = append(s.records, r)
			i = jsonwire.SkipSpace(src, i+1)
			if i < len(src) && src[i] == c+2 { // ASCII has the closing one there
				i = s.closed(i)
				break
			}
			if c == '{' {
				if name, i, err = s.name(src, i); err != nil {
					return 0, err
				}
			}
			continue
		case 't', 'f', 'n':
			end, err := jsonwire.Skip(src, i, 0)
			if err != nil {
				return 0, err
			}
			if c != 'n' {
				r.kind = kindBool
			}
			r.start, r.end = uint32(i), uint32(end)
			i = end
		default:
			end, err := scanNumber(src, i)
			if err != nil {
				return 0, err
			}
			r.kind = kindNumber
			r.start, r.end = uint32(i), uint32(end)
			i = end
		}
		if r.kind != kindArray && r.kind != kindObject {
			s.records = append(s.records, r)
		}
		// A value has ended, and perhaps with it those it is in.
		for {
			i = jsonwire.SkipSpace(src, i)
			if len(s.open) == 0 {
				if i < len(src) {
					return 0, unexpected(src, i)
				}
				return stringCount, nil
			}
			if i >= len(src) {
				return 0, unexpected(src, i)
			}
			in := &s.records[s.open[len(s.open)-1].at]
			in.count++
			if src[i] == ',' {
				i++
				if in.kind == kindObject {
					if name, i, err = s.name(src, jsonwire.SkipSpace(src, i)); err != nil {
						return 0, err
					}
				}
				break
			}
			if src[i] != ']' && src[i] != '}' || (src[i] == '}') != (in.kind == kindObject) {
				return 0, unexpected(src, i)
			}
			i = s.closed(i)
		}
	}
}

// closed ends the innermost array or object at src[i].
func (s *scan) closed(i int) (next int) {
	last := len(s.open) - 1
	in := &s.records[s.open[last].at]
	in.end = uint32(i + 1)
	in.nodes = uint32(len(s.records)) - in.at
	s.open = s.open[:last]
	return i + 1
}

// name reads the name of a member at src[i] and the colon behind it.
func (s *scan) name(src []byte, i int) (r record, next int, err error) {
	if i >= len(src) || src[i] != '"' {
		return r, i, unexpected(src, i)
	}
	end, flags, err := scanString(src, i)
	if err != nil {
		return r, i, err
	}
	r.nameStart, r.nameEnd, r.nameFlags = uint32(i+1), uint32(end-1), flags
	o := &s.open[len(s.open)-1]
	if bit := nameBit(src[i+1:end-1], flags); o.names&bit == 0 {
		o.names |= bit
	} else if in := &s.records[o.at]; !in.repeats {
		in.repeats = in.count >= indexed || s.repeated(src, int(o.at), &r)
	}
	if i = jsonwire.SkipSpace(src, end); i >= len(src) || src[i] != ':' {
		return r, i, unexpected(src, i)
	}
	return r, i + 1, nil
}

// repeated reports whether an object has a member with the name of r already. Of
// names with escapes it is not certain.
func (s *scan) repeated(src []byte, at int, r *record) bool {
	name := src[r.nameStart:r.nameEnd]
	for i := at + 1; i < len(s.records); i += int(s.records[i].nodes) {
		if m := &s.records[i]; m.nameFlags|r.nameFlags != 0 || string(src[m.nameStart:m.nameEnd]) == string(name) {
			return true
		}
	}
	return false
}

// nameBit is one of 64 bits that depends on the name alone. All names with
// escapes share one with whatever else falls on it, which means that they make
// an object be looked at closely.
func nameBit(name []byte, flags jsonwire.StringFlags) uint64 {
	if flags != 0 {
		return math.MaxUint64
	}
	h := uint32(len(name))
	for _, c := range name {
		h = (h ^ uint32(c)) * 0x01000193
	}
	return 1 << (h >> 26)
}

// scanString checks the string that begins at src[i], its escapes included.
func scanString(src []byte, i int) (end int, flags jsonwire.StringFlags, err error) {
	end, flags = jsonwire.ScanString(src, i)
	if flags&^jsonwire.InvalidUTF8 != 0 {
		// Skip knows where the fault is, if there is one.
		if end, err = jsonwire.Skip(src, i, 0); err != nil {
			return end, flags, err
		}
	}
	return end, flags, nil
}

// scanNumber checks the number that begins at src[i]. It has to be within the
// range of a float64, so that getters need not fail on it.
func scanNumber(src []byte, i int) (end int, err error) {
	if c := src[i]; c != '-' && c-'0' > 9 {
		return i, unexpected(src, i)
	}
	n, end, ok := jsonwire.ScanNumber(src, i)
	if !ok {
		if end >= len(src) {
			return end, syntax(len(src), io.ErrUnexpectedEOF)
		}
		return end, syntax(end, jsonwire.ErrNumber)
	}
	if n.Digits+max(n.Exp, 0) > 300 {
		if _, err := strconv.ParseFloat(string(src[i:end]), 64); err != nil {
			return i, syntax(i, err)
		}
	}
	return end, nil
}
