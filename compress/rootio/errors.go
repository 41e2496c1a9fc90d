package rootio

import (
	"errors"
	"fmt"
)

var (
	// ErrNotClosed: the file was never closed, so that nothing in it says
	// where its keys are. They are found by a walk through its records.
	ErrNotClosed = errors.New("file was never closed")
	// ErrNotFound: no key of that path.
	ErrNotFound = errors.New("no such key")
	// ErrNoBranch: the tree has no branch of that name.
	ErrNoBranch = errors.New("no such branch")
	// ErrType: the values of the branch are of another type.
	ErrType = errors.New("values of another type")
	// ErrRange: the branch does not have the entries.
	ErrRange = errors.New("entries out of range")
)

// An Error says which record of a file is wrong.
type Error struct {
	Offset int64  // of the record in the file; 0 is the file's own header
	Class  string // of the record's object, where that could be read
	Name   string // of the record, where that could be read
	Err    error
}

func (e *Error) Error() string {
	switch {
	case e.Class == "" && e.Name == "" && e.Offset == 0:
		return fmt.Sprintf("root: header: %v", e.Err)
	case e.Class == "" && e.Name == "":
		return fmt.Sprintf("root: record at offset %d: %v", e.Offset, e.Err)
	}
	return fmt.Sprintf("root: %s %q at offset %d: %v", e.Class, e.Name, e.Offset, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }
