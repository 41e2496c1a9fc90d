package jsonserialization

import (
	"github.com/eddy-go/eddy"
	absser "github.com/microsoft/kiota-abstractions-go/serialization"
)

// JsonSerializationWriter forms JSON. It implements
// [absser.SerializationWriter].
//
// Every Write method takes the name of the member that it writes; with "" it
// writes neither a name nor a comma behind the value, which is what the
// elements of a collection and a whole document want. Nil pointers and slices
// write nothing, an empty slice writes an empty array. Names and strings are
// escaped as JSON demands, <, > and & are left as they are.
//
// A value that cannot be written is an error, and the content stays as it was.
// If that happens inside of an object or a collection, these are incomplete:
// GetSerializedContent returns the error as well, and so do the methods that
// write objects, until Reset.
//
// The content is in pooled memory, in chunks from 64 KiB on. Close gives it
// back, and every method but Close panics after that, also those of copies of
// the struct, and those that are on their way when Serialize or a callback closes
// the writer. A writer that is not closed is left to the garbage collector. It
// is for one goroutine at a time, and made by [NewJsonSerializationWriter]; the
// zero value counts as closed.
//
// A warm writer costs two allocations: itself, and the content that
// GetSerializedContent returns.
type JsonSerializationWriter struct {
	s   *state
	gen uint64 // of s while this writer is its user

	onBefore absser.ParsableAction
	onAfter  absser.ParsableAction
	onStart  absser.ParsableWriter
}

var _ absser.SerializationWriter = (*JsonSerializationWriter)(nil)

// NewJsonSerializationWriter returns a writer without content.
func NewJsonSerializationWriter() *JsonSerializationWriter {
	s := states.Get()
	if eddy.Debug && !s.clean() {
		panic("jsonserialization: a new writer has content of an earlier one")
	}
	return &JsonSerializationWriter{s: s, gen: s.gen.Load()}
}

// NewJsonSerializationWriterWithOptions is NewJsonSerializationWriter with other
// forms than the default ones.
func NewJsonSerializationWriterWithOptions(opt WriterOptions) *JsonSerializationWriter {
	w := NewJsonSerializationWriter()
	w.s.opt = opt
	return w
}

// state returns what the writer writes to, unless it was closed.
func (w *JsonSerializationWriter) state() *state {
	s := w.s
	if s == nil || s.gen.Load() != w.gen {
		usedAfterClose()
	}
	return s
}

// owned is called when code of others has run, before s is touched again: any
// Serialize, callback or MarshalJSON may have closed the writer, and then s is
// somebody else's. It panics as state does.
func (w *JsonSerializationWriter) owned(s *state) {
	if w.s != s || s.gen.Load() != w.gen {
		usedAfterClose()
	}
}

//go:noinline
func usedAfterClose() {
	panic("jsonserialization: use of a closed writer: use Reset instead of Close to write again, or make a new one")
}

// GetSerializedContent returns what has been written, without the comma that
// would come in front of a further member. The slice belongs to the caller and
// is not nil. It is one allocation of that size. More can be written afterwards.
//
// The error is [ErrUnfinished], or the one that left an object or a collection
// incomplete; there is no content then.
func (w *JsonSerializationWriter) GetSerializedContent() ([]byte, error) {
	s := w.state()
	if s.failed != nil {
		return []byte{}, s.failed
	}
	if s.depth != 0 {
		return []byte{}, ErrUnfinished
	}
	return s.content(), nil
}

// Reset removes the content, so that the writer can be used again. The callbacks
// stay. Inside of Serialize it leaves what is being written unfinished.
func (w *JsonSerializationWriter) Reset() error {
	w.state().empty()
	return nil
}

// Close gives the memory back. A second Close, also of a copy, does nothing.
func (w *JsonSerializationWriter) Close() error {
	s := w.s
	w.s = nil
	if s == nil || !s.gen.CompareAndSwap(w.gen, w.gen+1) {
		return nil
	}
	s.empty()
	states.Put(s)
	return nil
}

// GetOnBeforeSerialization returns what is called before an object is written.
func (w *JsonSerializationWriter) GetOnBeforeSerialization() absser.ParsableAction {
	return w.onBefore
}

// SetOnBeforeSerialization sets what is called before an object is written. If
// it returns an error, nothing of the object is written.
func (w *JsonSerializationWriter) SetOnBeforeSerialization(action absser.ParsableAction) error {
	w.onBefore = action
	return nil
}

// GetOnAfterObjectSerialization returns what is called after the members of an
// object have been written.
func (w *JsonSerializationWriter) GetOnAfterObjectSerialization() absser.ParsableAction {
	return w.onAfter
}

// SetOnAfterObjectSerialization sets what is called after the members of an
// object have been written, or writing them has failed.
func (w *JsonSerializationWriter) SetOnAfterObjectSerialization(action absser.ParsableAction) error {
	w.onAfter = action
	return nil
}

// GetOnStartObjectSerialization returns what is called before the first member
// of an object is written.
func (w *JsonSerializationWriter) GetOnStartObjectSerialization() absser.ParsableWriter {
	return w.onStart
}

// SetOnStartObjectSerialization sets what is called before the first member of
// an object is written; it may write members itself.
func (w *JsonSerializationWriter) SetOnStartObjectSerialization(writer absser.ParsableWriter) error {
	w.onStart = writer
	return nil
}
