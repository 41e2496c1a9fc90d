package opt_test

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/eddy-go/eddy/easyjson/jlexer"
	"github.com/eddy-go/eddy/easyjson/jwriter"
	"github.com/eddy-go/eddy/easyjson/opt"
	"github.com/eddy-go/eddy/easyjson/opt/internal/expand"
)

func TestFilesAreCurrent(t *testing.T) {
	source, err := os.ReadFile("optional/opt.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, typ := range expand.Types {
		want, err := expand.Source(string(source), typ)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(expand.File(typ))
		if err != nil || string(got) != string(want) {
			t.Errorf("%s is not what generate.go makes (%v): run go generate", expand.File(typ), err)
		}
	}
}

// optional is what all types have in common.
type optional interface {
	MarshalEasyJSON(w *jwriter.Writer)
	IsDefined() bool
	String() string
	MarshalJSON() ([]byte, error)
}

// readable is what their pointers have beyond that.
type readable interface {
	UnmarshalEasyJSON(l *jlexer.Lexer)
	UnmarshalJSON(data []byte) error
}

// check takes a type through all of its methods. deref reads what p points to; text is what value is as JSON, and bad
// is JSON that the type refuses.
func check[T any, P interface {
	*T
	readable
}, V comparable](t *testing.T, make func(V) T, get func(T, V) V, value, other V, text, bad string) {
	t.Helper()
	var zero T
	v := any(make(value)).(optional)
	undefined := any(zero).(optional)
	if !v.IsDefined() || undefined.IsDefined() {
		t.Errorf("%T: IsDefined is %v of a value and %v of none", v, v.IsDefined(), undefined.IsDefined())
	}
	if got, none := get(make(value), other), get(zero, other); got != value || none != other {
		t.Errorf("%T: Get is %v of %v, and of none %v instead of %v", v, got, value, none, other)
	}
	if v.String() != fmt.Sprint(value) || undefined.String() != "<undefined>" {
		t.Errorf("%T: String is %q and %q", v, v, undefined)
	}
	for o, want := range map[optional]string{v: text, undefined: "null"} {
		if b, err := o.MarshalJSON(); string(b) != want || err != nil {
			t.Errorf("%T: MarshalJSON = %s, %v; want %s", v, b, err, want)
		}
		var w jwriter.Writer
		o.MarshalEasyJSON(&w)
		if b, err := w.BuildBytes(); string(b) != want || err != nil {
			t.Errorf("%T: MarshalEasyJSON wrote %s, %v; want %s", v, b, err, want)
		}
		got := make(other)
		if err := P(&got).UnmarshalJSON([]byte(want)); any(got) != any(o) || err != nil {
			t.Errorf("%T: UnmarshalJSON(%s) = %v, %v", v, want, got, err)
		}
	}
	got := zero
	if err := P(&got).UnmarshalJSON([]byte(bad)); err == nil {
		t.Errorf("%T: UnmarshalJSON(%s) = %v", v, bad, got)
	}
	if err := P(&got).UnmarshalJSON([]byte(text + " 1")); err == nil {
		t.Errorf("%T: UnmarshalJSON took two values", v)
	}
}

func TestTypes(t *testing.T) {
	check(t, opt.OBool, opt.Bool.Get, true, false, "true", "1")
	check(t, opt.OFloat32, opt.Float32.Get, 1.5, 2, "1.5", `"1"`)
	check(t, opt.OFloat64, opt.Float64.Get, -0.25, 2, "-0.25", "1e999")
	check(t, opt.OInt, opt.Int.Get, -7, 2, "-7", "1.5")
	check(t, opt.OInt8, opt.Int8.Get, -128, 2, "-128", "128")
	check(t, opt.OInt16, opt.Int16.Get, 32767, 2, "32767", "32768")
	check(t, opt.OInt32, opt.Int32.Get, -1<<31, 2, "-2147483648", "2147483648")
	check(t, opt.OInt64, opt.Int64.Get, -1<<63, 2, "-9223372036854775808", "9223372036854775808")
	check(t, opt.OString, opt.String.Get, "a\"b", "c", `"a\"b"`, "1")
	check(t, opt.OUint, opt.Uint.Get, 7, 2, "7", "-1")
	check(t, opt.OUint8, opt.Uint8.Get, 255, 2, "255", "256")
	check(t, opt.OUint16, opt.Uint16.Get, 65535, 2, "65535", "65536")
	check(t, opt.OUint32, opt.Uint32.Get, 1<<32-1, 2, "4294967295", "4294967296")
	check(t, opt.OUint64, opt.Uint64.Get, 1<<64-1, 2, "18446744073709551615", "18446744073709551616")
}

func TestEncodingJSONUsesThem(t *testing.T) {
	type doc struct {
		A opt.Int    `json:"a"`
		B opt.String `json:"b"`
	}
	var d doc
	if err := json.Unmarshal([]byte(`{"a":3,"b":null}`), &d); err != nil || d.A.Get(0) != 3 || d.B.IsDefined() {
		t.Fatalf("%+v, %v", d, err)
	}
	if b, err := json.Marshal(d); string(b) != `{"a":3,"b":null}` || err != nil {
		t.Fatalf("%s, %v", b, err)
	}
}
