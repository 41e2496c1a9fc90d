// Package jlexer has the names of github.com/eddy-go/eddy/easyjson/jlexer.
package jlexer

import "github.com/eddy-go/eddy/easyjson/jlexer"

type (
	Lexer      = jlexer.Lexer
	LexerError = jlexer.LexerError
	TokenKind  = jlexer.TokenKind
)

const (
	TokenUndef  = jlexer.TokenUndef
	TokenDelim  = jlexer.TokenDelim
	TokenString = jlexer.TokenString
	TokenNumber = jlexer.TokenNumber
	TokenBool   = jlexer.TokenBool
	TokenNull   = jlexer.TokenNull
)
