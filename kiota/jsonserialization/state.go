package jsonserialization

import (
	"slices"
	"sync/atomic"
	"unicode/utf8"

	"github.com/eddy-go/eddy"
	"github.com/eddy-go/eddy/jsonwire"
)

const (
	firstSize = 2 << 10  // of the memory a writer starts with
	chunkSize = 64 << 10 // up to where content is contiguous, and of each chunk from there on
	pieceSize = 8 << 10  // what is formed at once of long strings

	maxDepth   = jsonwire.MaxDepth
	maxScratch = 1 << 10 // names and chunks that lists are kept for
)

// memory is what content is formed in. No piece is larger than a chunk, whatever
// the size of the message.
var memory = eddy.BytePool{Name: "kiota/jsonserialization"}

// states holds what writers work with. A writer itself is not pooled: gen tells
// a writer that was closed, and copies of it, from the state's next user.
var states = eddy.Pool[state]{Name: "kiota/jsonserialization.state", Reset: (*state).reset}

// state is the content of a writer. Methods take the name of what they write; ""
// writes no name.
type state struct {
	// gen is atomic since a copy of a writer may be closed, again, while
	// another goroutine has the state.
	gen    atomic.Uint64
	resets uint64   // how often the content has been removed
	cur    []byte   // the last chunk, all of it
	n      int      // bytes written to cur; storing this costs less than a slice does
	full   [][]byte // those before it
	size   int      // bytes in full
	comma  bool     // whatever comes next needs a comma in front
	depth  int      // open objects and collections
	failed error    // what left an object or a collection incomplete
	names  []string // scratch to sort names in, used as a stack
	opt    WriterOptions
}

// reset is what states.Put calls.
func (s *state) reset() bool {
	s.opt = WriterOptions{}
	return cap(s.full) <= maxScratch && cap(s.names) <= maxScratch
}

// clean tells that nothing of an earlier user is left.
func (s *state) clean() bool {
	return s.cur == nil && s.n == 0 && len(s.full) == 0 && s.size == 0 && !s.comma && s.depth == 0 &&
		s.failed == nil && len(s.names) == 0 && s.opt == WriterOptions{}
}

// empty gives the content's memory back.
func (s *state) empty() {
	s.resets++
	for i, c := range s.full {
		s.put(c)
		s.full[i] = nil
	}
	s.put(s.cur)
	s.cur, s.n, s.full, s.size = nil, 0, s.full[:0], 0
	s.comma, s.depth, s.failed = false, 0, nil
	s.unsort(0)
}

func (s *state) put(b []byte) {
	if s.opt.ClearMemory {
		memory.PutClear(b)
	} else {
		memory.Put(b)
	}
}

// total returns the number of bytes written.
func (s *state) total() int { return s.size + s.n }

// grow makes room for n bytes behind cur.
//
//go:noinline
func (s *state) grow(n int) {
	if len(s.full) == 0 && s.n+n <= chunkSize {
		grown := memory.Get(max(firstSize, s.n+n, min(2*len(s.cur), chunkSize)))
		grown = grown[:cap(grown)]
		copy(grown, s.cur[:s.n])
		if s.cur != nil {
			s.put(s.cur)
		}
		s.cur = grown
		return
	}
	if s.n > 0 {
		s.full = append(s.full, s.cur[:s.n])
		s.size += s.n
	} else if s.cur != nil {
		s.put(s.cur)
	}
	chunk := memory.Get(max(n, chunkSize))
	s.cur, s.n = chunk[:cap(chunk)], 0
}

// reserve returns the last chunk with room for n bytes from index i on.
func (s *state) reserve(n int) (b []byte, i int) {
	if len(s.cur)-s.n < n {
		s.grow(n)
	}
	return s.cur, s.n
}

// start writes what comes before a value, a comma and a name as needed, and
// returns the last chunk with room for the n bytes of the value from index i
// on. The value is the content's as soon as s.n is behind it.
func (s *state) start(key string, n int) (b []byte, i int) {
	if len(key) > pieceSize || s.opt.RawNames {
		return s.startSlow(key, n)
	}
	need := len(key) + n + len(`,"":`) + jsonwire.FormSlack
	if len(s.cur)-s.n < need {
		s.grow(need)
	}
	b, i = s.cur, s.n
	if s.comma {
		b[i] = ','
		i++
	}
	if key == "" {
		s.comma = false
		return b, i
	}
	s.comma = true
	b[i] = '"'
	i, done := jsonwire.Form(b, i+1, key, jsonwire.NoHTML)
	if done < len(key) || len(b)-i < n+len(`":`) {
		// The name has characters to escape.
		s.n = i
		s.form(key[done:])
		b, i = s.reserve(n + len(`":`))
	}
	b[i], b[i+1] = '"', ':'
	return b, i + 2
}

