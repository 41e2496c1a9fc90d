package jsonserialization

import (
	"encoding/json"
	"time"

	"github.com/google/uuid"
	absser "github.com/microsoft/kiota-abstractions-go/serialization"
)

// WriteAnyValue writes a value of any type as json.Marshal does, with <, > and &
// escaped. Nil writes nothing.
func (w *JsonSerializationWriter) WriteAnyValue(key string, value any) error {
	s := w.state()
	if value == nil {
		return nil
	}
	return at(key, w.any(s, key, value))
}

// any returns with s still the writer's.
func (w *JsonSerializationWriter) any(s *state, key string, value any) error {
	body, err := json.Marshal(value)
	w.owned(s)
	if err != nil {
		return err
	}
	_, i := s.start(key, min(len(body), pieceSize))
	s.n = i
	s.raw(stringOf(body))
	return nil
}

// WriteAdditionalData writes the members of a map in the order of their names.
// Values of the types that have a Write method are written by it; others as by
// WriteAnyValue, nil as null. It ends at the first error.
func (w *JsonSerializationWriter) WriteAdditionalData(value map[string]any) error {
	s := w.state()
	if len(value) == 0 {
		return nil
	}
	resets := s.resets
	names, base := sorted(s, value)
	for n := range names {
		// By index: the scratch may move while members are written.
		name := s.names[base+n]
		var err error
		if v := value[name]; name != "" {
			err = w.additional(s, name, v)
		} else {
			err = w.named(s, name, func(key string) error { return w.additional(s, key, v) })
		}
		w.owned(s)
		if s.resets != resets {
			return s.fail(ErrUnfinished) // the names are gone as well
		}
		if err != nil {
			s.unsort(base)
			return err
		}
	}
	s.unsort(base)
	return nil
}

// additional writes a value by its type: text, then numbers, then dates and times,
// each as itself, as a pointer and as a slice; then objects.
func (w *JsonSerializationWriter) additional(s *state, key string, value any) error {
	switch v := value.(type) {
	case nil:
		s.null(key)

	case string:
		s.string(key, v)
	case *string:
		return w.WriteStringValue(key, v)
	case []string:
		return w.WriteCollectionOfStringValues(key, v)
	case uuid.UUID:
		s.uuid(key, &v)
	case *uuid.UUID:
		return w.WriteUUIDValue(key, v)
	case []uuid.UUID:
		return w.WriteCollectionOfUUIDValues(key, v)
	case bool:
		s.bool(key, v)
	case *bool:
		return w.WriteBoolValue(key, v)
	case []bool:
		return w.WriteCollectionOfBoolValues(key, v)

	case byte:
		s.int(key, int64(v))
	case *byte:
		return w.WriteByteValue(key, v)
	case []byte:
		return w.WriteCollectionOfByteValues(key, v)
	case int8:
		s.int(key, int64(v))
	case *int8:
		return w.WriteInt8Value(key, v)
	case []int8:
		return w.WriteCollectionOfInt8Values(key, v)
	case int32:
		s.int(key, int64(v))
	case *int32:
		return w.WriteInt32Value(key, v)
	case []int32:
		return w.WriteCollectionOfInt32Values(key, v)
	case int64:
		s.int(key, v)
	case *int64:
		return w.WriteInt64Value(key, v)
	case []int64:
		return w.WriteCollectionOfInt64Values(key, v)
	case float32:
		return at(key, s.float(key, float64(v), 32))
	case *float32:
		return w.WriteFloat32Value(key, v)
	case []float32:
		return w.WriteCollectionOfFloat32Values(key, v)
	case float64:
		return at(key, s.float(key, v, 64))
	case *float64:
		return w.WriteFloat64Value(key, v)
	case []float64:
		return w.WriteCollectionOfFloat64Values(key, v)

	case time.Time:
		return at(key, s.time(key, v))
	case *time.Time:
		return w.WriteTimeValue(key, v)
	case []time.Time:
		return w.WriteCollectionOfTimeValues(key, v)
	case absser.DateOnly:
		s.dateOnly(key, &v)
	case *absser.DateOnly:
		return w.WriteDateOnlyValue(key, v)
	case []absser.DateOnly:
		return w.WriteCollectionOfDateOnlyValues(key, v)
	case absser.TimeOnly:
		s.timeOnly(key, &v)
	case *absser.TimeOnly:
		return w.WriteTimeOnlyValue(key, v)
	case []absser.TimeOnly:
		return w.WriteCollectionOfTimeOnlyValues(key, v)
	case absser.ISODuration:
		return at(key, s.duration(key, &v))
	case *absser.ISODuration:
		return w.WriteISODurationValue(key, v)
	case []absser.ISODuration:
		return w.WriteCollectionOfISODurationValues(key, v)

	case absser.Parsable:
		return w.WriteObjectValue(key, v)
	case []absser.Parsable:
		return w.WriteCollectionOfObjectValues(key, v)
	default:
		return at(key, w.any(s, key, v))
	}
	return nil
}
