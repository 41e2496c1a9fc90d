package jlexer

import "encoding/json"

// Bool reads true or false.
func (r *Lexer) Bool() bool {
	if !r.is(TokenBool) {
		r.errInvalidToken("bool")
		return false
	}
	r.consume()
	return r.truth
}

// JsonNumber reads a number, as it stands, or a string, whose value is not checked; null is the empty Number.
func (r *Lexer) JsonNumber() json.Number {
	switch r.CurrentToken() {
	case TokenUndef:
		return ""
	case TokenString:
		return json.Number(r.String())
	case TokenNumber:
		r.consume()
		return json.Number(r.held(r.raw()))
	case TokenNull:
		r.Null()
		return ""
	}
	r.errSyntax()
	return ""
}

// Interface reads any value as encoding/json reads into an any: nil, bool, float64, string, []any or map[string]any.
func (r *Lexer) Interface() interface{} {
	switch r.CurrentToken() {
	case TokenUndef:
		return nil
	case TokenString:
		return r.String()
	case TokenNumber:
		return r.Float64()
	case TokenBool:
		return r.Bool()
	case TokenNull:
		r.Null()
		return nil
	}
	switch r.delim {
	case '{':
		return r.object()
	case '[':
		return r.array()
	}
	r.errSyntax()
	return nil
}

// object reads the members of an object whose brace is the current token. The depth of FetchToken bounds the recursion.
func (r *Lexer) object() interface{} {
	r.consume()
	ret := map[string]interface{}{}
	for !r.IsDelim('}') {
		key := r.String()
		r.WantColon()
		ret[key] = r.Interface()
		r.WantComma()
	}
	r.Delim('}')
	if !r.Ok() {
		return nil
	}
	return ret
}

// array reads the elements of an array whose bracket is the current token.
func (r *Lexer) array() interface{} {
	r.consume()
	ret := []interface{}{}
	for !r.IsDelim(']') {
		ret = append(ret, r.Interface())
		r.WantComma()
	}
	r.Delim(']')
	if !r.Ok() {
		return nil
	}
	return ret
}
