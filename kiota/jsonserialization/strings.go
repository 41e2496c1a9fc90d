package jsonserialization

import (
	"strings"

	"github.com/eddy-go/eddy/jsonwire"
)

const (
	// smallDocument is up to which size of the content strings may refer to
	// it. In larger documents they are copied, so that a string that is kept
	// does not keep everything else.
	smallDocument = 4 << 10

	// Strings of up to groupString bytes are copied together into pieces of
	// groupText bytes, and groupSize pointers to strings allocated together.
	groupString = 128
	groupText   = 2 << 10
	groupSize   = 16

	// maxSpare is how much more than a string its memory may have.
	maxSpare = 2 << 10
)

// A stringGroup allocates strings, and what pointers to strings point to, several
// at once. Pointers that are allocated together keep each other's strings: these
// are all in one piece of text.
type stringGroup struct {
	pointers []string
	text     []byte // its capacity beyond its length is what is left of the piece
	left     int    // strings of the document that have not been asked for yet
}

// pointer returns a pointer to s.
func (g *stringGroup) pointer(s string) *string {
	if len(g.pointers) == 0 {
		g.pointers = make([]string, min(groupSize, max(g.left, 1)))
	}
	p := &g.pointers[0]
	g.pointers = g.pointers[1:]
	g.left--
	*p = s
	return p
}

// room makes the piece of text have room for n bytes, at most groupString.
func (g *stringGroup) room(n int) {
	if cap(g.text)-len(g.text) < n {
		g.text = make([]byte, 0, groupText)
		g.pointers = nil
	}
}

// copy returns the value of a string of up to groupString bytes.
func (g *stringGroup) copy(b []byte, flags jsonwire.StringFlags) string {
	g.room(len(b))
	start := len(g.text)
	if flags != 0 {
		// The value has no more bytes than b unless there is invalid UTF-8.
		g.text, _ = jsonwire.AppendUnescaped(g.text, b, flags)
	} else {
		g.text = append(g.text, b...)
	}
	return stringOf(g.text[start:])
}

// grouped tells that a string is to be copied together with others.
func (d *document) grouped(b []byte, flags jsonwire.StringFlags) bool {
	return len(d.content) > smallDocument && len(b) <= groupString && flags&jsonwire.InvalidUTF8 == 0
}

// string returns the value of a string as one to keep.
func (d *document) string(b []byte, flags jsonwire.StringFlags) string {
	switch {
	case d.grouped(b, flags):
		return d.strings.copy(b, flags)
	case flags != 0:
		return decode(b, flags)
	case len(d.content) <= smallDocument:
		return stringOf(b)
	}
	return string(b)
}

// pointer is string for a pointer to one.
func (d *document) pointer(b []byte, flags jsonwire.StringFlags) *string {
	s := d.string(b, flags)
	if len(d.content) > smallDocument && !d.grouped(b, flags) {
		p := s
		return &p
	}
	return d.strings.pointer(s)
}

// own returns a name to keep of one that refers to the content.
func (d *document) own(name string) string {
	switch {
	case len(d.content) <= smallDocument:
		return name
	case len(name) <= groupString:
		g := &d.strings
		g.room(len(name))
		start := len(g.text)
		g.text = append(g.text, name...)
		return stringOf(g.text[start:])
	}
	return strings.Clone(name)
}

// decode returns the value of a string with escapes or invalid UTF-8. It has up
// to a sixth of the bytes that it has been written with.
func decode(b []byte, flags jsonwire.StringFlags) string {
	out, err := jsonwire.AppendUnescaped(make([]byte, 0, len(b)), b, flags)
	if err != nil {
		return "" // no string of a document that was parsed
	}
	if cap(out)-len(out) > maxSpare {
		return string(out)
	}
	return stringOf(out)
}
