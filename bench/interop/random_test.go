package interop

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"time"
)

// A filler gives a value of any type random contents, the same for two types of
// the same shape: the upstream zoo and its copy on eddy.
type filler struct {
	*rand.Rand
	oneKey bool // at most one entry a map, since generated code writes them in any order
}

func newFiller(seed uint64, oneKey bool) *filler {
	return &filler{rand.New(rand.NewPCG(seed, 0x200)), oneKey}
}

var words = strings.Split(`|a|Hello|river & sea|<b>|"quoted"|back\slash|new
line|tab	|`+"\x00|\x1f|\x7f|bad \xff utf|cut \xe6\xb0|\u2028|\u2029"+`|вода|水の音|🌊🐟|e\u0301|mixed вода 水 🌊 & <more>|0|-17|3.5|null|level-3|имя`, "|")

func (f *filler) text() string {
	s := words[f.IntN(len(words))]
	switch f.IntN(6) {
	case 0: // long enough for a second chunk of whatever holds it
		return strings.Repeat(s+" ", f.IntN(200))
	case 1:
		b := make([]byte, f.IntN(40))
		for i := range b {
			b[i] = byte(f.Uint32())
		}
		return s + string(b)
	}
	return s
}

func (f *filler) int() int64 {
	switch f.IntN(5) {
	case 0:
		return 0
	case 1:
		return math.MinInt64
	case 2:
		return math.MaxInt64
	case 3:
		return int64(f.IntN(200)) - 100
	}
	return int64(f.Uint64()) >> f.IntN(64)
}

func (f *filler) float() float64 {
	switch f.IntN(6) {
	case 0:
		return float64(f.IntN(1000)) / 8
	case 1:
		return float64(f.int())
	case 2:
		return math.Pow10(f.IntN(60) - 30)
	case 3:
		return 0
	}
	for {
		if v := math.Float64frombits(f.Uint64()); !math.IsNaN(v) && !math.IsInf(v, 0) {
			return v
		}
	}
}

// rawDocument is JSON text. Upstream writes it as it is, so it has no spaces, no
// escapes to choose and nothing else that may be written in two ways.
func (f *filler) rawDocument() []byte {
	return []byte([]string{
		`null`, `true`, `17`, `-0.5e3`, `"x"`, `"вода"`, `[]`, `{}`, `[1,[2,{"a":"b"}]]`, `{"k":{"l":[null,false]}}`,
	}[f.IntN(10)])
}

func (f *filler) any(depth int) any {
	switch n := f.IntN(8); {
	case n == 0:
		return nil
	case n == 1:
		return f.IntN(2) == 0
	case n == 2:
		return f.float()
	case n == 3 && depth > 0:
		list := make([]any, f.IntN(3))
		for i := range list {
			list[i] = f.any(depth - 1)
		}
		return list
	case n == 4 && depth > 0:
		m := map[string]any{}
		for range f.IntN(3) {
			m[f.text()] = f.any(depth - 1)
		}
		return m
	}
	return f.text()
}

var (
	timeType   = reflect.TypeFor[time.Time]()
	numberType = reflect.TypeFor[json.Number]()
	rawType    = reflect.TypeFor[json.RawMessage]() // since Go 1.27 of another name
)

// fill sets v. Depth bounds types that refer to themselves.
func (f *filler) fill(v reflect.Value, depth int) {
	t := v.Type()
	switch {
	case t == timeType:
		v.Set(reflect.ValueOf(time.Unix(f.Int64N(1<<34), f.Int64N(1e9)).UTC()))
		return
	case t == numberType:
		v.SetString([]string{"0", "17", "-3.25", "1e30"}[f.IntN(4)])
		return
	case t == rawType || t.Name() == "RawMessage":
		v.SetBytes(f.rawDocument())
		return
	case t.Name() == "Level":
		v.SetInt(int64(f.IntN(50))) // a negative one cannot be written
		return
	case t.Name() == "Celsius":
		v.SetFloat(float64(f.IntN(1000)) / 4)
		return
	case t.Name() == "UnknownFieldsProxy":
		return // what it holds comes from reading alone
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(f.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(f.int() >> (64 - t.Bits()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(f.int()) >> (64 - t.Bits()))
	case reflect.Float32:
		x := f.float()
		if float64(float32(x)) != x {
			x = math.Mod(x, 1e30)
		}
		v.SetFloat(float64(float32(x)))
	case reflect.Float64:
		v.SetFloat(f.float())
	case reflect.String:
		v.SetString(f.text())
	case reflect.Pointer:
		if depth > 0 && f.IntN(3) > 0 {
			v.Set(reflect.New(t.Elem()))
			f.fill(v.Elem(), depth-1)
		}
	case reflect.Slice:
		if depth <= 0 || f.IntN(4) == 0 {
			return
		}
		n := f.IntN(4)
		if t.Elem().Kind() == reflect.Uint8 {
			n = f.IntN(70)
		}
		v.Set(reflect.MakeSlice(t, n, n))
		for i := range n {
			f.fill(v.Index(i), depth-1)
		}
	case reflect.Array:
		for i := range v.Len() {
			f.fill(v.Index(i), depth-1)
		}
	case reflect.Map:
		if depth <= 0 || f.IntN(4) == 0 {
			return
		}
		n := f.IntN(4)
		if f.oneKey {
			n = min(n, 1)
		}
		v.Set(reflect.MakeMap(t))
		for range n {
			key, elem := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
			f.fill(key, depth-1)
			f.fill(elem, depth-1)
			v.SetMapIndex(key, elem)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			field := v.Field(i)
			switch {
			case !t.Field(i).IsExported():
			case t.Field(i).Anonymous && field.Kind() == reflect.Pointer:
				// The generated code reads through it without asking whether it is nil.
				field.Set(reflect.New(field.Type().Elem()))
				f.fill(field.Elem(), depth-1)
			default:
				f.fill(field, depth-1)
			}
		}
	case reflect.Interface:
		if x := f.any(2); x != nil {
			v.Set(reflect.ValueOf(x))
		}
	default:
		panic(fmt.Sprintf("no way to fill a %s", t))
	}
}
