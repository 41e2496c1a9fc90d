package race

import (
	"runtime/debug"
	"testing"
)

// The build records its flags, so the constant can be held against what the go command was really told.
func TestEnabledIsTheBuildsFlag(t *testing.T) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		t.Fatal("the test binary carries no build information")
	}
	want := false
	for _, s := range info.Settings {
		if s.Key == "-race" {
			want = s.Value == "true"
		}
	}
	if Enabled != want {
		t.Errorf("Enabled = %v, but the build says -race=%v", Enabled, want)
	}
}
