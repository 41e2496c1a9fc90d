package eddy

// Debug reports whether the program was built with -tags eddydebug.
//
// In such a build, misuse that a pool notices in Get or Put panics, with the
// stacks of both sides; a buffer that is lost without Put is reported on
// standard error when the collector finds it; [Misuse] and [Outstanding] look
// at all buffers at once. BytePools do not reuse buffers then: what is put is
// overwritten and kept aside for a while, so that late reads give nonsense
// (0xDB) and late writes are found.
const Debug = debug

// Misuse looks at every buffer that was put, in a build with -tags eddydebug,
// and returns an error that tells of each that was written to since; in other
// builds it returns nil. Call it at the end of a test.
func Misuse() error { return debugMisuse() }

// Outstanding returns, in a build with -tags eddydebug, a text with the stack
// of the Get for each buffer and value that is neither put nor collected; in
// other builds it returns nil.
func Outstanding() []string { return debugOutstanding() }
