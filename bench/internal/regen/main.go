// Regen makes the generated code of this module current: easyjson's own
// generator, unmodified, at the version in go.mod, writes methods for the types
// in the upstream folders, and the copies in the eddy folders differ from that in
// their import paths alone.
//
//	go generate ./...     in the folder of this module
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

//go:generate go run . ../..

func main() {
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: regen <folder of the bench module>")
		os.Exit(2)
	}
	root := flag.Arg(0)
	tmp, err := os.MkdirTemp("", "regen")
	if err == nil {
		defer os.RemoveAll(tmp)
		var files map[string][]byte
		if files, err = generate(root, tmp); err == nil {
			err = write(root, files)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "regen:", err)
		os.RemoveAll(tmp)
		os.Exit(1)
	}
}

func write(root string, files map[string][]byte) error {
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o666); err != nil {
			return err
		}
	}
	return nil
}
