package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestKeysAndBranchesAreThoseOfTheGenerator(t *testing.T) {
	for _, file := range expectations().Files {
		t.Run(file.File, func(t *testing.T) {
			text := succeed(t, "ls", "-b", "--json", fixture(file.File))
			var keys, branches string
			for line := range strings.Lines(text) {
				if strings.HasPrefix(line, `{"kind":"key"`) {
					keys += line
				} else {
					branches += line
				}
			}
			for _, k := range lines[keyLine](t, keys) {
				i := slices.IndexFunc(file.Layout.Keys, func(want struct {
					Name, Class    string
					Cycle          int
					Offset         int64
					NBytes, KeyLen int
					ObjLen         int
				}) bool {
					return want.Offset == k.Offset
				})
				if i < 0 {
					t.Errorf("key %+v: no such record", k)
					continue
				}
				want := file.Layout.Keys[i]
				if k.Name != want.Name || k.Class != want.Class || k.Cycle != want.Cycle || k.Bytes != want.ObjLen || k.FileBytes != want.NBytes-want.KeyLen {
					t.Errorf("key %+v, want %+v", k, want)
				}
			}
			listed := len(lines[keyLine](t, keys))
			if want := len(file.Objects) + len(file.Trees); listed < want {
				t.Errorf("%d keys, want %d", listed, want)
			}
			n := 0
			for _, b := range lines[branchLine](t, branches) {
				tree, _, _ := strings.Cut(b.Tree, ";")
				if want := file.Layout.Baskets[tree+"/"+b.Name]; b.Baskets != want || b.Unsupported != "" {
					t.Errorf("%s: %d baskets, want %d; %s", b.Name, b.Baskets, want, b.Unsupported)
				}
				if b.FileBytes <= 0 || b.Bytes < b.FileBytes || b.Entries == 0 {
					t.Errorf("%s: %+v", b.Name, b)
				}
				n++
			}
			if n != len(file.Layout.Baskets) {
				t.Errorf("%d branches, want %d", n, len(file.Layout.Baskets))
			}
		})
	}
}

func TestTheTablesOfLs(t *testing.T) {
	text := succeed(t, "ls", "-b", fixture("jagged-zlib1.root"))
	for _, want := range []string{
		"zlib level 1, 132998 bytes",
		"TTree clusters;1 1899 766 2.48 zlib cells per frame",
		"clusters;1: 5000 entries, 3 branches",
		"cells Float_t []float32 5000 15 140068 84061 1.67 zlib level 1",
	} {
		if !strings.Contains(strings.Join(strings.Fields(text), " "), strings.Join(strings.Fields(want), " ")) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if text := succeed(t, "ls", fixture("hist.root")); !strings.Contains(text, "sub/inner;1") {
		t.Errorf("no key of the folder in\n%s", text)
	}
}

// What cannot be read is told, and what can is listed all the same.
func TestLsOfADamagedFile(t *testing.T) {
	data := load(t, "hist.root")
	good := lines[keyLine](t, succeed(t, "ls", "--json", fixture("hist.root")))
	cut := good[len(good)-1].Offset + 10
	status, stdout, stderr := command(t, "ls", "--json", save(t, data[:cut]))
	if status != statusFailed {
		t.Errorf("status %d", status)
	}
	if stderr != "" {
		t.Errorf("stderr %s", stderr)
	}
	var keys, faults int
	for line := range strings.Lines(stdout) {
		switch {
		case strings.HasPrefix(line, `{"kind":"key"`):
			keys++
		case strings.HasPrefix(line, `{"kind":"fault"`):
			faults++
		}
	}
	if keys == 0 || faults == 0 {
		t.Errorf("%d keys and %d faults of a file that was cut", keys, faults)
	}
	if status, _, stderr := command(t, "ls", save(t, data[:cut])); status != statusFailed || !strings.Contains(stderr, "made.root: root: ") {
		t.Errorf("status %d: %s", status, stderr)
	}
}

func TestTablesCannotSpoilATerminal(t *testing.T) {
	var out strings.Builder
	l := &lister{session: &session{Context: t.Context(), stdout: &out}}
	tab := l.table("A", "B")
	for i := range tableRows + 1 {
		if err := tab.row("a\tb\n\x1b[2J", i); err != nil {
			t.Fatal(err)
		}
	}
	if err := tab.flush(); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(out.String(), "\n"); got != tableRows+2 {
		t.Errorf("%d lines for %d rows", got, tableRows+1)
	}
	if strings.ContainsAny(out.String(), "\t\x1b") {
		t.Error("control characters reach the terminal")
	}
	if want := fmt.Sprintf("a?b??[2J  %d\n", tableRows); !strings.HasSuffix(out.String(), want) {
		t.Errorf("the last row is no %q", want)
	}
}
