package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// If this fails, run go generate ./... in the folder of this module.
func TestGeneratedCodeIsCurrent(t *testing.T) {
	root := filepath.Join("..", "..")
	files, err := generate(root, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 2*len(sources) {
		t.Fatalf("only %d files were generated", len(files))
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			t.Error(err)
		} else if !bytes.Equal(got, want) {
			t.Errorf("%s is not what the generator makes now", name)
		}
	}

	// A file that the generator no longer makes would stay and be compiled.
	for _, s := range sources {
		for _, dir := range append([]string{s.upstream, s.eddy}, s.verbatim...) {
			have, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(dir), "*.go"))
			if err != nil {
				t.Fatal(err)
			}
			for _, path := range have {
				name := filepath.ToSlash(filepath.Join(filepath.FromSlash(dir), filepath.Base(path)))
				written := dir == s.upstream && !strings.HasSuffix(name, "_easyjson.go")
				if _, ok := files[name]; !ok && !written && !strings.HasSuffix(name, "_test.go") {
					t.Errorf("%s is not made by the generator", name)
				}
			}
		}
	}
}

func TestOnlyImportPathsChange(t *testing.T) {
	in := []byte(`import jlexer "github.com/mailru/easyjson/jlexer"` + "\n// github.com/mailru/easyjson in prose\n")
	got := string(onEddy("x_easyjson.go", in))
	want := `import jlexer "github.com/eddy-go/eddy/easyjson/jlexer"` + "\n// github.com/mailru/easyjson in prose\n"
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
