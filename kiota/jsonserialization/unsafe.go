package jsonserialization

import (
	"reflect"
	"time"
	"unsafe"

	absser "github.com/microsoft/kiota-abstractions-go/serialization"
)

// stringOf returns the bytes of b as a string without a copy. It is called with
// bytes that nobody writes to any more: a document's content, a finished part
// of a group of strings, the result of decoding, and that of json.Marshal.
func stringOf(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// The types for a date and a time of day are structs around a time.Time that
// they give away as text only, which costs an allocation each. Where they are
// just that, which is found out by reflection when the program starts, a pointer
// to one is a pointer to its time: the only field of a struct is at its address.
var (
	timeOnlyIsTime = isTime(reflect.TypeFor[absser.TimeOnly]())
	dateOnlyIsTime = isTime(reflect.TypeFor[absser.DateOnly]())
)

// isTime reports whether a type is a struct with a time.Time and nothing else.
func isTime(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t.NumField() == 1 && t.Field(0).Type == reflect.TypeFor[time.Time]() &&
		t.Size() == unsafe.Sizeof(time.Time{})
}

// timeOf returns the time in v for reading, nil if the type does not allow it.
func timeOf(v *absser.TimeOnly) *time.Time {
	if !timeOnlyIsTime {
		return nil
	}
	return (*time.Time)(unsafe.Pointer(v))
}

// dateOf is timeOf for a date.
func dateOf(v *absser.DateOnly) *time.Time {
	if !dateOnlyIsTime {
		return nil
	}
	return (*time.Time)(unsafe.Pointer(v))
}
