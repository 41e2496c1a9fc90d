package eddy_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The drop-in is a module of its own that stays out of the workspace, where it
// would stand in for the real easyjson; so its tests run from here.
func TestDropIn(t *testing.T) {
	// GOOS and GOARCH of a cross-compiled test are not meant for the go command
	// that builds and runs another one.
	cmd := exec.Command("go", "test", "./...")
	cmd.Dir = filepath.Join("dropin", "easyjson")
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOOS=", "GOARCH=", "GOFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("go test ./... in %s: %v\n%s", cmd.Dir, err, out)
	}
}
