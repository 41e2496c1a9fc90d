package interop

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The code that the generator of v0.9.1 makes runs on the drop-in as well, and
// writes there what it writes on its own runtime. (The code of v0.9.2 is in the
// tree, in the drop-in's internal/zoo, and in the zoo of this folder.)
func TestCodeOfTheOlderGenerator(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	zoo := filepath.Join(dir, "zoo")
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	read := func(path string) string {
		t.Helper()
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	run := func(where string, args ...string) {
		t.Helper()
		cmd := exec.Command("go", args...)
		cmd.Dir = where
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "GOOS=", "GOARCH=", "PWD="+where)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}

	if err := os.Mkdir(zoo, 0o777); err != nil {
		t.Fatal(err)
	}
	write(filepath.Join(dir, "go.mod"), "module example.com/user\n\ngo 1.26\n\nrequire github.com/mailru/easyjson v0.9.1\n")
	// Not zero.go: v0.9.1 has no omitzero.
	for _, name := range []string{"zoo.go", "methods.go", "snake.go", "lower.go"} {
		write(filepath.Join(zoo, name), read(filepath.Join("upstream", "zoo", name)))
	}
	generator := []string{"run", "github.com/mailru/easyjson/easyjson"}
	run(zoo, append(generator, "-all", "zoo.go")...)
	run(zoo, append(generator, "-snake_case", "-omit_empty", "-disallow_unknown_fields", "snake.go")...)
	run(zoo, append(generator, "-lower_camel_case", "-disable_members_unescape", "-byte", "lower.go")...)

	// The drop-in's own tests of such code; what only the drop-in has is in lines of their own.
	tests := read(filepath.Join(root, "dropin", "easyjson", "internal", "zoo", "zoo_test.go"))
	common := tests
	for _, line := range []string{
		"\teddyjwriter \"github.com/eddy-go/eddy/easyjson/jwriter\"\n",
		"var _ *eddyjwriter.Writer = (*jwriter.Writer)(nil)\n",
	} {
		if !strings.Contains(tests, line) {
			t.Fatalf("the drop-in's tests no longer have the line %s", line)
		}
		common = strings.Replace(common, line, "", 1)
	}
	write(filepath.Join(zoo, "document_test.go"), `package zoo

import (
	"os"
	"testing"

	"github.com/mailru/easyjson"
)

func TestDocument(t *testing.T) {
	doc, err := easyjson.Marshal(sample())
	if err == nil {
		err = os.WriteFile("document", doc, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}
`)
	write(filepath.Join(zoo, "zoo_test.go"), common)
	run(zoo, "test", "-run", "TestDocument", ".")
	want := read(filepath.Join(zoo, "document"))
	write(filepath.Join(zoo, "document"), "")

	run(dir, "mod", "edit", "-require=github.com/eddy-go/eddy@v0.1.0", "-replace=github.com/eddy-go/eddy="+root,
		"-replace=github.com/mailru/easyjson="+filepath.Join(root, "dropin", "easyjson"))
	write(filepath.Join(zoo, "zoo_test.go"), tests)
	run(zoo, "test", ".")
	if got := read(filepath.Join(zoo, "document")); got != want || !strings.Contains(want, "вода") {
		t.Errorf("on the drop-in the document is\n%s\nwant\n%s", got, want)
	}
}
