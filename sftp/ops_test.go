package sftp

import (
	"encoding/binary"
	"errors"
	"os"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/eddy-go/eddy/sftp/internal/fakeserver"
)

func tree() *fakeserver.Server {
	srv := fakeserver.New([]byte("hello"))
	delete(srv.FS, "f")
	for _, name := range []string{"/t", "/t/a", "/t/a/b", "/t/c"} {
		srv.FS[name] = &fakeserver.Node{Mode: 0o40755}
	}
	for _, name := range []string{"/t/f", "/t/a/f", "/t/a/b/g", "/t/a/b/h"} {
		srv.FS[name] = &fakeserver.Node{Data: []byte("contents of " + name)}
	}
	return srv
}

func TestOperationsOnPaths(t *testing.T) {
	srv := tree()
	srv.Ext = [][2]string{{"posix-rename@openssh.com", "1"}, {"statvfs@openssh.com", "2"}}
	srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
		if q.Type == fakeserver.Extended && q.Path2 == "statvfs@openssh.com" {
			b := []byte{fakeserver.ExtendedReply}
			for i := range 11 {
				b = binary.BigEndian.AppendUint64(b, uint64(i+1))
			}
			return &fakeserver.Answer{Packet: b}
		}
		return nil
	}
	x := dial(t, srv)
	if v, ok := x.HasExtension("statvfs@openssh.com"); v != "2" || !ok {
		t.Error(v, ok)
	}
	if _, ok := x.HasExtension("none"); ok {
		t.Error("an extension that was not announced")
	}
	fi, err := x.Stat("/t/f")
	if err != nil || fi.Name() != "f" || fi.Size() != 16 || fi.Mode() != 0o644 || !fi.ModTime().Equal(time.Unix(2000, 0)) {
		t.Error(fi, err)
	}
	st := fi.Sys().(*FileStat)
	if st.UID != 7 || st.GID != 8 || st.Atime != 1000 || !st.AccessTime().Equal(time.Unix(1000, 0)) {
		t.Errorf("%+v", st)
	}
	if o := fi.(FileInfoUidGid); o.Uid() != 7 || o.Gid() != 8 {
		t.Error("owner")
	}
	for _, op := range []struct {
		name string
		err  error
		is   error
	}{
		{"mkdir", x.Mkdir("/t/new"), nil},
		{"mkdir again", x.Mkdir("/t/new"), ErrSSHFxFailure},
		{"mkdirall", x.MkdirAll("/t/x/y/z/"), nil},
		{"mkdirall again", x.MkdirAll("/t/x/y/z"), nil},
		{"mkdirall over a file", x.MkdirAll("/t/f/y"), errAny},
		{"rename", x.Rename("/t/f", "/t/f2"), nil},
		{"rename onto", x.Rename("/t/f2", "/t/a/f"), ErrSSHFxFailure},
		{"remove", x.Remove("/t/f2"), nil},
		{"remove again", x.Remove("/t/f2"), os.ErrNotExist},
		{"remove empty directory", x.Remove("/t/c"), nil},
		{"remove full directory", x.Remove("/t/a"), ErrSSHFxFailure},
		{"rmdir", x.RemoveDirectory("/t/new"), nil},
		{"removeall", x.RemoveAll("/t/a"), nil},
		{"removeall again", x.RemoveAll("/t/a"), os.ErrNotExist},
		{"chmod", x.Chmod("/t/x", 0o700|os.ModeSticky), nil},
		{"chown", x.Chown("/t/x", 1, 2), nil},
		{"chtimes", x.Chtimes("/t/x", time.Unix(5, 0), time.Unix(1<<32-1, 0)), nil},
		{"chtimes too late", x.Chtimes("/t/x", time.Unix(5, 0), time.Unix(1<<32, 0)), errAny},
		{"chtimes too early", x.Chtimes("/t/x", time.Unix(-1, 0), time.Unix(1, 0)), errAny},
		{"truncate", x.Truncate("/none", 5), os.ErrNotExist},
		{"negative truncate", x.Truncate("/none", -5), errAny},
		{"symlink", x.Symlink("target", "/t/link"), nil},
		{"link", x.Link("/t/x", "/t/y"), errors.ErrUnsupported},
		{"posixrename", x.PosixRename("/t/x", "/t/y"), ErrSSHFxOpUnsupported},
		{"NUL", x.Mkdir("/t/x\x00y"), errAny},
		{"long path", x.Mkdir(strings.Repeat("x", 100000)), errAny},
	} {
		switch {
		case op.is == nil && op.err != nil, op.is == errAny && op.err == nil:
			t.Errorf("%s: %v", op.name, op.err)
		case op.is != nil && op.is != errAny && !errors.Is(op.err, op.is):
			t.Errorf("%s: %v, want %v", op.name, op.err, op.is)
		}
	}
	if err := x.Remove("/none"); !os.IsNotExist(err) {
		t.Errorf("os.IsNotExist does not see %v", err)
	}
	if to, err := x.ReadLink("/t/link"); to != "target" || err != nil {
		t.Error(to, err)
	}
	if wd, err := x.Getwd(); wd != "/" || err != nil {
		t.Error(wd, err)
	}
	v, err := x.StatVFS("/")
	if err != nil || v.Bsize != 1 || v.Namemax != 11 || v.TotalSpace() != 6 || v.FreeSpace() != 8 {
		t.Error(v, err)
	}
	if b, err := v.MarshalBinary(); err != nil || len(b) != 4+1+4+88 {
		t.Error(len(b), err)
	}
	if x.Join("a", "..", "b") != "b" {
		t.Error("Join")
	}
}

