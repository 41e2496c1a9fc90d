// Package rootio reads CERN ROOT files: their records, directories and trees,
// at the speed of their decompression. It needs no C++.
//
// A ROOT file is a sequence of records. A record is a key, which names its
// class and sizes, and a payload, which is stored as it is or compressed in
// blocks: [Compress] and [Decompress] are the payload's own code and work
// without a file. [Open] reads the header of a file, [File.Records] walks
// through all records in the order of the file, [File.Keys] through what
// directories list.
//
// # Hostile input
//
// Any input gives the data or an error, never a panic. Sizes, counts and
// offsets of a file are checked against each other and against the size of the
// file before memory is set aside for them, and memory follows what blocks
// really give. Checksums are always verified. Errors that come from a file are
// an [*Error], which names the offset of the record, and wrap those of package
// compress, or io.ErrUnexpectedEOF where the file, a record or a block is cut.
//
// # Concurrency
//
// A File and what comes from it may be used by any number of goroutines at the
// same time, if its io.ReaderAt may; iterators belong to one each.
package rootio
