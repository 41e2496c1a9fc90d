package jlexer

import "strings"

// Reasons that easyjson's lexer did not have.
const (
	reasonDepth   = "exceeded max depth"
	reasonControl = "control character in string literal"
)

// How many bytes of the input errors show: the first where easyjson has a bound, the second where it has none.
const (
	nearLen = 13
	wideLen = 64
)

// extract returns b as an error shows it: up to n bytes.
func extract(b []byte, n int) string {
	if len(b) <= n {
		return string(b)
	}
	return string(b[:n-3]) + "..."
}

// near returns the input at the current position as an error shows it. Close to the end easyjson shows all of the input;
// so does this, if that is short.
func (r *Lexer) near() string {
	if len(r.Data)-r.pos > nearLen {
		return extract(r.Data[r.pos:], nearLen)
	}
	if len(r.Data) > wideLen {
		return "..." + string(r.Data[len(r.Data)-wideLen+3:])
	}
	return string(r.Data)
}

// fail makes err the fatal error. It takes the current token away, so that code which looks at the token need not look
// at the error.
func (r *Lexer) fail(err error) {
	r.drop()
	r.err = err
}

// broken makes the reason the fatal error, at the current position, unless there is one.
func (r *Lexer) broken(reason string) {
	if r.Ok() {
		r.fail(&LexerError{Reason: reason, Offset: r.pos, Data: r.near()})
	}
}

// unexpected is for what the grammar does not have at the current position.
func (r *Lexer) unexpected() {
	r.broken("syntax error")
}

// unexpectedAt is unexpected at p, with no current token.
func (r *Lexer) unexpectedAt(p int) {
	r.start, r.pos = p, p
	r.unexpected()
}

// mismatch says that the current token is not what was wanted: a fatal error, unless UseMultipleErrors is set.
func (r *Lexer) mismatch(want string) {
	switch {
	case !r.Ok():
	case r.UseMultipleErrors:
		r.stepOver(want)
	default:
		r.fail(&LexerError{
			Reason: "expected " + want,
			Offset: r.pos,
			Data:   extract(r.Data[r.valueStart:r.valueEnd], nearLen),
		})
	}
}

// stepOver skips the value that begins with the current token, collects the error that it is not what was wanted, and
// where that was an array or an object leaves one that is empty: its end becomes the current token, so that the loop of
// the caller ends.
func (r *Lexer) stepOver(want string) {
	r.rewind()
	r.SkipRecursive()
	if want == "[" || want == "{" {
		r.kind, r.delim = TokenDelim, want[0]+2 // the closing one is the next but one in ASCII
	}
	r.report(&LexerError{Reason: "expected " + want, Offset: r.start, Data: string(r.Data[r.start:r.pos])})
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
	r.drop()
}

// Error returns the fatal error: io.EOF if the input ended too early, otherwise mostly a [*LexerError].
func (r *Lexer) Error() error {
	return r.err
}

// AddError makes e the fatal error, unless there is one. A nil e changes nothing.
func (r *Lexer) AddError(e error) {
	if e != nil && r.Ok() {
		r.fail(e)
	}
}

// AddNonFatalError adds an error about the last token: to those of GetNonFatalErrors if UseMultipleErrors is set,
// otherwise as the fatal error.
func (r *Lexer) AddNonFatalError(e error) {
	start, end := min(r.start, len(r.Data)), min(r.pos, len(r.Data))
	r.report(&LexerError{
		Offset: r.start,
		Data:   string(r.Data[min(start, end):end]),
		Reason: e.Error(),
	})
}

// report takes an error that need not be fatal. Of those at one offset the first counts, as others follow from it.
func (r *Lexer) report(e *LexerError) {
	last := len(r.collected) - 1
	switch {
	case !r.UseMultipleErrors:
		r.AddError(e)
	case last < 0 || r.collected[last].Offset != e.Offset:
		r.collected = append(r.collected, e)
	}
}

// GetNonFatalErrors returns the errors collected with UseMultipleErrors.
func (r *Lexer) GetNonFatalErrors() []*LexerError {
	return r.collected
}

// errValue says that the last token's text, a number, does not fit what was asked for.
func (r *Lexer) errValue(err error, text string) {
	r.report(&LexerError{
		Offset: r.start,
		Reason: err.Error(),
		Data:   strings.Clone(text), // text may be a part of Data
	})
}
