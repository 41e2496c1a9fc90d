package jlexer

import "fmt"

// LexerError says what is wrong with the input and where. The lexer gives it by pointer.
type LexerError struct {
	Reason string // what is wrong
	Offset int    // in the lexer's Data
	Data   string // an extract of the input, or the value that does not fit
}

func (l *LexerError) Error() string {
	return fmt.Sprintf("parse error: %s near offset %d of '%s'", l.Reason, l.Offset, l.Data)
}
