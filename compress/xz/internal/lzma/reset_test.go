package lzma

import (
	"testing"

	"github.com/eddy-go/eddy/compress/internal/edge"
	"github.com/eddy-go/eddy/compress/internal/sink"
)

// stored is a chunk of bytes as they are.
func stored(control byte, p string) []byte {
	return append([]byte{control, byte((len(p) - 1) >> 8), byte(len(p) - 1)}, p...)
}

// match is a chunk of one match at the position in the dictionary, made with
// new probabilities.
func match(control byte, pos, n, dist int) []byte {
	e := new(Encoder)
	e.m.setProps(defaultProps)
	e.m.reset()
	e.rc.init(nil)
	e.putMatch(pos, n, dist)
	e.rc.flush()
	z := []byte{control, byte((n - 1) >> 8), byte(n - 1), 0, byte(len(e.rc.out) - 1)}
	if control >= 0xc0 {
		z = append(z, defaultProps)
	}
	return append(z, e.rc.out...)
}

// What each kind of chunk resets, and what must have been set before.
func TestResets(t *testing.T) {
	for _, c := range []struct {
		name   string
		chunks [][]byte
		want   string
		err    error
	}{
		{"a match into a stored chunk", [][]byte{stored(1, "abc"), match(0xc0, 3, 4, 3)}, "abcabca", nil},
		{"and before it", [][]byte{stored(1, "abc"), match(0xc0, 3, 4, 4)}, "", ErrCorrupt},
		{"before a new dictionary", [][]byte{stored(1, "abc"), match(0xe0, 0, 4, 3)}, "", ErrCorrupt},
		{"before a new dictionary of stored bytes", [][]byte{stored(1, "abc"), stored(1, "d"), match(0xc0, 1, 4, 2)}, "", ErrCorrupt},
		{"over stored bytes without one", [][]byte{stored(1, "abc"), stored(2, "d"), match(0xc0, 4, 4, 4)}, "abcdabcd", nil},
		{"a new state", [][]byte{stored(1, "abc"), match(0xc0, 3, 4, 3), match(0xa0, 7, 2, 7)}, "abcabcaab", nil},
		{"a new state behind stored bytes", [][]byte{stored(1, "ab"), match(0xc0, 2, 2, 2), stored(2, "c"), match(0xa0, 5, 2, 1)}, "ababccc", nil},
		{"no properties", [][]byte{stored(1, "abc"), match(0xa0, 3, 4, 3)}, "", ErrCorrupt},
		{"no properties for a new dictionary", [][]byte{stored(1, "abc"), match(0xc0, 3, 4, 3), stored(1, "d"), match(0xa0, 1, 2, 1)}, "", ErrCorrupt},
		{"no dictionary", [][]byte{stored(2, "abc")}, "", ErrCorrupt},
		{"no dictionary for a match", [][]byte{match(0xc0, 0, 2, 1)}, "", ErrCorrupt},
		{"a match into nothing", [][]byte{match(0xe0, 0, 2, 1)}, "", ErrCorrupt},
		{"an end marker", [][]byte{stored(1, "abc"), match(0xc0, 3, 2, 0)}, "", ErrCorrupt},
	} {
		box := edge.Open(t, 1000)
		n := 1
		for _, z := range c.chunks {
			n += len(z)
		}
		src, _ := box.Last(t, n)
		at := 0
		for _, z := range c.chunks {
			at += copy(src[at:], z)
		}
		src[at] = 0
		dst, check := edge.Canary(t, 20)
		s := sink.ForSize(dst)
		sp, err := new(Decoder).Decode(&s, src, 0, 1<<12)
		check()
		if err != c.err || err == nil && (sp != n || string(dst[:s.N]) != c.want) {
			t.Errorf("%s: %q, %v", c.name, dst[:s.N], err)
		}
		box.Close()
	}
}
