package easyjson

import (
	"testing"

	"github.com/eddy-go/eddy"
	"github.com/eddy-go/eddy/internal/leak"
)

// TestMain checks at the end that no goroutine runs and that every buffer went back, also those of tests of failures.
func TestMain(m *testing.M) {
	eddy.CountPuts(true)
	leak.Main(m, leak.Balance("buffers", func() int64 { return inUse() - lost }), eddy.Misuse)
}

// lost is how many buffers tests have left to the collector on purpose.
var lost int64

// loses notes, at the end of t, what t has left to the collector.
func loses(t *testing.T) {
	before := inUse()
	t.Cleanup(func() { lost += inUse() - before })
}

// inUse returns how many buffers of the process are out.
func inUse() (n int64) {
	for _, s := range eddy.Pools() {
		n += s.InUse
	}
	return n
}
