package jsonserialization

import (
	"time"

	"github.com/google/uuid"
	absser "github.com/microsoft/kiota-abstractions-go/serialization"
)

// collection writes items as an array, each with put. A nil slice writes
// nothing.
func collection[T any](w *JsonSerializationWriter, key string, items []T, put func(*state, *T) error) error {
	s := w.state()
	if items == nil {
		return nil
	}
	b, i := s.start(key, 1)
	b[i] = '['
	s.n, s.comma = i+1, false
	for n := range items {
		if err := put(s, &items[n]); err != nil {
			return s.fail(at(key, &MemberError{"", n, -1, err}))
		}
		s.comma = true
	}
	s.closing(']', key)
	return nil
}

// WriteCollectionOfStringValues writes an array of strings.
func (w *JsonSerializationWriter) WriteCollectionOfStringValues(key string, items []string) error {
	return collection(w, key, items, func(s *state, v *string) error { s.string("", *v); return nil })
}

// WriteCollectionOfBoolValues writes an array of true and false.
func (w *JsonSerializationWriter) WriteCollectionOfBoolValues(key string, items []bool) error {
	return collection(w, key, items, func(s *state, v *bool) error { s.bool("", *v); return nil })
}

// WriteCollectionOfByteValues writes an array of numbers.
func (w *JsonSerializationWriter) WriteCollectionOfByteValues(key string, items []byte) error {
	return collection(w, key, items, func(s *state, v *byte) error { s.int("", int64(*v)); return nil })
}

// WriteCollectionOfInt8Values writes an array of numbers.
func (w *JsonSerializationWriter) WriteCollectionOfInt8Values(key string, items []int8) error {
	return collection(w, key, items, func(s *state, v *int8) error { s.int("", int64(*v)); return nil })
}

// WriteCollectionOfInt32Values writes an array of numbers.
func (w *JsonSerializationWriter) WriteCollectionOfInt32Values(key string, items []int32) error {
	return collection(w, key, items, func(s *state, v *int32) error { s.int("", int64(*v)); return nil })
}

// WriteCollectionOfInt64Values writes an array of numbers.
func (w *JsonSerializationWriter) WriteCollectionOfInt64Values(key string, items []int64) error {
	return collection(w, key, items, func(s *state, v *int64) error { s.int("", *v); return nil })
}

// WriteCollectionOfFloat32Values writes an array of numbers.
func (w *JsonSerializationWriter) WriteCollectionOfFloat32Values(key string, items []float32) error {
	return collection(w, key, items, func(s *state, v *float32) error { return s.float("", float64(*v), 32) })
}

// WriteCollectionOfFloat64Values writes an array of numbers.
func (w *JsonSerializationWriter) WriteCollectionOfFloat64Values(key string, items []float64) error {
	return collection(w, key, items, func(s *state, v *float64) error { return s.float("", *v, 64) })
}

// WriteCollectionOfTimeValues writes an array of times.
func (w *JsonSerializationWriter) WriteCollectionOfTimeValues(key string, items []time.Time) error {
	return collection(w, key, items, func(s *state, v *time.Time) error { return s.time("", *v) })
}

// WriteCollectionOfISODurationValues writes an array of durations.
func (w *JsonSerializationWriter) WriteCollectionOfISODurationValues(key string, items []absser.ISODuration) error {
	return collection(w, key, items, func(s *state, v *absser.ISODuration) error { return s.duration("", v) })
}

// WriteCollectionOfTimeOnlyValues writes an array of times of day.
func (w *JsonSerializationWriter) WriteCollectionOfTimeOnlyValues(key string, items []absser.TimeOnly) error {
	return collection(w, key, items, func(s *state, v *absser.TimeOnly) error { s.timeOnly("", v); return nil })
}

// WriteCollectionOfDateOnlyValues writes an array of dates.
func (w *JsonSerializationWriter) WriteCollectionOfDateOnlyValues(key string, items []absser.DateOnly) error {
	return collection(w, key, items, func(s *state, v *absser.DateOnly) error { s.dateOnly("", v); return nil })
}

// WriteCollectionOfUUIDValues writes an array of UUIDs.
func (w *JsonSerializationWriter) WriteCollectionOfUUIDValues(key string, items []uuid.UUID) error {
	return collection(w, key, items, func(s *state, v *uuid.UUID) error { s.uuid("", v); return nil })
}
