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
// JSON, loses something, or panics. When writing:
//
//   - Names are escaped. Written raw, a name can inject members.
//   - NaN and infinities are an error, for JSON has no form for them.
//   - Times and times of day keep their fractions of a second. Times that RFC
//     3339 has no form for, with years outside of 0 to 9999 or 24 hours and more
//     from UTC, are an error.
//   - Durations keep their milliseconds, zero is PT0S and not P, weeks beside
//     other parts are written as days and not a panic; durations below zero
//     keep their sign.
//   - A float32 has the digits of a float32: 0.1, not 0.10000000149011612.
//   - Errors of the callbacks before and after an object are returned. For
//     WriteObjectValue(key, nil, x) the one before is called for x alone, and
//     not with nil.
//   - An untyped object, array or element without a value is null. Nil pointers
//     among the objects to merge are left out.
//   - Additional data is written in the order of its names, and the first
//     error stops it; members named "" keep their name.
//   - GetSerializedContent can be called again, and inside of Serialize it is
//     [ErrUnfinished]. After a failure inside of an object, further objects
//     return its error until Reset.
//   - [Marshal] of an object has its braces.
//
// When reading:
//
//   - Content types are compared without regard to case and parameters.
//   - Integers are read exactly, those with a point or an exponent too, and a
//     number with a fraction is none, however small: the original rounds to a
//     float64 first. In untyped nodes and raw values, integers written without
//     a point or an exponent that a float64 cannot hold come as int64.
//   - GetFloat32Value takes every number that rounds to a float32, up to
//     3.4028235e38.
//   - Durations are read exactly, where the original reads PT5S as nothing: with
//     their sign, and weeks beside other parts as days.
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
