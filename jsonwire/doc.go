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
// # Memory
//
// Values are stored by whole words, so the functions may write anywhere
// between the length and the capacity of the slice they are given, also beyond
// the end of their result. Limit the capacity (b[:n:n]) of a slice whose array
// holds something else behind it. Nothing given is kept, and no function
// allocates other than by growing its destination.
//
// All functions are safe for concurrent use on different buffers.
package jsonwire
