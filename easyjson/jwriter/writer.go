// Package jwriter forms JSON for the code that easyjson's generator writes:
// the API of github.com/mailru/easyjson/jwriter, on the pools of package eddy.
package jwriter

import (
	"io"

	"github.com/eddy-go/eddy/easyjson/buffer"
	"github.com/eddy-go/eddy/jsonwire"
)

// A Writer forms one JSON document. The zero value is empty and ready for use.
//
// The methods write one after the other; commas, colons and brackets are the
// caller's. The first error is kept in Error, and no document comes out of a
// Writer that has one.
//
// The memory of Buffer goes back to the pool with DumpTo, BuildBytes, Free or
// the reader that ReadCloser returns, whether they return an error or not; the
// Writer is empty then. A Writer belongs to one goroutine at a time; what is
// said of copies at [buffer.Buffer] holds for it as well.
//
// Once the pools are warm, forming allocates nothing but the result of
// BuildBytes.
type Writer struct {
	Flags Flags

	Error        error
	Buffer       buffer.Buffer
	NoEscapeHTML bool
}

// Size returns how many bytes the document has so far.
func (w *Writer) Size() int {
	return w.Buffer.Size()
}

// DumpTo writes the document to out and empties the Writer. If Error is set,
// nothing is written and Error returned. The result says how many bytes out
// has taken; see [buffer.Buffer.DumpTo].
func (w *Writer) DumpTo(out io.Writer) (written int, err error) {
	if w.checkEnd(); w.Error != nil {
		w.Buffer.Free()
		return 0, w.Error
	}
	return w.Buffer.DumpTo(out)
}

// BuildBytes returns the document as a slice, which belongs to the caller, and
// empties the Writer. If a slice with enough capacity is given, it is
// overwritten and returned. If Error is set, there is no document, and Error
// is returned.
func (w *Writer) BuildBytes(reuse ...[]byte) ([]byte, error) {
	if w.checkEnd(); w.Error != nil {
		w.Buffer.Free()
		return nil, w.Error
	}
	return w.Buffer.BuildBytes(reuse...), nil
}

// ReadCloser returns a reader of the document and empties the Writer. If Error
// is set, there is no document, and Error is returned.
func (w *Writer) ReadCloser() (io.ReadCloser, error) {
	if w.checkEnd(); w.Error != nil {
		w.Buffer.Free()
		return nil, w.Error
	}
	return w.Buffer.ReadCloser(), nil
}

// Free drops the document without writing it, gives the memory back, and
// makes w a zero Writer.
func (w *Writer) Free() {
	w.Buffer.Free()
	w.Flags, w.Error, w.NoEscapeHTML = 0, nil, false
}

// fail sets Error unless there is an earlier one.
func (w *Writer) fail(err error) {
	if w.Error == nil {
		w.Error = err
	}
}

// escape returns how strings are written.
func (w *Writer) escape() jsonwire.Escape {
	e := jsonwire.LongControls
	if (w.Flags|Compat)&StdFormat != 0 {
		e = 0
	}
	if w.NoEscapeHTML {
		e |= jsonwire.NoHTML
	}
	return e
}

// Err returns why there is no document, if so: Error, or that the last member
// has no value. Unlike the methods that give the document out, it takes what
// was written for a whole one.
func (w *Writer) Err() error {
	if b := w.Buffer.Buf; len(b) > 0 && suspect(b, ',') {
		w.checkValue('}')
	}
	return w.Error
}
