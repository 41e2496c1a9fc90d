package release

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// ErrNoLicense is returned for a module that would be published without a license.
var ErrNoLicense = errors.New("no LICENSE in the module, nor at the root of the tree")

// WriteProxy writes the modules under dir in the layout that the go command reads from a file:// proxy, each at version:
// path/@v/list, version.info, version.mod and version.zip (see "GOPROXY protocol" in the Go Modules Reference).
func WriteProxy(dir, tree, version string, modules []*Module) error {
	for _, m := range modules {
		if err := m.publish(dir, tree, version); err != nil {
			return fmt.Errorf("%s: %w", m.Publish, err)
		}
	}
	return nil
}

// released stands for the time of the release, so that the same tree makes the same bytes.
var released = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

func (m *Module) publish(dir, tree, version string) error {
	if m.Publish != strings.ToLower(m.Publish) {
		return errors.New("a proxy escapes capitals in a path, which is not done here")
	}
	at := filepath.Join(dir, filepath.FromSlash(m.Publish), "@v")
	if err := os.MkdirAll(at, 0o755); err != nil {
		return err
	}
	info, err := json.Marshal(struct {
		Version string
		Time    time.Time
	}{version, released})
	if err != nil {
		return err
	}
	mod, err := os.ReadFile(filepath.Join(tree, filepath.FromSlash(m.Dir), "go.mod"))
	if err != nil {
		return err
	}
	for name, data := range map[string][]byte{
		"list":            []byte(version + "\n"),
		version + ".info": info,
		version + ".mod":  mod,
	} {
		if err := os.WriteFile(filepath.Join(at, name), data, 0o644); err != nil {
			return err
		}
	}
	out, err := os.Create(filepath.Join(at, version+".zip"))
	if err != nil {
		return err
	}
	if err := m.pack(out, tree, version); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}

// pack writes the module's zip: every file under path@version/, and the LICENSE of the tree when the module has none of
// its own, which is what the go command does for a module in a subfolder of a repository.
func (m *Module) pack(w io.Writer, tree, version string) error {
	z := zip.NewWriter(w)
	add := func(name, file string) error {
		src, err := os.Open(filepath.Join(tree, filepath.FromSlash(file)))
		if err != nil {
			return err
		}
		defer src.Close()
		dst, err := z.CreateHeader(&zip.FileHeader{
			Name:     m.Publish + "@" + version + "/" + name,
			Method:   zip.Deflate,
			Modified: released,
		})
		if err != nil {
			return err
		}
		_, err = io.Copy(dst, src)
		return err
	}
	license := false
	for _, f := range m.Files {
		name := f
		if m.Dir != "." {
			name = strings.TrimPrefix(f, m.Dir+"/")
		}
		if strings.HasPrefix(name, "vendor/") || strings.Contains(name, "/vendor/") {
			continue
		}
		license = license || name == "LICENSE"
		if err := add(name, f); err != nil {
			return err
		}
	}
	if !license {
		if _, err := os.Stat(filepath.Join(tree, "LICENSE")); err != nil {
			return ErrNoLicense
		}
		if err := add("LICENSE", "LICENSE"); err != nil {
			return err
		}
	}
	return z.Close()
}

// FileURL is the address of a folder as GOPROXY wants it.
func FileURL(dir string) string {
	p := filepath.ToSlash(dir)
	if !path.IsAbs(p) {
		p = "/" + p // a drive letter
	}
	return "file://" + p
}
