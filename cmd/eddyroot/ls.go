package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode"

	"github.com/eddy-go/eddy/compress/rootio"
)

type lsCmd struct {
	Branches bool     `short:"b" aliases:"recursive" help:"List the branches of trees too, of each tree's last cycle."`
	JSON     bool     `help:"Print a line of JSON for each key and each branch."`
	Files    []string `arg:"" name:"file" help:"ROOT files."`
}

func (c *lsCmd) Run(s *session) error {
	damaged := false
	for _, path := range c.Files {
		l := &lister{session: s, cmd: c, path: path}
		if err := l.file(); err != nil {
			return err
		}
		damaged = damaged || l.damaged
	}
	if damaged {
		return errDamaged
	}
	return nil
}

// keyLine is a key in JSON.
type keyLine struct {
	Kind      string  `json:"kind"` // "key"
	File      string  `json:"file"`
	Dir       string  `json:"dir"`
	Name      string  `json:"name"`
	Cycle     int     `json:"cycle"`
	Class     string  `json:"class"`
	Title     string  `json:"title"`
	Offset    int64   `json:"offset"`
	Bytes     int     `json:"bytes"`      // of the object
	FileBytes int     `json:"file_bytes"` // of it in the file
	Ratio     float64 `json:"ratio"`
	Codec     string  `json:"codec"`
}

// branchLine is a branch in JSON.
type branchLine struct {
	Kind        string  `json:"kind"` // "branch"
	File        string  `json:"file"`
	Tree        string  `json:"tree"` // its path, with the cycle
	Name        string  `json:"name"`
	Title       string  `json:"title"`
	Class       string  `json:"class"`
	Type        string  `json:"type"`           // in C++
	Values      string  `json:"values"`         // type of a value in Go
	Dims        []int   `json:"dims,omitempty"` // of an entry, or of each item of a jagged one
	Jagged      bool    `json:"jagged"`
	Entries     int64   `json:"entries"`
	Baskets     int     `json:"baskets"`
	Bytes       int64   `json:"bytes"`
	FileBytes   int64   `json:"file_bytes"`
	Ratio       float64 `json:"ratio"`
	Codec       string  `json:"codec"`
	Unsupported string  `json:"unsupported,omitempty"` // why it cannot be read
}

// A lister lists one file.
type lister struct {
	*session
	cmd     *lsCmd
	path    string
	damaged bool
}

// file lists the file. Its error is none of the file's own.
func (l *lister) file() error {
	f, close, err := open(l.path)
	if err != nil {
		return l.fault(err)
	}
	defer close()
	if !l.cmd.JSON {
		v := f.Version()
		_, err := fmt.Fprintf(l.stdout, "%s: ROOT %d.%02d/%02d, %v, %d bytes\n", plain(l.path), v/10000, v/100%100, v%100, f.Settings(), f.Size())
		if err != nil {
			return err
		}
	}
	trees, err := l.keys(f)
	if err != nil || !l.cmd.Branches {
		return err
	}
	for _, k := range trees {
		if err := l.tree(k); err != nil {
			return err
		}
	}
	return nil
}

// keys lists the keys and returns those of trees, the last cycle of each.
func (l *lister) keys(f *rootio.File) (trees []rootio.Key, err error) {
	at := map[string]int{} // in trees
	t := l.table("CLASS", "NAME", "BYTES", "IN FILE", "RATIO", "CODEC", "TITLE")
	for k, err := range f.Keys() {
		if l.Err() != nil {
			return nil, l.Err()
		}
		if err != nil {
			if err := errors.Join(t.flush(), l.fault(err)); err != nil {
				return nil, err
			}
			continue
		}
		if isTree(k.Class) {
			name := k.Dir + "/" + k.Name
			if i, ok := at[name]; !ok {
				at[name] = len(trees)
				trees = append(trees, k)
			} else if trees[i].Cycle < k.Cycle {
				trees[i] = k
			}
		}
		codec := ""
		if a, err := k.Algorithm(); err != nil {
			codec = "damaged"
			l.damaged = true
		} else {
			codec = a.String()
		}
		if l.cmd.JSON {
			err = l.json(keyLine{"key", l.path, k.Dir, k.Name, k.Cycle, k.Class, k.Title, k.Offset,
				k.ObjLen, k.PayloadLen(), ratio(k.ObjLen, k.PayloadLen()), codec})
		} else {
			err = t.row(k.Class, k.Path(), k.ObjLen, k.PayloadLen(), ratio(k.ObjLen, k.PayloadLen()), codec, k.Title)
		}
		if err != nil {
			return nil, err
		}
	}
	return trees, t.flush()
}

