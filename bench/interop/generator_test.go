package interop

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The drop-in's README says how to run easyjson's generator in a module in which
// the drop-in replaces easyjson. These are its steps.
func TestGeneratorBesideTheDropIn(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	goEnv := func(flags string, args ...string) ([]byte, error) {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS="+flags, "GOOS=", "GOARCH=")
		return cmd.CombinedOutput()
	}
	mod := "module example.com/user\n\ngo 1.26\n\n" +
		"require github.com/mailru/easyjson v0.9.2\n\nrequire github.com/eddy-go/eddy v0.1.0 // indirect\n\n" +
		"replace github.com/mailru/easyjson => " + filepath.ToSlash(filepath.Join(root, "dropin", "easyjson")) + "\n\n" +
		"replace github.com/eddy-go/eddy => " + filepath.ToSlash(root) + "\n"
	write("go.mod", mod)
	write("post/types.go", "package post\n\n//go:generate go run github.com/mailru/easyjson/easyjson types.go\n\n//easyjson:json\ntype Post struct{ ID int64 }\n")
	write("main.go", `package main

import (
	"os"

	"example.com/user/post"
	"github.com/mailru/easyjson"
)

func main() { easyjson.MarshalToWriter(post.Post{ID: 1 << 40}, os.Stdout) }
`)

	if out, err := goEnv("", "generate", "./..."); err == nil {
		t.Errorf("with the replace alone the generator runs, so the README's detour is no longer needed: %s", out)
	}
	os.Remove(filepath.Join(dir, "post", "types_easyjson.go")) // the stub that was left

	write("easyjson-gen.mod", mod)
	if out, err := goEnv("", "mod", "edit", "-dropreplace=github.com/mailru/easyjson", "easyjson-gen.mod"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	flags := "-mod=mod -modfile=" + filepath.Join(dir, "easyjson-gen.mod")
	if out, err := goEnv(flags, "generate", "./..."); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "go.mod")); err != nil || string(got) != mod {
		t.Errorf("go.mod is now %s (%v)", got, err)
	}
	out, err := goEnv("-mod=readonly", "run", ".")
	if err != nil || !bytes.Equal(out, []byte(`{"ID":1099511627776}`)) {
		t.Errorf("the program prints %s (%v)", out, err)
	}
}
