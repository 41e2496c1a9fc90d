package sftp

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/eddy-go/eddy/sftp/internal/fakeserver"
)

func TestGlobOnALostConnection(t *testing.T) {
	for _, pattern := range []string{"*", "f", "/d/*/x"} {
		srv := scripted(nil)
		srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer { return &fakeserver.Answer{Hangup: true} }
		x := dial(t, srv)
		var lost *ConnError
		if list, err := x.Glob(pattern); !errors.As(err, &lost) {
			t.Errorf("%q: %v, %v", pattern, list, err)
		}
	}
}

// What was listed before an error is given out first, in whatever portions, and then the error.
func TestDirectoryInPortionsTellsItsError(t *testing.T) {
	for _, n := range []int{1, 2, 3, -1} {
		srv := scripted(nil)
		srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
			if q.Type == fakeserver.Readdir && q.Nth > 0 {
				return &fakeserver.Answer{Packet: fakeserver.Status(fakeserver.Failure, "disk")}
			}
			return nil
		}
		x := dial(t, srv)
		d, err := x.FS("/").Open("d")
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for {
			var list []fs.DirEntry
			list, err = d.(fs.ReadDirFile).ReadDir(n)
			for _, e := range list {
				names = append(names, e.Name())
			}
			if err != nil || n <= 0 {
				break
			}
		}
		var st *StatusError
		if !slices.Equal(names, []string{"a", "b"}) || !errors.As(err, &st) {
			t.Errorf("in portions of %d: %v, %v", n, names, err)
		}
		d.Close()
	}
}

// A server that lists what links lead to must not make RemoveAll empty another directory.
func TestRemoveAllDoesNotFollowAListedLink(t *testing.T) {
	srv := fakeserver.New(nil)
	srv.FS["/d"] = &fakeserver.Node{Mode: 0o40755}
	srv.FS["/d/link"] = &fakeserver.Node{Mode: 0o120777}
	srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
		srv.Lock()
		defer srv.Unlock()
		switch {
		case q.Type == fakeserver.Opendir && strings.HasPrefix(q.Path, "/d/"):
			t.Errorf("OPENDIR %s", q.Path)
		case q.Type == fakeserver.Readdir && srv.FS["/d/link"] != nil && q.Nth == 0:
			dir := (&fakeserver.Node{Mode: 0o40755}).Attrs()
			return &fakeserver.Answer{Packet: fakeserver.Names("link", string(dir))}
		case q.Type == fakeserver.Readdir:
			return &fakeserver.Answer{Packet: fakeserver.Status(fakeserver.EOF, "")}
		}
		return nil
	}
	x := dial(t, srv)
	if err := x.RemoveAll("/d"); err != nil {
		t.Error(err)
	}
	if len(srv.FS) != 3 { // f and the two roots
		t.Errorf("left: %v", srv.FS)
	}
}

// A server that lists names without attributes may tell the type in the line beside them.
func TestTypeFromTheListedLine(t *testing.T) {
	srv := scripted(nil)
	srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
		if q.Type != fakeserver.Readdir || q.Nth > 0 {
			return nil
		}
		p := []byte{fakeserver.NameType, 0, 0, 0, 3}
		for _, s := range []string{
			"dir", "drwxr-xr-x 2 u g 4096 Jan 1 00:00 dir", fakeserver.NoAttrs,
			"link", "lrwxrwxrwx 1 u g 4 Jan 1 00:00 link", fakeserver.NoAttrs,
			"what", "no such line", fakeserver.NoAttrs,
		} {
			if s != fakeserver.NoAttrs {
				p = binary.BigEndian.AppendUint32(p, uint32(len(s)))
			}
			p = append(p, s...)
		}
		return &fakeserver.Answer{Packet: p, More: nil}
	}
	x := dial(t, srv)
	list, err := x.ReadDir("/d")
	if len(list) < 3 || err != nil {
		t.Fatal(list, err)
	}
	for i, want := range []fs.FileMode{fs.ModeDir, fs.ModeSymlink, fs.ModeIrregular} {
		if got := list[i].Mode().Type(); got != want {
			t.Errorf("%s: %v, want %v", list[i].Name(), got, want)
		}
	}
}
