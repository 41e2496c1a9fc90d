package easyjson_test

import (
	"fmt"
	"net/http/httptest"
	"os"

	"github.com/eddy-go/eddy/easyjson"
	"github.com/eddy-go/eddy/easyjson/jlexer"
	"github.com/eddy-go/eddy/easyjson/jwriter"
)

// point has the methods that the generator would write.
type point struct{ X, Y int }

func (p point) MarshalEasyJSON(w *jwriter.Writer) {
	w.RawString(`{"x":`)
	w.Int(p.X)
	w.RawString(`,"y":`)
	w.Int(p.Y)
	w.RawByte('}')
}

func ExampleMarshal() {
	b, err := easyjson.Marshal(point{1, 2})
	fmt.Printf("%s %v\n", b, err)
	// Output: {"x":1,"y":2} <nil>
}

func ExampleMarshalToWriter() {
	easyjson.MarshalToWriter(point{1, 2}, os.Stdout)
	// Output: {"x":1,"y":2}
}

func ExampleMarshalToHTTPResponseWriter() {
	w := httptest.NewRecorder()
	started, _, err := easyjson.MarshalToHTTPResponseWriter(point{1, 2}, w)
	if err != nil && !started {
		w.WriteHeader(500) // nothing is written yet
	}
	fmt.Println(w.Header().Get("Content-Length"), w.Body)
	// Output: 13 {"x":1,"y":2}
}

// A value of any shape, read and written as it is.
func ExampleRawMessage() {
	var v easyjson.RawMessage
	err := easyjson.Unmarshal([]byte(`{"any": ["thing", 1]}`), &v)
	b, _ := easyjson.Marshal(&v)
	fmt.Printf("%s %v\n", b, err)
	// Output: {"any": ["thing", 1]} <nil>
}

// known is a struct with one field, and the proxy for others.
type known struct {
	Name string
	easyjson.UnknownFieldsProxy
}

func (k *known) UnmarshalEasyJSON(l *jlexer.Lexer) {
	l.Delim('{')
	for !l.IsDelim('}') {
		key := l.String()
		l.WantColon()
		if key == "name" {
			k.Name = l.String()
		} else {
			k.UnmarshalUnknown(l, key)
		}
		l.WantComma()
	}
	l.Delim('}')
}

func (k *known) MarshalEasyJSON(w *jwriter.Writer) {
	w.RawString(`{"name":`)
	w.String(k.Name)
	k.MarshalUnknowns(w, false)
	w.RawByte('}')
}

func ExampleUnknownFieldsProxy() {
	var k known
	if err := easyjson.Unmarshal([]byte(`{"size":3,"name":"x","color":"red"}`), &k); err != nil {
		fmt.Println(err)
	}
	k.Name = "y"
	easyjson.MarshalToWriter(&k, os.Stdout)
	// Output: {"name":"y","color":"red","size":3}
}
