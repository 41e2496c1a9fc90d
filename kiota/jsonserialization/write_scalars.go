package jsonserialization

import (
	"time"

	"github.com/google/uuid"
	absser "github.com/microsoft/kiota-abstractions-go/serialization"
)

// WriteStringValue writes a string.
func (w *JsonSerializationWriter) WriteStringValue(key string, value *string) error {
	s := w.state()
	if value != nil {
		s.string(key, *value)
	}
	return nil
}

// WriteBoolValue writes true or false.
func (w *JsonSerializationWriter) WriteBoolValue(key string, value *bool) error {
	s := w.state()
	if value != nil {
		s.bool(key, *value)
	}
	return nil
}

// WriteByteValue writes a number.
func (w *JsonSerializationWriter) WriteByteValue(key string, value *byte) error {
	s := w.state()
	if value != nil {
		s.int(key, int64(*value))
	}
	return nil
}

// WriteInt8Value writes a number.
func (w *JsonSerializationWriter) WriteInt8Value(key string, value *int8) error {
	s := w.state()
	if value != nil {
		s.int(key, int64(*value))
	}
	return nil
}

// WriteInt32Value writes a number.
func (w *JsonSerializationWriter) WriteInt32Value(key string, value *int32) error {
	s := w.state()
	if value != nil {
		s.int(key, int64(*value))
	}
	return nil
}

// WriteInt64Value writes a number.
func (w *JsonSerializationWriter) WriteInt64Value(key string, value *int64) error {
	s := w.state()
	if value != nil {
		s.int(key, *value)
	}
	return nil
}

// WriteFloat32Value writes a number with the digits of a float32. NaN and the
// infinities are a [*ValueError].
func (w *JsonSerializationWriter) WriteFloat32Value(key string, value *float32) error {
	s := w.state()
	if value == nil {
		return nil
	}
	return at(key, s.float(key, float64(*value), 32))
}

// WriteFloat64Value writes a number. NaN and the infinities are a [*ValueError].
func (w *JsonSerializationWriter) WriteFloat64Value(key string, value *float64) error {
	s := w.state()
	if value == nil {
		return nil
	}
	return at(key, s.float(key, *value, 64))
}

// WriteByteArrayValue writes a string of base64.
func (w *JsonSerializationWriter) WriteByteArrayValue(key string, value []byte) error {
	s := w.state()
	if value != nil {
		s.bytes(key, value)
	}
	return nil
}

// WriteTimeValue writes RFC 3339, with as many digits of a second as the time
// has. A time that it has no form for is a [*ValueError].
func (w *JsonSerializationWriter) WriteTimeValue(key string, value *time.Time) error {
	s := w.state()
	if value == nil {
		return nil
	}
	return at(key, s.time(key, *value))
}

// WriteTimeOnlyValue writes a time of day, as 15:04:05 with as many digits of a
// second as it has.
func (w *JsonSerializationWriter) WriteTimeOnlyValue(key string, value *absser.TimeOnly) error {
	s := w.state()
	if value != nil {
		s.timeOnly(key, value)
	}
	return nil
}

// WriteDateOnlyValue writes a date, as 2006-01-02.
func (w *JsonSerializationWriter) WriteDateOnlyValue(key string, value *absser.DateOnly) error {
	s := w.state()
	if value != nil {
		s.dateOnly(key, value)
	}
	return nil
}

// WriteISODurationValue writes an ISO 8601 duration with its milliseconds.
// Parts that differ in sign and weeks beside months are a [*ValueError].
func (w *JsonSerializationWriter) WriteISODurationValue(key string, value *absser.ISODuration) error {
	s := w.state()
	if value == nil {
		return nil
	}
	return at(key, s.duration(key, value))
}

// WriteUUIDValue writes a UUID in its usual form.
func (w *JsonSerializationWriter) WriteUUIDValue(key string, value *uuid.UUID) error {
	s := w.state()
	if value != nil {
		s.uuid(key, value)
	}
	return nil
}

// WriteNullValue writes null.
func (w *JsonSerializationWriter) WriteNullValue(key string) error {
	w.state().null(key)
	return nil
}
