package release

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
)

// A DropIn is a module that stands in for another by a replace in the consumer's go.mod.
type DropIn struct {
	Module  *Module // declares the path of Peer
	Peer    string  // the module replaced
	Version string  // of the peer
	Root    string  // a module that the program must contain when, and only when, the replace is in force
}

// The program of a user of the peer: types with generated code, and a main that prints what came of them.
const (
	dropInTypes = `package post

//easyjson:json
type Post struct {
	ID    int64             ` + "`json:\"id\"`" + `
	Title string            ` + "`json:\"title\"`" + `
	Tags  []string          ` + "`json:\"tags,omitempty\"`" + `
	Score float64           ` + "`json:\"score\"`" + `
	Meta  map[string]string ` + "`json:\"meta\"`" + `
	Next  *Post             ` + "`json:\"next\"`" + `
}
`
	dropInMain = `package main

import (
	"fmt"
	"os"

	"example.com/dropin-user/post"
	"github.com/mailru/easyjson"
)

func main() {
	p := post.Post{ID: 1 << 40, Title: "<Grüße> \u2028 \"и\"\n", Tags: []string{"a", ""}, Score: -0.5,
		Meta: map[string]string{"k": "v"}, Next: &post.Post{ID: -7}}
	text, err := easyjson.Marshal(&p)
	if err != nil {
		panic(err)
	}
	var back post.Post
	if err := easyjson.Unmarshal(text, &back); err != nil {
		panic(err)
	}
	fmt.Printf("%s\n", text)
	if _, err := easyjson.MarshalToWriter(&back, os.Stdout); err != nil {
		panic(err)
	}
	fmt.Println()
	if err := easyjson.Unmarshal([]byte("{\"id\":}"), &back); err == nil {
		panic("no error for a missing value")
	}
}
`
)

// A record is a way in which a module keeps the version of the peer's generator.
type record struct {
	name string
	make func(c *Consumer, d DropIn) error
	run  func(d DropIn) []string // the arguments of the go command that run the generator
}

func byPath(d DropIn) []string { return []string{"run", d.Peer + "/easyjson"} }

var records = []record{
	{"dropin-user", func(*Consumer, DropIn) error { return nil }, byPath},
	{"dropin-user-tools", func(c *Consumer, d DropIn) error {
		return c.Write("tools/tools.go", "//go:build tools\n\npackage tools\n\nimport _ \""+d.Peer+"/easyjson\"\n")
	}, byPath},
	{"dropin-user-tool", func(c *Consumer, d DropIn) error {
		_, err := c.Go("get", "-tool", d.Peer+"/easyjson@"+d.Version)
		return err
	}, func(DropIn) []string { return []string{"tool", "easyjson"} }},
}

// CheckDropIn lives through a move: a program with generated code runs on the peer, on the drop-in after one
// `go mod edit`, and again on the peer after the line is taken back, and prints the same each time. It does so for a module
// that does not know the generator, and for each way to record it.
func (e *Env) CheckDropIn(d DropIn) error {
	for _, r := range records {
		if err := e.move(d, r); err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		e.Log("%s: replaces %s %s in %s, and back", d.Module.Publish, d.Peer, d.Version, r.name)
	}
	return nil
}

