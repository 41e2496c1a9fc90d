// Package jsonserialization writes and reads JSON for clients made by Kiota,
// the Microsoft Graph SDK among them. It has the names and the behaviour of
// github.com/microsoft/kiota-serialization-json-go, so that a program moves to
// it by changing one import path, or by one call of [Register]; it is made
// against kiota-abstractions-go v1.9.4.
//
// # Ownership
//
// What GetSerializedContent, Marshal and the getters of a node return belongs
// to the caller and is never pooled memory. A writer works in pooled memory
// until Close gives it back. Parse nodes have no Close, so nothing of theirs is
// pooled.
//
// # What a value of a parsed document keeps alive
//
// [NewJsonParseNode] copies the content. Nodes refer to that copy, so a
// kept node keeps its whole document. A string that a getter returned keeps
// the copy alive only if the document has at most 4 KiB; strings of larger
// documents are copied together in groups, and one of them keeps at most 3 KiB
// besides itself, and what the runtime rounds sizes up to.
//
// # Where the results differ from the original's
//
// They are equal byte for byte, except where the original writes what is not
// JSON, loses something, or panics:
//
//   - Names are escaped. Written raw, a name can inject members.
//   - NaN and infinities are an error, for JSON has no form for them.
//   - Times and times of day keep their fractions of a second.
//   - Durations keep their milliseconds, zero is PT0S and not P, weeks beside
//     other parts are written as days and not a panic; durations below zero
//     keep their sign.
//   - A float32 has the digits of a float32: 0.1, not 0.10000000149011612.
//   - Errors of the callbacks before and after an object are returned.
//   - An untyped object, array or element without a value is null.
//   - Additional data is written in the order of its names, and the first
//     error stops it; members named "" keep their name.
//   - [Marshal] of an object has its braces.
//   - Content types are compared without regard to case and parameters.
//   - Integers are read exactly, in untyped nodes and raw values as well, where
//     those that a float64 cannot hold come as int64.
//   - Durations are read exactly: the original reads PT5S as nothing.
//   - A time without a zone is read in the local zone as of its own date.
//   - A factory that returns nil is an error.
//
// [WriterOptions] has the old form of what programs may depend on.
//
// # Concurrency
//
// Factories and package functions may be used by several goroutines at once. A
// writer belongs to one at a time, and so do the nodes of one document.
package jsonserialization
