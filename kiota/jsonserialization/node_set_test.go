package jsonserialization_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	absser "github.com/microsoft/kiota-abstractions-go/serialization"

	"github.com/eddy-go/eddy/kiota/jsonserialization"
)

func TestSetValue(t *testing.T) {
	n := parse(t, `{"a":"b"}`)
	a, _ := n.GetChildNode("a")
	for want, set := range map[string]any{
		`"text"`: ptr("text"), `true`: ptr(true), `1.5`: ptr(1.5), `null`: nil,
		`{"a":"b"}`:            map[string]*jsonserialization.JsonParseNode{"a": a.(*jsonserialization.JsonParseNode)},
		`["b",null,{"a":"b"}]`: []*jsonserialization.JsonParseNode{a.(*jsonserialization.JsonParseNode), nil, n},
	} {
		var s jsonserialization.JsonParseNode
		s.SetValue(set)
		v, err := s.GetRawValue()
		if err != nil {
			t.Fatal(err)
		}
		wantV, _ := parse(t, want).GetRawValue()
		if !reflect.DeepEqual(v, wantV) {
			t.Errorf("%s: got %v", want, v)
		}
	}
}

func child(t *testing.T, n *jsonserialization.JsonParseNode, name string) *jsonserialization.JsonParseNode {
	t.Helper()
	c, err := n.GetChildNode(name)
	if c == nil || err != nil {
		t.Fatalf("%s: %v, %v", name, c, err)
	}
	return c.(*jsonserialization.JsonParseNode)
}

// Everything that reads a document sees what was set in it, and the rest as it was,
// whatever takes the place of what.
func TestSetValueInDocuments(t *testing.T) {
	values := map[string]any{
		`1`: 1, `"new"`: ptr("new"), `null`: nil, `[]`: []int{}, `{}`: map[string]any{}, `[7,8,[9]]`: []any{7, 8, []int{9}}, `true`: true,
		`{"p":{"q":[1]},"r":"s"}`: map[string]any{"p": map[string]any{"q": []int{1}}, "r": "s"},
	}
	for old := range values {
		for want, value := range values {
			for _, more := range []string{"", strings.Repeat(`"m":0,`, 40)} { // looked through, and with an index
				form := `{"before":[1,{"x":2}],` + more + `"a":%s,"b":{"c":%s},"after":[%s,3]}`
				n := parse(t, fmt.Sprintf(form, old, old, old))
				if more != "" {
					child(t, n, "a") // makes the index
				}
				a, b := child(t, n, "a"), child(t, n, "b")
				for range 2 {
					a.SetValue("something else")
					a.SetValue(value)
				}
				child(t, b, "c").SetValue(value)
				expect := parse(t, fmt.Sprintf(form, want, want, old))
				same(t, old+" set to "+want, n, expect)
				same(t, "member", child(t, n, "a"), child(t, expect, "a"))
				same(t, "inner", b, child(t, expect, "b"))
				same(t, "behind", child(t, n, "after"), child(t, expect, "after"))

				// As a value of another node, set or not.
				for _, v := range []any{n, []*jsonserialization.JsonParseNode{n}, map[string]*jsonserialization.JsonParseNode{"n": n}} {
					outer, outerWant := parse(t, `[0]`), parse(t, `[0]`)
					outer.SetValue(v)
					switch v.(type) {
					case []*jsonserialization.JsonParseNode:
						outerWant.SetValue([]*jsonserialization.JsonParseNode{expect})
					case map[string]*jsonserialization.JsonParseNode:
						outerWant.SetValue(map[string]*jsonserialization.JsonParseNode{"n": expect})
					default:
						outerWant = expect
					}
					same(t, "outer", outer, outerWant)
				}
				b.SetValue(n) // what it is in, as it is now
				raw, _ := b.GetRawValue()
				rawWant, _ := expect.GetRawValue()
				if !reflect.DeepEqual(raw, rawWant) {
					t.Errorf("%s set to %s: a member set to all is %v", old, want, plainOf(raw))
				}
			}
		}
	}
}

// same compares what reads a whole value.
func same(t *testing.T, what string, got, want *jsonserialization.JsonParseNode) {
	t.Helper()
	type results struct {
		raw, untyped, object, objects, primitives any
		failed                                    [4]bool
	}
	all := func(n *jsonserialization.JsonParseNode) (r results) {
		var errs [4]error
		r.raw, errs[0] = n.GetRawValue()
		r.untyped, errs[1] = n.GetObjectValue(absser.CreateUntypedNodeFromDiscriminatorValue)
		r.object, _ = n.GetObjectValue(newItem)
		r.objects, errs[2] = n.GetCollectionOfObjectValues(absser.CreateUntypedNodeFromDiscriminatorValue)
		r.primitives, errs[3] = n.GetCollectionOfPrimitiveValues("int64")
		for i, err := range errs {
			r.failed[i] = err != nil
		}
		return r
	}
	if g, w := all(got), all(want); !reflect.DeepEqual(g, w) {
		t.Errorf("%s: got %+v, want %+v", what, g, w)
	}
}

func TestSetValueKeepsCallbacks(t *testing.T) {
	n := parse(t, `{"parent":1}`)
	calls := 0
	n.SetOnBeforeAssignFieldValues(func(absser.Parsable) error { calls++; return nil })
	child(t, n, "parent").SetValue(map[string]any{"parent": map[string]any{}})
	if _, err := n.GetObjectValue(newItem); err != nil || calls != 3 {
		t.Errorf("%d calls, %v", calls, err)
	}
	var zero jsonserialization.JsonParseNode
	zero.SetOnBeforeAssignFieldValues(func(absser.Parsable) error { calls++; return nil })
	zero.SetValue(map[string]any{})
	if _, err := zero.GetObjectValue(newItem); err != nil || calls != 4 {
		t.Errorf("%d calls, %v", calls, err)
	}
}

func TestSetValueKeepsOptions(t *testing.T) {
	n, err := jsonserialization.NewJsonParseNodeWithOptions([]byte(`[]`), jsonserialization.ParseOptions{FloatIntegers: true})
	if err != nil {
		t.Fatal(err)
	}
	n.SetValue(int64(1<<53 + 1))
	if v, err := n.GetRawValue(); err != nil || reflect.TypeOf(v) != reflect.TypeFor[*float64]() {
		t.Errorf("%T, %v", v, err)
	}
}
