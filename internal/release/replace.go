package release

import (
	"bytes"
	"fmt"
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

// CheckDropIn lives through a move: a program with generated code runs on the peer, on the drop-in after one
// `go mod edit`, and again on the peer after the line is taken back, and prints the same each time.
func (e *Env) CheckDropIn(d DropIn) error {
	c, err := e.New("dropin-user")
	if err != nil {
		return err
	}
	if err := c.Write("post/types.go", dropInTypes); err != nil {
		return err
	}
	if _, err := c.Go("get", d.Peer+"/...@"+d.Version); err != nil {
		return err
	}
	// Generated while the peer is in place: the drop-in has no generator.
	if _, err := c.Go("run", d.Peer+"/easyjson", "post/types.go"); err != nil {
		return err
	}
	if err := c.Write("main.go", dropInMain); err != nil {
		return err
	}
	if _, err := c.Go("mod", "tidy"); err != nil {
		return err
	}
	before, err := e.runDropIn(c, d, false)
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
	if err := c.regenerate(d); err != nil {
		return fmt.Errorf("the generator beside the drop-in: %w", err)
	}
	if _, err := c.Go("mod", "edit", "-dropreplace="+d.Peer); err != nil {
		return err
	}
	if _, err := c.Go("mod", "tidy"); err != nil {
		return err
	}
	back, err := e.runDropIn(c, d, false)
	if err != nil {
		return fmt.Errorf("after the way back: %w", err)
	}
	if back != before {
		return fmt.Errorf("after the way back, the program prints\n%s\nwhere it printed\n%s", back, before)
	}
	e.Log("%s: replaces %s %s, and back", d.Module.Publish, d.Peer, d.Version)
	return nil
}

// regenerate runs the peer's generator while the replace is in force, in the way that the drop-in's README shows: on a
// copy of go.mod without it.
func (c *Consumer) regenerate(d DropIn) error {
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
	if err := os.Remove(generated); err != nil {
		return err
	}
	flags := "GOFLAGS=" + goflags + " -modfile=" + filepath.Join(c.Dir, "easyjson-gen.mod")
	if _, err := c.goWith([]string{flags}, "run", d.Peer+"/easyjson", "post/types.go"); err != nil {
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
