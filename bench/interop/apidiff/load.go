package apidiff

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const tokenEQL = token.EQL

// A Loader finds packages as a module at dir sees them.
type Loader struct {
	dir, flags string
	fset       *token.FileSet
	imp        types.Importer
	dirs       map[string]string // import path to folder
}

// NewLoader has the go command, run in dir without a workspace unless
// workspace is set, compile the packages that the patterns name.
func NewLoader(dir string, workspace bool, flags string, patterns ...string) (*Loader, error) {
	l := &Loader{dir: dir, flags: flags, fset: token.NewFileSet(), dirs: map[string]string{}}
	args := append([]string{"list", "-e", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}\t{{.Dir}}"}, patterns...)
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS="+flags)
	if !workspace {
		cmd.Env = append(cmd.Env, "GOWORK=off")
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, stderr.Bytes())
	}
	exports := map[string]string{}
	for line := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		exports[f[0]], l.dirs[f[0]] = f[1], f[2]
	}
	l.imp = importer.ForCompiler(l.fset, "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("%s was not compiled\n%s", path, stderr.Bytes())
		}
		return os.Open(exports[path])
	})
	return l, nil
}

// Package returns a compiled package.
func (l *Loader) Package(path string) (*types.Package, error) { return l.imp.Import(path) }

// Template type-checks the files of folder sub beside the package at path as far as
// they go, whatever their build constraints say: the source of generated types
// does not compile by itself.
func (l *Loader) Template(path, sub string) (*types.Package, error) {
	dir, ok := l.dirs[path]
	if !ok {
		return nil, fmt.Errorf("no package %s", path)
	}
	names, err := filepath.Glob(filepath.Join(dir, sub, "*.go"))
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, name := range names {
		f, err := parser.ParseFile(l.fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no Go files in %s of %s", sub, path)
	}
	conf := types.Config{Importer: l.imp, Error: func(error) {}}
	pkg, _ := conf.Check(path+"/"+sub, l.fset, files, nil)
	return pkg, nil
}
