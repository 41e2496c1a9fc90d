package jsonserialization

import (
	"errors"
	"math"
	"strings"

	absser "github.com/microsoft/kiota-abstractions-go/serialization"
)

var errDuration = errors.New("the duration has more days than fit 32 bits")

// parseDuration reads an ISO 8601 duration of years, weeks, days, hours, minutes,
// and seconds with a fraction, of which milliseconds are kept, exactly as it is
// written; but weeks beside other parts become days, for ISODuration.String
// panics on them. What has another form, months among it, is left to
// ParseISODuration, which drops what it does not know.
func parseDuration(text string) (*absser.ISODuration, error) {
	part, ok := scanDuration(text)
	if !ok {
		return absser.ParseISODuration(text)
	}
	if weeks := part[1]; weeks != 0 {
		alone := durationParts{1: weeks}
		if part != alone {
			days := 7*int64(weeks) + int64(part[2])
			if days > math.MaxInt32 || days < -math.MaxInt32 {
				return nil, errDuration
			}
			part[1], part[2] = 0, int(days)
		}
	}
	return absser.NewDuration(part[0], part[1], part[2], part[4], part[5], part[6], part[7]), nil
}

// durationUnits are in the order in which they are written.
const durationUnits = "YWD" + "T" + "HMS"

// durationParts are the numbers by unit, and the milliseconds.
type durationParts [len(durationUnits) + 1]int

func scanDuration(text string) (part durationParts, ok bool) {
	text, negative := strings.CutPrefix(text, "-")
	if !strings.HasPrefix(text, "P") {
		return part, false
	}
	next, i, found := 0, 1, false
	for i < len(text) {
		if text[i] == 'T' {
			if next > 3 || i+1 == len(text) {
				return part, false
			}
			next = 4
			i++
			continue
		}
		n, end := digits(text, i)
		if end < 0 {
			return part, false
		}
		millis := 0
		if end < len(text) && text[end] == '.' {
			var fraction bool
			if millis, end, fraction = thousandths(text, end+1); !fraction || end >= len(text) || text[end] != 'S' {
				return part, false
			}
		}
		if end >= len(text) {
			return part, false
		}
		u := strings.IndexByte(durationUnits[next:], text[end])
		if u < 0 || next < 4 && u >= 3-next {
			return part, false // out of order, the T itself, or of the other half
		}
		next += u
		part[next], part[len(durationUnits)] = n, millis
		next++
		i, found = end+1, true
	}
	if !found {
		return part, false
	}
	if negative {
		for i := range part {
			part[i] = -part[i]
		}
	}
	return part, true
}

// digits reads the number at text[i:]; end is -1 if there is none, or one that
// is too large for 32 bits.
func digits(text string, i int) (n, end int) {
	start := i
	for ; i < len(text) && text[i]-'0' <= 9; i++ {
		d := int(text[i] - '0')
		if n > (math.MaxInt32-d)/10 {
			return 0, -1
		}
		n = n*10 + d
	}
	if i == start {
		return 0, -1
	}
	return n, i
}

// thousandths reads the digits of a fraction and cuts it to milliseconds.
func thousandths(text string, i int) (n, end int, ok bool) {
	start := i
	for ; i < len(text) && text[i]-'0' <= 9; i++ {
		if i-start < 3 {
			n = n*10 + int(text[i]-'0')
		}
	}
	for d := i - start; d < 3; d++ {
		n *= 10
	}
	return n, i, i > start
}
