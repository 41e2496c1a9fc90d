package main

import (
	"encoding/json"
	"fmt"
	"reflect"

	absser "github.com/microsoft/kiota-abstractions-go/serialization"
	upstream "github.com/microsoft/kiota-serialization-json-go"

	"github.com/eddy-go/eddy/bench/internal/table"
	"github.com/eddy-go/eddy/kiota/jsonserialization"
)

func init() { register("kiota", kiotaTable) }

// kiotaRow is one library behind the interfaces that generated clients use.
type kiotaRow struct {
	name   string
	writer func() absser.SerializationWriter
	node   func([]byte) (absser.ParseNode, error)
}

func kiotaRows() []kiotaRow {
	return []kiotaRow{
		{
			"eddy",
			func() absser.SerializationWriter { return jsonserialization.NewJsonSerializationWriter() },
			func(b []byte) (absser.ParseNode, error) { return jsonserialization.NewJsonParseNode(b) },
		},
		{
			"kiota",
			func() absser.SerializationWriter { return upstream.NewJsonSerializationWriter() },
			func(b []byte) (absser.ParseNode, error) { return upstream.NewJsonParseNode(b) },
		},
	}
}

func kiotaTable() (*table.Table, error) {
	return &table.Table{
		Name:  "kiota",
		Title: "models of a generated client: to a new []byte, and from one",
		Peer:  "kiota",
		Cases: []table.Case{
			writeCase("simple14", newSimple14(), true, false),
			writeCase("mixed16", newMixed16(), true, false),
			writeCase("full17", newFull17(), false, false),
			writeCase("mixed16_parallel", newMixed16(), true, true),
			resetCase("simple14_reset", newSimple14()),
			writeCase("collection10k", newPage(10_000), true, false),
			writeCase("long_ascii", newBody("The quick brown fox \"jumps\" over the lazy dog.\n", 64<<10), false, false),
			writeCase("long_cjk", newBody("吾輩は猫である。名前はまだ無い。", 64<<10), false, false),
			readCase("parse_mixed16", newMixed16(), createMixed16),
			readCase("parse_collection1k", newPage(1000), createPage),
		},
	}, nil
}

// wanted is the JSON of a model, as the peer writes it.
func wanted(m absser.Parsable) []byte {
	w := upstream.NewJsonSerializationWriter()
	defer w.Close()
	if err := w.WriteObjectValue("", m); err != nil {
		panic(err)
	}
	b, err := w.GetSerializedContent()
	if err != nil {
		panic(err)
	}
	return b
}

// sameJSON compares what two documents mean.
func sameJSON(got, want []byte) error {
	var g, w any
	if err := json.Unmarshal(want, &w); err != nil {
		return err
	}
	if err := json.Unmarshal(got, &g); err != nil {
		return err
	}
	if !reflect.DeepEqual(g, w) {
		return fmt.Errorf("the document of %d bytes means something else", len(got))
	}
	return nil
}

func writeModel(r kiotaRow, m absser.Parsable) ([]byte, error) {
	w := r.writer()
	if err := w.WriteObjectValue("", m); err != nil {
		return nil, err
	}
	b, err := w.GetSerializedContent()
	if err != nil {
		return nil, err
	}
	return b, w.Close()
}

func writeCase(name string, m absser.Parsable, main, parallel bool) table.Case {
	want := wanted(m)
	c := table.Case{Name: name, Main: main, Bytes: len(want), Parallel: parallel}
	for _, r := range kiotaRows() {
		c.Impls = append(c.Impls, table.Impl{
			Name: r.name, Config: "new writer, WriteObjectValue, GetSerializedContent, Close",
			Check: func() error {
				b, err := writeModel(r, m)
				if err != nil {
					return err
				}
				return sameJSON(b, want)
			},
			Run: func(n int) {
				for range n {
					if _, err := writeModel(r, m); err != nil {
						panic(err)
					}
				}
			},
		})
	}
	return c
}

func resetCase(name string, m absser.Parsable) table.Case {
	want := wanted(m)
	c := table.Case{Name: name, Bytes: len(want)}
	for _, r := range kiotaRows() {
		write := func(w absser.SerializationWriter) ([]byte, error) {
			if err := w.(interface{ Reset() error }).Reset(); err != nil {
				return nil, err
			}
			if err := w.WriteObjectValue("", m); err != nil {
				return nil, err
			}
			return w.GetSerializedContent()
		}
		c.Impls = append(c.Impls, table.Impl{
			Name: r.name, Config: "one writer: Reset, WriteObjectValue, GetSerializedContent",
			Check: func() error {
				w := r.writer()
				defer w.Close()
				for range 2 {
					b, err := write(w)
					if err != nil {
						return err
					}
					if err := sameJSON(b, want); err != nil {
						return err
					}
				}
				return nil
			},
			Run: func(n int) {
				w := r.writer()
				defer w.Close()
				for range n {
					if _, err := write(w); err != nil {
						panic(err)
					}
				}
			},
		})
	}
	return c
}

func readCase(name string, m absser.Parsable, create absser.ParsableFactory) table.Case {
	doc := wanted(m)
	c := table.Case{Name: name, Main: true, Bytes: len(doc)}
	for _, r := range kiotaRows() {
		read := func() (absser.Parsable, error) {
			n, err := r.node(doc)
			if err != nil {
				return nil, err
			}
			return n.GetObjectValue(create)
		}
		c.Impls = append(c.Impls, table.Impl{
			Name: r.name, Config: "parse, then GetObjectValue into a model",
			Check: func() error {
				v, err := read()
				if err != nil {
					return err
				}
				return sameJSON(wanted(v), doc)
			},
			Run: func(n int) {
				for range n {
					if _, err := read(); err != nil {
						panic(err)
					}
				}
			},
		})
	}
	return c
}
