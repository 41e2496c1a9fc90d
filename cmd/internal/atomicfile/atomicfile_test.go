package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// names lists what is in a folder.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func write(t *testing.T, f *File, text string) {
	t.Helper()
	if _, err := f.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
}

func holds(t *testing.T, path, want string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want {
		t.Errorf("%s holds %q (%v), want %q", filepath.Base(path), got, err, want)
	}
}

func TestAFileAppearsAtCommit(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, f, "new")
	holds(t, path, "old")
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	f.Discard()
	holds(t, path, "new")
	if got := names(t, dir); !slices.Equal(got, []string{"out"}) {
		t.Errorf("the folder holds %q", got)
	}
	if err := f.Commit(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("a second Commit: %v", err)
	}
}

func TestADiscardedFileLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	f, err := Create(filepath.Join(dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, f, "new")
	if n := len(names(t, dir)); n != 1 {
		t.Errorf("%d files while it is written, want 1", n)
	}
	f.Discard()
	f.Discard()
	if got := names(t, dir); len(got) != 0 {
		t.Errorf("the folder holds %q", got)
	}
}

// A rename that fails leaves nothing beside the place either.
func TestACommitThatFails(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := f.Commit(); err == nil {
		t.Error("a file took the place of a folder")
	}
	if got := names(t, dir); !slices.Equal(got, []string{"out"}) {
		t.Errorf("the folder holds %q", got)
	}
}

func TestWhereNoFileCanBe(t *testing.T) {
	dir := t.TempDir()
	if _, err := Create(dir); err == nil {
		t.Error("a folder was taken for a file")
	}
	if _, err := Create(filepath.Join(dir, "none", "out")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("in a folder that is not there: %v", err)
	}
}

func TestALinkStaysOne(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "out"), filepath.Join(dir, "link")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("out", link); err != nil {
		return // Windows wants a privilege for it
	}
	f, err := Create(link)
	if err != nil {
		t.Fatal(err)
	}
	write(t, f, "new")
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	holds(t, path, "new")
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is one no more: %v, %v", info, err)
	}
}

// What is no regular file is written as it is.
func TestADeviceIsWrittenInPlace(t *testing.T) {
	info, err := os.Stat(os.DevNull)
	if err != nil || info.Mode().IsRegular() {
		t.Fatal("no null device:", err)
	}
	f, err := Create(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	write(t, f, "gone")
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	if again, err := os.Stat(os.DevNull); err != nil || again.Mode().IsRegular() {
		t.Errorf("the device is one no more: %v", err)
	}
}
