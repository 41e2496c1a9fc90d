package sftp

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/eddy-go/eddy/sftp/internal/fakeserver"
)

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
