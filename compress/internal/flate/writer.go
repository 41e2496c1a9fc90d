package flate

import (
	"io"

	"github.com/eddy-go/eddy"
)

// Writer is a stream of DEFLATE without a frame. It holds pooled state from
// Start to Release.
type Writer struct {
	e    *encoder
	pool *eddy.Pool[encoder]
}

// Started reports whether there is state.
func (w *Writer) Started() bool { return w.e != nil }

// Start takes the state for a stream of the given level, which must be valid.
func (w *Writer) Start(dst io.Writer, level int) {
	w.Release()
	if level == Default {
		level = usual
	}
	w.pool = encoders[level-HuffmanOnly]
	w.e = w.pool.Get()
	w.e.out.w, w.e.out.watch = dst, level > 0
	w.e.w.Reset(&w.e.out)
}

// Out writes to where the stream goes, past the encoder.
func (w *Writer) Out(p []byte) error {
	_, err := w.e.out.put(p)
	return err
}

// Write compresses p.
func (w *Writer) Write(p []byte) (int, error) { return w.e.w.Write(p) }

// Flush writes what is pending, so that a reader can read all until here.
func (w *Writer) Flush() error { return w.e.w.Flush() }

// End writes the last block.
func (w *Writer) End() error {
	if err := w.e.w.Close(); err != nil {
		return err
	}
	if w.e.out.last {
		return errNoEnd
	}
	return nil
}

// Release gives the state back, if there is any.
func (w *Writer) Release() {
	if w.e != nil {
		w.pool.Put(w.e)
		w.e = nil
	}
}
