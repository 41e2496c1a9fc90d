package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A source is a folder of types with all that is made from it. Folders are
// relative to the module.
type source struct {
	upstream string     // types written by hand, methods by easyjson's generator
	eddy     string     // the same on eddy's packages
	verbatim []string   // folders that get the upstream files unchanged
	runs     [][]string // arguments of the generator, the file last
}

var sources = []source{
	{
		upstream: "internal/payload/upstream/post",
		eddy:     "internal/payload/eddy/post",
		// Without MarshalJSON and UnmarshalJSON, so that the types of the easyjson row
		// can serve the peers that would call them.
		runs: [][]string{{"-no_std_marshalers", "types.go"}},
	},
	{
		upstream: "interop/upstream/zoo",
		eddy:     "interop/eddy/zoo",
		verbatim: []string{"../dropin/easyjson/internal/zoo"},
		runs: [][]string{
			{"-all", "zoo.go"},
			{"-snake_case", "-omit_empty", "-disallow_unknown_fields", "snake.go"},
			{"-lower_camel_case", "-disable_members_unescape", "-byte", "lower.go"},
			{"-omit_zero", "-no_std_marshalers", "zero.go"},
		},
	},
}

// copies are files that must be the same in two modules.
var copies = map[string]string{
	"../dropin/easyjson/opt/optional/opt.go": "../easyjson/opt/optional/opt.go",
}

const (
	upstreamModule = "github.com/mailru/easyjson"
	eddyRuntime    = "github.com/eddy-go/eddy/easyjson"
)

// generate returns every generated file by its path relative to root, made in a
// copy of the module in tmp so that nothing of what is there already can
// take part.
func generate(root, tmp string) (map[string][]byte, error) {
	if err := copyModule(root, tmp); err != nil {
		return nil, err
	}
	out := map[string][]byte{}
	for _, s := range sources {
		written, err := copyWritten(filepath.Join(root, s.upstream), filepath.Join(tmp, s.upstream))
		if err != nil {
			return nil, err
		}
		files := written
		for _, args := range s.runs {
			text, err := runGenerator(filepath.Join(tmp, s.upstream), args)
			if err != nil {
				return nil, err
			}
			name := strings.TrimSuffix(args[len(args)-1], ".go") + "_easyjson.go"
			files[name] = text
			out[path.Join(s.upstream, name)] = text
		}
		for name, text := range files {
			out[path.Join(s.eddy, name)] = onEddy(name, text)
			for _, dir := range s.verbatim {
				out[path.Join(dir, name)] = marked(name, text)
			}
		}
	}
	for to, from := range copies {
		text, err := os.ReadFile(filepath.Join(root, from))
		if err != nil {
			return nil, err
		}
		out[to] = text
	}
	return out, nil
}

// copyModule makes a module of the same name and requirements in tmp.
func copyModule(root, tmp string) error {
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return err
	}
	abs, err := filepath.Abs(filepath.Join(root, ".."))
	if err != nil {
		return err
	}
	mod = bytes.ReplaceAll(mod, []byte("=> ../"), []byte("=> "+filepath.ToSlash(abs)))
	if err := os.WriteFile(filepath.Join(tmp, "go.mod"), mod, 0o666); err != nil {
		return err
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(tmp, "go.sum"), sum, 0o666)
}

// copyWritten copies the files of a folder that people wrote and returns them.
func copyWritten(from, to string) (map[string][]byte, error) {
	names, err := filepath.Glob(filepath.Join(from, "*.go"))
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(to, 0o777); err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, name := range names {
		base := filepath.Base(name)
		if strings.HasSuffix(base, "_easyjson.go") || strings.HasSuffix(base, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files[base] = text
		if err := os.WriteFile(filepath.Join(to, base), text, 0o666); err != nil {
			return nil, err
		}
	}
	return files, nil
}

func runGenerator(dir string, args []string) ([]byte, error) {
	cmd := exec.Command("go", slices.Concat([]string{"run", upstreamModule + "/easyjson"}, args)...)
	cmd.Dir = dir
	// The copy has a go.mod of its own, and a test binary's flags are not for the
	// commands that it starts.
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "GOOS=", "GOARCH=")
	if msg, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("easyjson %s: %w\n%s", strings.Join(args, " "), err, msg)
	}
	name := strings.TrimSuffix(args[len(args)-1], ".go") + "_easyjson.go"
	return os.ReadFile(filepath.Join(dir, name))
}

// onEddy is a file with its import paths moved to eddy's packages.
func onEddy(name string, text []byte) []byte {
	return marked(name, bytes.ReplaceAll(text, []byte(`"`+upstreamModule), []byte(`"`+eddyRuntime)))
}

// marked says in a copy of a written file that it is one.
func marked(name string, text []byte) []byte {
	if strings.HasSuffix(name, "_easyjson.go") {
		return text
	}
	return append([]byte("// Code generated by bench/internal/regen from the upstream folder's "+name+". DO NOT EDIT.\n\n"), text...)
}
