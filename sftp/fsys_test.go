package sftp

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"testing"
	"testing/fstest"
)

func TestFSView(t *testing.T) {
	srv := tree()
	x := dial(t, srv)
	if err := fstest.TestFS(x.FS("/t"), "f", "a/f", "a/b/g", "a/b/h", "c"); err != nil {
		t.Error(err)
	}
	if _, err := fs.Stat(x.FS("/t"), "../etc"); !errors.Is(err, fs.ErrInvalid) {
		t.Error(err)
	}
	sub, err := fs.Sub(x.FS("/t"), "a/b")
	if err != nil {
		t.Fatal(err)
	}
	if b, err := fs.ReadFile(sub, "g"); err != nil || !bytes.Equal(b, []byte("contents of /t/a/b/g")) {
		t.Errorf("%q %v", b, err)
	}
	if _, err := fs.ReadFile(sub, "none"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// Links, contents and directories of a view, and what its errors say.
func TestFSViewInDetail(t *testing.T) {
	srv := tree()
	x := dial(t, srv)
	if err := x.Symlink("b/g", "/t/a/link"); err != nil {
		t.Fatal(err)
	}
	view := x.FS("/t")
	if to, err := fs.ReadLink(view, "a/link"); to != "b/g" || err != nil {
		t.Errorf("%q %v", to, err)
	}
	if fi, err := fs.Lstat(view, "a/link"); err != nil || fi.Mode().Type() != fs.ModeSymlink || fi.Name() != "link" {
		t.Error(fi, err)
	}
	f, err := view.Open("a/f")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if n, err := io.Copy(&b, f); n != int64(b.Len()) || err != nil || b.String() != "contents of /t/a/f" {
		t.Errorf("%q %v", b.String(), err)
	}
	if fi, err := f.Stat(); err != nil || fi.Name() != "f" || fi.Size() != int64(b.Len()) {
		t.Error(fi, err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	d, err := view.Open("a")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Read(make([]byte, 1)); err == nil {
		t.Error("a directory was read")
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	_, statted := d.Stat()
	_, listed := d.(fs.ReadDirFile).ReadDir(1)
	for _, err := range []error{d.Close(), statted, listed} {
		if !errors.Is(err, fs.ErrClosed) {
			t.Error(err)
		}
	}
	_, opened := view.Open("none")
	_, found := fs.Stat(view, "none")
	_, looked := fs.Lstat(view, "none")
	_, linked := fs.ReadLink(view, "none")
	_, read := fs.ReadFile(view, "none")
	_, dir := fs.ReadDir(view, "none")
	for i, err := range []error{opened, found, looked, linked, read, dir} {
		var pe *fs.PathError
		if !errors.Is(err, fs.ErrNotExist) || !errors.As(err, &pe) || pe.Path != "none" {
			t.Errorf("%d: %v", i, err)
		}
	}
	for _, name := range []string{"/t/f", "../t/f", "a/../f", "", "a//f", "a/"} {
		_, opened := view.Open(name)
		_, found := fs.Stat(view, name)
		_, looked := fs.Lstat(view, name)
		_, linked := fs.ReadLink(view, name)
		_, read := fs.ReadFile(view, name)
		_, dir := fs.ReadDir(view, name)
		_, sub := fs.Sub(view, name)
		for i, err := range []error{opened, found, looked, linked, read, dir, sub} {
			if !errors.Is(err, fs.ErrInvalid) {
				t.Errorf("%q, %d: %v", name, i, err)
			}
		}
	}
}

// A view ends with its context.
func TestFSViewIsCancelled(t *testing.T) {
	x := dial(t, tree())
	ctx, cancel := context.WithCancel(t.Context())
	view := x.FSContext(ctx, "/t")
	f, err := view.Open("f")
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	_, read := f.Read(make([]byte, 5))
	_, opened := view.Open("f")
	_, listed := fs.ReadDir(view, ".")
	for i, err := range []error{read, opened, listed} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%d: %v", i, err)
		}
	}
	f.Close()
}
