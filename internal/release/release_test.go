package release

import (
	"archive/zip"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// example is a tree with a command, a library that the command needs, a drop-in, and a module that is only test data.
var example = map[string]string{
	"go.mod":                 "module example.org/top\n\ngo 1.26\n",
	"top.go":                 "package top\n\nconst Name = \"top\"\n",
	"LICENSE":                "the tree's license\n",
	"interop/in_test.go":     "package interop\n",
	"internal/in.go":         "package in\n",
	"testdata/m/go.mod":      "module data\n",
	"testdata/m/data.go":     "package data\n",
	"a/cmd/go.mod":           "module example.org/top/a/cmd\n\ngo 1.26\n\nrequire example.org/top/lib v0.1.0\n\nrequire example.org/top v0.1.0 // indirect\n",
	"a/cmd/main.go":          "package main\n\nimport \"example.org/top/lib\"\n\nfunc main() { println(lib.Name) }\n",
	"lib/go.mod":             "module example.org/top/lib\n\ngo 1.26\n\nrequire example.org/top v0.1.0\n\nreplace example.org/top => ../\n",
	"lib/lib.go":             "package lib\n\nimport \"example.org/top\"\n\nconst Name = \"lib on \" + top.Name\n",
	"lib/LICENSE":            "its own license\n",
	"lib/vendor/x/x.go":      "package x\n",
	"stand/in/go.mod":        "module example.net/peer\n\ngo 1.26\n\nrequire example.org/top v0.1.0\n",
	"stand/in/in.go":         "package peer\n\nimport _ \"example.org/top\"\n",
	"stand/in/internal/i.go": "package i\n",
}

func write(t *testing.T, tree map[string]string) (dir string, files []string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range tree {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		files = append(files, name)
	}
	slices.Sort(files)
	return dir, files
}

func load(t *testing.T, tree map[string]string) (dir string, modules []*Module) {
	t.Helper()
	dir, files := write(t, tree)
	modules, err := Modules(dir, files)
	if err != nil {
		t.Fatal(err)
	}
	return dir, modules
}

func with(changes map[string]string) map[string]string {
	tree := make(map[string]string)
	for name, text := range example {
		tree[name] = text
	}
	for name, text := range changes {
		if text == "" {
			delete(tree, name)
		} else {
			tree[name] = text
		}
	}
	return tree
}

func TestModulesComeInDependencyOrder(t *testing.T) {
	_, modules := load(t, example)
	got := Tags(modules, "v0.1.0")
	want := []string{"v0.1.0", "lib/v0.1.0", "a/cmd/v0.1.0", "stand/in/v0.1.0"}
	if !slices.Equal(got, want) {
		t.Errorf("tags %q, want %q", got, want)
	}
}

func TestFilesBelongToTheInnermostModule(t *testing.T) {
	_, modules := load(t, example)
	for _, m := range modules {
		want := map[string][]string{
			".":        {"LICENSE", "go.mod", "internal/in.go", "interop/in_test.go", "top.go"},
			"a/cmd":    {"a/cmd/go.mod", "a/cmd/main.go"},
			"lib":      {"lib/LICENSE", "lib/go.mod", "lib/lib.go", "lib/vendor/x/x.go"},
			"stand/in": {"stand/in/go.mod", "stand/in/in.go", "stand/in/internal/i.go"},
		}[m.Dir]
		if !slices.Equal(m.Files, want) {
			t.Errorf("%s holds %q, want %q", m.Dir, m.Files, want)
		}
	}
}

func TestADropInIsPublishedUnderItsFolder(t *testing.T) {
	_, modules := load(t, example)
	m := modules[3]
	if m.Path != "example.net/peer" || m.Publish != "example.org/top/stand/in" {
		t.Errorf("module %s published as %s", m.Path, m.Publish)
	}
}

func TestACycleIsAnError(t *testing.T) {
	dir, files := write(t, with(map[string]string{
		"go.mod": "module example.org/top\n\ngo 1.26\n\nrequire example.org/top/lib v0.1.0\n",
	}))
	if _, err := Modules(dir, files); err == nil || !strings.Contains(err.Error(), "requires itself") {
		t.Errorf("got %v", err)
	}
}

func TestATreeWithoutARootModuleIsAnError(t *testing.T) {
	dir, files := write(t, map[string]string{"lib/go.mod": "module example.org/lib\n"})
	if _, err := Modules(dir, files); err == nil || !strings.Contains(err.Error(), "no go.mod") {
		t.Errorf("got %v", err)
	}
}

func TestCheckVersions(t *testing.T) {
	_, modules := load(t, example)
	if err := CheckVersions(modules, "v0.1.0"); err != nil {
		t.Errorf("all name v0.1.0: %v", err)
	}
	_, modules = load(t, with(map[string]string{
		"lib/go.mod": "module example.org/top/lib\n\ngo 1.26\n\nrequire example.org/top v0.0.0\n",
	}))
	err := CheckVersions(modules, "v0.1.0")
	if err == nil || !strings.Contains(err.Error(), "example.org/top/lib requires example.org/top v0.0.0, not v0.1.0") {
		t.Errorf("a placeholder version: got %v", err)
	}
}

func TestZips(t *testing.T) {
	dir, modules := load(t, example)
	proxy := t.TempDir()
	if err := WriteProxy(proxy, dir, "v0.1.0", modules); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]string{
		"example.org/top":          {"LICENSE", "go.mod", "internal/in.go", "interop/in_test.go", "top.go"},
		"example.org/top/a/cmd":    {"go.mod", "main.go", "LICENSE"},
		"example.org/top/lib":      {"LICENSE", "go.mod", "lib.go"},
		"example.org/top/stand/in": {"go.mod", "in.go", "internal/i.go", "LICENSE"},
	} {
		z, err := zip.OpenReader(filepath.Join(proxy, filepath.FromSlash(name), "@v", "v0.1.0.zip"))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range z.File {
			got = append(got, strings.TrimPrefix(f.Name, name+"@v0.1.0/"))
		}
		z.Close()
		if !slices.Equal(got, want) {
			t.Errorf("%s: zip holds %q, want %q", name, got, want)
		}
	}
}

