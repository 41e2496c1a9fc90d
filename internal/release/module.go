package release

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A Module is one module of the tree.
type Module struct {
	Dir      string // slash-separated and relative to the tree; "." is the root module
	Path     string // what its go.mod says
	Publish  string // the path it is published under: the root's path and the folder
	Requires map[string]string
	Replaces []string // paths that its go.mod replaces
	Files    []string // relative to the tree, sorted; without those of modules further in
}

// Files lists the files of a git work tree: those that are tracked and those that are not ignored.
func Files(tree string) ([]string, error) {
	cmd := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	cmd.Dir = tree
	out, err := output(cmd)
	if err != nil {
		return nil, err
	}
	files := strings.Split(strings.TrimRight(string(out), "\x00"), "\x00")
	slices.Sort(files)
	files = slices.Compact(files)
	// Links have no place in a module, and what is deleted but still tracked is no part of the tree.
	return slices.DeleteFunc(files, func(f string) bool {
		info, err := os.Lstat(filepath.Join(tree, filepath.FromSlash(f)))
		return err != nil || !info.Mode().IsRegular()
	}), nil
}

// Modules sorts files into the modules that they belong to and returns those in dependency order.
func Modules(tree string, files []string) ([]*Module, error) {
	byDir := make(map[string]*Module)
	var all []*Module
	for _, f := range files {
		if path.Base(f) != "go.mod" {
			continue
		}
		m := &Module{Dir: path.Dir(f)}
		if err := m.parse(tree); err != nil {
			return nil, err
		}
		byDir[m.Dir] = m
		// Modules in testdata are data. They still end the module around them.
		if !slices.Contains(strings.Split(m.Dir, "/"), "testdata") {
			all = append(all, m)
		}
	}
	root := byDir["."]
	if root == nil {
		return nil, fmt.Errorf("%s: no go.mod", tree)
	}
	for _, m := range all {
		m.Publish = path.Join(root.Path, m.Dir)
	}
	for _, f := range files {
		dir := path.Dir(f)
		for byDir[dir] == nil {
			dir = path.Dir(dir)
		}
		byDir[dir].Files = append(byDir[dir].Files, f)
	}
	return order(all)
}

func (m *Module) parse(tree string) error {
	cmd := exec.Command("go", "mod", "edit", "-json", filepath.Join(tree, filepath.FromSlash(m.Dir), "go.mod"))
	out, err := output(cmd)
	if err != nil {
		return err
	}
	var file struct {
		Module  struct{ Path string }
		Require []struct{ Path, Version string }
		Replace []struct{ Old struct{ Path string } }
	}
	if err := json.Unmarshal(out, &file); err != nil {
		return fmt.Errorf("%s: %w", m.Dir, err)
	}
	m.Path = file.Module.Path
	m.Requires = make(map[string]string)
	for _, r := range file.Require {
		m.Requires[r.Path] = r.Version
	}
	for _, r := range file.Replace {
		m.Replaces = append(m.Replaces, r.Old.Path)
	}
	return nil
}

// order puts each module behind those that it requires.
func order(all []*Module) ([]*Module, error) {
	byPath := make(map[string]*Module)
	for _, m := range all {
		byPath[m.Publish] = m
	}
	var sorted []*Module
	const visiting, done = 1, 2
	state := make(map[*Module]int)
	var visit func(m *Module) error
	visit = func(m *Module) error {
		switch state[m] {
		case visiting:
			return fmt.Errorf("%s requires itself by way of others", m.Publish)
		case done:
			return nil
		}
		state[m] = visiting
		for _, other := range all {
			if _, required := m.Requires[other.Publish]; required {
				if err := visit(byPath[other.Publish]); err != nil {
					return err
				}
			}
		}
		state[m] = done
		sorted = append(sorted, m)
		return nil
	}
	for _, m := range all {
		if err := visit(m); err != nil {
			return nil, err
		}
	}
	return sorted, nil
}

// CheckVersions reports each requirement among the modules of the tree that names another version than the one to be
// released.
func CheckVersions(modules []*Module, version string) error {
	var faults []string
	for _, m := range modules {
		for _, other := range modules {
			if v, required := m.Requires[other.Publish]; required && v != version {
				faults = append(faults, fmt.Sprintf("%s requires %s %s, not %s", m.Publish, other.Publish, v, version))
			}
		}
	}
	if faults != nil {
		return fmt.Errorf("versions: %s", strings.Join(faults, "; "))
	}
	return nil
}

// Tags names the tags of a release in the order in which they have to be pushed.
func Tags(modules []*Module, version string) []string {
	var tags []string
	for _, m := range modules {
		tags = append(tags, path.Join(m.Dir, version))
	}
	return tags
}

func output(cmd *exec.Cmd) ([]byte, error) {
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, stderr.Bytes())
	}
	return out, nil
}
