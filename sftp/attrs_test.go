package sftp

import (
	"io/fs"
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
