package opt_test

import (
	"testing"

	"github.com/eddy-go/eddy"
	"github.com/eddy-go/eddy/internal/leak"
)

// TestMain does not count what is out: a Writer on a stack that the runtime moves leaves its memory to the collector.
// TestMemoryGoesBack of package easyjson/buffer counts.
func TestMain(m *testing.M) { leak.Main(m, eddy.Misuse) }
