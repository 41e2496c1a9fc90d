package buffer

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/eddy-go/eddy"
)

// writes returns how many calls that write this process has made so far.
func writes(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile("/proc/self/io")
	if err != nil {
		t.Fatal(err)
	}
	var n int
	_, line, _ := strings.Cut(string(text), "syscw: ")
	if _, err := fmt.Sscan(line, &n); err != nil {
		t.Fatal(err)
	}
	return n
}

// Many chunks go to a connection with one call.
func TestChunksGoOutTogether(t *testing.T) {
	const chunks = 300
	for network, pair := range pipes(t) {
		var b Buffer
		for range chunks {
			b.Adopt(eddy.Get(10))
		}
		before := writes(t)
		if n, err := b.WriteTo(pair[0]); n != 10*chunks || err != nil {
			t.Errorf("%s: %d, %v", network, n, err)
		}
		if calls := writes(t) - before; calls > chunks/10 {
			t.Errorf("%s: %d calls for %d chunks", network, calls, chunks)
		}
		if _, err := io.ReadFull(pair[1], make([]byte, 10*chunks)); err != nil {
			t.Errorf("%s: %v", network, err)
		}
		b.Free()
	}
}
