package jsonwire

import (
	"strings"
	"testing"
)

// Whoever gives Form the rest of a string and FormSlack bytes, or more than
// that but not enough, relies on progress: without it a loop never ends.
func TestFormMakesProgress(t *testing.T) {
	for _, unit := range []string{"\x00", "\"", "<a", "a<", "\u2028", "\xff", "ж\xe6", "🌊&"} {
		for n := 1; n < 60; n++ {
			s := strings.Repeat(unit, n)
			for room := FormSlack; room < StringRoom(len(s)); room++ {
				b := make([]byte, room)
				if next, done := Form(b, 0, s, 0); done == 0 || next > room {
					t.Fatalf("%d of %q in %d bytes: formed %d to %d", n, unit, room, done, next)
				}
			}
		}
	}
}