func (e *Env) move(d DropIn, r record) error {
	c, err := e.New(r.name)
	if err != nil {
		return err
	}
	// Older than the drop-in, as most who move are.
	if _, err := c.Go("mod", "edit", "-go=1.22"); err != nil {
		return err
	}
	if err := c.Write("post/types.go", dropInTypes); err != nil {
		return err
	}
	if _, err := c.Go("get", d.Peer+"/...@"+d.Version); err != nil {
		return err
	}
	if err := r.make(c, d); err != nil {
		return err
	}
	if _, err := c.Go(append(r.run(d), "post/types.go")...); err != nil {
		return err
	}
	if err := c.Write("main.go", strings.Replace(dropInMain, "dropin-user", r.name, 1)); err != nil {
		return err
	}
	if _, err := c.Go("mod", "tidy"); err != nil {
		return err
	}
	before, err := e.runDropIn(c, d, false)
	if err != nil {
		return err
	}
	kept, err := c.read("go.mod", "go.sum")
	if err != nil {
		return err
	}
	if _, err := c.Go("mod", "edit", "-replace="+d.Peer+"="+d.Module.Publish+"@"+e.Version); err != nil {
		return err
	}
	if _, err := c.Go("mod", "tidy"); err != nil {
		return err
	}
	if _, err := c.Go("build", d.Peer+"/..."); err != nil {
		return err
	}
	after, err := e.runDropIn(c, d, true)
	if err != nil {
		return err
	}
	if after != before {
		return fmt.Errorf("%s prints\n%s\nwhere %s prints\n%s", d.Module.Publish, after, d.Peer, before)
	}
	if _, err := c.Go(append(r.run(d), "post/types.go")...); err == nil || !strings.Contains(err.Error(), "-dropreplace="+d.Peer) {
		return fmt.Errorf("the drop-in's generator does not say how to run the peer's: %v", err)
	}
	if err := c.regenerate(d, r); err != nil {
		return fmt.Errorf("the generator beside the drop-in: %w", err)
	}
	if _, err := c.Go("mod", "vendor"); err != nil {
		return err
	}
	if _, err := c.Go("build", "-mod=vendor", "./..."); err != nil {
		return fmt.Errorf("vendored: %w", err)
	}
	// `go tool` takes no -mod=mod, with which the others pass over the vendor folder.
	if err := c.regenerate(d, record{run: byPath}); err != nil {
		return fmt.Errorf("the generator beside the vendored drop-in: %w", err)
	}
	if err := os.RemoveAll(filepath.Join(c.Dir, "vendor")); err != nil {
		return err
	}
	if _, err := c.Go("mod", "edit", "-dropreplace="+d.Peer); err != nil {
		return err
	}
	if _, err := c.Go("mod", "tidy"); err != nil {
		return err
	}
	back := func(way string) error {
		got, err := e.runDropIn(c, d, false)
		if err != nil {
			return fmt.Errorf("after %s: %w", way, err)
		}
		if got != before {
			return fmt.Errorf("after %s, the program prints\n%s\nwhere it printed\n%s", way, got, before)
		}
		return nil
	}
	if err := back("the replace is taken back"); err != nil {
		return err
	}
	for name, text := range kept {
		if err := c.Write(name, text); err != nil {
			return err
		}
	}
	if err := back("the old go.mod and go.sum are put back"); err != nil {
		return err
	}
	if now, err := c.read("go.mod", "go.sum"); err != nil || !maps.Equal(now, kept) {
		return fmt.Errorf("the old go.mod and go.sum do not stay as they are: %q (%v)", now, err)
	}
	return nil
}

// read returns the contents of files of the module.
func (c *Consumer) read(names ...string) (map[string]string, error) {
	texts := make(map[string]string)
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(c.Dir, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		texts[name] = string(text)
	}
	return texts, nil
}

// regenerate runs the peer's generator while the replace is in force, in the way that the drop-in's README shows: on a
// copy of go.mod without it.
func (c *Consumer) regenerate(d DropIn, r record) error {
	generated := filepath.Join(c.Dir, "post", "types_easyjson.go")
	before, err := os.ReadFile(generated)
	if err != nil {
		return err
	}
	mod, err := os.ReadFile(filepath.Join(c.Dir, "go.mod"))
	if err != nil {
		return err
	}
	if err := c.Write("easyjson-gen.mod", string(mod)); err != nil {
		return err
	}
	if _, err := c.Go("mod", "edit", "-dropreplace="+d.Peer, "easyjson-gen.mod"); err != nil {
		return err
	}
	if _, err := c.Go("mod", "tidy", "-modfile=easyjson-gen.mod"); err != nil {
		return err
	}
	if err := os.Remove(generated); err != nil {
		return err
	}
	flags := "GOFLAGS=" + goflags + " -modfile=" + filepath.Join(c.Dir, "easyjson-gen.mod")
	if _, err := c.goWith([]string{flags}, append(r.run(d), "post/types.go")...); err != nil {
		return err
	}
	after, err := os.ReadFile(generated)
	if err != nil {
		return err
	}
	if !bytes.Equal(before, after) {
		return fmt.Errorf("wrote another %s than before", filepath.Base(generated))
	}
	if now, err := os.ReadFile(filepath.Join(c.Dir, "go.mod")); err != nil || !bytes.Equal(now, mod) {
		return fmt.Errorf("go.mod has changed: %s (%v)", now, err)
	}
	return nil
}

func (e *Env) runDropIn(c *Consumer, d DropIn, replaced bool) (string, error) {
	if _, err := c.Go("vet", "./..."); err != nil {
		return "", err
	}
	program := filepath.Join(c.Dir, "program.exe")
	if _, err := c.Go("build", "-o", program, "."); err != nil {
		return "", err
	}
	parts, err := c.Go("version", "-m", program)
	if err != nil {
		return "", err
	}
	if strings.Contains(parts, "\t"+d.Root+"\t") != replaced {
		return "", fmt.Errorf("replace in force: %v, but the program is made of\n%s", replaced, parts)
	}
	return c.Go("run", ".")
}
