// Package jsonwire forms and reads JSON at the level of bytes: strings,
// numbers, times, base64 and raw values, appended to a slice or stored at an
// index of one, and scanned from one. It knows nothing of Go types; encoders
// and generated code stand on it.
//
// The package is experimental: its API may change until the encoders that
// stand on it have settled.
//
// # Forming
//
// There are two styles. The Append functions take a slice, append and return
// it, growing it as append does. The Put functions store at an index into a
// buffer that has the room already, which the caller made once for many
// values; each says how much room it needs, and panics without writing
// anything if there is less. [Form] is beneath both: it escapes as much of a
// string as there is room for, for callers who grow in their own way.
//
// Output is that of encoding/json under Go 1.26, byte for byte, unless an
// option or the name of a function says otherwise: invalid UTF-8 becomes
// \ufffd, U+2028 and U+2029 are escaped, and so are <, > and & unless
// [NoHTML] is given.
//
// # Reading
//
// The functions take a slice and an offset into it, and return the offset
// behind what they read; they keep no state, so that a caller can go on from
// anywhere. [ScanString] and [ScanNumber] find the end of a literal in one
// pass, which also says what it takes to get its value: nothing for a plain
// string, whose bytes are its value, [AppendUnescaped] for another, and mostly
// arithmetic on [Number] for a number. [Skip] checks a whole value and steps
// over it; [Valid] and [Check] do so for a document.
//
// What is accepted is what encoding/json under Go 1.26 accepts: the grammar of
// RFC 8259, with strings that need not be UTF-8, and at most [MaxDepth] open
// arrays and objects, or the limit given. No input makes a function panic or
// recurse, and each reads what it reads once. An error is a [*SyntaxError],
// which has the offset, around one of the Err values or io.ErrUnexpectedEOF.
//
// ScanString and ScanNumber return no errors, but flags and an ok, for callers
// that have error texts of their own. They begin at a literal, not at the
// whitespace before it, and do not look at what follows.
//
// # Memory
//
// Values are stored by whole words, so the functions may write anywhere
// between the length and the capacity of the slice they are given, also beyond
// the end of their result. Limit the capacity (b[:n:n]) of a slice whose array
// holds something else behind it. Input is never written to, and nothing given
// is kept. Forming allocates only to grow its destination; reading does so too,
// and for errors, for values nested more than 64 levels deep, and for numbers
// that [ParseFloat] has to leave to package strconv.
//
// All functions are safe for concurrent use on different buffers.
package jsonwire
