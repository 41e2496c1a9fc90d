package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/eddy-go/eddy/compress/rootio"
)

type arrowCmd struct {
	selection
	output
	Format   string `enum:"auto,file,stream" default:"auto" help:"Arrow's file or stream format; auto is the stream on standard output and for names that end in .arrows, else the file."`
	Rows     int    `default:"65536" placeholder:"N" help:"Most rows of a record batch (default ${default})."`
	Bytes    int    `default:"16777216" placeholder:"N" help:"A record batch ends when it has so many bytes (default ${default})."`
	Compress string `enum:"none,lz4,zstd" default:"none" help:"How to compress the batches: none, lz4 or zstd."`
	Strings  string `enum:"auto,utf8,binary" default:"auto" help:"Type of strings; auto reads them twice: utf8 where all are UTF-8, else binary."`
}

func (c *arrowCmd) Run(s *session) error {
	if c.Rows <= 0 || c.Bytes <= 0 || max(c.Rows, c.Bytes) > 1<<30 {
		return errUsage{errors.New("--rows and --bytes: want 1 to 2^30")}
	}
	if err := c.apart(c.File); err != nil {
		return err
	}
	src, err := c.open(s)
	if err != nil {
		return err
	}
	defer src.close()
	cols, err := src.columns()
	if err == nil {
		err = c.choose(s, src, cols)
	}
	if err != nil {
		return c.fault(err)
	}
	p := newProgress(s.stderr, src.to-src.from, c.File)
	defer p.done()
	return c.write(s, func(w io.Writer) error { return c.batches(s, src, cols, w, p) })
}

// choose decides the types of strings.
func (c *arrowCmd) choose(s *session, src *source, cols []column) error {
	for _, col := range cols {
		if col.Branch().Kind() != rootio.String || c.Strings == "utf8" {
			continue
		}
		binary := c.Strings == "binary"
		if c.Strings == "auto" {
			valid, err := src.valid(s, col.Branch())
			if err != nil {
				return err
			}
			binary = !valid
		}
		if binary {
			col.setBinary()
		}
	}
	return nil
}

// valid reads all strings of a branch and tells whether they are UTF-8.
func (src *source) valid(s *session, b *rootio.Branch) (bool, error) {
	col, err := rootio.NewColumn[string](b)
	if err != nil {
		return false, err
	}
	for batch, err := range col.Batches(s, src.from, src.to) {
		if err != nil {
			return false, err
		}
		for _, text := range batch.Values {
			if !utf8.ValidString(text) {
				return false, nil
			}
		}
	}
	return true, nil
}

// A batchWriter is one of ipc's.
type batchWriter interface {
	Write(arrow.RecordBatch) error
	Close() error
}

func (c *arrowCmd) writer(w io.Writer, schema *arrow.Schema) (batchWriter, error) {
	opts := []ipc.Option{ipc.WithSchema(schema)}
	switch c.Compress {
	case "lz4":
		opts = append(opts, ipc.WithLZ4())
	case "zstd":
		opts = append(opts, ipc.WithZstd())
	}
	stream := c.Output == "-" || strings.HasSuffix(c.Output, ".arrows")
	if c.Format != "auto" {
		stream = c.Format == "stream"
	}
	if stream {
		return ipc.NewWriter(w, opts...), nil
	}
	return ipc.NewFileWriter(w, opts...)
}

func (c *arrowCmd) batches(s *session, src *source, cols []column, w io.Writer, p *progress) error {
	fields := make([]arrow.Field, len(cols))
	for i, col := range cols {
		b := col.Branch()
		meta := map[string]string{"root.type": strings.ToValidUTF8(b.Type(), "\uFFFD")}
		if b.Title() != "" {
			meta["root.title"] = strings.ToValidUTF8(b.Title(), "\uFFFD")
		}
		fields[i] = arrow.Field{Name: strings.ToValidUTF8(b.Name(), "\uFFFD"), Type: col.arrowType(), Metadata: arrow.MetadataFrom(meta)}
	}
	schema := arrow.NewSchema(fields, nil)
	out, err := c.writer(w, schema)
	if err != nil {
		return err
	}
	rows, size := 0, 0
	flush := func() error {
		if rows == 0 {
			return nil
		}
		arrays := make([]arrow.Array, len(cols))
		for i, col := range cols {
			arrays[i] = array.MakeFromData(col.arrowData())
		}
		batch := array.NewRecordBatch(schema, arrays, int64(rows))
		rows, size = 0, 0
		return out.Write(batch)
	}
	for step, err := range src.steps(s, cols, func(entry int64) { p.at(entry - src.from) }) {
		if err != nil {
			p.clear()
			return c.fault(err)
		}
		for lo := 0; lo < step.Len(); {
			n, bytes := c.fit(cols, lo, min(step.Len()-lo, c.Rows-rows), c.Bytes-size)
			for _, col := range cols {
				if err := col.appendArrow(lo, lo+n); err != nil {
					return c.fault(fmt.Errorf("%s, entries %d to %d: %w", col.Branch().Name(), step.First+int64(lo), step.First+int64(lo+n), err))
				}
			}
			lo, rows, size = lo+n, rows+n, size+bytes
			if rows >= c.Rows || size >= c.Bytes {
				if err := flush(); err != nil {
					return err
				}
			}
		}
	}
	if err := flush(); err != nil {
		return err
	}
	return out.Close()
}

// fit returns how many of n entries of the step, from lo on, have room in so
// many bytes, or one, and how many they take. It may be few too few.
func (c *arrowCmd) fit(cols []column, lo, n, room int) (rows, size int) {
	for {
		size = 0
		for _, col := range cols {
			size += col.arrowSize(lo, lo+n)
		}
		if n <= 1 || size <= room {
			return n, size
		}
		n /= 2
	}
}
