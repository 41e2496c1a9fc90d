package jlexer

import "encoding/json"

// Bool reads true or false.
func (r *Lexer) Bool() bool {
	if !r.is(TokenBool) {
		r.mismatch("bool")
		return false
	}
	r.drop()
	return r.truth
}

// JsonNumber reads a number, as it stands, or a string, whose value is not checked; null is the empty Number.
func (r *Lexer) JsonNumber() json.Number {
	switch r.CurrentToken() {
	case TokenNumber:
		r.drop()
		return json.Number(r.held(r.raw()))
	case TokenString:
		return json.Number(r.String())
	case TokenNull:
		r.drop()
	case TokenUndef: // an error
	default:
		r.unexpected()
	}
	return ""
}

// Interface reads any value as encoding/json reads into an any: nil, bool, float64, string, []any or map[string]any.
func (r *Lexer) Interface() interface{} {
	switch r.CurrentToken() {
	case TokenDelim:
		if r.delim == '{' {
			return r.object()
		}
		if r.delim == '[' {
			return r.array()
		}
		r.unexpected()
	case TokenString:
		return r.String()
	case TokenNumber:
		return r.Float64()
	case TokenBool:
		return r.Bool()
	case TokenNull:
		r.drop()
	}
	return nil
}

// object reads the members of an object whose brace is the current token. The depth of FetchToken bounds the recursion.
func (r *Lexer) object() any {
	r.drop()
	members := make(map[string]any)
	for n := 0; r.more('}', n); n++ {
		name := r.String()
		r.WantColon()
		members[name] = r.Interface()
	}
	if r.Ok() {
		return members
	}
	return nil
}

// array reads the elements of an array whose bracket is the current token.
func (r *Lexer) array() any {
	r.drop()
	elements := []any{}
	for n := 0; r.more(']', n); n++ {
		elements = append(elements, r.Interface())
	}
	if r.Ok() {
		return elements
	}
	return nil
}

// more reports whether another element follows the n that were read, and otherwise takes the delimiter that ends them.
func (r *Lexer) more(end byte, n int) bool {
	if n > 0 {
		r.WantComma()
	}
	if !r.IsDelim(end) {
		return true
	}
	r.Delim(end)
	return false
}
