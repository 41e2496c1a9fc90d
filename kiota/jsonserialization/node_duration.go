package jsonserialization

import (
	"math"
	"strings"

	absser "github.com/microsoft/kiota-abstractions-go/serialization"
)

// parseDuration reads an ISO 8601 duration of years, weeks, days, hours, minutes,
// and seconds with a fraction, of which milliseconds are kept, exactly as it is
// written. What has another form, months among it, is left to ParseISODuration,
// which drops what it does not know.
func parseDuration(text string) (*absser.ISODuration, error) {
	if d, ok := scanDuration(text); ok {
		return d, nil
	}
	return absser.ParseISODuration(text)
}

func scanDuration(text string) (*absser.ISODuration, bool) {
	text, negative := strings.CutPrefix(text, "-")
	if !strings.HasPrefix(text, "P") {
		return nil, false
	}
	const units = "YWD" + "T" + "HMS"
	var part [len(units) + 1]int // by unit, and the milliseconds
	next, i, found := 0, 1, false
	for i < len(text) {
		if text[i] == 'T' {
			if next > 3 || i+1 == len(text) {
				return nil, false
			}
			next = 4
			i++
			continue
		}
		n, end := digits(text, i)
		if end < 0 {
			return nil, false
		}
		millis := 0
		if end < len(text) && text[end] == '.' {
			var fraction bool
			if millis, end, fraction = thousandths(text, end+1); !fraction || end >= len(text) || text[end] != 'S' {
				return nil, false
			}
		}
		if end >= len(text) {
			return nil, false
		}
		u := strings.IndexByte(units[next:], text[end])
		if u < 0 || next < 4 && u > 3-next {
			return nil, false // out of order, or of the other half
		}
		next += u
		part[next], part[len(units)] = n, millis
		next++
		i, found = end+1, true
	}
	if !found {
		return nil, false
	}
	if negative {
		for i := range part {
			part[i] = -part[i]
		}
	}
	return absser.NewDuration(part[0], part[1], part[2], part[4], part[5], part[6], part[7]), true
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
