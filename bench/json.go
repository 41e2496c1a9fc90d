package main

import (
	"fmt"
	"io"

	"github.com/eddy-go/eddy/bench/internal/payload"
	own "github.com/eddy-go/eddy/bench/internal/payload/eddy/post"
	peer "github.com/eddy-go/eddy/bench/internal/payload/upstream/post"
	"github.com/eddy-go/eddy/bench/internal/table"
)

func init() { register("json", jsonTable) }

func jsonTable() (*table.Table, error) {
	t := &table.Table{
		Name:  "json",
		Title: "posts of 81 B (S), 9 KB (M) and 440 KB (L): to a new []byte, to an io.Writer, from bytes",
		Peer:  "easyjson",
	}
	small, err := jsonRows[peer.Small, own.Small](payload.Small())
	if err != nil {
		return nil, err
	}
	medium, err := jsonRows[peer.Feed, own.Feed](payload.Medium())
	if err != nil {
		return nil, err
	}
	large, err := jsonRows[peer.Feed, own.Feed](payload.Large())
	if err != nil {
		return nil, err
	}
	type size struct {
		name string
		rows []jsonRow
	}
	sizes := []size{{"S", small}, {"M", medium}, {"L", large}}
	for _, s := range sizes {
		t.Cases = append(t.Cases, marshalCase("Marshal_"+s.name, s.rows, false))
	}
	for _, s := range sizes {
		t.Cases = append(t.Cases, toWriterCase("ToWriter_"+s.name, s.rows, false))
	}
	for _, s := range sizes {
		t.Cases = append(t.Cases, unmarshalCase("Unmarshal_"+s.name, s.rows))
	}
	t.Cases = append(t.Cases,
		marshalCase("Marshal_M_parallel", medium, true),
		toWriterCase("ToWriter_M_parallel", medium, true))
	return t, nil
}

func marshalCase(name string, rows []jsonRow, parallel bool) table.Case {
	c := table.Case{Name: name, Main: true, Bytes: rows[0].size, Parallel: parallel}
	for _, r := range rows {
		c.Impls = append(c.Impls, table.Impl{
			Name: r.name, Config: r.forming,
			Check: func() error {
				out, err := r.marshal()
				if err != nil {
					return err
				}
				return r.sameDocument(out)
			},
			Run: func(n int) {
				for range n {
					if _, err := r.marshal(); err != nil {
						panic(err)
					}
				}
			},
		})
	}
	return c
}

// discard takes what is written to it. It is no io.Discard, whose extra methods
// some encoders would find.
type discard struct{ n int }

func (d *discard) Write(p []byte) (int, error) {
	d.n += len(p)
	return len(p), nil
}

func toWriterCase(name string, rows []jsonRow, parallel bool) table.Case {
	c := table.Case{Name: name, Main: true, Bytes: rows[0].size, Parallel: parallel}
	for _, r := range rows {
		config := r.forming
		if r.writing != "" {
			config += "; " + r.writing
		}
		c.Impls = append(c.Impls, table.Impl{
			Name: r.name, Config: config,
			Check: func() error { return checkWriter(r) },
			Run: func(n int) {
				write := r.toWriter(new(discard))
				for range n {
					if err := write(); err != nil {
						panic(err)
					}
				}
			},
		})
	}
	return c
}

// checkWriter writes the document twice to one writer, as the loop does.
func checkWriter(r jsonRow) error {
	var out writes
	write := r.toWriter(&out)
	for range 2 {
		out.b = out.b[:0]
		if err := write(); err != nil {
			return err
		}
		if err := r.sameDocument(out.b); err != nil {
			return err
		}
	}
	return nil
}

type writes struct{ b []byte }

func (w *writes) Write(p []byte) (int, error) {
	w.b = append(w.b, p...)
	return len(p), nil
}

var _ io.Writer = (*writes)(nil)

func unmarshalCase(name string, rows []jsonRow) table.Case {
	c := table.Case{Name: name, Main: true, Bytes: rows[0].size}
	for _, r := range rows {
		c.Impls = append(c.Impls, table.Impl{
			Name: r.name, Config: r.reading,
			Check: func() error {
				// Twice, so that nothing of the first value may be left in the second.
				for range 2 {
					if err := r.unmarshal(); err != nil {
						return err
					}
				}
				if err := r.sameValue(); err != nil {
					return fmt.Errorf("decoded: %w", err)
				}
				return nil
			},
			Run: func(n int) {
				for range n {
					if err := r.unmarshal(); err != nil {
						panic(err)
					}
				}
			},
		})
	}
	return c
}
