package jlexer

import (
	"hash/maphash"
	"strings"
	"sync/atomic"
)

// A bounded table of strings that came lately: sets of two slots, by hash, the older of which is replaced. It holds what
// it holds across collections, at most internSets*2 strings of maxIntern bytes.
const (
	internSets = 1024
	maxIntern  = 64
)

var (
	interned   [internSets][2]atomic.Pointer[string]
	internSeed = maphash.MakeSeed()
)

// intern returns a string of b's bytes, one that it returned before if it still has it.
func intern(b []byte) string {
	if uint(len(b)-1) >= maxIntern {
		return string(b)
	}
	set := &interned[maphash.Bytes(internSeed, b)%internSets]
	first := set[0].Load()
	if first != nil && *first == string(b) {
		return *first
	}
	if p := set[1].Load(); p != nil && *p == string(b) {
		return *p
	}
	s := strings.Clone(stringOf(b))
	set[1].Store(first)
	set[0].Store(&s)
	return s
}