func TestNoModuleGoesOutWithoutALicense(t *testing.T) {
	dir, modules := load(t, with(map[string]string{"LICENSE": ""}))
	if err := WriteProxy(t.TempDir(), dir, "v0.1.0", modules); !errors.Is(err, ErrNoLicense) {
		t.Errorf("got %v, want ErrNoLicense", err)
	}
}

// environment packs a tree and gives it to the go command, with no other proxy behind it.
func environment(t *testing.T, tree map[string]string) (*Env, []*Module) {
	t.Helper()
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOOS", "") // consumers run what they build
	t.Setenv("GOARCH", "")
	dir, modules := load(t, tree)
	proxy, temp := t.TempDir(), t.TempDir()
	if err := WriteProxy(proxy, dir, "v0.1.0", modules); err != nil {
		t.Fatal(err)
	}
	env, err := NewEnv(temp, proxy, "v0.1.0", "example.org/top", t.Logf)
	if err != nil {
		t.Fatal(err)
	}
	return env, modules
}

func TestTheGoCommandBuildsWhatIsPacked(t *testing.T) {
	env, modules := environment(t, example)
	for _, m := range modules[:3] {
		if err := env.CheckModule(m, nil); err != nil {
			t.Errorf("%s: %v", m.Dir, err)
		}
	}
	installed, err := filepath.Glob(filepath.Join(env.Temp, "bin", "cmd*"))
	if err != nil || len(installed) != 1 {
		t.Fatalf("installed %q, %v", installed, err)
	}
	if out, err := exec.Command(installed[0]).CombinedOutput(); err != nil || string(out) != "lib on top\n" {
		t.Errorf("the installed command prints %q, %v", out, err)
	}
}

func TestWhatAWorkspaceHides(t *testing.T) {
	for _, c := range []struct {
		name   string
		dir    string
		change map[string]string
		want   string
	}{
		{"a command with a replace", "a/cmd", map[string]string{
			"a/cmd/go.mod": example["a/cmd/go.mod"] + "\nreplace example.org/top => ../../\n",
		}, "replace"},
		{"a package that is not there", "lib", map[string]string{
			"lib/lib.go": "package lib\n\nimport _ \"example.org/top/missing\"\n",
		}, "missing"},
		{"a file that is embedded from another module", "lib", map[string]string{
			"lib/lib.go":   "package lib\n\nimport _ \"embed\"\n\n//go:embed sub/file\nvar File string\n",
			"lib/sub/file": "text", "lib/sub/go.mod": "module example.org/top/lib/sub\n",
		}, "sub/file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			env, modules := environment(t, with(c.change))
			for _, m := range modules {
				if m.Dir != c.dir {
					continue
				}
				if err := env.CheckModule(m, nil); err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("got %v, want an error about %q", err, c.want)
				}
			}
		})
	}
}

func TestAnUninstalledCommandIsStillBuilt(t *testing.T) {
	env, modules := environment(t, with(map[string]string{
		"a/cmd/go.mod": example["a/cmd/go.mod"] + "\nreplace example.org/top => ../../\n",
	}))
	exempt := map[string]bool{"example.org/top/a/cmd": true}
	if err := env.CheckModule(modules[2], exempt); err != nil {
		t.Errorf("built from a consumer: %v", err)
	}
	env, modules = environment(t, with(map[string]string{"a/cmd/main.go": "package main\n\nfunc main() { undefined() }\n"}))
	for _, m := range modules {
		if m.Dir == "a/cmd" {
			if err := env.CheckModule(m, exempt); err == nil {
				t.Error("a command that does not compile passed")
			}
		}
	}
}
