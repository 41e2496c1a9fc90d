package jsonserialization

import (
	"errors"
	"strconv"
	"strings"

	"github.com/eddy-go/eddy/jsonwire"
)

var (
	// ErrContentType is a content type that is not application/json.
	ErrContentType = errors.New("contentType is not valid")

	// ErrDepth is nesting beyond what is written or read: 10,000 levels. A
	// model that contains itself is what runs into it.
	ErrDepth = jsonwire.ErrDepth

	// ErrUnfinished is returned by GetSerializedContent when an object or a
	// collection has not been ended: inside of Serialize, or after a panic
	// in it.
	ErrUnfinished = errors.New("an object or collection is not finished")

	// ErrNilObject is a factory that returned neither an object nor an error.
	ErrNilObject = errors.New("the factory returned no object")

	// ErrTooLarge is a document of 4 GiB or more.
	ErrTooLarge = errors.New("content is too large")

	errEmptyContent     = errors.New("content is empty")
	errEmptyContentType = errors.New("contentType is empty")
)

// A MemberError says where in an object or a collection something went wrong.
// Members inside of members have errors inside of each other; the text has the
// whole path. What went wrong is found with errors.Is and errors.As.
type MemberError struct {
	Name   string // of the member; empty for an element of a collection
	Index  int    // of the element; -1 for a member of an object
	Offset int    // of the value in the content that is read; -1 when writing
	Err    error
}

// Error gives the path, the offset and the cause.
func (e *MemberError) Error() string {
	var b strings.Builder
	b.WriteString("jsonserialization: ")
	for first := true; ; first = false {
		if e.Index >= 0 {
			b.WriteByte('[')
			b.WriteString(strconv.Itoa(e.Index))
			b.WriteByte(']')
		} else {
			if !first {
				b.WriteByte('.')
			}
			b.WriteString(e.Name)
		}
		inner, ok := e.Err.(*MemberError)
		if !ok {
			break
		}
		e = inner
	}
	if e.Offset >= 0 {
		b.WriteString(" (offset ")
		b.WriteString(strconv.Itoa(e.Offset))
		b.WriteByte(')')
	}
	b.WriteString(": ")
	b.WriteString(e.Err.Error())
	return b.String()
}

// Unwrap gives what is wrong without its place.
func (e *MemberError) Unwrap() error { return e.Err }

// at names the member in which writing failed.
func at(key string, err error) error {
	if err == nil || key == "" {
		return err
	}
	return &MemberError{key, -1, -1, err}
}

// A ValueError is a value that cannot be written.
type ValueError struct {
	Value  any // a float64, time.Time or serialization.ISODuration
	Reason string
}

func (e *ValueError) Error() string { return "cannot write the value: " + e.Reason }
