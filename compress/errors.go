package compress

import (
	"errors"
	"fmt"
)

// What an *[Error] wraps, for errors.Is. Input that ends early gives
// io.ErrUnexpectedEOF.
var (
	// ErrCorrupt: the data is not of the format.
	ErrCorrupt = errors.New("corrupt data")
	// ErrChecksum: the data decoded, but its checksum does not match.
	ErrChecksum = errors.New("checksum mismatch")
	// ErrSize: the data decodes to more or fewer bytes than the caller, or its own header, said.
	ErrSize = errors.New("decoded size differs from the stated one")
	// ErrLimit: the data decodes to more bytes than the caller's limit.
	ErrLimit = errors.New("decoded size is over the limit")
	// ErrTrailing: bytes follow the end of the data.
	ErrTrailing = errors.New("bytes behind the end of the data")
	// ErrDictionary: the data needs a preset dictionary.
	ErrDictionary = errors.New("preset dictionary needed")
	// ErrUnsupported: the data uses a part of the format that the codec does not read.
	ErrUnsupported = errors.New("unsupported feature of the format")
	// ErrLevel: the codec has no such level.
	ErrLevel = errors.New("no such level")
	// ErrTooLarge: the input is larger than the format can hold.
	ErrTooLarge = errors.New("input too large for the format")
	// ErrClosed: a stream was used after its Close.
	ErrClosed = errors.New("used after Close")
	// ErrBusy: a stream was used while another goroutine used it.
	ErrBusy = errors.New("in use by another goroutine")
	// ErrBroken: the reader or writer beneath a stream panicked, and the stream
	// is of no use until Reset.
	ErrBroken = errors.New("broken by a panic beneath")
)

// An Error says which format failed, and where.
type Error struct {
	Format string // "zlib", "zstd", ...
	// Offset in bytes from the start of the compressed data: of what is wrong,
	// of the frame or block that holds it, or of how far the decoder had read
	// when it noticed, which need not be near. It is -1 where no place applies.
	Offset int64
	Err    error
}

func (e *Error) Error() string {
	if e.Offset < 0 {
		return fmt.Sprintf("%s: %v", e.Format, e.Err)
	}
	return fmt.Sprintf("%s: %v (at offset %d)", e.Format, e.Err, e.Offset)
}

func (e *Error) Unwrap() error { return e.Err }
