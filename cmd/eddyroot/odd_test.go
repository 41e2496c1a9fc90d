package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// renamed is a fixture whose tree has another name, of as many bytes.
func renamed(t *testing.T, name string) string {
	t.Helper()
	old := "drift"
	if len(name) != len(old) {
		t.Fatalf("%q has not %d bytes", name, len(old))
	}
	data := load(t, "scalars-zlib1.root")
	if !bytes.Contains(data, []byte(old)) {
		t.Fatalf("no %q in it", old)
	}
	return save(t, bytes.ReplaceAll(data, []byte(old), []byte(name)))
}

// A tree that is the only one is found whatever its name looks like.
func TestATreeWhoseNameLooksLikeACycle(t *testing.T) {
	want := succeed(t, "csv", "-r", "0:10", fixture("scalars-zlib1.root"))
	for _, name := range []string{"tr;27", "d/x;1", "/...."} {
		if got := succeed(t, "csv", "-r", "0:10", renamed(t, name)); got != want {
			t.Errorf("%q: %s", name, got)
		}
		if got := succeed(t, "ls", "-b", renamed(t, name)); !strings.Contains(got, "level") {
			t.Errorf("%q: %s", name, got)
		}
	}
}

// What is in a file is anybody's text: no command sends it to a terminal as it
// is, nor makes lines of it that are not its own.
func TestNamesCannotSpoilATerminal(t *testing.T) {
	odd := renamed(t, "\x1b[m\n\a")
	data := load(t, "scalars-zlib1.root")
	class := save(t, bytes.ReplaceAll(data, []byte("TTree"), []byte("\x1b[5m\n")))
	cut := save(t, bytes.ReplaceAll(data[:len(data)/2], []byte("TBasket"), []byte("\x1b[31m\n\a")))
	for _, args := range [][]string{
		{"ls", "-b", odd}, {"verify", odd}, {"sum", odd}, {"csv", "-t", "x\x1b", odd}, {"csv", "-c", "\x1b*", odd},
		{"ls", class}, {"verify", class}, {"sum", class}, {"ls", "-b", cut}, {"verify", cut}, {"csv", cut},
	} {
		_, stdout, stderr := command(t, args...)
		if i := strings.IndexFunc(stdout+stderr, func(r rune) bool { return r < ' ' && r != '\n' }); i >= 0 {
			t.Errorf("%q: %q", args[0], (stdout + stderr)[max(i-40, 0):])
		}
		if stderr != "" && strings.Count(stderr, "\n") != strings.Count("\n"+stderr, "\neddyroot: ") {
			t.Errorf("%q: lines of others: %q", args[0], stderr)
		}
	}
}

// The file that is read is not replaced.
func TestTheOutputIsNotTheInput(t *testing.T) {
	data := load(t, "scalars-zlib1.root")
	path := save(t, data)
	dir := filepath.Dir(path)
	link, hard := filepath.Join(dir, "link"), filepath.Join(dir, "hard")
	outputs := []string{path, filepath.Join(dir, ".", "..", filepath.Base(dir), filepath.Base(path))}
	if err := os.Symlink(path, link); err == nil {
		outputs = append(outputs, link)
	}
	if err := os.Link(path, hard); err == nil {
		outputs = append(outputs, hard)
	}
	for _, to := range outputs {
		for _, cmd := range []string{"csv", "arrow"} {
			status, _, stderr := command(t, cmd, "-o", to, path)
			if status != statusUsage || !strings.Contains(stderr, "is the file that is read") {
				t.Errorf("%s: status %d: %s", cmd, status, stderr)
			}
			if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, data) {
				t.Fatalf("%s -o %s changed the file that it reads", cmd, to)
			}
		}
	}
	if status, _, stderr := command(t, "csv", "-r", "0:1", "-o", filepath.Join(dir, "other"), path); status != 0 {
		t.Error(stderr)
	}
}
