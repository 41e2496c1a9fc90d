// Package compress holds what its codecs have in common: the [Codec]
// interface, the errors, and [Parallel], which works on many blocks at once.
// The codecs are in the packages below it: deflate, zlib, gzip, zstd, lz4
// (blocks) and xz.
//
// All of them work from slices to slices:
//
//	AppendCompress(dst, src)           append src compressed to dst
//	Decompress(dst, src)               into dst, which has the size of the data
//	AppendDecompress(dst, src, limit)  append at most limit bytes to dst
//
// zlib, gzip and zstd have streams beside these, an io.Reader and an
// io.Writer.
//
// # Ownership
//
// Slices handed in are the caller's before and after a call and are not used
// once it has returned. What a call writes to, which is dst up to its capacity,
// must not overlap src: garbage, an error or a panic would be the result. What a call returns is the caller's own, never pooled
// memory. Encoders, decoders and their buffers come from pools for the time
// of one call, or, for streams, from the first Read or Write to Close, so
// that in steady state compressing and decompressing allocate nothing but
// what a result needs, see [Codec].
//
// # Hostile input
//
// Any input gives the data or an error that wraps one of this package's,
// never a panic, and nothing outside of what the caller gave is written or
// read. Checksums are always verified. What a header says of sizes, windows
// or dictionaries is no reason to allocate: memory is bounded by the size
// that the caller knows, or by the limit. A codec decodes blocks of any
// number of members, frames or streams that its format allows, and takes
// bytes behind the end for an error.
//
// # Concurrency
//
// Codecs are values without state and may be used by any number of goroutines
// at the same time. A stream belongs to one goroutine at a time; a call while
// another goroutine is in one gets [ErrBusy] and touches nothing. No codec or
// stream starts a goroutine; Parallel's are gone when its call returns, and
// the panic of a codec on one of them is a panic of that call, with a
// [PanicError].
package compress
