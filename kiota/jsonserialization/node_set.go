package jsonserialization

import "encoding/json"

// SetValue makes the node, and what it is in, have the JSON of a value from now
// on; null if it has none. Nodes in the value are written as they are at that
// moment. It costs as much as writing and parsing the value does.
//
// Deprecated: a document is for reading. SetValue is here because the original
// has it.
func (n *JsonParseNode) SetValue(value any) {
	var opt ParseOptions
	if n.doc != nil {
		opt = n.doc.opt
	}
	body, err := json.Marshal(jsonOf(value))
	if err != nil {
		body = []byte("null")
	}
	v, err := NewJsonParseNodeWithOptions(body, opt)
	if err != nil {
		v = new(JsonParseNode)
	}
	if n.doc == nil { // it is in nothing
		v.hooks = n.hooks
		*n = *v
		return
	}
	// The node keeps its name and how much of the document it spans.
	if v.kind == kindNull {
		n.kind = kindNull
		delete(n.doc.set, n.at)
		return
	}
	if n.doc.set == nil {
		n.doc.set = make(map[uint32]*JsonParseNode)
	}
	n.kind = kindSet
	n.doc.set[n.at] = v
}

// jsonOf replaces nodes in what SetValue was given by their JSON.
func jsonOf(value any) any {
	switch v := value.(type) {
	case *JsonParseNode:
		return json.RawMessage(v.appendJSON(nil))
	case []*JsonParseNode:
		out := make([]json.RawMessage, len(v))
		for i, n := range v {
			out[i] = n.appendJSON(nil)
		}
		return out
	case map[string]*JsonParseNode:
		out := make(map[string]json.RawMessage, len(v))
		for name, n := range v {
			out[name] = n.appendJSON(nil)
		}
		return out
	}
	return value
}

// appendJSON appends the value, in which others may have been set.
func (n *JsonParseNode) appendJSON(dst []byte) []byte {
	if n = n.value(); n == nil {
		return append(dst, "null"...)
	}
	switch n.kind {
	case kindString:
		return append(dst, n.doc.content[n.start-1:n.end+1]...)
	case kindArray, kindObject:
		first := len(dst) + 1
		dst = append(dst, n.doc.content[n.start])
		for all := n.children(); len(all) > 0; all = all[all[0].nodes:] {
			c := &all[0]
			if len(dst) > first {
				dst = append(dst, ',')
			}
			if n.kind == kindObject {
				dst = append(dst, n.doc.content[c.nameStart-1:c.nameEnd+1]...)
				dst = append(dst, ':')
			}
			dst = c.appendJSON(dst)
		}
		return append(dst, n.doc.content[n.end-1])
	}
	return append(dst, n.text()...)
}
