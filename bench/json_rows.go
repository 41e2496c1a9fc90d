package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"

	"github.com/bytedance/sonic"
	"github.com/eddy-go/eddy/easyjson"
	goccy "github.com/goccy/go-json"
	jsoniter "github.com/json-iterator/go"
	upstream "github.com/mailru/easyjson"
	segmentio "github.com/segmentio/encoding/json"
)

// A jsonRow is one library on one document.
type jsonRow struct {
	name string
	size int // of the document

	// What a reader must know to compare: about forming bytes, about
	// doing so to a writer, about reading.
	forming, writing, reading string

	marshal  func() ([]byte, error)
	toWriter func(io.Writer) func() error // the writer's loop keeps what this returns
	// unmarshal decodes the document into one value of the row, cleared before.
	unmarshal func() error

	sameDocument func([]byte) error // checks bytes that were formed
	sameValue    func() error       // checks what unmarshal left
}

// upstreamValue and eddyValue are what generated code makes of *T.
type upstreamValue[T any] interface {
	*T
	upstream.MarshalerUnmarshaler
}

type eddyValue[T any] interface {
	*T
	easyjson.MarshalerUnmarshaler
}

// jsonRows has every library work on one document: U is its type with easyjson's
// generated methods, which the others do not see, and E the same on eddy.
func jsonRows[U, E any, PU upstreamValue[U], PE eddyValue[E]](doc []byte) ([]jsonRow, error) {
	var u, uTo U
	var e, eTo E
	if err := json.Unmarshal(doc, &u); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(doc, &e); err != nil {
		return nil, err
	}
	var want any
	if err := json.Unmarshal(doc, &want); err != nil {
		return nil, err
	}
	sameDocument := func(out []byte) error {
		var got any
		if err := json.Unmarshal(out, &got); err != nil {
			return err
		}
		if !reflect.DeepEqual(got, want) {
			return fmt.Errorf("the document of %d bytes means something else", len(out))
		}
		return nil
	}
	// The generated types have no MarshalJSON, so encoding/json reads them itself.
	sameAs := func(v any) func() error {
		return func() error {
			out, err := json.Marshal(v)
			if err != nil {
				return err
			}
			return sameDocument(out)
		}
	}
	intoU := func(decode func([]byte, any) error) func() error {
		return func() error {
			var zero U
			uTo = zero
			return decode(doc, &uTo)
		}
	}

	sonicMode := "ConfigFastest, no HTML escaping"
	if sonic.APIKind == sonic.UseStdJSON {
		sonicMode = "this Go version or platform is not supported: falls back to encoding/json"
	}
	rows := []jsonRow{
		{
			name:    "eddy",
			forming: "easyjson's generated code on eddy; escapes HTML",
			reading: "easyjson's generated code on eddy; strings are copies",
			marshal: func() ([]byte, error) { return easyjson.Marshal(PE(&e)) },
			toWriter: func(w io.Writer) func() error {
				return func() error { _, err := easyjson.MarshalToWriter(PE(&e), w); return err }
			},
			unmarshal: func() error {
				var zero E
				eTo = zero
				return easyjson.Unmarshal(doc, PE(&eTo))
			},
			sameValue: sameAs(&eTo),
		},
		{
			name:    "easyjson",
			forming: "generated code; escapes HTML",
			reading: "generated code; strings are copies",
			marshal: func() ([]byte, error) { return upstream.Marshal(PU(&u)) },
			toWriter: func(w io.Writer) func() error {
				return func() error { _, err := upstream.MarshalToWriter(PU(&u), w); return err }
			},
			unmarshal: func() error {
				var zero U
				uTo = zero
				return upstream.Unmarshal(doc, PU(&uTo))
			},
			sameValue: sameAs(&uTo),
		},
		{
			name:    "sonic",
			forming: sonicMode,
			writing: "encoder kept",
			reading: "ConfigFastest; one copy of the document that strings point into",
			marshal: func() ([]byte, error) { return sonic.ConfigFastest.Marshal(&u) },
			toWriter: func(w io.Writer) func() error {
				enc := sonic.ConfigFastest.NewEncoder(w)
				return func() error { return enc.Encode(&u) }
			},
			unmarshal: intoU(sonic.ConfigFastest.Unmarshal),
			sameValue: sameAs(&uTo),
		},
		{
			name:    "goccy",
			forming: "escapes HTML",
			writing: "encoder kept",
			reading: "strings are copies",
			marshal: func() ([]byte, error) { return goccy.Marshal(&u) },
			toWriter: func(w io.Writer) func() error {
				enc := goccy.NewEncoder(w)
				return func() error { return enc.Encode(&u) }
			},
			unmarshal: intoU(func(b []byte, v any) error { return goccy.Unmarshal(b, v) }),
			sameValue: sameAs(&uTo),
		},
		{
			name:    "segmentio",
			forming: "escapes HTML",
			writing: "encoder kept",
			reading: "strings are copies",
			marshal: func() ([]byte, error) { return segmentio.Marshal(&u) },
			toWriter: func(w io.Writer) func() error {
				enc := segmentio.NewEncoder(w)
				return func() error { return enc.Encode(&u) }
			},
			unmarshal: intoU(segmentio.Unmarshal),
			sameValue: sameAs(&uTo),
		},
		{
			name:    "jsoniter",
			forming: "ConfigFastest, no HTML escaping",
			writing: "encoder kept",
			reading: "ConfigFastest; strings are copies",
			marshal: func() ([]byte, error) { return jsoniter.ConfigFastest.Marshal(&u) },
			toWriter: func(w io.Writer) func() error {
				enc := jsoniter.ConfigFastest.NewEncoder(w)
				return func() error { return enc.Encode(&u) }
			},
			unmarshal: intoU(jsoniter.ConfigFastest.Unmarshal),
			sameValue: sameAs(&uTo),
		},
		{
			name:    "std",
			forming: "escapes HTML",
			writing: "encoder kept",
			reading: "strings are copies",
			marshal: func() ([]byte, error) { return json.Marshal(&u) },
			toWriter: func(w io.Writer) func() error {
				enc := json.NewEncoder(w)
				return func() error { return enc.Encode(&u) }
			},
			unmarshal: intoU(json.Unmarshal),
			sameValue: sameAs(&uTo),
		},
		{
			name:    "floor",
			forming: "a fresh copy of the bytes",
			writing: "here one copy into memory that is there already",
			reading: "a fresh copy of the bytes",
			marshal: func() ([]byte, error) { return bytes.Clone(doc), nil },
			toWriter: func(w io.Writer) func() error {
				scratch := make([]byte, len(doc))
				return func() error {
					copy(scratch, doc)
					_, err := w.Write(scratch)
					return err
				}
			},
			unmarshal: func() error { floorSink = bytes.Clone(doc); return nil },
			sameValue: func() error { return sameDocument(floorSink) },
		},
	}
	for i := range rows {
		rows[i].size = len(doc)
		rows[i].sameDocument = sameDocument
	}
	return rows, nil
}

// floorSink keeps the floor's copy from being optimised away.
var floorSink []byte
