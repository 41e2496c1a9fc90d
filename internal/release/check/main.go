// Check packs the modules of this source tree as a release would and builds them from empty modules. Nothing is
// published. Run it anywhere in the tree:
//
//	go run ./internal/release/check
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/eddy-go/eddy/internal/release"
)

func main() {
	version := flag.String("version", "v0.1.0", "the version to be released")
	pack := flag.String("pack", "", "write the proxy to this folder and stop there")
	only := flag.String("only", "", "check only the modules in these folders, separated by commas")
	flag.Parse()
	if flag.NArg() != 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(*version, *pack, *only); err != nil {
		fmt.Fprintln(os.Stderr, "release check:", err)
		os.Exit(1)
	}
}

// uninstalled are commands that are run in a checkout, as they measure the tree they are in: the replace that bench has
// for that keeps it from being installed by version.
var uninstalled = map[string]bool{"github.com/eddy-go/eddy/bench": true}

// peers are the modules that drop-ins stand in for, in the version that they are measured by.
var peers = map[string]string{"github.com/mailru/easyjson": "v0.9.2"}

func run(version, pack, only string) (err error) {
	tree, err := root()
	if err != nil {
		return err
	}
	files, err := release.Files(tree)
	if err != nil {
		return err
	}
	modules, err := release.Modules(tree, files)
	if err != nil {
		return err
	}
	if err := release.CheckVersions(modules, version); err != nil {
		return err
	}
	if pack != "" {
		return release.WriteProxy(pack, tree, version, modules)
	}

	temp, err := os.MkdirTemp("", "eddy-release-")
	if err != nil {
		return err
	}
	defer func() {
		if e := os.RemoveAll(temp); err == nil {
			err = e
		}
	}()
	proxy := filepath.Join(temp, "proxy")
	if err := release.WriteProxy(proxy, tree, version, modules); err != nil {
		return err
	}
	log := func(format string, args ...any) { fmt.Printf("  "+format+"\n", args...) }
	fmt.Println("tags, in this order:", strings.Join(release.Tags(modules, version), " "))
	var top string
	for _, m := range modules {
		if m.Dir == "." {
			top = m.Path
		}
	}
	env, err := release.NewEnv(temp, proxy, version, top, log)
	if err != nil {
		return err
	}
	wanted := func(m *release.Module) bool {
		return only == "" || strings.Contains(","+only+",", ","+m.Dir+",")
	}
	for _, m := range modules {
		if !wanted(m) {
			continue
		}
		if m.Path != m.Publish {
			err = env.CheckDropIn(release.DropIn{Module: m, Peer: m.Path, Version: peers[m.Path], Root: top})
		} else {
			err = env.CheckModule(m, uninstalled)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// root is the nearest folder upwards that holds go.work.
func root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "go.work")); err == nil {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return "", fmt.Errorf("no go.work in %s or above", dir)
		}
	}
}
