package sftp

import (
	"io/fs"
	"os"
	"testing"

	"github.com/eddy-go/eddy/sftp/internal/fakeserver"
)

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

// Modes of POSIX, as they are on the wire, and those of package os.
func TestModes(t *testing.T) {
	for wire, want := range map[uint32]os.FileMode{
		modeRegular | 0o644:              0o644,
		modeDir | 0o755:                  os.ModeDir | 0o755,
		modeSymlink | 0o777:              os.ModeSymlink | 0o777,
		modeFIFO | 0o600:                 os.ModeNamedPipe | 0o600,
		modeSocket:                       os.ModeSocket,
		modeBlock | 0o660:                os.ModeDevice | 0o660,
		modeChar | 0o666:                 os.ModeDevice | os.ModeCharDevice | 0o666,
		modeRegular | modeSetuid | 0o755: os.ModeSetuid | 0o755,
		modeDir | modeSetgid | 0o2:       os.ModeDir | os.ModeSetgid | 0o2,
		modeDir | modeSticky | 0o777:     os.ModeDir | os.ModeSticky | 0o777,
		modeRegular | 0o7777:             os.ModeSetuid | os.ModeSetgid | os.ModeSticky | 0o777,
		0o644:                            os.ModeIrregular | 0o644,
		modeChar | modeSetuid | modeSetgid | 0o20001: os.ModeDevice | os.ModeCharDevice | os.ModeSetuid | os.ModeSetgid | 1,
	} {
		fi := newFileInfo("x", attrs{flags: attrPermissions, FileStat: FileStat{Mode: wire}})
		if got := fi.Mode(); got != want {
			t.Errorf("%o: %v, want %v", wire, got, want)
		}
		if got := wireMode(fi.Mode()); got != wire&0o7777 {
			t.Errorf("%o: %o goes out again", wire, got)
		}
	}
	for mode, want := range map[os.FileMode]uint32{0o4755: 0o4755, 0o1777 | os.ModeDir: 0o1777, os.ModeSetgid | os.ModeSticky | 7: 0o3007} {
		if got := wireMode(mode); got != want {
			t.Errorf("%v goes out as %o, want %o", mode, got, want)
		}
	}
}

// Times go up to 2106, and sizes are what they are.
func TestLargeAttributes(t *testing.T) {
	fi := newFileInfo("x", attrs{FileStat: FileStat{Size: 1<<64 - 1, Mtime: 1<<32 - 1, Atime: 1 << 31}})
	if fi.Size() != 1<<63-1 || fi.ModTime().Unix() != 1<<32-1 || fi.Sys().(*FileStat).AccessTime().Unix() != 1<<31 {
		t.Errorf("%d %v %+v", fi.Size(), fi.ModTime(), fi.Sys())
	}
}
