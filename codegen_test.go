//go:build !eddydebug

package eddy

import (
	"encoding/json"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Without the tag, Get and Put must compile to what they would compile to if
// the checks were not in the source.
func TestChecksCompileToNothing(t *testing.T) {
	overlay := overlay{map[string]string{}}
	dir := t.TempDir()
	removed := 0
	for _, name := range []string{"bytepool.go", "pool.go", "fixed.go"} {
		path, err := filepath.Abs(name)
		if err != nil {
			t.Fatal(err)
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		file.Comments = keepDirectives(file.Comments)
		ast.Inspect(file, func(n ast.Node) bool {
			block, ok := n.(*ast.BlockStmt)
			if !ok {
				return true
			}
			kept := block.List[:0]
			for _, s := range block.List {
				if c, ok := s.(*ast.IfStmt); ok && isDebug(c.Cond) {
					removed++
					continue
				}
				kept = append(kept, s)
			}
			block.List = kept
			return true
		})
		var text strings.Builder
		if err := format.Node(&text, fset, file); err != nil {
			t.Fatal(err)
		}
		stripped := filepath.Join(dir, name)
		if err := os.WriteFile(stripped, []byte(text.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		overlay.Replace[path] = stripped
	}
	if removed < 9 {
		t.Fatalf("only %d checks found in the source", removed)
	}
	// A Pool is compiled where it is used.
	use := filepath.Join(dir, "use.go")
	if err := os.WriteFile(use, []byte("package eddy\n\nfunc use(p *Pool[[4]int]) { p.Put(p.Get()) }\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	added, err := filepath.Abs("use.go")
	if err != nil {
		t.Fatal(err)
	}
	stripped := map[string]string{added: use}
	maps.Copy(stripped, overlay.Replace)

	with := functions(t, dir, map[string]string{added: use})
	without := functions(t, dir, stripped)
	tagged := functions(t, dir, map[string]string{added: use}, "-tags", "eddydebug")
	differ := 0
	for _, name := range []string{
		"(*BytePool).Get", "(*BytePool).Put", "(*BytePool).getSlow", "(*BytePool).putSlow",
		"(*FixedPool).Get", "(*FixedPool).TryGet", "(*FixedPool).Put",
		"(*Pool[go.shape.[4]int]).Get", "(*Pool[go.shape.[4]int]).Put",
	} {
		if with[name] == "" {
			t.Errorf("%s: no code found", name)
			continue
		}
		if with[name] != without[name] {
			t.Errorf("%s differs from its code without the checks:\n%s\n--- without:\n%s", name, with[name], without[name])
		}
		if with[name] != tagged[name] {
			differ++
		}
	}
	// Some of them only call what has the check.
	if differ < 6 {
		t.Errorf("only %d functions differ with the tag: the comparison sees too little", differ)
	}
}

type overlay struct{ Replace map[string]string }

func isDebug(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "debug"
}

// keepDirectives drops ordinary comments, which would stand in odd places.
func keepDirectives(groups []*ast.CommentGroup) []*ast.CommentGroup {
	var kept []*ast.CommentGroup
	for _, g := range groups {
		var list []*ast.Comment
		for _, c := range g.List {
			if strings.HasPrefix(c.Text, "//go:") {
				list = append(list, c)
			}
		}
		if len(list) > 0 {
			kept = append(kept, &ast.CommentGroup{List: list})
		}
	}
	return kept
}

var (
	funcLine = regexp.MustCompile(`^\S+?eddy\.(\(\*(?:Byte|Fixed)?Pool(?:\[\S+\])?\)\.\w+) STEXT`)
	codeLine = regexp.MustCompile(`^\t0x[0-9a-f]+ (\d+) \(.*?\)\t(.*)$`)
	fileName = regexp.MustCompile(`\S*\.go`)
)

// functions compiles the package, with some of its files replaced, and returns
// the instructions of its methods.
func functions(t *testing.T, dir string, replace map[string]string, args ...string) map[string]string {
	t.Helper()
	list, err := json.Marshal(overlay{replace})
	if err != nil {
		t.Fatal(err)
	}
	listFile := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(listFile, list, 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", append(append([]string{"build", "-gcflags=-S", "-overlay", listFile}, args...), ".")...).CombinedOutput()
	if err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	code := map[string]string{}
	name := ""
	for _, line := range strings.Split(string(out), "\n") {
		if !strings.HasPrefix(line, "\t") {
			name = ""
			if m := funcLine.FindStringSubmatch(line); m != nil {
				name = m[1]
			}
		} else if m := codeLine.FindStringSubmatch(line); m != nil && name != "" {
			if strings.HasPrefix(m[2], "PCDATA") || strings.HasPrefix(m[2], "FUNCDATA") {
				continue
			}
			code[name] += m[1] + "\t" + fileName.ReplaceAllString(m[2], "") + "\n"
		}
	}
	return code
}