// startSlow is start for long names and those that are not escaped.
func (s *state) startSlow(key string, n int) (b []byte, i int) {
	b, i = s.reserve(n + len(`,"`))
	if s.comma {
		b[i] = ','
		i++
	}
	if s.comma = key != ""; !s.comma {
		return b, i
	}
	b[i] = '"'
	s.n = i + 1
	if s.opt.RawNames {
		s.raw(key)
	} else {
		s.form(key)
	}
	b, i = s.reserve(n + len(`":`))
	b[i], b[i+1] = '"', ':'
	return b, i + 2
}

// form writes the inside of a string, however long. Form is given room for some
// escapes, without which each of them would end it.
func (s *state) form(v string) {
	for len(v) > 0 {
		n := len(v)
		if n > pieceSize {
			n = wholeRunes(v[:pieceSize])
		}
		b, i := s.reserve(n + n/4 + 2*jsonwire.FormSlack)
		i, done := jsonwire.Form(b, i, v[:n], jsonwire.NoHTML)
		s.n, v = i, v[done:]
	}
}

// wholeRunes returns how many bytes of v come before a rune that v has the
// beginning of only. Bytes that are not UTF-8 stand for themselves.
func wholeRunes(v string) int {
	for i := len(v) - 1; i > len(v)-utf8.UTFMax; i-- {
		if utf8.RuneStart(v[i]) {
			if !utf8.FullRuneInString(v[i:]) {
				return i
			}
			break
		}
	}
	return len(v)
}

// raw writes bytes as they are, however many.
func (s *state) raw(v string) {
	for len(v) > 0 {
		b, i := s.reserve(min(len(v), pieceSize))
		n := copy(b[i:], v)
		s.n, v = i+n, v[n:]
	}
}

// closing writes the end of an object or a collection that was called key.
func (s *state) closing(c byte, key string) {
	b, i := s.reserve(1)
	b[i] = c
	s.n = i + 1
	s.comma = key != ""
}

// untake takes back a name that nothing was written behind. The content was
// before bytes long in front of it, and comma is what it was then.
func (s *state) untake(before int, comma bool) {
	for s.size > before {
		last := len(s.full) - 1
		s.put(s.cur)
		s.cur, s.n = s.full[last][:cap(s.full[last])], len(s.full[last])
		s.full[last] = nil
		s.full, s.size = s.full[:last], s.size-s.n
	}
	s.n, s.comma = before-s.size, comma
}

// content returns a copy of what has been written.
func (s *state) content() []byte {
	if len(s.full) == 0 {
		out := make([]byte, s.n)
		copy(out, s.cur)
		return out
	}
	out := make([]byte, 0, s.total())
	for _, c := range s.full {
		out = append(out, c...)
	}
	return append(out, s.cur[:s.n]...)
}

// outer is what a state was when an object or a collection was begun.
type outer struct {
	depth  int
	resets uint64
}

// enter begins an object or a collection.
func (s *state) enter() (outer, error) {
	o := outer{s.depth, s.resets}
	if s.depth >= maxDepth {
		return o, s.fail(ErrDepth)
	}
	s.depth++
	return o, nil
}

// leave ends the object or collection that was begun in o. Inside of it all
// others have been ended, unless a panic was recovered there, which has left one
// as it was. The content may have been removed by a Reset inside.
func (s *state) leave(o outer) error {
	if s.resets != o.resets || s.depth != o.depth+1 {
		return s.abandon(o, ErrUnfinished)
	}
	s.depth = o.depth
	return nil
}

// abandon ends the object or collection that was begun in o, because of err.
func (s *state) abandon(o outer, err error) error {
	s.depth = o.depth
	return s.fail(err)
}

// fail remembers that an object or a collection is incomplete.
func (s *state) fail(err error) error {
	if s.failed == nil {
		s.failed = err
	}
	return err
}

// sorted appends the names of a map to the scratch, in order, and returns them;
// the caller gives base to unsort when done.
func sorted[V any](s *state, m map[string]V) (names []string, base int) {
	base = len(s.names)
	for k := range m {
		s.names = append(s.names, k)
	}
	names = s.names[base:]
	if len(names) > 1 {
		slices.Sort(names)
	}
	return names, base
}

// unsort cuts the scratch back, and keeps nothing of what was in it.
func (s *state) unsort(base int) {
	clear(s.names[base:])
	s.names = s.names[:base]
}
