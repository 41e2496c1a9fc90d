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
// # Trees
//
// [File.Tree] reads the metadata of a TTree, through the descriptions of classes
// that the file itself holds. Its branches say what their entries are: a number,
// a string, an array of fixed size, or as many values as the entry has. A
// [Column] gives the values of a branch in typed batches, in the order of entries;
// [Steps] goes through several columns in step. Baskets are read and
// decompressed by a bounded number of goroutines, ahead of the loop as far as a
// bound of memory allows, and numbers become the processor's where they were
// decompressed. What cannot be read, such as whole objects of C++ classes, is
// listed with the reason.
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