// tree lists the branches of a tree.
func (l *lister) tree(k rootio.Key) error {
	tree, err := k.Tree()
	if err != nil {
		return l.fault(err)
	}
	branches := tree.Branches()
	if !l.cmd.JSON {
		if _, err := fmt.Fprintf(l.stdout, "\n%s: %d entries, %d branches\n", plain(k.Path()), tree.Entries(), len(branches)); err != nil {
			return err
		}
	}
	t := l.table("BRANCH", "TYPE", "VALUES", "ENTRIES", "BASKETS", "BYTES", "IN FILE", "RATIO", "CODEC")
	for _, b := range branches {
		why := ""
		if b.Err() != nil {
			why = reason(b)
		}
		r := ratio(b.RawBytes(), b.ZipBytes())
		if l.cmd.JSON {
			line := branchLine{"branch", l.path, k.Path(), b.Name(), b.Title(), b.Class(), b.Type(), b.Kind().String(), b.Dims(), b.Jagged(),
				b.Entries(), b.Baskets(), b.RawBytes(), b.ZipBytes(), r, b.Settings().String(), why}
			if err := l.json(line); err != nil {
				return err
			}
			continue
		}
		if why != "" {
			why = "not read: " + why
		}
		if err := t.row(b.Name(), b.Type(), typeOf(b), b.Entries(), b.Baskets(), b.RawBytes(), b.ZipBytes(), r, b.Settings(), why); err != nil {
			return err
		}
	}
	return t.flush()
}

// typeOf is the Go type of the entries of a branch.
func typeOf(b *rootio.Branch) string {
	if b.Err() != nil {
		return "-"
	}
	s := shapeOf(b)
	return s.String()
}

// reason is why a branch cannot be read, without a word on where it is.
func reason(b *rootio.Branch) string {
	err := b.Err()
	var e *rootio.Error
	if errors.As(err, &e) {
		err = e.Err
	}
	return strings.TrimPrefix(err.Error(), "branch "+b.Name()+": ")
}

// isTree tells the classes that are trees.
func isTree(class string) bool { return class == "TTree" || class == "TNtuple" || class == "TNtupleD" }

// ratio is how many times smaller n became; zero if there is nothing.
func ratio[T int | int64](n, in T) float64 {
	if in <= 0 {
		return 0
	}
	return float64(int64(float64(n)/float64(in)*100+0.5)) / 100
}

// fault tells of what is wrong with the file.
func (l *lister) fault(err error) error {
	l.damaged = true
	if l.cmd.JSON {
		return l.json(faultOf(l.path, err))
	}
	return tell(l.stderr, l.path+": "+strings.TrimPrefix(err.Error(), l.path+": "))
}

func (l *lister) json(v any) error { return json.NewEncoder(l.stdout).Encode(v) }

// A table sets rows into columns.
type table struct {
	w    *tabwriter.Writer
	head []string
	rows int
}

func (l *lister) table(head ...string) *table {
	return &table{w: tabwriter.NewWriter(l.stdout, 0, 0, 2, ' ', 0), head: head}
}

// tableRows is how many rows are set together: no more are kept.
const tableRows = 1000

func (t *table) row(cells ...any) error {
	if t.rows == 0 {
		t.line(t.head)
	}
	texts := make([]string, len(cells))
	for i, c := range cells {
		if f, ok := c.(float64); ok {
			texts[i] = strconv.FormatFloat(f, 'f', 2, 64)
		} else {
			texts[i] = fmt.Sprint(c)
		}
	}
	t.line(texts)
	if t.rows++; t.rows%tableRows == 0 {
		return t.w.Flush()
	}
	return nil
}

// printable keeps what would spoil the table, or the terminal, out of it.
func printable(r rune) rune {
	if unicode.IsControl(r) {
		return '?'
	}
	return r
}

// plain is text as one line that a terminal takes for nothing but text: what
// is in a file may be anybody's.
func plain(s string) string { return strings.Map(printable, strings.ReplaceAll(s, "\n", "; ")) }

func (t *table) line(texts []string) {
	line := ""
	for i, s := range texts {
		if i > 0 {
			line += "\t"
		}
		line += strings.Map(printable, s)
	}
	io.WriteString(t.w, strings.TrimRight(line, "\t")+"\n")
}

func (t *table) flush() error { return t.w.Flush() }
