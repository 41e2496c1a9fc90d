package jsonserialization_test

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	absser "github.com/microsoft/kiota-abstractions-go/serialization"

	"github.com/eddy-go/eddy/jsonwire"
	"github.com/eddy-go/eddy/kiota/jsonserialization"
)

func parse(t testing.TB, doc string) *jsonserialization.JsonParseNode {
	t.Helper()
	n, err := jsonserialization.NewJsonParseNode([]byte(doc))
	if err != nil {
		t.Fatalf("%.60s: %v", doc, err)
	}
	return n
}

func TestReadsWhatWasWritten(t *testing.T) {
	for _, want := range []*item{mixed(), {}, {labels: []string{}}, {
		children: []*item{mixed(), nil, {count: ptr(int32(1))}},
		free:     absser.NewUntypedArray([]absser.UntypedNodeable{absser.NewUntypedNull(), absser.NewUntypedLong(1<<62 + 1)}),
		extra:    map[string]any{"more": ptr("text"), "list": []any{ptr(1.5), nil}, "precise": ptr(int64(1<<53 + 1))},
	}} {
		doc, err := jsonserialization.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got *item
		if err := jsonserialization.Unmarshal(doc, &got, newItem); err != nil {
			t.Fatal(err)
		}
		again, err := jsonserialization.Marshal(got)
		if err != nil || string(again) != string(doc) {
			t.Errorf("got  %s, %v\nwant %s", again, err, doc)
		}
	}
}

func TestNull(t *testing.T) {
	var none *jsonserialization.JsonParseNode
	for name, n := range map[string]*jsonserialization.JsonParseNode{"document": parse(t, " null "), "zero": {}, "nil": none} {
		if n.GetOnBeforeAssignFieldValues() != nil || n.GetOnAfterAssignFieldValues() != nil {
			t.Errorf("%s has callbacks", name)
		}
		v := reflect.ValueOf(absser.ParseNode(n))
		for i := range v.NumMethod() {
			m := v.Type().Method(i)
			if !strings.HasPrefix(m.Name, "Get") || strings.HasPrefix(m.Name, "GetOn") {
				continue
			}
			args := []reflect.Value{}
			for a := range v.Method(i).Type().NumIn() {
				args = append(args, reflect.Zero(v.Method(i).Type().In(a)))
			}
			for _, out := range v.Method(i).Call(args) {
				if !out.IsZero() {
					t.Errorf("%s: %s returned %v", name, m.Name, out)
				}
			}
		}
	}
	var got *item = mixed()
	if err := jsonserialization.Unmarshal([]byte("null"), &got, newItem); err != nil || got != nil {
		t.Errorf("Unmarshal of null: %v, %v", got, err)
	}
}

func TestChildren(t *testing.T) {
	for _, size := range []int{3, 500} { // looked through, and with an index
		var doc strings.Builder
		doc.WriteString(`{"name":"first","n\u0061me":"sec\"ond","x":{"name":"inner"},"none":null`)
		for i := range size {
			fmt.Fprintf(&doc, `,"k%d":[%d]`, i, i)
		}
		doc.WriteString(`}`)
		n := parse(t, doc.String())
		for name, want := range map[string]any{"name": `sec"ond`, "k1": []any{1.0}, "x": map[string]any{"name": "inner"}, "none": nil, "k": nil} {
			c, err := n.GetChildNode(name)
			if err != nil || c == nil {
				t.Fatalf("%s: %v, %v", name, c, err)
			}
			if v, err := c.GetRawValue(); err != nil || !reflect.DeepEqual(plainOf(v), want) {
				t.Errorf("%s: %v, %v, want %v", name, v, err, want)
			}
		}
		if c, err := n.GetChildNode(""); c != nil || err == nil {
			t.Error(c, err)
		}
		v, err := n.GetObjectValue(newItem)
		if err != nil || *v.(*item).name != `sec"ond` || len(v.(*item).extra) != size+1 {
			t.Errorf("got %+v, %v", v, err)
		}
	}
	for _, doc := range []string{`[{"a":1}]`, `1`, `{}`} {
		if c, err := parse(t, doc).GetChildNode("a"); c != nil || err != nil {
			t.Errorf("%s: %v, %v", doc, c, err)
		}
	}
}

