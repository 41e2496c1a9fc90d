package jsonwire_test

import (
	"errors"
	"fmt"

	"github.com/eddy-go/eddy/jsonwire"
)

// Reading a string literal: where it ends, and its value.
func ExampleStringFlags() {
	src := []byte(`"caf\u00e9", 2`)
	end, flags := jsonwire.ScanString(src, 0)
	if flags&(jsonwire.Unterminated|jsonwire.RawControl) != 0 {
		return // not JSON
	}
	value := src[1 : end-1]
	if flags != 0 { // the value is not the bytes
		value, _ = jsonwire.AppendUnescaped(nil, value, flags)
	}
	fmt.Println(string(value), string(src[end:]))
	// Output: café , 2
}

func ExampleNumber() {
	src := []byte(`12.5]`)
	n, end, ok := jsonwire.ScanNumber(src, 0)
	i, isInt := n.Int64()
	f, err := jsonwire.ParseFloat(src[:end], n)
	fmt.Println(ok, end, i, isInt, f, err)
	// Output: true 4 0 false 12.5 <nil>
}

func ExampleSkip() {
	src := []byte(`{"a": [1, {"b": 2}], "c": 3}`)
	const from = 5 // behind the colon
	end, err := jsonwire.Skip(src, from, jsonwire.MaxDepth)
	fmt.Printf("%s, %v\n", src[from:end], err)
	// Output: [1, {"b": 2}], <nil>
}

func ExampleSyntaxError() {
	err := jsonwire.Check([]byte(`{"a": [1, 02]}`))
	var s *jsonwire.SyntaxError
	fmt.Println(errors.As(err, &s) && s.Offset == 11, errors.Is(err, jsonwire.ErrNumber))
	// Output: true true
}

func ExampleValid() {
	fmt.Println(jsonwire.Valid([]byte(` [1, 2] `)), jsonwire.Valid([]byte(`[1, 2,]`)))
	// Output: true false
}
