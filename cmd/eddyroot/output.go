package main

import (
	"bufio"
	"io"

	"github.com/eddy-go/eddy/cmd/internal/atomicfile"
)

// output is where a command writes to.
type output struct {
	Output string `short:"o" default:"-" placeholder:"FILE" help:"File to write; it appears when it is complete. Standard output by default."`
}

const outputBuffer = 256 << 10

// write gives write a buffered writer. A file is put in its place only if all
// went well.
func (o *output) write(s *session, write func(w io.Writer) error) error {
	if o.Output == "-" {
		w := bufio.NewWriterSize(s.stdout, outputBuffer)
		if err := write(w); err != nil {
			w.Flush() // what was written before is whole
			return err
		}
		return w.Flush()
	}
	f, err := atomicfile.Create(o.Output)
	if err != nil {
		return err
	}
	defer f.Discard()
	w := bufio.NewWriterSize(f, outputBuffer)
	if err := write(w); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := s.Err(); err != nil {
		return err
	}
	return f.Commit()
}
