package easyjson

import (
	"io"
	"net/http"
	"strconv"

	"github.com/eddy-go/eddy/easyjson/jwriter"
)

const null = "null"

// Marshal returns v as JSON, in a new slice that belongs to the caller; that
// is the one allocation. A nil v, or one that holds a nil pointer, is null.
//
// MarshalEasyJSON must not keep the Writer it is given.
func Marshal(v Marshaler) ([]byte, error) {
	if isNilInterface(v) {
		return []byte(null), nil
	}
	w := getWriter()
	v.MarshalEasyJSON(w)
	if err := w.Err(); err != nil {
		return nil, failed(w, err)
	}
	data := w.Buffer.BuildBytes()
	putWriter(w)
	return data, nil
}

// MarshalToWriter writes v as JSON to w and returns the number of bytes
// written. If v cannot be marshaled, nothing is written. Once the pools are
// warm, it allocates nothing.
func MarshalToWriter(v Marshaler, w io.Writer) (written int, err error) {
	if isNilInterface(v) {
		return writeNull(w)
	}
	jw := getWriter()
	v.MarshalEasyJSON(jw)
	if err := jw.Err(); err != nil {
		return 0, failed(jw, err)
	}
	written, err = jw.Buffer.DumpTo(w)
	putWriter(jw)
	return written, err
}

// failed takes back a Writer without a document.
//
//go:noinline
func failed(w *jwriter.Writer, err error) error {
	w.Free()
	putWriter(w)
	return err
}

// MarshalToHTTPResponseWriter sets Content-Length and Content-Type and writes
// v as JSON to w. If v cannot be marshaled, started is false and nothing has
// been done to w, so that it can carry another reply; otherwise written says
// how many bytes w has taken before it failed, if it did.
func MarshalToHTTPResponseWriter(v Marshaler, w http.ResponseWriter) (started bool, written int, err error) {
	if isNilInterface(v) {
		setHeaders(w, len(null))
		written, err = writeNull(w)
		return true, written, err
	}
	jw := getWriter()
	v.MarshalEasyJSON(jw)
	if err := jw.Err(); err != nil {
		return false, 0, failed(jw, err)
	}
	setHeaders(w, jw.Size())
	written, err = jw.Buffer.DumpTo(w)
	putWriter(jw)
	return true, written, err
}

func setHeaders(w http.ResponseWriter, size int) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(size))
}

func writeNull(w io.Writer) (int, error) {
	n, err := io.WriteString(w, null)
	if n < len(null) && err == nil {
		err = io.ErrShortWrite
	}
	return n, err
}
