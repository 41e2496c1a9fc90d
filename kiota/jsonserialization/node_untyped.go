package jsonserialization

import (
	"encoding/json"

	absser "github.com/microsoft/kiota-abstractions-go/serialization"
)

// untyped returns the value as an untyped node. Parsing has bounded the depth.
func (n *JsonParseNode) untyped() absser.UntypedNodeable {
	switch n.kind {
	case kindBool:
		return absser.NewUntypedBoolean(n.doc.content[n.start] == 't')
	case kindNumber:
		if v, ok := n.exact(); ok {
			return absser.NewUntypedLong(v)
		}
		return absser.NewUntypedDouble(n.double())
	case kindString:
		return absser.NewUntypedString(n.doc.string(n.text(), n.flags))
	case kindArray:
		items := make([]absser.UntypedNodeable, 0, n.count)
		for all := n.children(); len(all) > 0; all = all[all[0].nodes:] {
			items = append(items, all[0].untyped())
		}
		return absser.NewUntypedArray(items)
	case kindObject:
		members := make(map[string]absser.UntypedNodeable, n.count)
		for all := n.children(); len(all) > 0; all = all[all[0].nodes:] {
			members[n.doc.own(all[0].name())] = all[0].untyped()
		}
		return absser.NewUntypedObject(members)
	}
	return absser.NewUntypedNull()
}

// GetRawValue returns the value as a *string, *bool, *float64, []any or
// map[string]any, and nil for null. Integers that a float64 cannot hold are an
// *int64; see [ParseOptions].
func (n *JsonParseNode) GetRawValue() (any, error) {
	if n.isNull() {
		return nil, nil
	}
	return n.rawValue(), nil
}

func (n *JsonParseNode) rawValue() any {
	switch n.kind {
	case kindBool:
		v := n.doc.content[n.start] == 't'
		return &v
	case kindNumber:
		if v, ok := n.exact(); ok {
			return &v
		}
		v := n.double()
		return &v
	case kindString:
		return n.doc.pointer(n.text(), n.flags)
	case kindArray:
		items := make([]any, 0, n.count)
		for all := n.children(); len(all) > 0; all = all[all[0].nodes:] {
			items = append(items, all[0].rawValue())
		}
		return items
	case kindObject:
		members := make(map[string]any, n.count)
		for all := n.children(); len(all) > 0; all = all[all[0].nodes:] {
			members[n.doc.own(all[0].name())] = all[0].rawValue()
		}
		return members
	}
	return nil
}

// SetValue makes the node one of the value's JSON. What has none makes it null.
//
// Deprecated: nodes are not meant to be set from outside. The original has this
// method, and says the same of it.
func (n *JsonParseNode) SetValue(value any) {
	hooks := n.hooks
	body, err := json.Marshal(jsonOf(value))
	if err != nil {
		body = []byte("null")
	}
	root, err := NewJsonParseNode(body)
	if err != nil {
		root = new(JsonParseNode)
	}
	*n = *root
	n.hooks = hooks
}

// jsonOf replaces nodes in what SetValue was given by their JSON.
func jsonOf(value any) any {
	switch v := value.(type) {
	case *JsonParseNode:
		return v.json()
	case []*JsonParseNode:
		out := make([]json.RawMessage, len(v))
		for i, n := range v {
			out[i] = n.json()
		}
		return out
	case map[string]*JsonParseNode:
		out := make(map[string]json.RawMessage, len(v))
		for name, n := range v {
			out[name] = n.json()
		}
		return out
	}
	return value
}

// json returns the value as it stands in the content.
func (n *JsonParseNode) json() json.RawMessage {
	switch {
	case n.isNull():
		return json.RawMessage("null")
	case n.kind == kindString:
		return n.doc.content[n.start-1 : n.end+1]
	}
	return n.text()
}
