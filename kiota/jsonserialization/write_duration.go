package jsonserialization

import (
	"strconv"
	"strings"

	absser "github.com/microsoft/kiota-abstractions-go/serialization"
)

// durationRoom is enough for six numbers with their units.
const durationRoom = 160

// duration writes ISO 8601.
func (s *state) duration(key string, v *absser.ISODuration) error {
	var text [durationRoom]byte
	out, err := appendDuration(text[:0], v, s.opt.PlainDurations)
	if err != nil {
		return err
	}
	b, i := s.start(key, len(out)+len(`""`))
	b[i] = '"'
	i += 1 + copy(b[i+1:], out)
	b[i] = '"'
	s.n = i + 1
	return nil
}

// span is a duration of which the parts below months are added up. They convert
// into each other, months and years do not.
type span struct {
	years   int64
	seconds int64
	millis  int64 // less than a second, of the sign of seconds
}

// appendDuration appends d, each part carried over to the next larger one as
// ISODuration.String does: 14 days become 2 weeks.
func appendDuration(dst []byte, d *absser.ISODuration, plain bool) ([]byte, error) {
	w, days := int64(d.GetWeeks()), int64(d.GetDays())
	h, m, sec, ms := int64(d.GetHours()), int64(d.GetMinutes()), int64(d.GetSeconds()), int64(d.GetMilliSeconds())
	years := int64(d.GetYears())
	// The months of a duration have no getter, and come from parsing only.
	if bare := absser.NewDuration(int(years), int(w), int(days), int(h), int(m), int(sec), int(ms)); *bare != *d {
		return appendMonths(dst, d, plain)
	}
	const limit = 1 << 42 // of each part, so that their sum cannot overflow
	for _, part := range [...]int64{years, w, days, h, m, sec} {
		if part >= limit || part <= -limit {
			return dst, &ValueError{*d, "a part of the duration is too large"}
		}
	}
	total := span{
		years:   years,
		seconds: ((w*7+days)*24+h)*3600 + m*60 + sec + ms/1000,
		millis:  ms % 1000,
	}
	// Carry between seconds and milliseconds of different signs.
	if total.seconds > 0 && total.millis < 0 {
		total.seconds, total.millis = total.seconds-1, total.millis+1000
	} else if total.seconds < 0 && total.millis > 0 {
		total.seconds, total.millis = total.seconds+1, total.millis-1000
	}
	if plain {
		if _, err := d.ToDuration(); err != nil { // String would panic
			return dst, &ValueError{*d, err.Error()}
		}
		return append(dst, d.String()...), nil
	}
	negative := total.years < 0 || total.seconds < 0 || total.millis < 0
	if negative {
		if total.years > 0 || total.seconds > 0 || total.millis > 0 {
			return dst, &ValueError{*d, "years and the other parts of the duration differ in sign"}
		}
		dst = append(dst, '-')
		total = span{-total.years, -total.seconds, -total.millis}
	}
	return total.append(dst), nil
}

func (t span) append(dst []byte) []byte {
	dst = append(dst, 'P')
	empty := len(dst)
	part := func(n int64, unit byte) {
		if n != 0 {
			dst = append(strconv.AppendInt(dst, n, 10), unit)
		}
	}
	part(t.years, 'Y')
	days, rest := t.seconds/(24*3600), t.seconds%(24*3600)
	if days%7 == 0 && t.years == 0 && rest == 0 && t.millis == 0 {
		part(days/7, 'W') // allowed alone only
	} else {
		part(days, 'D')
	}
	if rest != 0 || t.millis != 0 {
		dst = append(dst, 'T')
		part(rest/3600, 'H')
		part(rest/60%60, 'M')
		if t.millis == 0 {
			part(rest%60, 'S')
		} else {
			dst = strconv.AppendInt(dst, rest%60, 10)
			dst = append(appendMillis(dst, t.millis), 'S')
		}
	}
	if len(dst) == empty {
		dst = append(dst, "T0S"...)
	}
	return dst
}

// appendMillis appends a point and the digits of n thousandths, 0 < n < 1000.
func appendMillis(dst []byte, n int64) []byte {
	digits := [3]byte{byte('0' + n/100), byte('0' + n/10%10), byte('0' + n%10)}
	end := 3
	for digits[end-1] == '0' {
		end--
	}
	return append(append(dst, '.'), digits[:end]...)
}

// appendMonths appends a duration that has months, which only String shows.
func appendMonths(dst []byte, d *absser.ISODuration, plain bool) ([]byte, error) {
	ms := d.GetMilliSeconds()
	if d.GetWeeks() != 0 {
		return dst, &ValueError{*d, "weeks beside months"}
	}
	if min(d.GetYears(), d.GetDays(), d.GetHours(), d.GetMinutes(), d.GetSeconds(), ms) < 0 {
		return dst, &ValueError{*d, "months and the other parts of the duration differ in sign"}
	}
	text := d.String()
	if plain || ms%1000 == 0 {
		return append(dst, text...), nil
	}
	whole, hasSeconds := strings.CutSuffix(text, "S")
	dst = append(dst, whole...)
	if !hasSeconds {
		if !strings.Contains(text, "T") {
			dst = append(dst, 'T')
		}
		dst = append(dst, '0')
	}
	return append(appendMillis(dst, int64(ms%1000)), 'S'), nil
}
