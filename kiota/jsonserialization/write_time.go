package jsonserialization

import (
	"strings"
	"time"

	absser "github.com/microsoft/kiota-abstractions-go/serialization"
)

// Room for the forms below, with their quotes.
const (
	timeRoom  = len(`"2006-01-02T15:04:05.123456789-07:00"`)
	clockRoom = len(`"15:04:05.123456789"`)
	dateRoom  = len(`"2006-01-02"`)
)

// time writes RFC 3339, which has years 0 to 9999 and offsets of less than a
// day.
func (s *state) time(key string, v time.Time) error {
	year, month, day := v.Date()
	if year < 0 || year > 9999 {
		return &ValueError{v, "RFC 3339 has years from 0 to 9999 only"}
	}
	_, offset := v.Zone()
	if offset <= -24*3600 || offset >= 24*3600 {
		return &ValueError{v, "RFC 3339 has zones within 24 hours of UTC only"}
	}
	b, i := s.start(key, timeRoom)
	b[i] = '"'
	i = putDate(b, i+1, year, int(month), day)
	b[i] = 'T'
	i = putClock(b, i+1, v, s.opt.WholeSeconds)
	if offset == 0 {
		b[i] = 'Z'
		i++
	} else {
		b[i] = '+'
		minutes := offset / 60
		if minutes < 0 {
			b[i] = '-'
			minutes = -minutes
		}
		i = put2(b, i+1, minutes/60)
		b[i] = ':'
		i = put2(b, i+1, minutes%60)
	}
	b[i] = '"'
	s.n = i + 1
	return nil
}

func (s *state) timeOnly(key string, v *absser.TimeOnly) {
	if t := timeOf(v); t != nil {
		b, i := s.start(key, clockRoom)
		b[i] = '"'
		i = putClock(b, i+1, *t, s.opt.WholeSeconds)
		b[i] = '"'
		s.n = i + 1
		return
	}
	s.plain(key, timeOnlyText(v, s.opt.WholeSeconds))
}

// timeOnlyText is what timeOnly writes. The type does not tell whether it has a
// fraction, so all of it is asked for.
func timeOnlyText(v *absser.TimeOnly, whole bool) string {
	if whole {
		return v.String()
	}
	return strings.TrimSuffix(strings.TrimRight(v.StringWithPrecision(9), "0"), ".")
}

func (s *state) dateOnly(key string, v *absser.DateOnly) {
	if t := dateOf(v); t != nil {
		if year, month, day := t.Date(); year >= 0 && year <= 9999 {
			b, i := s.start(key, dateRoom)
			b[i] = '"'
			i = putDate(b, i+1, year, int(month), day)
			b[i] = '"'
			s.n = i + 1
			return
		}
	}
	s.plain(key, v.String())
}

// put2 stores two digits at b[i:].
func put2(b []byte, i, v int) int {
	b[i], b[i+1] = byte('0'+v/10), byte('0'+v%10)
	return i + 2
}

func putDate(b []byte, i, year, month, day int) int {
	i = put2(b, i, year/100)
	i = put2(b, i, year%100)
	b[i] = '-'
	i = put2(b, i+1, month)
	b[i] = '-'
	return put2(b, i+1, day)
}

// putClock stores the time of day, with as many digits of the second as it has.
func putClock(b []byte, i int, t time.Time, whole bool) int {
	hour, minute, second := t.Clock()
	i = put2(b, i, hour)
	b[i] = ':'
	i = put2(b, i+1, minute)
	b[i] = ':'
	i = put2(b, i+1, second)
	n := t.Nanosecond()
	if n == 0 || whole {
		return i
	}
	b[i] = '.'
	for d := 9; d > 0; d-- {
		b[i+d] = byte('0' + n%10)
		n /= 10
	}
	for i += 9; b[i] == '0'; i-- {
	}
	return i + 1
}
