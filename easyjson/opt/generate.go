//go:build ignore

// generate writes the file of each type of package opt.
package main

import (
	"log"
	"os"

	"github.com/eddy-go/eddy/easyjson/opt/internal/expand"
)

func main() {
	source, err := os.ReadFile("optional/opt.go")
	if err != nil {
		log.Fatal(err)
	}
	for _, typ := range expand.Types {
		b, err := expand.Source(string(source), typ)
		if err != nil {
			log.Fatal(err)
		}
		if err := os.WriteFile(expand.File(typ), b, 0o666); err != nil {
			log.Fatal(err)
		}
	}
}
