package compress

// A Codec compresses and decompresses whole blocks. The Codec types of the
// packages below this one implement it. All methods may be called by any
// number of goroutines at the same time; the state that they need is taken
// from a pool for the time of the call.
type Codec interface {
	// AppendCompress appends src compressed to dst and returns the extended
	// slice. dst may be nil, and must not overlap src. Where dst has the
	// room nothing is allocated; where not, the result is allocated once.
	AppendCompress(dst, src []byte) ([]byte, error)

	// CompressBound returns the room with which AppendCompress of n bytes
	// never allocates. The result is hardly ever so large.
	CompressBound(n int) int

	// Decompress decompresses src into dst, whose length is the size of the
	// data: if src holds fewer or more bytes the error is ErrSize. It never
	// writes behind len(dst), and allocates nothing. It returns how many
	// bytes of dst were decoded; with an error they are not to be trusted.
	Decompress(dst, src []byte) (int, error)

	// AppendDecompress appends src decompressed to dst, where the size is
	// not known. If that were more than limit bytes the error is ErrLimit,
	// and whatever src says of its size, never is more memory than a small
	// multiple of limit allocated on the way. With an error dst is returned as
	// it was; the room behind its length may have been written, up to limit.
	AppendDecompress(dst, src []byte, limit int) ([]byte, error)
}
