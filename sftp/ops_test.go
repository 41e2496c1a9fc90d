package sftp

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
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

func TestWalkAndGlob(t *testing.T) {
	x := dial(t, tree())
	var seen []string
	for w := x.Walk("/t"); w.Step(); {
		if w.Err() != nil {
			t.Error(w.Err())
		}
		seen = append(seen, w.Path())
	}
	want := []string{"/t", "/t/a", "/t/a/b", "/t/a/b/g", "/t/a/b/h", "/t/a/f", "/t/c", "/t/f"}
	if !slices.Equal(seen, want) {
		t.Error(seen)
	}
	for pattern, want := range map[string][]string{
		"/t/*":       {"/t/a", "/t/c", "/t/f"},
		"/t/*/f":     {"/t/a/f"},
		"/t/a/b/[g]": {"/t/a/b/g"},
		"/t/f":       {"/t/f"},
		"/none":      nil,
		"/none/*":    nil,
		"/*":         {"/t"},
	} {
		if got, err := x.Glob(pattern); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v %v", pattern, got, err)
		}
	}
	if _, err := x.Glob("/t/[a"); err != ErrBadPattern {
		t.Error(err)
	}
}

// Names that no file can have stay as they are in a listing, and lead to no other file from there.
func TestNamesThatNoFileCanHave(t *testing.T) {
	names := []string{".", "..", "ok", "", "a/b", "../x", "nul\x00nul", "\xff\xfe", "/t", "dir"}
	srv := tree()
	srv.FS["/t/a"].Names = names
	srv.FS["/t/a/dir"] = &fakeserver.Node{Mode: 0o40755, Names: []string{}}
	srv.FS["/t/a/ok"] = &fakeserver.Node{}
	srv.FS["/t/a/\xff\xfe"] = &fakeserver.Node{}
	srv.Late = func(q *fakeserver.Request, p []byte) *fakeserver.Answer {
		if q.Type != fakeserver.Readdir || q.Path != "/t/a" || p[0] != fakeserver.NameType {
			return nil
		}
		var list []string
		for _, name := range names {
			// All pretend to be directories, which would be descended into.
			n := fakeserver.Node{Mode: 0o40755}
			if name == "ok" || name == "\xff\xfe" {
				n.Mode = 0
			}
			list = append(list, name, string(n.Attrs()))
		}
		return &fakeserver.Answer{Packet: fakeserver.Names(list...)}
	}
	x := dial(t, srv)
	list, err := x.ReadDir("/t/a")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, fi := range list {
		got = append(got, fi.Name())
	}
	if !slices.Equal(got, names[2:]) {
		t.Errorf("%q", got)
	}
	visited := 0
	for w := x.Walk("/t/a"); w.Step(); {
		if visited++; visited > 100 {
			t.Fatal("Walk does not end")
		}
		if w.Path() == "/t/a" {
			continue
		}
		if dir := path.Dir(w.Path()); dir != "/t/a" && !strings.HasPrefix(w.Path(), "/t/a/\x00") {
			t.Errorf("visited %q", w.Path())
		}
		name := w.Stat().Name()
		if _, err := x.Stat(w.Path()); goodName(name) != (err == nil) {
			t.Errorf("%q at %q: %v", name, w.Path(), err)
		}
	}
	if visited != 1+len(names)-2 {
		t.Errorf("%d visited", visited)
	}
	if m, err := x.Glob("/t/a/*"); err != nil || len(m) != 3 {
		t.Errorf("%q %v", m, err)
	}
	entries, err := fs.ReadDir(x.FS("/t"), "a")
	if len(entries) != 3 || !errors.Is(err, ErrBadName) {
		t.Error(entries, err)
	}
	if err := x.RemoveAll("/t/a"); !errors.Is(err, ErrBadName) {
		t.Error(err)
	}
	if x.has("/t/f") == nil {
		t.Error("RemoveAll has removed something else")
	}
}

func TestDirectoryOf60000NamesInOnePacket(t *testing.T) {
	const n = 60000
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf("%0100d", i), string((&fakeserver.Node{}).Attrs()))
	}
	packet := fakeserver.Names(list...)
	srv := tree()
	srv.Late = func(q *fakeserver.Request, p []byte) *fakeserver.Answer {
		if q.Type == fakeserver.Readdir && q.Nth == 0 {
			return &fakeserver.Answer{Packet: packet}
		}
		if q.Type == fakeserver.Readdir {
			return &fakeserver.Answer{Packet: fakeserver.Status(fakeserver.EOF, "")}
		}
		return nil
	}
	x := dial(t, srv)
	got, err := x.ReadDir("/t")
	if err != nil || len(got) != n || got[n-1].Name() != fmt.Sprintf("%0100d", n-1) || len(packet) < 8<<20 {
		t.Error(len(got), err, len(packet))
	}
	if _, err := x.Stat("/t"); err != nil {
		t.Error(err)
	}
}

