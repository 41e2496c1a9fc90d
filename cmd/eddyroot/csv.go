package main

import (
	"io"
	"strconv"
)

type csvCmd struct {
	selection
	output
	Long   bool `help:"A line for each item of lists and arrays, with the numbers of entry and item before; what has fewer items is empty there. Without it a list is one field, such as \"[1,2,3]\"."`
	NoHead bool `help:"Leave out the line of names."`
	CRLF   bool `name:"crlf" help:"End lines as RFC 4180 has it, with CR LF."`
}

func (c *csvCmd) Run(s *session) error {
	if err := c.apart(c.File); err != nil {
		return err
	}
	src, err := c.open(s)
	if err != nil {
		return err
	}
	defer src.close()
	p := newProgress(s.stderr, src.to-src.from, c.File)
	defer p.done()
	return c.write(s, func(w io.Writer) error { return c.rows(s, src, w, p) })
}

func (c *csvCmd) rows(s *session, src *source, w io.Writer, p *progress) error {
	cols, err := src.columns()
	if err != nil {
		return c.fault(err)
	}
	end := "\n"
	if c.CRLF {
		end = "\r\n"
	}
	var line []byte
	if !c.NoHead {
		if c.Long {
			line = append(line, "entry,item,"...)
		}
		for i, b := range src.branches {
			if i > 0 {
				line = append(line, ',')
			}
			line = appendField(line, b.Name())
		}
		if _, err := w.Write(append(line, end...)); err != nil {
			return err
		}
	}
	for step, err := range src.steps(s, cols, func(entry int64) { p.at(entry - src.from) }) {
		if err != nil {
			p.clear()
			return c.fault(err)
		}
		for i := range step.Len() {
			line = line[:0]
			if c.Long {
				line = appendLong(line, cols, step.First+int64(i), i, end)
			} else {
				for k, col := range cols {
					if k > 0 {
						line = append(line, ',')
					}
					line = col.appendText(line, i)
				}
				line = append(line, end...)
			}
			if _, err := w.Write(line); err != nil {
				return err
			}
		}
	}
	return nil
}

// appendLong appends the lines of an entry, which is entry i of the step: one
// for each item of the longest list, and one with no item if all are empty.
// What is no list is in every line.
func appendLong(dst []byte, cols []column, entry int64, i int, end string) []byte {
	items := 0
	for _, col := range cols {
		items = max(items, col.items(i))
	}
	for item := range max(items, 1) {
		dst = strconv.AppendInt(dst, entry, 10)
		dst = append(dst, ',')
		if items > 0 {
			dst = strconv.AppendInt(dst, int64(item), 10)
		}
		for _, col := range cols {
			dst = append(dst, ',')
			switch n := col.items(i); {
			case n < 0:
				dst = col.appendText(dst, i)
			case item < n:
				dst = col.appendItem(dst, i, item)
			}
		}
		dst = append(dst, end...)
	}
	return dst
}
