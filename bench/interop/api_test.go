package interop

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eddy-go/eddy/bench/interop/apidiff"
)

const (
	upstreamPath = "github.com/mailru/easyjson"
	eddyPath     = "github.com/eddy-go/eddy/easyjson"
)

// compiled are the packages of easyjson's runtime; opt/optional is a template.
var compiled = []string{"", "/buffer", "/jlexer", "/jwriter", "/opt"}

func patterns(prefix string) []string {
	var p []string
	for _, sub := range compiled {
		p = append(p, prefix+sub)
	}
	return p
}

// upstreamAt loads easyjson at a version, in a module that has nothing else.
func upstreamAt(t *testing.T, version string) *apidiff.Loader {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{
		"go.mod": fmt.Sprintf("module consumer\n\ngo 1.26\n\nrequire (\n\t%s %s\n\tgithub.com/josharian/intern v1.0.0\n)\n", upstreamPath, version),
		"go.sum": `github.com/josharian/intern v1.0.0 h1:vlS4z54oSdjm0bgjRigI+G1HpF+tI+9rE5LLzOg8HmY=
github.com/josharian/intern v1.0.0/go.mod h1:5DoeVV0s6jJacbCEi61lwdGj/aVlrQvzHFFd8Hwg//Y=
github.com/mailru/easyjson v0.9.1 h1:LbtsOm5WAswyWbvTEOqhypdPeZzHavpZx96/n553mR8=
github.com/mailru/easyjson v0.9.1/go.mod h1:1+xMtQp2MRNVL/V1bOzuP3aP8VNwRW55fQUto+XFtTU=
github.com/mailru/easyjson v0.9.2 h1:dX8U45hQsZpxd80nLvDGihsQ/OxlvTkVUXH2r/8cb2M=
github.com/mailru/easyjson v0.9.2/go.mod h1:1+xMtQp2MRNVL/V1bOzuP3aP8VNwRW55fQUto+XFtTU=
`,
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return load(t, dir, false, upstreamPath)
}

func load(t *testing.T, dir string, workspace bool, prefix string) *apidiff.Loader {
	t.Helper()
	l, err := apidiff.NewLoader(dir, workspace, "-mod=readonly", patterns(prefix)...)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// Whatever compiled against easyjson compiles against eddy and the drop-in.
func TestTheWholeAPIIsThere(t *testing.T) {
	eddy := load(t, ".", true, eddyPath)
	dropin := load(t, filepath.Join("..", "..", "dropin", "easyjson"), false, upstreamPath)
	for _, version := range []string{"v0.9.1", "v0.9.2"} {
		want := upstreamAt(t, version)
		for _, have := range []struct {
			name   string
			loader *apidiff.Loader
			path   string
		}{{"eddy", eddy, eddyPath}, {"dropin", dropin, upstreamPath}} {
			t.Run(version+"/"+have.name, func(t *testing.T) {
				for _, sub := range compiled {
					w, err := want.Package(upstreamPath + sub)
					if err != nil {
						t.Fatal(err)
					}
					h, err := have.loader.Package(have.path + sub)
					if err != nil {
						t.Fatal(err)
					}
					if n := len(w.Scope().Names()); n == 0 {
						t.Fatalf("no names in upstream's %s", w.Path())
					}
					for _, m := range apidiff.Missing(w, h, eddyPath, upstreamPath) {
						t.Errorf("%s: %s", strings.TrimPrefix(w.Path(), "github.com/"), m)
					}
				}
				w, err := want.Template(upstreamPath+"/opt", "optional")
				if err != nil {
					t.Fatal(err)
				}
				h, err := have.loader.Template(have.path+"/opt", "optional")
				if err != nil {
					t.Fatal(err)
				}
				for _, m := range apidiff.Missing(w, h, eddyPath, upstreamPath) {
					t.Errorf("opt/optional: %s", m)
				}
			})
		}
	}
}
