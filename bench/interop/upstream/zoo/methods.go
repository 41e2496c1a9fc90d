package zoo

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/mailru/easyjson/jlexer"
	"github.com/mailru/easyjson/jwriter"
)

// Level is written by MarshalText, as a value and as a key.
type Level int

// MarshalText implements encoding.TextMarshaler.
func (l Level) MarshalText() ([]byte, error) {
	if l < 0 {
		return nil, errors.New("level below 0")
	}
	return []byte(fmt.Sprintf("level-%d", int(l))), nil
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (l *Level) UnmarshalText(text []byte) error {
	digits, ok := strings.CutPrefix(string(text), "level-")
	n, err := strconv.Atoi(digits)
	if !ok || err != nil {
		return fmt.Errorf("no level: %q", text)
	}
	*l = Level(n)
	return nil
}

// Celsius is written by MarshalJSON.
type Celsius float64

// MarshalJSON implements json.Marshaler.
func (c Celsius) MarshalJSON() ([]byte, error) {
	if c < -273.15 {
		return nil, errors.New("colder than possible")
	}
	return []byte(fmt.Sprintf(`{"celsius":%g}`, float64(c))), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (c *Celsius) UnmarshalJSON(data []byte) error {
	s := strings.TrimSuffix(strings.TrimPrefix(string(data), `{"celsius":`), "}")
	f, err := strconv.ParseFloat(s, 64)
	*c = Celsius(f)
	return err
}

// Pair is written by methods in easyjson's way that nobody generated.
type Pair struct{ A, B int }

// MarshalEasyJSON implements easyjson.Marshaler.
func (p Pair) MarshalEasyJSON(w *jwriter.Writer) {
	w.RawByte('[')
	w.Int(p.A)
	w.RawByte(',')
	w.Int(p.B)
	w.RawByte(']')
}

// UnmarshalEasyJSON implements easyjson.Unmarshaler.
func (p *Pair) UnmarshalEasyJSON(l *jlexer.Lexer) {
	if l.IsNull() {
		l.Skip()
		return
	}
	l.Delim('[')
	p.A = l.Int()
	l.WantComma()
	p.B = l.Int()
	l.WantComma()
	l.Delim(']')
}
