package jsonwire

import (
	"errors"
	"strconv"
)

// What reading can find wrong. Each comes wrapped in a [SyntaxError], which adds the place; match with errors.Is.
// Input that ends too early is io.ErrUnexpectedEOF.
var (
	// ErrCharacter is a byte that the grammar does not allow in its place.
	ErrCharacter = errors.New("unexpected character")
	// ErrControl is a byte below 0x20 inside a string literal.
	ErrControl = errors.New("control character in string literal")
	// ErrEscape is a backslash followed by something other than one of "\/bfnrtu.
	ErrEscape = errors.New("invalid escape")
	// ErrUnicodeEscape is \u without four hexadecimal digits.
	ErrUnicodeEscape = errors.New("invalid \\u escape")
	// ErrNumber is a number outside of the grammar of RFC 8259, section 6.
	ErrNumber = errors.New("invalid number")
	// ErrLiteral is a word that begins like true, false or null and is not one of them.
	ErrLiteral = errors.New("invalid literal")
	// ErrDepth is nesting beyond the limit of the call.
	ErrDepth = errors.New("exceeded max depth")
)

// SyntaxError says what is wrong with a JSON text and where. It is returned by pointer.
type SyntaxError struct {
	Offset int   // of the first byte at fault, from the start of the slice that was read
	Err    error // one of the Err… values, or io.ErrUnexpectedEOF
}

// Error gives the fault and its offset.
func (e *SyntaxError) Error() string {
	return "jsonwire: " + e.Err.Error() + " at offset " + strconv.Itoa(e.Offset)
}

// Unwrap gives the fault without its place.
func (e *SyntaxError) Unwrap() error { return e.Err }
