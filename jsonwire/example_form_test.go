package jsonwire_test

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/eddy-go/eddy/jsonwire"
)

func ExampleAppendString() {
	b := jsonwire.AppendString(nil, `<a href="x">`, 0)
	b = append(b, '\n')
	b = jsonwire.AppendString(b, `<a href="x">`, jsonwire.NoHTML)
	fmt.Printf("%s\n", b)
	// Output:
	// "\u003ca href=\"x\"\u003e"
	// "<a href=\"x\">"
}

// Several values in a buffer that has the room for them: what a generated
// encoder does for a struct.
func ExamplePutString() {
	name, age := "Zoë", int64(33)

	const names = `{"name":,"age":}`
	b := make([]byte, len(names)+jsonwire.StringRoom(len(name))+jsonwire.IntRoom)
	i := jsonwire.PutText(b, 0, `{"name":`)
	i = jsonwire.PutString(b, i, name, 0)
	i = jsonwire.PutText(b, i, `,"age":`)
	i = jsonwire.PutInt(b, i, age)
	i = jsonwire.PutText(b, i, `}`)
	fmt.Printf("%s\n", b[:i])
	// Output: {"name":"Zoë","age":33}
}

// A long string in pieces, each written out before the next is formed.
func ExampleForm() {
	s := "a string that is longer than the buffer"
	b := make([]byte, 24)
	for s != "" {
		n, done := jsonwire.Form(b, 0, s, 0)
		fmt.Printf("%s|\n", b[:n])
		s = s[done:]
	}
	// Output:
	// a string that is|
	//  longer than the|
	//  buffer|
}

func ExampleEscape() {
	fmt.Printf("%s\n", jsonwire.AppendString(nil, "a\bb & c", jsonwire.NoHTML|jsonwire.LongControls))
	// Output: "a\u0008b & c"
}

func ExampleFloatError() {
	_, err := jsonwire.AppendFloat(nil, math.Inf(1), 64)
	var fe *jsonwire.FloatError
	fmt.Println(errors.As(err, &fe), err)
	// Output: true json: unsupported value: +Inf
}

func ExampleTimeError() {
	_, err := jsonwire.AppendTime(nil, time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC))
	var te *jsonwire.TimeError
	fmt.Println(errors.As(err, &te), te.Reason)
	// Output: true year outside of [0,9999]
}

func ExampleAppendCompact() {
	b, err := jsonwire.AppendCompact(nil, []byte(`{ "a": [1, 2] }`), 0)
	fmt.Printf("%s %v\n", b, err)
	// Output: {"a":[1,2]} <nil>
}
