package release

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A Consumer is an empty module in a folder of its own, whose go command sees the packed modules and, behind them, the
// proxies of the machine.
type Consumer struct {
	Dir string
	env []string
}

const goflags = "-mod=mod -modcacherw -buildvcs=false"

// Env is what the consumers of one check share.
type Env struct {
	Temp    string // a folder for all that the check writes
	Proxy   string // the folder that WriteProxy filled
	Version string
	Log     func(format string, args ...any)

	vars []string
}

// NewEnv prepares temp and takes the proxies of the machine from the go command. Modules that the machine has already
// downloaded are taken from there; the module cache is one of the check's own, as a second try of the same version with
// other contents would find the first.
func NewEnv(temp, proxy, version, root string, log func(string, ...any)) (*Env, error) {
	out, err := output(exec.Command("go", "env", "GOPROXY", "GOMODCACHE", "GONOSUMDB"))
	if err != nil {
		return nil, err
	}
	machine := strings.Split(strings.ReplaceAll(string(out), "\r", ""), "\n")
	proxies := FileURL(proxy) + "," + FileURL(filepath.Join(machine[1], "cache", "download")) + "," + machine[0]
	unsummed := strings.Trim(root+","+root+"/*,"+machine[2], ",")
	e := &Env{Temp: temp, Proxy: proxy, Version: version, Log: log}
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		switch name {
		case "GOPROXY", "GOMODCACHE", "GONOSUMDB", "GOPRIVATE", "GOFLAGS", "GOWORK", "GOBIN", "PWD":
		default:
			e.vars = append(e.vars, v)
		}
	}
	e.vars = append(e.vars, "GOPROXY="+proxies, "GONOSUMDB="+unsummed, "GOPRIVATE=", "GOWORK=off",
		"GOMODCACHE="+filepath.Join(temp, "modcache"), "GOBIN="+filepath.Join(temp, "bin"),
		"GOFLAGS="+goflags)
	return e, nil
}

// New makes an empty module.
func (e *Env) New(name string) (*Consumer, error) {
	c := &Consumer{Dir: filepath.Join(e.Temp, name), env: e.vars}
	if err := os.MkdirAll(c.Dir, 0o755); err != nil {
		return nil, err
	}
	_, err := c.Go("mod", "init", "example.com/"+name)
	return c, err
}

// Go runs the go command in the module.
func (c *Consumer) Go(args ...string) (string, error) { return c.goWith(nil, args...) }

// goWith is Go with variables on top of the environment.
func (c *Consumer) goWith(vars []string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = c.Dir, append(slices.Clip(c.env), vars...)
	out, err := output(cmd)
	return string(out), err
}

// Write makes a file of the module.
func (c *Consumer) Write(name, text string) error {
	file := filepath.Join(c.Dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(text), 0o644)
}

// CheckModule gets the module into an empty one, builds all its packages, imports those that can be imported into a
// program that runs, and installs its commands by name and version. A command in uninstalled is only built.
func (e *Env) CheckModule(m *Module, uninstalled map[string]bool) error {
	c, err := e.New("consumer-of-" + strings.ReplaceAll(strings.Replace(m.Dir, ".", "root", 1), "/", "-"))
	if err != nil {
		return err
	}
	if _, err := c.Go("get", m.Publish+"@"+e.Version); err != nil {
		return err
	}
	// Packages that are tests only cannot be imported.
	list, err := c.Go("list", "-f", "{{if or .GoFiles .CgoFiles}}{{.ImportPath}} {{.Name}}{{end}}", m.Publish+"/...")
	if err != nil {
		return err
	}
	var libraries, commands []string
	for line := range strings.Lines(list) {
		pkg, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case pkg == "", strings.Contains("/"+pkg+"/", "/internal/"):
		case name == "main":
			commands = append(commands, pkg)
		default:
			libraries = append(libraries, pkg)
		}
	}
	if len(libraries)+len(commands) == 0 {
		return fmt.Errorf("%s: nothing to import and nothing to install in it", m.Publish)
	}
	if _, err := c.Go("build", m.Publish+"/..."); err != nil {
		return err
	}
	if len(libraries) > 0 {
		var src bytes.Buffer
		src.WriteString("package main\n\nimport (\n")
		for _, pkg := range libraries {
			fmt.Fprintf(&src, "\t_ %q\n", pkg)
		}
		src.WriteString(")\n\nfunc main() { println(\"runs\") }\n")
		if err := c.Write("main.go", src.String()); err != nil {
			return err
		}
		if _, err := c.Go("mod", "tidy"); err != nil {
			return err
		}
		if _, err := c.Go("run", "."); err != nil {
			return err
		}
		e.Log("%s: %d packages imported", m.Publish, len(libraries))
	}
	for _, pkg := range commands {
		if uninstalled[pkg] {
			e.Log("%s: built", pkg)
			continue
		}
		if _, err := c.Go("install", pkg+"@"+e.Version); err != nil {
			return err
		}
		if found, _ := filepath.Glob(filepath.Join(e.Temp, "bin", path.Base(pkg)+"*")); len(found) == 0 {
			return fmt.Errorf("go install %s@%s left no program", pkg, e.Version)
		}
		e.Log("%s: installed", pkg)
	}
	return nil
}
