// Package eddy keeps the buffers of byte-handling programs in circulation, so
// that encoding, compressing and moving bytes does not produce garbage.
//
// There are three pools, for three questions:
//
//   - [BytePool] hands out plain byte slices of any length. It is the one to
//     start with; [Get], [Put] and [Grow] use a shared one.
//   - [Pool] holds values of one type, with a Reset that may refuse a value.
//   - [FixedPool] holds at most n buffers of one size, and makes callers wait
//     for one in order. It bounds memory; the other two bound allocation.
//
// # Ownership
//
// Get gives a buffer to the caller; Put takes it back, and after Put nothing
// may read or write it: not through the slice that was put, and not through
// another slice of the same array. A buffer may be put once. A buffer that is
// not put is collected like any other memory; nothing breaks.
//
// Only what Get or Grow gave may be Put. A [BytePool] keeps a slice only when
// its capacity is exactly one of its size classes, and drops (and counts)
// everything else. That is a safeguard, not a licence: it cannot see where
// memory comes from. A slice that append has moved is a whole array and does no
// harm, kept or dropped, but the array it left is lost to the pool; make room
// with Grow first. Part of a larger array, the bytes of a string or memory of
// another type must never be put, even when its capacity happens to fit.
//
// Built with -tags eddydebug, the pools record where each buffer was taken and
// put, and report double Put, writes after Put, foreign memory and buffers
// lost without Put, with the stacks of both sides. Without the tag the checks
// do not exist in the compiled code.
//
// # Contents
//
// A buffer from Get holds whatever its last user left in it. PutClear zeroes a
// buffer on its way back; use it for buffers that held secrets.
//
// # Memory
//
// What a [BytePool] or [Pool] holds is garbage to the collector after it has
// been idle for two collections, as with [sync.Pool], on which both stand. A
// buffer that has outgrown the ceiling of its pool is dropped on Put, so one
// giant message never stays pinned. [BytePool.Reserve] and [FixedPool] hold
// memory across collections, up to an exact bound.
//
// All pools are safe for concurrent use. In the terminology of the Go memory
// model, a Put of a buffer synchronizes before the Get that returns it.
package eddy
