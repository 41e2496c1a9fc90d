package sftp

import (
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/eddy-go/eddy"
)

func TestMain(m *testing.M) {
	eddy.CountPuts(true)
	os.Exit(m.Run())
}

// nothingLeft fails t when a goroutine of the client still runs, or one of its buffers is out.
func nothingLeft(t *testing.T) {
	t.Helper()
	var running string
	var out int64
	for range 1000 {
		running, out = goroutinesOf("eddy/sftp."), buffersOut("sftp")
		if running == "" && out == 0 {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Errorf("%d buffers are out, and these run:\n%s", out, running)
}

func goroutinesOf(pkg string) string {
	b := make([]byte, 1<<20)
	b = b[:runtime.Stack(b, true)]
	var left []string
	for _, g := range strings.Split(string(b), "\n\n") {
		if strings.Contains(g, pkg) {
			left = append(left, g)
		}
	}
	return strings.Join(left, "\n\n")
}

func buffersOut(pool string) (n int64) {
	for _, p := range eddy.Pools() {
		if p.Name == pool {
			n += int64(p.InUse)
		}
	}
	return n
}