var errAny = errors.New("any")

func TestOpenFlags(t *testing.T) {
	x := dial(t, tree())
	if _, err := x.Open("/none"); !os.IsNotExist(err) || !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if _, err := x.OpenFile("/t/f", os.O_RDWR|os.O_CREATE|os.O_EXCL); err == nil {
		t.Error("exclusive on what exists")
	}
	f, err := x.OpenFile("/t/f", os.O_RDWR|os.O_TRUNC)
	if err != nil {
		t.Fatal(err)
	}
	if f.Name() != "/t/f" {
		t.Error(f.Name())
	}
	f.Write([]byte("0123456789"))
	if off, err := f.Seek(-4, 2); off != 6 || err != nil {
		t.Error(off, err)
	}
	b := make([]byte, 3)
	if n, err := f.Read(b); n != 3 || err != nil || string(b) != "678" {
		t.Error(n, err)
	}
	if _, err := f.Seek(-1, 0); err == nil {
		t.Error("negative offset")
	}
	if _, err := f.Seek(0, 9); err == nil {
		t.Error("whence 9")
	}
	if err := errors.Join(f.Truncate(2), f.Chmod(0o600), f.Chown(1, 2)); err != nil {
		t.Error(err)
	}
	if err := f.Sync(); !errors.Is(err, errors.ErrUnsupported) {
		t.Error(err)
	}
	if fi, err := f.Stat(); err != nil || fi.Size() != 2 || fi.Name() != "f" {
		t.Error(fi, err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	for _, err := range []error{f.Close(), f.Truncate(0), f.Sync(), f.Chmod(0), func() error { _, err := f.Read(b); return err }(),
		func() error { _, err := f.WriteAt(b, 0); return err }(), func() error { _, err := f.Seek(0, 0); return err }()} {
		if !errors.Is(err, os.ErrClosed) {
			t.Error(err)
		}
	}
}

func TestPathHelpers(t *testing.T) {
	for _, name := range []string{"", "/", "a", "/a/b", "a/b/", "./a", "../x", "a//b"} {
		dir, file := Split(name)
		wantDir, wantFile := path.Split(name)
		if dir != wantDir || file != wantFile {
			t.Errorf("Split(%q): %q, %q", name, dir, file)
		}
		if got, want := Join(name, "..", "c"), path.Join(name, "..", "c"); got != want {
			t.Errorf("Join(%q): %q, want %q", name, got, want)
		}
		for _, pattern := range []string{"*", "a", "[", "/a/*", "?"} {
			got, err := Match(pattern, name)
			want, werr := path.Match(pattern, name)
			if got != want || !errors.Is(err, werr) {
				t.Errorf("Match(%q, %q): %v, %v", pattern, name, got, err)
			}
		}
	}
	x := dial(t, tree())
	if p, err := x.RealPath("/t/a/"); p != "/t/a" || err != nil {
		t.Error(p, err)
	}
}
