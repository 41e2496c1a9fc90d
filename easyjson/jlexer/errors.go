package jlexer

import (
	"fmt"
	"strings"
)

// Reasons that easyjson's lexer did not have.
const (
	reasonDepth   = "exceeded max depth"
	reasonControl = "control character in string literal"
)

const (
	// maxErrorContextLen is the length of the extract in an error.
	maxErrorContextLen = 13
	// trailingContext bounds extracts that easyjson does not bound.
	trailingContext = 64
)

// extract returns b as an error shows it: up to n bytes.
func extract(b []byte, n int) string {
	if len(b) <= n {
		return string(b)
	}
	return string(b[:n-3]) + "..."
}

// fail makes err the fatal error. It takes the current token away, so that code which looks at the token need not look
// at the error.
func (r *Lexer) fail(err error) {
	r.consume()
	r.fatalError = err
}

// errParse makes what the fatal error, at pos, unless there is one.
func (r *Lexer) errParse(what string) {
	if r.fatalError != nil {
		return
	}
	// Near the end easyjson shows the whole input; so does this, if the input is short.
	var near string
	switch rest := len(r.Data) - r.pos; {
	case rest > maxErrorContextLen:
		near = extract(r.Data[r.pos:], maxErrorContextLen)
	case len(r.Data) <= trailingContext:
		near = string(r.Data)
	default:
		near = "..." + string(r.Data[len(r.Data)-trailingContext+3:])
	}
	r.fail(&LexerError{Reason: what, Offset: r.pos, Data: near})
}

func (r *Lexer) errSyntax() {
	r.errParse("syntax error")
}

// errSyntaxAt is errSyntax at p, with no current token.
func (r *Lexer) errSyntaxAt(p int) {
	r.start, r.pos = p, p
	r.errSyntax()
}

// errInvalidToken says that the current token is not what was expected: that is fatal, or skips the value if
// UseMultipleErrors is set. Where an array or object was expected, the closing delimiter becomes the current token in
// the second case, so that the caller's loop finds it empty.
func (r *Lexer) errInvalidToken(expected string) {
	if r.fatalError != nil {
		return
	}
	if !r.UseMultipleErrors {
		r.fail(&LexerError{
			Reason: fmt.Sprintf("expected %s", expected),
			Offset: r.pos,
			Data:   extract(r.Data[r.valueStart:r.valueEnd], maxErrorContextLen),
		})
		return
	}
	r.rewind()
	r.SkipRecursive()
	switch expected {
	case "[":
		r.delim = ']'
		r.kind = TokenDelim
	case "{":
		r.delim = '}'
		r.kind = TokenDelim
	}
	r.addNonfatalError(&LexerError{
		Reason: fmt.Sprintf("expected %s", expected),
		Offset: r.start,
		Data:   string(r.Data[r.start:r.pos]),
	})
}

// rewind goes back to the start of the current token.
func (r *Lexer) rewind() {
	switch r.delim {
	case '{', '[':
		r.depth--
	case '}', ']':
		r.depth++
	}
	r.pos = r.start
	r.consume()
}

// Error returns the fatal error: io.EOF if the input ended too early, otherwise mostly a [*LexerError].
func (r *Lexer) Error() error {
	return r.fatalError
}

// AddError makes e the fatal error, unless there is one. A nil e changes nothing.
func (r *Lexer) AddError(e error) {
	if r.fatalError == nil && e != nil {
		r.fail(e)
	}
}

// AddNonFatalError adds an error about the last token: to those of GetNonFatalErrors if UseMultipleErrors is set,
// otherwise as the fatal error.
func (r *Lexer) AddNonFatalError(e error) {
	start, end := min(r.start, len(r.Data)), min(r.pos, len(r.Data))
	r.addNonfatalError(&LexerError{
		Offset: r.start,
		Data:   string(r.Data[min(start, end):end]),
		Reason: e.Error(),
	})
}

func (r *Lexer) addNonfatalError(err *LexerError) {
	if !r.UseMultipleErrors {
		r.AddError(err)
		return
	}
	// One error an offset.
	if n := len(r.multipleErrors); n != 0 && r.multipleErrors[n-1].Offset == err.Offset {
		return
	}
	r.multipleErrors = append(r.multipleErrors, err)
}

// GetNonFatalErrors returns the errors collected with UseMultipleErrors.
func (r *Lexer) GetNonFatalErrors() []*LexerError {
	return r.multipleErrors
}

// errValue says that the last token's text, a number, does not fit what was asked for.
func (r *Lexer) errValue(err error, text string) {
	r.addNonfatalError(&LexerError{
		Offset: r.start,
		Reason: err.Error(),
		Data:   strings.Clone(text), // text may be a part of Data
	})
}
