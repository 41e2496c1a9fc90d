package jsonserialization

import (
	absser "github.com/microsoft/kiota-abstractions-go/serialization"
)

// untyped returns the value as an untyped node. Parsing has bounded the depth.
func (n *JsonParseNode) untyped() absser.UntypedNodeable {
	if n = n.value(); n == nil {
		return absser.NewUntypedNull()
	}
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
	return n.rawValue(), nil
}

func (n *JsonParseNode) rawValue() any {
	if n = n.value(); n == nil {
		return nil
	}
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
