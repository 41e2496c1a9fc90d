package table

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// PrintMarkdown writes the cases of one table as a Markdown table, a row for
// each case and a column for each implementation: time, allocations in
// parentheses, and behind eddy's own figures the ratio.
func PrintMarkdown(w io.Writer, t *Table, cases []*CaseResult) error {
	var impls []string
	for _, c := range cases {
		for _, r := range c.Rows {
			if !slices.Contains(impls, r.Impl.Name) {
				impls = append(impls, r.Impl.Name)
			}
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s; ratios against %s.\n\n| |", t.Name, t.Title, t.Peer)
	for _, name := range impls {
		if (&Impl{Name: name}).Own() {
			name = "**" + name + "**"
		}
		fmt.Fprintf(&b, " %s |", name)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(impls)) + "\n")
	for _, c := range cases {
		fmt.Fprintf(&b, "| %s |", c.Case.Name)
		for _, name := range impls {
			fmt.Fprintf(&b, " %s |", cell(c, name))
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func cell(c *CaseResult, impl string) string {
	for _, r := range c.Rows {
		if r.Impl.Name != impl {
			continue
		}
		if r.Err != nil {
			return "failed"
		}
		text := duration(r.Value)
		switch {
		case c.Case.Unit != "":
			return figure(r.Value) + " " + c.Case.Unit
		case !sampled(c.Case):
			text += fmt.Sprintf(" (%.0f)", r.Allocs)
		}
		if r.Impl.Own() && r.Ratio > 0 && !math.IsInf(r.Ratio, 0) {
			text += fmt.Sprintf(" ×%.2f", r.Ratio)
		}
		return text
	}
	return "–"
}

// duration says a number of nanoseconds in the unit that suits it.
func duration(ns float64) string {
	switch {
	case ns < 1e4:
		return figure(ns) + " ns"
	case ns < 1e7:
		return figure(ns/1e3) + " µs"
	default:
		return figure(ns/1e6) + " ms"
	}
}
