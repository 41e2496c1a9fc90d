package sftp

import (
	"encoding/binary"
	"errors"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/eddy-go/eddy/sftp/internal/fakeserver"
)

// extended is a server that announces every extension, keeps what it is asked, and answers with what it is told.
func extended(t *testing.T, answer func(name string) []byte) (x *rig, asked map[string]string) {
	srv := tree()
	for _, name := range []string{extCopyData, extLsetstat, extExpandPath, extHome, extUsersGroups, extStatVFS, extFstatVFS, extFsync, extHardlink, extPosixRename} {
		srv.Ext = append(srv.Ext, [2]string{name, "1"})
	}
	asked = map[string]string{}
	srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
		if q.Type != fakeserver.Extended {
			return nil
		}
		srv.Lock()
		defer srv.Unlock()
		asked[q.Path2] = string(q.Body[4+len(q.Path2):])
		return &fakeserver.Answer{Packet: answer(q.Path2)}
	}
	return dial(t, srv), asked
}

func str(s string) string { return u32(uint32(len(s))) + s }
func u32(n uint32) string { return string(binary.BigEndian.AppendUint32(nil, n)) }
func u64(n uint64) string { return string(binary.BigEndian.AppendUint64(nil, n)) }

// What the extensions put on the wire, after OpenSSH's PROTOCOL and the drafts that it names.
func TestExtensionsOnTheWire(t *testing.T) {
	ctx := t.Context()
	x, asked := extended(t, func(string) []byte { return fakeserver.Status(fakeserver.OK, "") })
	f, err := x.OpenFile("/t/f", os.O_RDWR)
	if err != nil {
		t.Fatal(err)
	}
	g, err := x.Create("/t/g")
	if err != nil {
		t.Fatal(err)
	}
	h, k := f.main.handle, g.main.handle
	for _, c := range []struct {
		name string
		call func() error
		want string
	}{
		{extCopyData, func() error { return f.CopyTo(ctx, g, 1, 2, 1<<40) }, str(h) + u64(1) + u64(2) + str(k) + u64(1<<40)},
		{extLsetstat, func() error { return x.Lchmod(ctx, "/l", 0o640|os.ModeSetgid) }, str("/l") + u32(attrPermissions) + u32(0o2640)},
		{extLsetstat, func() error { return x.Lchown(ctx, "/l", 3, 4) }, str("/l") + u32(attrUIDGID) + u32(3) + u32(4)},
		{extLsetstat, func() error { return x.Lchtimes(ctx, "/l", time.Unix(5, 0), time.Unix(1<<32-1, 0)) }, str("/l") + u32(attrTimes) + u32(5) + u32(1<<32-1)},
		{extFsync, f.Sync, str(h)},
		{extHardlink, func() error { return x.Link("a", "b") }, str("a") + str("b")},
		{extPosixRename, func() error { return x.PosixRename("a", "b") }, str("a") + str("b")},
	} {
		if err := c.call(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := asked[c.name]; got != c.want {
			t.Errorf("%s: %x, want %x", c.name, got, c.want)
		}
	}
	for _, err := range []error{
		f.CopyTo(ctx, g, -1, 0, 0), f.CopyTo(ctx, g, 0, -1, 0), f.CopyTo(ctx, g, 0, 0, -1),
		f.CopyTo(ctx, &File{c: &Client{}}, 0, 0, 0), x.Lchtimes(ctx, "l", time.Unix(-1, 0), time.Unix(0, 0)), x.Lchmod(ctx, "a\x00b", 0),
	} {
		if err == nil {
			t.Error("no error")
		}
	}
	f.Close()
	if err := f.CopyTo(ctx, g, 0, 0, 0); !errors.Is(err, os.ErrClosed) {
		t.Error(err)
	}
	if err := g.CopyTo(ctx, f, 0, 0, 0); !errors.Is(err, os.ErrClosed) {
		t.Error(err)
	}
	g.Close()
}

func TestExtensionsThatAnswer(t *testing.T) {
	ctx := t.Context()
	x, asked := extended(t, func(name string) []byte {
		switch name {
		case extExpandPath, extHome:
			return fakeserver.Names("/home/u", fakeserver.NoAttrs)
		case extUsersGroups:
			return append([]byte{fakeserver.ExtendedReply}, str(str("root")+str(""))+str(str("wheel"))...)
		}
		return fakeserver.Status(fakeserver.Failure, "no")
	})
	if p, err := x.ExpandPath(ctx, "~u"); p != "/home/u" || err != nil || asked[extExpandPath] != str("~u") {
		t.Errorf("%q %v", p, err)
	}
	if p, err := x.HomeDirectory(ctx, ""); p != "/home/u" || err != nil || asked[extHome] != str("") {
		t.Errorf("%q %v", p, err)
	}
	users, groups, err := x.UsersGroupsByID(ctx, []uint32{0, 7}, []uint32{9})
	if !slices.Equal(users, []string{"root", ""}) || !slices.Equal(groups, []string{"wheel"}) || err != nil {
		t.Error(users, groups, err)
	}
	if got := asked[extUsersGroups]; got != str(u32(0)+u32(7))+str(u32(9)) {
		t.Errorf("%x", got)
	}
	// More names are wanted than came.
	if _, _, err := x.UsersGroupsByID(ctx, []uint32{0, 7, 8}, nil); !errors.Is(err, ErrSSHFxBadMessage) {
		t.Error(err)
	}
	if _, _, err := x.UsersGroupsByID(ctx, make([]uint32, maxPath), nil); err == nil {
		t.Error("a request that is too long")
	}
	if _, err := x.StatVFS("/"); !errors.Is(err, ErrSSHFxFailure) {
		t.Error(err)
	}
}

// An answer that does not belong there is an error, never a success or a result.
func TestExtensionsGetWrongAnswers(t *testing.T) {
	ctx := t.Context()
	for name, answer := range map[string][]byte{
		"handle":      fakeserver.Handle("h"),
		"empty reply": {fakeserver.ExtendedReply},
		"empty names": fakeserver.Names(),
		"two names":   fakeserver.Names("a", fakeserver.NoAttrs, "b", fakeserver.NoAttrs),
		"EOF":         fakeserver.Status(fakeserver.EOF, ""),
		"refusal":     fakeserver.Status(fakeserver.Denied, ""),
	} {
		x, _ := extended(t, func(string) []byte { return answer })
		f, err := x.Create("/t/g")
		if err != nil {
			t.Fatal(err)
		}
		for what, call := range map[string]func() error{
			"copy":       func() error { return f.CopyTo(ctx, f, 0, 0, 9) },
			"lchmod":     func() error { return x.Lchmod(ctx, "l", 0) },
			"expand":     func() error { _, err := x.ExpandPath(ctx, "~"); return err },
			"home":       func() error { _, err := x.HomeDirectory(ctx, ""); return err },
			"users":      func() error { _, _, err := x.UsersGroupsByID(ctx, []uint32{1}, nil); return err },
			"statvfs":    func() error { _, err := x.StatVFS("/"); return err },
			"fstatvfs":   func() error { _, err := f.StatVFS(ctx); return err },
			"sync":       f.Sync,
			"hard link":  func() error { return x.Link("a", "b") },
			"posix name": func() error { return x.PosixRename("a", "b") },
		} {
			if err := call(); err == nil {
				t.Errorf("%s is answered with %s: no error", what, name)
			} else if name == "refusal" && !errors.Is(err, os.ErrPermission) {
				t.Errorf("%s: %v", what, err)
			}
		}
		f.Close()
	}
}

// What is not announced is not asked for.
func TestExtensionsThatAreNotAnnounced(t *testing.T) {
	ctx := t.Context()
	srv := tree()
	x := dial(t, srv)
	f, err := x.Create("/t/g")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	_, expand := x.ExpandPath(ctx, "~")
	_, home := x.HomeDirectory(ctx, "")
	_, _, users := x.UsersGroupsByID(ctx, nil, nil)
	_, limits := x.Limits(ctx)
	_, statvfs := x.StatVFS("/")
	_, fstatvfs := f.StatVFS(ctx)
	for i, err := range []error{
		f.CopyTo(ctx, f, 0, 0, 9), x.Lchmod(ctx, "l", 0), x.Lchown(ctx, "l", 0, 0), x.Lchtimes(ctx, "l", time.Unix(0, 0), time.Unix(0, 0)),
		expand, home, users, limits, statvfs, fstatvfs, f.Sync(), x.Link("a", "b"), x.PosixRename("a", "b"),
	} {
		if !errors.Is(err, errors.ErrUnsupported) || !errors.Is(err, ErrSSHFxOpUnsupported) {
			t.Errorf("%d: %v", i, err)
		}
	}
	if n := srv.Count(fakeserver.Extended); n != 0 {
		t.Errorf("%d asked", n)
	}
}

// Attributes of an open file, as they go out.
func TestAttributesOnTheWire(t *testing.T) {
	srv := tree()
	var sent []string
	srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
		if q.Type == fakeserver.Fsetstat || q.Type == fakeserver.Setstat {
			sent = append(sent, string(q.Attrs))
			return &fakeserver.Answer{Packet: fakeserver.Status(fakeserver.OK, "")}
		}
		return nil
	}
	x := dial(t, srv)
	f, err := x.OpenFile("/t/f", os.O_RDWR)
	if err != nil {
		t.Fatal(err)
	}
	list := []StatExtended{{"a@b", "c"}, {"d", ""}}
	for _, err := range []error{
		f.Chtimes(t.Context(), time.Unix(1, 0), time.Unix(3<<30, 0)), f.SetExtendedData("not used", list), x.SetExtendedData("/t/f", list),
		f.Chmod(0o4711), x.Chmod("/t/f", 0o711|os.ModeSetuid|os.ModeSticky), f.Truncate(1 << 40),
	} {
		if err != nil {
			t.Error(err)
		}
	}
	if err := f.Chtimes(t.Context(), time.Unix(1<<32, 0), time.Unix(0, 0)); err == nil {
		t.Error("a time that cannot be sent")
	}
	f.Close()
	ext := u32(attrExtended) + u32(2) + str("a@b") + str("c") + str("d") + str("")
	if want := []string{
		u32(attrTimes) + u32(1) + u32(3<<30), ext, ext, u32(attrPermissions) + u32(0o4711), u32(attrPermissions) + u32(0o5711),
		u32(attrSize) + u64(1<<40),
	}; !slices.Equal(sent, want) {
		t.Errorf("%x, want %x", sent, want)
	}
}
