//go:build unix && (amd64 || arm64 || 386)

package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Where the test binary is emulated it cannot run itself: hence the list of
// architectures above.

// start runs the command as a process.
func start(t *testing.T, stdout io.Writer, args ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), asCommand+"=1")
	var stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = stdout, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, &stderr
}

func TestTheProcessHasTheStatus(t *testing.T) {
	for _, c := range []struct {
		args   []string
		status int
	}{
		{[]string{"verify", fixture("hist.root")}, 0},
		{[]string{"verify", fixture("README.md")}, statusFailed},
		{[]string{"verify"}, statusUsage},
	} {
		cmd, stderr := start(t, io.Discard, c.args...)
		if cmd.Wait(); cmd.ProcessState.ExitCode() != c.status {
			t.Errorf("%q: %v: %s", c.args, cmd.ProcessState, stderr)
		}
	}
}

// Like head does it: what reads has seen enough.
func TestABrokenPipeIsQuiet(t *testing.T) {
	for _, name := range []string{"csv", "arrow"} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		cmd, stderr := start(t, w, name, fixture("multiblock-lz4.root"))
		w.Close()
		if _, err := io.ReadFull(r, make([]byte, 10)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		r.Close()
		cmd.Wait()
		if stderr.Len() > 0 || cmd.ProcessState.Success() {
			t.Errorf("%s: %v: %s", name, cmd.ProcessState, stderr)
		}
	}
}

// An interrupt ends a process whose output nobody takes, too.
func TestAnInterruptedProcess(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cmd, stderr := start(t, w, "csv", fixture("multiblock-lz4.root"))
	w.Close()
	if _, err := bufio.NewReaderSize(r, 16).ReadByte(); err != nil { // it is at work
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	if got := cmd.ProcessState.ExitCode(); got != statusInterrupted {
		t.Errorf("%v: %s", cmd.ProcessState, stderr)
	}
}

// A file that was begun is removed when its process is interrupted, or it was
// complete before.
func TestAnInterruptedProcessLeavesNoFile(t *testing.T) {
	dir := t.TempDir()
	cmd, stderr := start(t, io.Discard, "csv", "-o", filepath.Join(dir, "out"), fixture("multiblock-zlib1.root"))
	for { // until it has begun a file
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		if len(entries) > 0 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
	cmd.Wait()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".tmp") {
			t.Errorf("%v leaves %s: %s", cmd.ProcessState, e.Name(), stderr)
		}
	}
}
