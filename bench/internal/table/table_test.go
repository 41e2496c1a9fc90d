package table

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

var spins atomic.Int64

// spin stands for work; the tests never look at how long it took.
func spin(n int) {
	for range n {
		spins.Add(1)
	}
}

func quick(rounds int) Options {
	return Options{Rounds: rounds, Target: 10 * time.Microsecond}
}

func TestRoundsAlternate(t *testing.T) {
	var order []string
	names := []string{"a", "b", "c", "d"}
	tab := &Table{Name: "t", Cases: []Case{{Name: "c", Main: true}}}
	for _, name := range names {
		tab.Cases[0].Impls = append(tab.Cases[0].Impls, Impl{
			Name: name, Sample: func() float64 { order = append(order, name); return 1 },
		})
	}
	const rounds = 20
	if _, err := Run(tab, quick(rounds)); err != nil {
		t.Fatal(err)
	}
	if len(order) != rounds*len(names) {
		t.Fatalf("%d samples, want %d", len(order), rounds*len(names))
	}
	after := map[string]bool{}
	for i, name := range order {
		if i > 0 {
			after[order[i-1]+name] = true
		}
	}
	for r := range rounds {
		round := slices.Sorted(slices.Values(order[r*len(names) : (r+1)*len(names)]))
		if !slices.Equal(round, names) {
			t.Errorf("round %d sampled %v, want each row once", r, round)
		}
	}
	for _, a := range names {
		for _, b := range names {
			if a != b && !after[a+b] {
				t.Errorf("%s never followed %s: the order does not change enough", b, a)
			}
		}
	}
}

func TestMedianSpreadAndRatio(t *testing.T) {
	series := func(name string, v ...float64) Impl {
		i := 0
		return Impl{Name: name, Sample: func() float64 { i++; return v[i-1] }}
	}
	tab := &Table{Name: "t", Peer: "peer", Cases: []Case{{
		Name: "c", Main: true, Impls: []Impl{
			series("peer", 10, 20, 30, 40, 1000),
			series("eddy", 5, 10, 10, 10, 10),
			series("zero", 0, 0, 0, 0, 0),
		},
	}}}
	res, err := Run(tab, quick(5))
	if err != nil {
		t.Fatal(err)
	}
	rows := res[0].Rows
	if rows[0].Value != 30 || rows[1].Value != 10 {
		t.Errorf("medians %v and %v, want 30 and 10", rows[0].Value, rows[1].Value)
	}
	if want := (40.0 - 20) / 2 / 30; math.Abs(rows[0].Spread-want) > 1e-12 {
		t.Errorf("spread %v, want %v", rows[0].Spread, want)
	}
	// Round by round 2, 2, 3, 4, 100.
	if rows[1].Ratio != 3 {
		t.Errorf("ratio %v, want the median of the rounds' ratios, 3", rows[1].Ratio)
	}
	if rows[0].Ratio != 1 || !math.IsNaN(rows[2].Ratio) {
		t.Errorf("ratio of the peer %v, of a row of zeroes %v; want 1 and NaN", rows[0].Ratio, rows[2].Ratio)
	}
}

func TestQuantileInterpolates(t *testing.T) {
	obs := []observation{{value: 4}, {value: 1}, {value: 3}, {value: 2}}
	value := func(o observation) float64 { return o.value }
	for q, want := range map[float64]float64{0: 1, 0.5: 2.5, 1: 4} {
		if got := quantile(obs, q, value); got != want {
			t.Errorf("quantile %v is %v, want %v", q, got, want)
		}
	}
	if got := median(nil, value); got != 0 {
		t.Errorf("median of nothing is %v", got)
	}
}

// sinks makes what a row allocates escape, from any goroutine.
var sinks atomic.Pointer[byte]

