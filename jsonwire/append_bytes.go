package jsonwire

import (
	"encoding/base64"
	"slices"
	"strconv"
	"time"
)

// Base64Room returns the room in bytes that AppendBase64 needs for n bytes.
func Base64Room(n int) int { return base64.StdEncoding.EncodedLen(n) + 2 }

// AppendBase64 appends data as a JSON string in standard base64 with padding,
// which is encoding/json's form of a []byte. A nil slice becomes null.
func AppendBase64(dst, data []byte) []byte {
	if data == nil {
		return AppendNull(dst)
	}
	dst = slices.Grow(dst, Base64Room(len(data)))
	dst = append(dst, '"')
	dst = base64.StdEncoding.AppendEncode(dst, data)
	return append(dst, '"')
}

// TimeRoom is the room in bytes that AppendTime needs.
const TimeRoom = len(`"`+time.RFC3339Nano+`"`) + wordSize

// A TimeError reports a time that RFC 3339 has no form for.
type TimeError struct {
	Time   time.Time
	Reason string
}

func (e *TimeError) Error() string {
	return "json: unsupported time " + strconv.Quote(e.Time.String()) + ": " + e.Reason
}

// AppendTime appends t as a JSON string in RFC 3339 with as many digits of a
// second as it has, as time.Time.MarshalJSON does. If the year is not within
// 0 and 9999, or the offset from UTC not within 23 hours, dst is returned as
// it was, with a *[TimeError].
func AppendTime(dst []byte, t time.Time) ([]byte, error) {
	if y := t.Year(); y < 0 || y > 9999 {
		return dst, &TimeError{t, "year outside of [0,9999]"}
	}
	if _, offset := t.Zone(); offset <= -24*3600 || offset >= 24*3600 {
		return dst, &TimeError{t, "timezone hour outside of [0,23]"}
	}
	dst = slices.Grow(dst, TimeRoom)
	dst = append(dst, '"')
	dst = t.AppendFormat(dst, time.RFC3339Nano)
	return append(dst, '"'), nil
}
