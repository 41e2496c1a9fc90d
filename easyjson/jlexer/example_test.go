package jlexer_test

import (
	"errors"
	"fmt"

	"github.com/eddy-go/eddy/easyjson/jlexer"
)

// Code that easyjson's generator writes looks like this.
func ExampleLexer() {
	in := jlexer.Lexer{Data: []byte(`{"name":"Volga","length":3531,"mouth":{"sea":"Caspian"}}`)}
	var name string
	var length int
	in.Delim('{')
	for !in.IsDelim('}') {
		key := in.UnsafeFieldName(false) // valid until Data changes: for the switch only
		in.WantColon()
		switch key {
		case "name":
			name = in.String()
		case "length":
			length = in.Int()
		default:
			in.SkipRecursive()
		}
		in.WantComma()
	}
	in.Delim('}')
	in.Consumed()
	fmt.Println(name, length, in.Error())
	// Output: Volga 3531 <nil>
}

func ExampleLexerError() {
	in := jlexer.Lexer{Data: []byte(`[1, 02]`)}
	in.Interface()
	var e *jlexer.LexerError
	if errors.As(in.Error(), &e) {
		fmt.Println(e.Reason, e.Offset)
	}
	// Output: syntax error 5
}

func ExampleTokenKind() {
	in := jlexer.Lexer{Data: []byte(`"a date, or a number"`)}
	switch in.CurrentToken() {
	case jlexer.TokenString:
		fmt.Println("string:", in.String())
	case jlexer.TokenNumber:
		fmt.Println("number:", in.Int64())
	}
	// Output: string: a date, or a number
}

func ExampleSetLenient() {
	jlexer.SetLenient(true)
	defer jlexer.SetLenient(false)
	in := jlexer.Lexer{Data: []byte(`007`)}
	fmt.Println(in.Int(), in.Error())
	// Output: 7 <nil>
}