func TestEmptyNamesForEver(t *testing.T) {
	srv := tree()
	srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
		if q.Type == fakeserver.Readdir {
			return &fakeserver.Answer{Packet: fakeserver.Names()}
		}
		return nil
	}
	x := dial(t, srv)
	var pe *ProtocolError
	if _, err := x.ReadDir("/t"); !errors.As(err, &pe) || !errors.Is(err, ErrInternalInconsistency) {
		t.Error(err)
	}
}

// A server need not tell size, type or permissions.
func TestAttributesWithoutSizeOrType(t *testing.T) {
	for _, flags := range []uint32{fakeserver.TimesFlag, fakeserver.SizeFlag, fakeserver.ModeFlag} {
		srv := tree()
		for _, n := range srv.FS {
			n.Flags = flags
			if flags == fakeserver.ModeFlag {
				continue
			}
		}
		x := dial(t, srv)
		fi, err := x.Stat("/t/f")
		if err != nil {
			t.Fatal(err)
		}
		if typed := flags == fakeserver.ModeFlag; typed != fi.Mode().IsRegular() || fi.IsDir() {
			t.Errorf("mode %v", fi.Mode())
		}
		got, err := x.get(t, "/t/f")
		if err != nil || string(got) != "contents of /t/f" {
			t.Errorf("%q %v", got, err)
		}
		f, _ := x.Open("/t/f")
		if _, err := f.Seek(0, 2); (err != nil) != (flags != fakeserver.SizeFlag) {
			t.Error(err)
		}
		f.Close()
		if err := x.MkdirAll("/t/a/n"); err != nil {
			t.Error(err)
		}
		if err := x.RemoveAll("/t/a"); err != nil {
			t.Error(err)
		}
		if err := x.RemoveAll("/t/f"); err != nil {
			t.Error(err)
		}
		if x.has("/t/a/b/g") != nil {
			t.Error("not removed")
		}
	}
}

func TestTypeFromTheLongName(t *testing.T) {
	for line, want := range map[string]fs.FileMode{
		"drwxr-xr-x 1 u g 0 Jan 1 00:00 x": fs.ModeDir,
		"-rw-r--r-- 1 u g 0 Jan 1 00:00 x": 0,
		"lrwxrwxrwx+1 u g 0 Jan 1 00:00 x": fs.ModeSymlink,
		"directory x":                      fs.ModeIrregular,
		"":                                 fs.ModeIrregular,
	} {
		m, ok := typeFromLongname([]byte(line))
		if !ok {
			m = fs.ModeIrregular
		}
		if m != want {
			t.Errorf("%q: %v", line, m)
		}
	}
}

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

func TestOptions(t *testing.T) {
	for name, opt := range map[string]ClientOption{
		"packet 0": MaxPacket(0), "packet 32769": MaxPacket(32769), "unchecked 0": MaxPacketUnchecked(0),
		"requests per file 0": MaxConcurrentRequestsPerFile(0), "requests 0": MaxRequests(0), "bytes 0": MaxBufferBytes(0),
		"stripes -1": Stripes(-1),
	} {
		if _, err := newClient([]ClientOption{opt}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	want := content(200000)
	srv := fakeserver.New(want)
	most := 0
	srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer { most = max(most, q.Len); return nil }
	x := dial(t, srv, MaxPacketChecked(1500), UseConcurrentReads(false), UseFstat(true), CopyStderrTo(os.Stderr))
	got, err := x.get(t, "f")
	x.Close() // what the server has counted stays as it is
	<-x.done
	if err != nil || most != 1500 || srv.MostAsked != 1 || srv.Count(fakeserver.Fstat) != 0 {
		t.Error(err, most, srv.MostAsked)
	}
	mustEqual(t, got, want)
	x = dial(t, fakeserver.New(want), UseFstat(false))
	if _, err := x.get(t, "f"); err != nil || x.srv.Count(fakeserver.Stat) != 1 || x.srv.Count(fakeserver.Fstat) != 0 {
		t.Error(err)
	}
}
