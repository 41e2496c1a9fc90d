package main

import (
	"errors"
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/eddy-go/eddy/compress/rootio"
)

// selection is what of a file a command works with.
type selection struct {
	Tree    string   `short:"t" placeholder:"PATH" help:"Path of the tree, such as dir/name or \"name;2\". Not needed for a file with one tree."`
	Columns []string `short:"c" placeholder:"NAME" sep:"," help:"Branches, with commas between or -c again; * and ? stand for any. All that can be read by default."`
	Range   string   `short:"r" placeholder:"FROM:TO" help:"Entries, from 0 on, the last one not among them; either may be left out."`
	File    string   `arg:"" name:"file" help:"ROOT file."`
}

// A source is a tree and what was chosen of it.
type source struct {
	tree     *rootio.Tree
	branches []*rootio.Branch
	from, to int64
	close    func()
}

// open opens what is selected. Branches that cannot be read are left out, and
// told of, where they were not asked for by name.
func (sel *selection) open(s *session) (*source, error) {
	from, to, err := parseRange(sel.Range)
	if err != nil {
		return nil, errUsage{err}
	}
	f, close, err := open(sel.File)
	if err != nil {
		return nil, err
	}
	src := &source{close: close}
	if src.tree, err = sel.tree(f); err == nil {
		src.branches, err = sel.choose(s, src.tree.Branches())
	}
	if err != nil {
		close()
		return nil, sel.fault(err)
	}
	end := src.tree.Entries()
	for _, b := range src.branches { // a tree that was not filled as a whole may have fewer than a branch
		end = max(end, b.First()+b.Entries())
	}
	src.from, src.to = min(from, end), min(to, end)
	return src, nil
}

// fault makes err one of the file.
func (sel *selection) fault(err error) error {
	if errors.Is(err, rootio.ErrRange) {
		err = fmt.Errorf("%w (branches differ in their entries: choose some with -c, or a range with -r)", err)
	}
	return fmt.Errorf("%s: %w", sel.File, err)
}

func parseRange(text string) (from, to int64, err error) {
	to = math.MaxInt64
	if text == "" {
		return from, to, nil
	}
	first, last, ok := strings.Cut(text, ":")
	if ok && first != "" {
		from, err = strconv.ParseInt(first, 10, 64)
	}
	if ok && err == nil && last != "" {
		to, err = strconv.ParseInt(last, 10, 64)
	}
	if !ok || err != nil || from < 0 || to < from {
		return 0, 0, fmt.Errorf("range %q: want FROM:TO, such as 0:1000", text)
	}
	return from, to, nil
}

// tree opens the tree that was named, or the only one.
func (sel *selection) tree(f *rootio.File) (*rootio.Tree, error) {
	if sel.Tree != "" {
		return f.Tree(sel.Tree)
	}
	var trees []rootio.Key // of each path the last cycle
	var paths []string
	var faults []error
	for k, err := range f.Keys() {
		switch {
		case err != nil:
			faults = append(faults, err)
		case isTree(k.Class):
			name := k.Name
			if k.Dir != "" {
				name = k.Dir + "/" + k.Name
			}
			i := slices.Index(paths, name)
			if i < 0 {
				paths, trees = append(paths, name), append(trees, k)
			} else if trees[i].Cycle < k.Cycle {
				trees[i] = k
			}
		}
	}
	switch len(paths) {
	case 1:
		return trees[0].Tree()
	case 0:
		return nil, errors.Join(append([]error{errors.New("no tree in it")}, faults...)...)
	}
	return nil, fmt.Errorf("%d trees in it; choose one with -t: %s", len(paths), strings.Join(paths[:min(len(paths), 20)], ", "))
}

// choose returns the branches that the columns name, in the order in which
// they are named, and each of them once.
func (sel *selection) choose(s *session, all []*rootio.Branch) ([]*rootio.Branch, error) {
	var chosen []*rootio.Branch
	add := func(b *rootio.Branch) {
		switch {
		case slices.Contains(chosen, b):
		case b.Err() != nil:
			tell(s.stderr, fmt.Sprintf("%s: %s is left out: %s", sel.File, b.Name(), reason(b)))
		default:
			chosen = append(chosen, b)
		}
	}
	if len(sel.Columns) == 0 {
		for _, b := range all {
			add(b)
		}
	}
	for _, name := range sel.Columns {
		named := slices.IndexFunc(all, func(b *rootio.Branch) bool { return b.Name() == name })
		if named >= 0 {
			if err := all[named].Err(); err != nil {
				return nil, err
			}
			add(all[named])
			continue
		}
		found := false
		for _, b := range all {
			if ok, _ := path.Match(escaped(name), strings.ReplaceAll(b.Name(), "/", "\x00")); ok {
				found = true
				add(b)
			}
		}
		if !found {
			return nil, fmt.Errorf("%w: %q; there are %s", rootio.ErrNoBranch, name, names(all))
		}
	}
	if len(chosen) == 0 {
		return nil, errors.New("no branch that can be read")
	}
	return chosen, nil
}

// escaped makes a pattern of path.Match of one in which only * and ? are
// special: names have brackets, and slashes like any other byte.
func escaped(pattern string) string {
	return strings.NewReplacer(`[`, `\[`, `\`, `\\`, "/", "\x00").Replace(pattern)
}

// names lists the first branches, for a message.
func names(all []*rootio.Branch) string {
	const most = 20
	var list []string
	for _, b := range all[:min(most, len(all))] {
		list = append(list, b.Name())
	}
	if len(all) > most {
		list = append(list, fmt.Sprintf("and %d more", len(all)-most))
	}
	return strings.Join(list, ", ")
}
