// Bench measures eddy beside its peers, each hot path in a table of its own:
//
//	go run ./bench                    every table's main cases
//	go run ./bench -full              all cases
//	go run ./bench -table pool,json   these tables
//	go run ./bench -case '^Marshal'   cases whose name matches
//	go run ./bench -json              one line of JSON a row
//	go run ./bench -markdown          tables as the README shows them
//
// Before a case is measured, every row is checked to mean the same as its
// neighbours. The exit status is 1 when a row of eddy fails its check, and 2
// when the command line is wrong or chooses no case.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/eddy-go/eddy/bench/internal/table"
)

// tables is filled by the init function of each table's file.
var tables []entry

type entry struct {
	name  string
	build func() (*table.Table, error)
}

// register adds a table. What is costly (payloads, connections) belongs into
// build, which runs only if the table is asked for.
func register(name string, build func() (*table.Table, error)) {
	tables = append(tables, entry{name, build})
}

func main() {
	os.Exit(run(tables, os.Args[1:], os.Stdout, os.Stderr))
}

func run(tables []entry, args []string, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("bench", flag.ContinueOnError)
	fs.SetOutput(stderr)
	full := fs.Bool("full", false, "run all cases, not only the main ones")
	only := fs.String("table", "", "run only these `tables`, separated by commas")
	cases := fs.String("case", "", "run only cases whose name matches this `regexp` (implies -full)")
	rounds := fs.Int("rounds", 0, "samples of each row (default 11)")
	asJSON := fs.Bool("json", false, "print one line of JSON for each row")
	asMarkdown := fs.Bool("markdown", false, "print each table as Markdown")
	if err := fs.Parse(args); err != nil {
		if err == flag.ErrHelp {
			return 0
		}
		return 2
	}
	fail := func(format string, args ...any) int {
		fmt.Fprintf(stderr, "bench: "+format+"\n", args...)
		return 2
	}
	if fs.NArg() > 0 {
		return fail("unexpected argument %q", fs.Arg(0))
	}
	if *rounds < 0 {
		return fail("-rounds %d: want a positive number", *rounds)
	}
	opt := table.Options{Full: *full, Rounds: *rounds}
	if *cases != "" {
		re, err := regexp.Compile(*cases)
		if err != nil {
			return fail("-case: %v", err)
		}
		opt.Cases, opt.Full = re, true
	}
	chosen, err := choose(tables, *only)
	if err != nil {
		return fail("-table: %v", err)
	}

	status := 0
	if *asJSON && *asMarkdown {
		return fail("-json and -markdown do not go together")
	}
	if !*asJSON {
		fmt.Fprintf(stdout, "%s %s/%s, %d processors\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0))
	}
	empty := true
	for _, e := range chosen {
		t, err := e.build()
		if err != nil {
			fmt.Fprintf(stderr, "bench: %s: %v\n", e.name, err)
			status = 1
			continue
		}
		if !opt.Chooses(t) {
			continue
		}
		empty = false
		var werr error
		var cases []*table.CaseResult
		opt.OnCase = func(t *table.Table, c *table.CaseResult) {
			if werr != nil {
				return
			}
			switch {
			case *asJSON:
				werr = table.PrintJSON(stdout, t, c)
			case *asMarkdown:
				cases = append(cases, c)
			default:
				werr = table.PrintCase(stdout, t, c)
			}
		}
		if !*asJSON {
			fmt.Fprintln(stdout)
		}
		if !*asJSON && !*asMarkdown {
			werr = table.PrintHead(stdout, t)
		}
		if _, err := table.Run(t, opt); err != nil {
			fmt.Fprintf(stderr, "bench: %v\n", err)
			status = 1
		}
		if *asMarkdown && werr == nil {
			werr = table.PrintMarkdown(stdout, t, cases)
		}
		if werr != nil {
			fmt.Fprintf(stderr, "bench: %v\n", werr)
			return 1
		}
	}
	if empty && status == 0 {
		return fail("no case matches")
	}
	return status
}

func choose(tables []entry, only string) ([]entry, error) {
	if only == "" {
		return tables, nil
	}
	var chosen []entry
	for name := range strings.SplitSeq(only, ",") {
		i := slices.IndexFunc(tables, func(e entry) bool { return e.name == name })
		if i < 0 {
			var have []string
			for _, e := range tables {
				have = append(have, e.name)
			}
			return nil, fmt.Errorf("no table %q; there are %s", name, strings.Join(have, ", "))
		}
		chosen = append(chosen, tables[i])
	}
	return chosen, nil
}
