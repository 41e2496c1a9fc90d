package table

import (
	"errors"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"time"
)

// Options say how much to run.
type Options struct {
	Full   bool           // all cases, not only the main ones
	Rounds int            // samples of each row; 0 for 11
	Target time.Duration  // length of one sample; 0 for 12 ms
	Cases  *regexp.Regexp // only cases whose name matches; nil for all

	// OnCase, if set, is told each case as soon as it is measured.
	OnCase func(t *Table, c *CaseResult)
}

// A CaseResult holds the rows of one case in the order of the table.
type CaseResult struct {
	Case   *Case
	Rounds int
	Rows   []Row
}

// A Row is the outcome of one implementation. All figures are medians over
// the rounds.
type Row struct {
	Impl   *Impl
	Err    error   // the check failed: nothing was measured
	Value  float64 // ns per operation, or in the unit of the case
	Spread float64 // half the interquartile range over the median
	MBs    float64 // 10^6 bytes a second; 0 if the case moves none
	B      float64 // bytes allocated per operation
	Allocs float64

	// Ratio is the peer's figure over this row's, taken round by round: above
	// 1 the row is that many times better. NaN if there is no peer or a figure is 0.
	Ratio float64
}

// Chooses reports whether Run would measure any case of the table.
func (o *Options) Chooses(t *Table) bool {
	for i := range t.Cases {
		if o.wants(&t.Cases[i]) {
			return true
		}
	}
	return false
}

func (o *Options) wants(c *Case) bool {
	return (c.Main || o.Full) && (o.Cases == nil || o.Cases.MatchString(c.Name))
}

// Run measures the table. It returns every result it has together with the
// joined *CheckErrors of rows of eddy; a case in which such a row failed is still
// measured for the others.
func Run(t *Table, opt Options) ([]CaseResult, error) {
	if opt.Rounds <= 0 {
		opt.Rounds = 11
	}
	if opt.Target <= 0 {
		opt.Target = 12 * time.Millisecond
	}
	var results []CaseResult
	var failed []error
	for i := range t.Cases {
		c := &t.Cases[i]
		if !opt.wants(c) {
			continue
		}
		res := runCase(c, t.Peer, opt)
		for _, r := range res.Rows {
			if r.Err != nil && r.Impl.Own() {
				failed = append(failed, &CheckError{t.Name, c.Name, r.Impl.Name, r.Err})
			}
		}
		if opt.OnCase != nil {
			opt.OnCase(t, &res)
		}
		results = append(results, res)
	}
	return results, errors.Join(failed...)
}

func runCase(c *Case, peer string, opt Options) CaseResult {
	res := CaseResult{Case: c, Rounds: opt.Rounds, Rows: make([]Row, len(c.Impls))}
	batch := make([]int, len(c.Impls))
	seen := make([][]observation, len(c.Impls))
	for i := range c.Impls {
		im := &c.Impls[i]
		res.Rows[i].Impl = im
		if im.Done != nil {
			defer im.Done()
		}
		if im.Check != nil {
			res.Rows[i].Err = im.Check()
		}
		if res.Rows[i].Err == nil && im.Sample == nil {
			batch[i] = calibrate(im, c.Parallel, opt.Target)
		}
	}
	order := rand.New(rand.NewPCG(1, 2))
	for range opt.Rounds {
		// A row's sample depends a little on what ran before it: with a fixed order
		// the same code in two rows differed by up to 8 %, always the same way.
		for _, i := range order.Perm(len(c.Impls)) {
			if res.Rows[i].Err == nil {
				seen[i] = append(seen[i], observe(&c.Impls[i], batch[i], c.Parallel))
			}
		}
	}
	var base []observation
	for i := range c.Impls {
		if c.Impls[i].Name == peer {
			base = seen[i]
		}
	}
	for i := range res.Rows {
		if res.Rows[i].Err == nil {
			summarize(&res.Rows[i], seen[i], base, c)
		}
	}
	return res
}

func summarize(r *Row, seen, base []observation, c *Case) {
	value := func(o observation) float64 { return o.value }
	r.Value = median(seen, value)
	if r.Value != 0 {
		r.Spread = (quantile(seen, 0.75, value) - quantile(seen, 0.25, value)) / 2 / r.Value
	}
	r.B = median(seen, func(o observation) float64 { return o.bytes })
	r.Allocs = median(seen, func(o observation) float64 { return o.allocs })
	if c.Bytes > 0 && c.Unit == "" && r.Value > 0 {
		r.MBs = float64(c.Bytes) / r.Value * 1e3
	}
	r.Ratio = math.NaN()
	if len(base) == len(seen) && len(seen) > 0 && r.Value > 0 {
		ratios := make([]observation, len(seen))
		for i := range seen {
			if seen[i].value <= 0 {
				return
			}
			ratios[i].value = base[i].value / seen[i].value
		}
		r.Ratio = median(ratios, value)
	}
}

func median(seen []observation, of func(observation) float64) float64 {
	return quantile(seen, 0.5, of)
}

// quantile interpolates between the two nearest observations.
func quantile(seen []observation, q float64, of func(observation) float64) float64 {
	if len(seen) == 0 {
		return 0
	}
	v := make([]float64, len(seen))
	for i, o := range seen {
		v[i] = of(o)
	}
	slices.Sort(v)
	at := q * float64(len(v)-1)
	low := int(at)
	if low+1 == len(v) {
		return v[low]
	}
	return v[low] + (at-float64(low))*(v[low+1]-v[low])
}
