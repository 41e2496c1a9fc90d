// Package easyjson stands in for github.com/mailru/easyjson in a go.mod
// replace directive: its names are those of github.com/eddy-go/eddy/easyjson,
// where they are documented. It is not affiliated with easyjson's authors.
package easyjson

import (
	"io"
	"net/http"

	"github.com/eddy-go/eddy/easyjson"
)

type (
	Marshaler            = easyjson.Marshaler
	Unmarshaler          = easyjson.Unmarshaler
	MarshalerUnmarshaler = easyjson.MarshalerUnmarshaler
	Optional             = easyjson.Optional
	IsZero               = easyjson.IsZero
	UnknownsMarshaler    = easyjson.UnknownsMarshaler
	UnknownsUnmarshaler  = easyjson.UnknownsUnmarshaler
	UnknownFieldsProxy   = easyjson.UnknownFieldsProxy
	RawMessage           = easyjson.RawMessage
)

func Marshal(v Marshaler) ([]byte, error) { return easyjson.Marshal(v) }

func MarshalToWriter(v Marshaler, w io.Writer) (written int, err error) {
	return easyjson.MarshalToWriter(v, w)
}

func MarshalToHTTPResponseWriter(v Marshaler, w http.ResponseWriter) (started bool, written int, err error) {
	return easyjson.MarshalToHTTPResponseWriter(v, w)
}

func Unmarshal(data []byte, v Unmarshaler) error { return easyjson.Unmarshal(data, v) }

func UnmarshalFromReader(r io.Reader, v Unmarshaler) error {
	return easyjson.UnmarshalFromReader(r, v)
}
