package main

import (
	"bufio"
	"fmt"
	"io"
	"os"

	"github.com/eddy-go/eddy/cmd/internal/atomicfile"
)

// output is where a command writes to.
type output struct {
	Output string `short:"o" default:"-" placeholder:"FILE" help:"File to write; it appears when it is complete. Standard output by default."`
}

const outputBuffer = 256 << 10

// apart sees that the output is not the file that is read, which it would
// replace.
func (o *output) apart(input string) error {
	in, err := os.Stat(input)
	if err != nil || o.Output == "-" {
		return nil // whoever opens it tells
	}
	if out, err := os.Stat(o.Output); err == nil && out.Mode().IsRegular() && os.SameFile(in, out) {
		return errUsage{fmt.Errorf("%s is the file that is read", o.Output)}
	}
	return nil
}

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
