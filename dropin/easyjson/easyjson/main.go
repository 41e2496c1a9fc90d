// Easyjson stands where easyjson's generator is, so that a module which records
// the generator (in a tool directive, or in a file tools.go that imports it) can
// be tidied and vendored while the drop-in is in place. It generates nothing:
// it says how to run the generator, and exits with status 1.
package main

import (
	"fmt"
	"io"
	"os"
)

const recipe = `easyjson: go.mod replaces github.com/mailru/easyjson by eddy's drop-in, which has no generator.
Run the generator with a go.mod without the replace, beside the real one:

    cp go.mod easyjson-gen.mod
    go mod edit -dropreplace=github.com/mailru/easyjson easyjson-gen.mod
    GOWORK=off go mod tidy -modfile=easyjson-gen.mod
    GOWORK=off GOFLAGS="-mod=mod -modfile=$PWD/easyjson-gen.mod" go generate ./...
    rm easyjson-gen.mod easyjson-gen.sum
`

func main() { os.Exit(run(os.Stderr)) }

func run(stderr io.Writer) (status int) {
	fmt.Fprint(stderr, recipe)
	return 1
}
