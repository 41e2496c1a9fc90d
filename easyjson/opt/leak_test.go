package opt_test

import (
	"testing"

	"github.com/eddy-go/eddy"
	"github.com/eddy-go/eddy/internal/leak"
)

// TestMain checks at the end that no goroutine runs and that every buffer went back, also those of tests of failures.
func TestMain(m *testing.M) {
	eddy.CountPuts(true)
	leak.Main(m, leak.Balance("buffers", inUse), eddy.Misuse)
}

// inUse returns how many buffers of the process are out.
func inUse() (n int64) {
	for _, s := range eddy.Pools() {
		n += s.InUse
	}
	return n
}