func TestErrorsSayWhere(t *testing.T) {
	for doc, offset := range map[string]int{`{"a":[1,2,x]}`: 10, `{"a"`: 4, `[1 2]`: 3, "[\"a\x01\"]": 3, `["\q"]`: 2, `01`: 1, `[1e999]`: 1, `{"a":1,}`: 7,
		strings.Repeat("[", 20000): 10000, `[` + strings.Repeat(`{"a":`, 10000): 1 + 9999*5} {
		n, err := jsonserialization.NewJsonParseNode([]byte(doc))
		var se *jsonwire.SyntaxError
		if n != nil || !errors.As(err, &se) || se.Offset != offset {
			t.Errorf("%.40s: %v, want offset %d", doc, err, offset)
		}
	}
	if _, err := jsonserialization.NewJsonParseNode(nil); err == nil {
		t.Error("no error for no content")
	}
	if _, err := jsonserialization.NewJsonParseNode([]byte(`{"a":`)); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
	if _, err := jsonserialization.NewJsonParseNode([]byte(strings.Repeat("[", 20000))); !errors.Is(err, jsonserialization.ErrDepth) {
		t.Error(err)
	}
	if _, err := jsonserialization.NewJsonParseNode([]byte(strings.Repeat("[", 10000) + strings.Repeat("]", 10000))); err != nil {
		t.Error(err)
	}

	_, err := parse(t, `{"children":[{"count":1},{"parent":{"count":"x"}}]}`).GetObjectValue(newItem)
	var me *jsonserialization.MemberError
	if want := `jsonserialization: children[1].parent.count (offset 45): value 'x' is not compatible with type int32`; !errors.As(err, &me) || err.Error() != want || me.Name != "children" {
		t.Errorf("got %v, want %s", err, want)
	}
	_, err = parse(t, `["a",true]`).GetCollectionOfPrimitiveValues("string")
	if !errors.As(err, &me) || me.Index != 1 || me.Offset != 5 {
		t.Errorf("got %v", err)
	}
}

func TestFactories(t *testing.T) {
	n := parse(t, `{"name":"a"}`)
	var none *item
	for _, ctor := range []absser.ParsableFactory{
		func(absser.ParseNode) (absser.Parsable, error) { return nil, nil },
		func(absser.ParseNode) (absser.Parsable, error) { return none, nil },
	} {
		if v, err := n.GetObjectValue(ctor); v != nil || !errors.Is(err, jsonserialization.ErrNilObject) {
			t.Errorf("got %v, %v", v, err)
		}
		if v, err := parse(t, `[{}]`).GetCollectionOfObjectValues(ctor); v != nil || !errors.Is(err, jsonserialization.ErrNilObject) {
			t.Errorf("got %v, %v", v, err)
		}
	}
	fails := func(absser.ParseNode) (absser.Parsable, error) { return nil, errFault }
	if v, err := n.GetObjectValue(fails); v != nil || !errors.Is(err, errFault) {
		t.Errorf("got %v, %v", v, err)
	}
	if v, err := n.GetObjectValue(nil); v != nil || err == nil {
		t.Errorf("got %v, %v", v, err)
	}
	type holder interface {
		absser.Parsable
		SomethingElse()
	}
	var h holder
	if err := jsonserialization.Unmarshal([]byte(`{}`), &h, newItem); err == nil {
		t.Error("an item was stored in what it is not")
	}
}

func TestParseCallbacks(t *testing.T) {
	const doc = `{"name":"a","parent":{"name":"b"},"children":[{"name":"c"}]}`
	for _, opt := range []jsonserialization.ParseOptions{{}, {CollectionCallbacks: true}} {
		n, err := jsonserialization.NewJsonParseNodeWithOptions([]byte(doc), opt)
		if err != nil {
			t.Fatal(err)
		}
		var calls []string
		label := func(p absser.Parsable) string {
			if s := p.(*item).name; s != nil {
				return *s
			}
			return "?"
		}
		n.SetOnBeforeAssignFieldValues(func(p absser.Parsable) error { calls = append(calls, "before "+label(p)); return nil })
		n.SetOnAfterAssignFieldValues(func(p absser.Parsable) error { calls = append(calls, "after "+label(p)); return nil })
		if _, err := n.GetObjectValue(newItem); err != nil {
			t.Fatal(err)
		}
		want := "before ?, before ?, after b, after a"
		if opt.CollectionCallbacks {
			want = "before ?, before ?, after b, before ?, after c, after a"
		}
		if got := strings.Join(calls, ", "); got != want {
			t.Errorf("%+v: %s, want %s", opt, got, want)
		}
		c, _ := n.GetChildNode("parent")
		if c.GetOnBeforeAssignFieldValues() == nil || c.GetOnAfterAssignFieldValues() == nil {
			t.Error("a child has no callbacks")
		}
		n.SetOnBeforeAssignFieldValues(func(absser.Parsable) error { return errFault })
		if _, err := n.GetObjectValue(newItem); !errors.Is(err, errFault) {
			t.Errorf("before: %v", err)
		}
		n.SetOnBeforeAssignFieldValues(nil)
		n.SetOnAfterAssignFieldValues(func(absser.Parsable) error { return errFault })
		if _, err := n.GetObjectValue(newItem); !errors.Is(err, errFault) {
			t.Errorf("after: %v", err)
		}
	}
}