func TestAllocationsAreExact(t *testing.T) {
	for _, parallel := range []bool{false, true} {
		tab := &Table{Name: "t", Peer: "none", Cases: []Case{{
			Name: "c", Main: true, Parallel: parallel, Bytes: 512,
			Impls: []Impl{
				{Name: "none", Run: spin},
				{Name: "one", Run: func(n int) {
					for range n {
						b := make([]byte, 512)
						sinks.Store(&b[0])
					}
				}},
			},
		}}}
		res, err := Run(tab, quick(5))
		if err != nil {
			t.Fatal(err)
		}
		none, one := res[0].Rows[0], res[0].Rows[1]
		if none.Allocs != 0 || none.B != 0 {
			t.Errorf("parallel %v: a row that allocates nothing shows %v allocations, %v B", parallel, none.Allocs, none.B)
		}
		if one.Allocs != 1 || one.B != 512 {
			t.Errorf("parallel %v: a row that allocates 512 B once shows %v allocations, %v B", parallel, one.Allocs, one.B)
		}
		if one.MBs <= 0 || one.Value <= 0 {
			t.Errorf("parallel %v: no figure: %+v", parallel, one)
		}
	}
}

func TestFailedChecks(t *testing.T) {
	bad := errors.New("differs")
	ran := map[string]bool{}
	row := func(name string, err error) Impl {
		return Impl{
			Name: name, Check: func() error { return err },
			Run: func(n int) { ran[name] = true; spin(n) },
		}
	}
	tab := &Table{Name: "t", Peer: "peer", Cases: []Case{{
		Name: "c", Main: true,
		Impls: []Impl{row("peer", nil), row("wrong", bad), row("eddy_odd", bad), row("eddy", nil)},
	}}}
	res, err := Run(tab, quick(2))
	var ce *CheckError
	if !errors.As(err, &ce) || !errors.Is(err, bad) {
		t.Fatalf("err = %v, want a CheckError that wraps the reason", err)
	}
	if ce.Table != "t" || ce.Case != "c" || ce.Impl != "eddy_odd" {
		t.Errorf("CheckError names %s/%s %s", ce.Table, ce.Case, ce.Impl)
	}
	if strings.Contains(err.Error(), "wrong") {
		t.Errorf("a peer's failed check is no error of the run: %v", err)
	}
	if ran["wrong"] || ran["eddy_odd"] || !ran["eddy"] || !ran["peer"] {
		t.Errorf("measured %v, want the rows that passed and no other", ran)
	}
	if rows := res[0].Rows; rows[1].Err != bad || rows[3].Err != nil {
		t.Errorf("rows keep the wrong errors: %v, %v", rows[1].Err, rows[3].Err)
	}
}

func TestOnlyTheCasesAskedFor(t *testing.T) {
	one := func(name string, main bool) Case {
		return Case{Name: name, Main: main, Impls: []Impl{{Name: "a", Sample: func() float64 { return 1 }}}}
	}
	tab := &Table{Cases: []Case{one("x", true), one("y", false), one("xy", true)}}
	for _, c := range []struct {
		opt  Options
		want []string
	}{
		{Options{}, []string{"x", "xy"}},
		{Options{Full: true}, []string{"x", "y", "xy"}},
		{Options{Full: true, Cases: regexp.MustCompile("y")}, []string{"y", "xy"}},
	} {
		c.opt.Rounds = 1
		res, err := Run(tab, c.opt)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range res {
			got = append(got, r.Case.Name)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v ran %v, want %v", c.opt, got, c.want)
		}
	}
}

func TestDoneRunsAfterTheCase(t *testing.T) {
	done := false
	tab := &Table{Cases: []Case{{Name: "c", Main: true, Impls: []Impl{{
		Name: "a",
		Sample: func() float64 {
			if done {
				t.Error("Done ran before the last sample")
			}
			return 1
		},
		Done: func() { done = true },
	}}}}}
	if _, err := Run(tab, quick(2)); err != nil {
		t.Fatal(err)
	}
	if !done {
		t.Error("Done did not run")
	}
}

