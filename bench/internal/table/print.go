package table

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"text/tabwriter"
)

// PrintHead says what the table's figures mean.
func PrintHead(w io.Writer, t *Table) error {
	_, err := fmt.Fprintf(w, "%s: %s\n  medians of alternating rounds, ± half the interquartile range; ratio: %s over the row, above 1 the row is better\n",
		t.Name, t.Title, t.Peer)
	return err
}

// PrintCase writes one case for people.
func PrintCase(w io.Writer, t *Table, c *CaseResult) error {
	tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	unit, cost := "ns/op", "\tB/op\tallocs/op"
	if c.Case.Unit != "" {
		unit, cost = c.Case.Unit, ""
	} else if sampled(c.Case) {
		unit, cost = "ns", ""
	}
	rate := ""
	if c.Case.Bytes > 0 {
		rate = "\tMB/s"
	}
	fmt.Fprintf(tw, "\n%s\t%s\t±%s%s\tratio\tconfig\n", c.Case.Name, unit, rate, cost)
	for _, r := range c.Rows {
		if r.Err != nil {
			fmt.Fprintf(tw, "  %s\tfailed its check: %v\n", r.Impl.Name, r.Err)
			continue
		}
		fmt.Fprintf(tw, "  %s\t%s\t%.0f%%", r.Impl.Name, figure(r.Value), r.Spread*100)
		if rate != "" {
			fmt.Fprintf(tw, "\t%s", dash(r.MBs, "%.0f"))
		}
		if cost != "" {
			fmt.Fprintf(tw, "\t%.0f\t%.0f", r.B, r.Allocs)
		}
		fmt.Fprintf(tw, "\t%s\t%s\n", dash(r.Ratio, "%.2f"), r.Impl.Config)
	}
	return tw.Flush()
}

func sampled(c *Case) bool { return len(c.Impls) > 0 && c.Impls[0].Sample != nil }

// figure keeps three significant digits or all before the point.
func figure(v float64) string {
	switch {
	case v == 0 || v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	default:
		return fmt.Sprintf("%.2f", v)
	}
}

func dash(v float64, format string) string {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return "-"
	}
	return fmt.Sprintf(format, v)
}

// A line is one row for programs. Value and Unit are there only where the
// figure is no time; ns is 0 then.
type line struct {
	Table  string   `json:"table"`
	Case   string   `json:"case"`
	Impl   string   `json:"impl"`
	NS     float64  `json:"ns"`
	MBs    float64  `json:"mbs"`
	B      float64  `json:"b"`
	Allocs float64  `json:"allocs"`
	Ratio  float64  `json:"ratio"`
	Config string   `json:"config"`
	Value  *float64 `json:"value,omitempty"`
	Unit   string   `json:"unit,omitempty"`
	Error  string   `json:"error,omitempty"`
}

// PrintJSON writes one line of JSON for each row of a case. A figure that does
// not exist (MB/s of work without bytes, a ratio without a peer) is 0.
func PrintJSON(w io.Writer, t *Table, c *CaseResult) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, r := range c.Rows {
		l := line{
			Table: t.Name, Case: c.Case.Name, Impl: r.Impl.Name, Config: r.Impl.Config,
			MBs: round(r.MBs, 1), B: round(r.B, 2), Allocs: round(r.Allocs, 2), Ratio: round(r.Ratio, 3),
		}
		switch {
		case r.Err != nil:
			l.Error = r.Err.Error()
		case c.Case.Unit != "":
			v := round(r.Value, 2)
			l.Value, l.Unit = &v, c.Case.Unit
		default:
			l.NS = round(r.Value, 2)
		}
		if err := enc.Encode(l); err != nil {
			return err
		}
	}
	return nil
}

func round(v float64, digits int) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	p := math.Pow10(digits)
	return math.Round(v*p) / p
}
