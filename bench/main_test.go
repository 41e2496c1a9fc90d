package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/eddy-go/eddy/bench/internal/table"
)

func fakeTable(name string, eddyErr, peerErr error) entry {
	row := func(name string, err error) table.Impl {
		return table.Impl{Name: name, Check: func() error { return err }, Sample: func() float64 { return 2 }}
	}
	return entry{name, func() (*table.Table, error) {
		return &table.Table{Name: name, Title: "fake", Peer: "peer", Cases: []table.Case{
			{Name: "main", Main: true, Impls: []table.Impl{row("eddy", eddyErr), row("peer", peerErr)}},
			{Name: "other", Impls: []table.Impl{row("eddy", nil)}},
		}}, nil
	}}
}

func TestExitStatus(t *testing.T) {
	bad := errors.New("means something else")
	good := fakeTable("good", nil, nil)
	for _, c := range []struct {
		name   string
		tables []entry
		args   []string
		status int
		stderr string
	}{
		{"all well", []entry{good}, nil, 0, ""},
		{"eddy fails its check", []entry{good, fakeTable("b", bad, nil)}, nil, 1, "b/main: eddy failed its check: means something else"},
		{"eddy fails with -json", []entry{fakeTable("b", bad, nil)}, []string{"-json"}, 1, "means something else"},
		{"a peer fails its check", []entry{fakeTable("b", nil, bad)}, nil, 0, ""},
		{"the failing table is not asked for", []entry{good, fakeTable("b", bad, nil)}, []string{"-table", "good"}, 0, ""},
		{"no such table", []entry{good}, []string{"-table", "goo"}, 2, `no table "goo"; there are good`},
		{"no such flag", []entry{good}, []string{"-x"}, 2, "-x"},
		{"an argument", []entry{good}, []string{"good"}, 2, "unexpected argument"},
		{"no regexp", []entry{good}, []string{"-case", "("}, 2, "-case"},
		{"no such case", []entry{good}, []string{"-case", "nonsense"}, 2, "no case matches"},
		{"no such case with -json", []entry{good}, []string{"-case", "nonsense", "-json"}, 2, "no case matches"},
		{"no such case, and a table that cannot be built", []entry{good, {"b", func() (*table.Table, error) { return nil, bad }}}, []string{"-case", "nonsense"}, 1, "means something else"},
		{"two formats", []entry{good}, []string{"-json", "-markdown"}, 2, "do not go together"},
		{"a failing row in Markdown", []entry{fakeTable("b", bad, nil)}, []string{"-markdown"}, 1, "means something else"},
		{"rounds below 0", []entry{good}, []string{"-rounds", "-1"}, 2, "-rounds"},
		{"a table that cannot be built", []entry{{"b", func() (*table.Table, error) { return nil, bad }}, good}, nil, 1, "means something else"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			if got := run(c.tables, c.args, &stdout, &stderr); got != c.status {
				t.Errorf("status %d, want %d", got, c.status)
			}
			if !strings.Contains(stderr.String(), c.stderr) || c.stderr == "" && stderr.Len() > 0 {
				t.Errorf("stderr %q, want %q in it", stderr.String(), c.stderr)
			}
		})
	}
}

func TestFlagsChooseCases(t *testing.T) {
	for args, want := range map[string]int{"": 2, "-full": 3, "-case other": 1} {
		var stdout, stderr bytes.Buffer
		if status := run([]entry{fakeTable("t", nil, nil)}, append(strings.Fields(args), "-json", "-rounds", "2"), &stdout, &stderr); status != 0 {
			t.Fatalf("status %d: %s", status, stderr.String())
		}
		n := 0
		for dec := json.NewDecoder(&stdout); dec.More(); n++ {
			var line map[string]any
			if err := dec.Decode(&line); err != nil {
				t.Fatal(err)
			}
			for _, key := range []string{"table", "case", "impl", "ns", "mbs", "b", "allocs", "ratio", "config"} {
				if _, ok := line[key]; !ok {
					t.Errorf("no %q in %v", key, line)
				}
			}
		}
		if n != want {
			t.Errorf("%q printed %d rows, want %d", args, n, want)
		}
	}
}

// A table without a case that matches leaves no head behind.
func TestHeadsOnlyAboveCases(t *testing.T) {
	other := entry{"odd", func() (*table.Table, error) {
		tab, err := fakeTable("odd", nil, nil).build()
		tab.Cases = tab.Cases[:1]
		return tab, err
	}}
	for _, format := range []string{"", "-markdown"} {
		var stdout, stderr bytes.Buffer
		args := append(strings.Fields(format), "-case", "other", "-rounds", "1")
		if status := run([]entry{other, fakeTable("even", nil, nil)}, args, &stdout, &stderr); status != 0 {
			t.Fatalf("status %d: %s", status, stderr.String())
		}
		if got := stdout.String(); strings.Contains(got, "odd: ") || !strings.Contains(got, "even: ") {
			t.Errorf("%q: want the head of even alone:\n%s", format, got)
		}
	}
}

// Every row of every table passes its check and can be measured; what it says
// is for people to read, not for a test.
func TestEveryRowMeansTheSame(t *testing.T) {
	for _, e := range tables {
		tab, err := e.build()
		if err != nil {
			t.Fatal(err)
		}
		tab.Cases = slices.DeleteFunc(tab.Cases, func(c table.Case) bool { return c.Slow })
		names := map[string]bool{}
		for _, c := range tab.Cases {
			if names[c.Name] {
				t.Errorf("%s has two cases %s", tab.Name, c.Name)
			}
			names[c.Name] = true
			for _, im := range c.Impls {
				if (im.Run == nil) == (im.Sample == nil) {
					t.Errorf("%s/%s/%s: want one of Run and Sample", tab.Name, c.Name, im.Name)
				}
			}
		}
		res, err := table.Run(tab, table.Options{Full: true, Rounds: 1, Target: time.Microsecond})
		if err != nil {
			t.Error(err)
		}
		for _, c := range res {
			for _, r := range c.Rows {
				if r.Err != nil {
					t.Errorf("%s/%s: %s: %v", tab.Name, c.Case.Name, r.Impl.Name, r.Err)
				}
			}
		}
	}
}