func TestMismatches(t *testing.T) {
	n := parse(t, `{"s":"x","n":1,"b":true,"a":[1],"o":{}}`)
	for name, want := range map[string]string{"n": "*float64", "b": "*bool", "a": "[]*jsonserialization.JsonParseNode", "o": "map[string]*jsonserialization.JsonParseNode"} {
		c, _ := n.GetChildNode(name)
		_, err := c.GetStringValue()
		if err == nil || err.Error() != "type '"+want+"' is not compatible with type string" {
			t.Errorf("%s: %v", name, err)
		}
	}
	c, _ := n.GetChildNode("s")
	for _, err := range []error{
		second(c.GetBoolValue()), second(c.GetUUIDValue()), second(c.GetTimeOnlyValue()), second(c.GetDateOnlyValue()),
		second(c.GetByteArrayValue()), second(c.GetCollectionOfObjectValues(newItem)), second(c.GetCollectionOfPrimitiveValues("string")),
		second(c.GetCollectionOfPrimitiveValues("")), second(c.GetCollectionOfEnumValues(nil)), second(c.GetEnumValue(nil)),
		second(c.GetCollectionOfObjectValues(nil)), second(c.GetObjectValue(nil)),
	} {
		if err == nil {
			t.Error("no error for a value of another type")
		}
	}
	c, _ = n.GetChildNode("a")
	if _, err := c.GetCollectionOfPrimitiveValues("wrong"); err == nil || err.Error() != "targetType wrong is not supported" {
		t.Error(err)
	}
}

func second[T any](_ T, err error) error { return err }

func TestEnums(t *testing.T) {
	upper := func(s string) (any, error) {
		if s == "bad" {
			return nil, errFault
		}
		return ptr(strings.ToUpper(s)), nil
	}
	list, err := parse(t, `["a",null,"\u0062"]`).GetCollectionOfEnumValues(upper)
	if err != nil || len(list) != 3 || *list[0].(*string) != "A" || list[1] != nil || *list[2].(*string) != "B" {
		t.Errorf("got %v, %v", list, err)
	}
	if _, err := parse(t, `["a","bad"]`).GetCollectionOfEnumValues(upper); !errors.Is(err, errFault) {
		t.Error(err)
	}
}

// Of members with one name only the last is assigned, whatever it is: not one
// after the other, for a model may keep what it has when it is given null.
func TestRepeatedMembers(t *testing.T) {
	for _, more := range []string{"", strings.Repeat(`"m":0,`, 40)} {
		for doc, want := range map[string]string{
			`"a":"x","a":null`: "nil", `"a":null,"a":"x"`: "x", `"a":1,"a":"y"`: "y", `"a":"x","\u0061":"y"`: "y", `"\u0061":"x","b":1,"a":null`: "nil",
			`"a":"x","b":2,"a":"y","b":3,"a":"z"`: "z",
		} {
			var got []string
			fields := deserializers{"a": func(n absser.ParseNode) error {
				s, err := n.GetStringValue()
				if s == nil {
					got = append(got, "nil")
				} else {
					got = append(got, *s)
				}
				return err
			}}
			_, err := parse(t, "{"+more+doc+"}").GetObjectValue(func(absser.ParseNode) (absser.Parsable, error) { return fields, nil })
			if err != nil || strings.Join(got, " ") != want {
				t.Errorf("%s: %v, %v, want %s", doc, got, err, want)
			}
		}
		v, err := parse(t, `{`+more+`"z":1,"y":null,"z":null,"y":2}`).GetObjectValue(newItem)
		if err != nil {
			t.Fatal(err)
		}
		extra := v.(*item).extra
		if _, ok := extra["z"]; ok || extra["y"] == nil {
			t.Errorf("additional data: %v", extra)
		}
	}
}

// deserializers is a model of fields alone.
type deserializers map[string]func(absser.ParseNode) error

func (deserializers) Serialize(absser.SerializationWriter) error { return nil }
func (d deserializers) GetFieldDeserializers() map[string]func(absser.ParseNode) error {
	return d
}

// Children have their parent's callbacks, however they are reached.
func TestChildrenInheritCallbacks(t *testing.T) {
	n := parse(t, `{"parent":{"parent":{"name":"b"}}}`)
	calls := 0
	count := func(absser.Parsable) error { calls++; return nil }
	n.SetOnBeforeAssignFieldValues(count)
	n.SetOnAfterAssignFieldValues(count)
	c, err := n.GetChildNode("parent")
	if err != nil || c.GetOnBeforeAssignFieldValues() == nil || c.GetOnAfterAssignFieldValues() == nil {
		t.Fatalf("a child has no callbacks, %v", err)
	}
	if c, err = c.GetChildNode("parent"); err != nil {
		t.Fatal(err)
	}
	if _, err := c.GetObjectValue(newItem); err != nil || calls != 2 {
		t.Errorf("%d calls, %v", calls, err)
	}
}
