package jsonserialization

import (
	"encoding/base64"
	"errors"
	"time"

	"github.com/google/uuid"
	absser "github.com/microsoft/kiota-abstractions-go/serialization"
)

// notA is the error of a getter for another type of value. It has no fields
// since its text is all that the original's has; where it happened is what the
// MemberError around it tells.
func (n *JsonParseNode) notA(want string) error {
	return errors.New("type '" + typeNames[n.kind] + "' is not compatible with type " + want)
}

// transient returns the value of a string for use during a call. It must not be
// kept, for it may keep the whole content.
func (n *JsonParseNode) transient() (string, error) {
	if n.kind != kindString {
		return "", n.notA("string")
	}
	if n.flags != 0 {
		return decode(n.text(), n.flags), nil
	}
	return stringOf(n.text()), nil
}

// GetStringValue returns a string. Strings with invalid UTF-8 have U+FFFD in its
// place.
func (n *JsonParseNode) GetStringValue() (*string, error) {
	if n = n.value(); n == nil {
		return nil, nil
	}
	if n.kind != kindString {
		return nil, n.notA("string")
	}
	return n.doc.pointer(n.text(), n.flags), nil
}

// GetBoolValue returns true or false.
func (n *JsonParseNode) GetBoolValue() (*bool, error) {
	if n = n.value(); n == nil {
		return nil, nil
	}
	if n.kind != kindBool {
		return nil, n.notA("bool")
	}
	v := n.doc.content[n.start] == 't'
	return &v, nil
}

// GetTimeValue returns a time in RFC 3339. Without a zone it is a time in the
// local one.
func (n *JsonParseNode) GetTimeValue() (*time.Time, error) {
	if n = n.value(); n == nil {
		return nil, nil
	}
	text, err := n.transient()
	if err != nil {
		return nil, err
	}
	const noZone = "2006-01-02T15:04:05"
	var t time.Time
	if len(text) == len(noZone) {
		t, err = time.ParseInLocation(noZone, text, time.Local)
	} else {
		t, err = time.Parse(time.RFC3339, text)
	}
	if err != nil {
		return nil, err
	}
	return &t, nil
}

// GetISODurationValue returns a duration in ISO 8601. Weeks beside other parts
// become days. ISODuration.String panics when the days of a duration that has
// hours, minutes or seconds as well add up to whole weeks; writing it does not.
func (n *JsonParseNode) GetISODurationValue() (*absser.ISODuration, error) {
	if n = n.value(); n == nil {
		return nil, nil
	}
	text, err := n.transient()
	if err != nil {
		return nil, err
	}
	return parseDuration(text)
}

// GetTimeOnlyValue returns a time of day; nil for an empty string.
func (n *JsonParseNode) GetTimeOnlyValue() (*absser.TimeOnly, error) {
	if n = n.value(); n == nil {
		return nil, nil
	}
	text, err := n.transient()
	if err != nil {
		return nil, err
	}
	return absser.ParseTimeOnly(text)
}

// GetDateOnlyValue returns a date; nil for an empty string.
func (n *JsonParseNode) GetDateOnlyValue() (*absser.DateOnly, error) {
	if n = n.value(); n == nil {
		return nil, nil
	}
	text, err := n.transient()
	if err != nil {
		return nil, err
	}
	return absser.ParseDateOnly(text)
}

// GetUUIDValue returns a UUID in any of the forms that uuid.Parse takes.
func (n *JsonParseNode) GetUUIDValue() (*uuid.UUID, error) {
	if n = n.value(); n == nil {
		return nil, nil
	}
	text, err := n.transient()
	if err != nil {
		return nil, err
	}
	v, err := uuid.Parse(text)
	if err != nil {
		return nil, err
	}
	return &v, nil
}

// GetByteArrayValue returns the bytes of a string of base64.
func (n *JsonParseNode) GetByteArrayValue() ([]byte, error) {
	if n = n.value(); n == nil {
		return nil, nil
	}
	text, err := n.transient()
	if err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(text)
}

// GetEnumValue returns what parser makes of a string.
func (n *JsonParseNode) GetEnumValue(parser absser.EnumFactory) (any, error) {
	if n = n.value(); n == nil {
		return nil, nil
	}
	if parser == nil {
		return nil, errors.New("parser is nil")
	}
	if n.kind != kindString {
		return nil, n.notA("string")
	}
	return parser(n.doc.string(n.text(), n.flags))
}