func result() (*Table, *CaseResult) {
	tab := &Table{Name: "json", Title: "forming", Peer: "easyjson"}
	return tab, &CaseResult{Case: &Case{Name: "Marshal_M", Bytes: 10}, Rows: []Row{
		{Impl: &Impl{Name: "eddy", Config: "escapes <html>"}, Value: 1234.567, Spread: 0.02, MBs: 8.1, B: 96, Allocs: 1, Ratio: 1.9012},
		{Impl: &Impl{Name: "other"}, Err: errors.New("not equal")},
		{Impl: &Impl{Name: "idle"}, Value: 1, Ratio: math.NaN()},
	}}
}

func TestJSONLines(t *testing.T) {
	tab, c := result()
	var out bytes.Buffer
	if err := PrintJSON(&out, tab, c); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if want := `{"table":"json","case":"Marshal_M","impl":"eddy","ns":1234.57,"mbs":8.1,"b":96,"allocs":1,"ratio":1.901,"config":"escapes <html>"}`; lines[0] != want {
		t.Errorf("got  %s\nwant %s", lines[0], want)
	}
	var failed map[string]any
	if err := json.Unmarshal([]byte(lines[1]), &failed); err != nil || failed["error"] != "not equal" {
		t.Errorf("the failed row reads %v (%v)", failed, err)
	}
	if !strings.Contains(lines[2], `"ratio":0,`) {
		t.Errorf("a ratio that does not exist is not 0: %s", lines[2])
	}

	c.Case.Unit = "%"
	out.Reset()
	if err := PrintJSON(&out, tab, c); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); !strings.Contains(got, `"ns":0,`) || !strings.Contains(got, `"value":1234.57,"unit":"%"`) {
		t.Errorf("a figure that is no time reads %s", got)
	}
}

func TestText(t *testing.T) {
	tab, c := result()
	var out bytes.Buffer
	if err := PrintHead(&out, tab); err != nil {
		t.Fatal(err)
	}
	if err := PrintCase(&out, tab, c); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"easyjson over the row", "Marshal_M", "1235", "2%", "1.90", "escapes <html>", "failed its check: not equal"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	for _, line := range strings.Split(out.String(), "\n") {
		if strings.Contains(line, "idle") && strings.Contains(line, "NaN") {
			t.Errorf("NaN is shown: %s", line)
		}
	}
}

func TestFigure(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 1.234: "1.23", 12.34: "12.3", 123.4: "123", 1234567: "1234567"} {
		if got := figure(v); got != want {
			t.Errorf("figure(%v) = %s, want %s", v, got, want)
		}
	}
}

func TestMarkdown(t *testing.T) {
	timed := Case{Name: "timed", Impls: []Impl{{Name: "eddy", Run: func(int) {}}, {Name: "peer", Run: func(int) {}}}}
	share := Case{Name: "share", Unit: "%", Impls: []Impl{{Name: "eddy", Sample: func() float64 { return 0 }}}}
	own, peer := &timed.Impls[0], &timed.Impls[1]
	var b strings.Builder
	err := PrintMarkdown(&b, &Table{Name: "t", Title: "what it is", Peer: "peer"}, []*CaseResult{
		{Case: &timed, Rows: []Row{
			{Impl: own, Value: 12345, Allocs: 1, Ratio: 2},
			{Impl: peer, Value: 24.69e6, Allocs: 10, Ratio: 1},
		}},
		{Case: &share, Rows: []Row{{Impl: &share.Impls[0], Value: 9.34}}},
	})
	want := `t: what it is; ratios against peer.

| | **eddy** | peer |
|---|---|---|
| timed | 12.3 µs (1) ×2.00 | 24.7 ms (10) |
| share | 9.34 % | – |
`
	if err != nil || b.String() != want {
		t.Errorf("%v\n%s\nwant\n%s", err, b.String(), want)
	}
}
