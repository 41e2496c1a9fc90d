package easyjson_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/eddy-go/eddy"
	"github.com/eddy-go/eddy/easyjson"
	"github.com/eddy-go/eddy/easyjson/jlexer"
)

// note is read as the generator's code reads: Text copied, Nocopy and Raw parts of the input.
type note struct {
	Text, Nocopy string
	Raw          easyjson.RawMessage
}

func (n *note) UnmarshalEasyJSON(in *jlexer.Lexer) {
	top := in.IsStart()
	in.Delim('{')
	for !in.IsDelim('}') {
		key := in.UnsafeFieldName(false)
		in.WantColon()
		switch key {
		case "text":
			n.Text = in.String()
		case "nocopy":
			n.Nocopy = in.UnsafeString()
		case "raw":
			n.Raw = in.Raw()
		default:
			in.SkipRecursive()
		}
		in.WantComma()
	}
	in.Delim('}')
	if top {
		in.Consumed()
	}
}

func noteText(i int) string {
	return fmt.Sprintf(`{"text":"text %[1]d","nocopy":"nocopy %[1]d %[2]s","raw":[%[1]d],"else":{"a":[]}}`, i, strings.Repeat("x", i%9000))
}

func (n *note) check(t *testing.T, i int) {
	t.Helper()
	want := note{fmt.Sprintf("text %d", i), fmt.Sprintf("nocopy %d %s", i, strings.Repeat("x", i%9000)), fmt.Appendf(nil, "[%d]", i)}
	if n.Text != want.Text || n.Nocopy != want.Nocopy || string(n.Raw) != string(want.Raw) {
		t.Fatalf("note %d became %.80q", i, *n)
	}
}

// What a value keeps of its input must outlive the call: no reader's bytes may be in pooled memory then.
func TestUnmarshalFromReaderKeepsNothingPooled(t *testing.T) {
	readers := map[string]func(string) io.Reader{
		"strings.Reader": func(s string) io.Reader { return strings.NewReader(s) },
		"bytes.Reader":   func(s string) io.Reader { return bytes.NewReader([]byte(s)) },
		"bytes.Buffer":   func(s string) io.Reader { return bytes.NewBufferString(s) },
		"unknown length": func(s string) io.Reader { return struct{ io.Reader }{strings.NewReader(s)} },
		"one byte":       func(s string) io.Reader { return iotest.OneByteReader(strings.NewReader(s)) },
		"data with EOF":  func(s string) io.Reader { return iotest.DataErrReader(strings.NewReader(s)) },
	}
	for name, reader := range readers {
		t.Run(name, func(t *testing.T) {
			var notes [60]note
			for i := range notes {
				if err := easyjson.UnmarshalFromReader(reader(noteText(i*211)), &notes[i]); err != nil {
					t.Fatal(err)
				}
				for n := 64; n <= 1<<15; n *= 2 { // whoever uses the pools next
					b := eddy.Get(n)
					for j := range b {
						b[j] = '!'
					}
					eddy.Put(b)
				}
			}
			for i := range notes {
				notes[i].check(t, i*211)
			}
		})
	}
}

func TestUnmarshalAliasesItsInput(t *testing.T) {
	data := []byte(noteText(1))
	var n note
	if err := easyjson.Unmarshal(data, &n); err != nil {
		t.Fatal(err)
	}
	n.check(t, 1)
	copy(data, bytes.Repeat([]byte("!"), len(data)))
	if n.Text != "text 1" {
		t.Errorf("String aliases the input: %q", n.Text)
	}
	if n.Nocopy[0] != '!' || n.Raw[0] != '!' {
		t.Errorf("UnsafeString and Raw were copied: %q, %q", n.Nocopy, n.Raw)
	}
}

// stalled returns nothing for ever.
type stalled struct{ reads int }

func (s *stalled) Read([]byte) (int, error) { s.reads++; return 0, nil }

// liar returns a count that no reader can have.
type liar struct {
	io.Reader
	count func(int) int
}

func (l liar) Read(p []byte) (int, error) {
	_, err := l.Reader.Read(p)
	return l.count(len(p)), err
}

func TestUnmarshalFromReaderImpossibleCount(t *testing.T) {
	for name, count := range map[string]func(int) int{
		"negative":         func(int) int { return -1 },
		"one too many":     func(n int) int { return n + 1 },
		"past an overflow": func(int) int { return math.MaxInt },
	} {
		t.Run(name, func(t *testing.T) {
			var n note
			err := easyjson.UnmarshalFromReader(liar{strings.NewReader(noteText(3)), count}, &n)
			if err == nil || !strings.Contains(err.Error(), "impossible count") {
				t.Errorf("got %v", err)
			}
			if n.Text != "" {
				t.Errorf("set %q", n.Text)
			}
			// A reader that has an error of its own besides.
			if err := easyjson.UnmarshalFromReader(liar{iotest.ErrReader(io.EOF), count}, &n); err == nil || err == io.EOF {
				t.Errorf("with io.EOF: got %v", err)
			}
		})
	}
}

func TestUnmarshalFromReaderErrors(t *testing.T) {
	var n note
	broken := errors.New("broken")
	if err := easyjson.UnmarshalFromReader(io.MultiReader(strings.NewReader(noteText(3)), iotest.ErrReader(broken)), &n); err != broken {
		t.Errorf("a broken reader gave %v", err)
	}
	if n.Text != "" {
		t.Errorf("a broken reader set %q", n.Text)
	}
	if err := easyjson.UnmarshalFromReader(&stalled{}, &n); err != io.ErrNoProgress {
		t.Errorf("a stalled reader gave %v", err)
	}
	if err := easyjson.UnmarshalFromReader(strings.NewReader(""), &n); err != io.EOF {
		t.Errorf("an empty reader gave %v", err)
	}
	for _, bad := range []string{`{"text":"a"} x`, `{"text":01}`, `{"text":"a",}`, `{"text"}`} {
		var le *jlexer.LexerError
		if err := easyjson.UnmarshalFromReader(strings.NewReader(bad), &n); !errors.As(err, &le) {
			t.Errorf("%s gave %v", bad, err)
		}
	}
}

func ExampleUnmarshal() {
	var n note // with methods as easyjson's generator makes them
	err := easyjson.Unmarshal([]byte(`{"text":"caf\u00e9","raw":[1, 2]}`), &n)
	fmt.Println(n.Text, string(n.Raw), err)
	// Output: café [1, 2] <nil>
}

func ExampleUnmarshalFromReader() {
	var n note
	err := easyjson.UnmarshalFromReader(strings.NewReader(`{"text":"a`), &n)
	fmt.Println(err)
	// Output: parse error: unterminated string literal near offset 10 of '{"text":"a'
}
