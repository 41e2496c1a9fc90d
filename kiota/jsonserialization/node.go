package jsonserialization

import (
	"errors"

	absser "github.com/microsoft/kiota-abstractions-go/serialization"
)

// ParseOptions chooses how documents are read. The zero value is what
// [NewJsonParseNode] uses.
type ParseOptions struct {
	// FloatIntegers reads integers of untyped nodes and raw values as float64
	// even if that changes them. By default those that would change come as
	// int64, in an UntypedLong or a *int64; all others are a float64 in
	// any case, as generated code expects.
	FloatIntegers bool

	// CollectionCallbacks calls the callbacks for the objects of collections as
	// well. By default they are called for the document and for objects that
	// are members, as the original does: kiota-abstractions-go v1.9.4 calls
	// the callback meant for before in place of the one after, so that models
	// with a backing store lose changes if it is called for them.
	CollectionCallbacks bool
}

// JsonParseNode is a value of a parsed document. It implements
// [absser.ParseNode]. Nodes are made by [NewJsonParseNode]; the zero value, and
// a nil pointer, stand for null.
//
// The getters of null return nil and no error. Those of a value of another type
// than asked for return an error; errors in members and elements are a
// [*MemberError] with the path and offset. What getters return belongs to the
// caller. Reading does not change a document, and can be repeated.
//
// All nodes of a document are in one allocation, beside a copy of the content,
// of which values are decoded when they are asked for: a kept node keeps both.
type JsonParseNode struct {
	doc   *document
	hooks *hooks
	record
}

// hooks are shared by the nodes that inherited them and not changed once set.
type hooks struct {
	before, after absser.ParsableAction
}

var _ absser.ParseNode = (*JsonParseNode)(nil)

// kind is the type of a value. Zero is null, as in the zero JsonParseNode.
type kind uint8

const (
	kindNull kind = iota
	kindBool
	kindNumber
	kindString
	kindArray
	kindObject
	kindSet // another value is in its place; see SetValue
)

// typeNames are what errors call the kinds: as the original's, where callers
// may have come to compare them.
var typeNames = [...]string{
	kindNull: "nil", kindBool: "*bool", kindNumber: "*float64", kindString: "*string",
	kindArray: "[]*jsonserialization.JsonParseNode", kindObject: "map[string]*jsonserialization.JsonParseNode",
}

// document is what the nodes share.
type document struct {
	content []byte // private and never changed
	nodes   []JsonParseNode
	opt     ParseOptions
	strings stringGroup
	index   map[*JsonParseNode]map[string]*JsonParseNode // of large objects; nil until asked for
	set     map[uint32]*JsonParseNode                    // by index, the values in place of others
}

// NewJsonParseNode reads a document and returns the node of its value. It copies
// content, and checks all of it: what json.Valid refuses is an error that wraps
// a *jsonwire.SyntaxError, with the offset of the fault; so are numbers beyond
// the range of a float64. More than 10,000 levels are refused.
func NewJsonParseNode(content []byte) (*JsonParseNode, error) {
	return NewJsonParseNodeWithOptions(content, ParseOptions{})
}

// NewJsonParseNodeWithOptions is NewJsonParseNode with other ways of reading than
// the default ones.
func NewJsonParseNodeWithOptions(content []byte, opt ParseOptions) (*JsonParseNode, error) {
	if len(content) == 0 {
		return nil, errEmptyContent
	}
	doc, err := parse(content)
	if err != nil {
		return nil, err
	}
	doc.opt = opt
	return &doc.nodes[0], nil
}

// value returns the node that has the value, nil for null. It is the node itself,
// but for those that have been set.
func (n *JsonParseNode) value() *JsonParseNode {
	if n == nil || n.kind == kindNull {
		return nil
	}
	if n.kind == kindSet {
		return n.instead()
	}
	return n
}

// instead returns what SetValue has put in the node's place.
func (n *JsonParseNode) instead() *JsonParseNode {
	v := n.doc.set[n.at]
	v.hooks = n.hooks
	return v
}

// text returns the value's bytes in the content, strings without quotes.
func (n *JsonParseNode) text() []byte { return n.doc.content[n.start:n.end] }

// children returns the nodes of an array or an object, those of nested ones
// included: the next sibling of nodes[i] is nodes[i+nodes[i].nodes].
func (n *JsonParseNode) children() []JsonParseNode {
	at := int(n.at)
	return n.doc.nodes[at+1 : at+int(n.nodes)]
}

// name returns the name of a member. It refers to the content: the caller must
// not keep it, and get a copy from own.
func (n *JsonParseNode) name() string {
	b := n.doc.content[n.nameStart:n.nameEnd]
	if n.nameFlags != 0 {
		return decode(b, n.nameFlags)
	}
	return stringOf(b)
}

// is reports whether a member has the name.
func (n *JsonParseNode) is(name string) bool {
	if n.nameFlags != 0 {
		return n.name() == name
	}
	return string(n.doc.content[n.nameStart:n.nameEnd]) == name
}

// GetChildNode returns the member of an object. If a name occurs more than once,
// the last one counts. It returns nil if there is no such member, as a nil
// *JsonParseNode, whose getters return nil; and a nil interface if the value is
// no object or has no members.
func (n *JsonParseNode) GetChildNode(index string) (absser.ParseNode, error) {
	if n = n.value(); n == nil {
		return nil, nil
	}
	if index == "" {
		return nil, errors.New("index is empty")
	}
	if n.kind != kindObject || n.count == 0 {
		return nil, nil
	}
	child := n.member(index)
	if child != nil {
		child.hooks = n.hooks
	}
	return child, nil
}

// indexed is from how many members on an object gets an index.
const indexed = 32

func (n *JsonParseNode) member(name string) (found *JsonParseNode) {
	if n.count >= indexed {
		return n.doc.indexOf(n)[name]
	}
	for c := n.children(); len(c) > 0; c = c[c[0].nodes:] {
		if c[0].is(name) {
			found = &c[0]
		}
	}
	return found
}

func (d *document) indexOf(n *JsonParseNode) map[string]*JsonParseNode {
	m := d.index[n]
	if m == nil {
		m = make(map[string]*JsonParseNode, n.count)
		for c := n.children(); len(c) > 0; c = c[c[0].nodes:] {
			m[c[0].name()] = &c[0]
		}
		if d.index == nil {
			d.index = make(map[*JsonParseNode]map[string]*JsonParseNode)
		}
		d.index[n] = m
	}
	return m
}

// GetOnBeforeAssignFieldValues returns what is called before the members of an
// object are assigned.
func (n *JsonParseNode) GetOnBeforeAssignFieldValues() absser.ParsableAction {
	if n == nil || n.hooks == nil {
		return nil
	}
	return n.hooks.before
}

// SetOnBeforeAssignFieldValues sets what is called before the members of an
// object are assigned, for this node and those that are reached through it.
func (n *JsonParseNode) SetOnBeforeAssignFieldValues(action absser.ParsableAction) error {
	n.hooks = &hooks{action, n.GetOnAfterAssignFieldValues()}
	return nil
}

// GetOnAfterAssignFieldValues returns what is called after the members of an
// object have been assigned.
func (n *JsonParseNode) GetOnAfterAssignFieldValues() absser.ParsableAction {
	if n == nil || n.hooks == nil {
		return nil
	}
	return n.hooks.after
}

// SetOnAfterAssignFieldValues sets what is called after the members of an object
// have been assigned, for this node and those that are reached through it.
func (n *JsonParseNode) SetOnAfterAssignFieldValues(action absser.ParsableAction) error {
	n.hooks = &hooks{n.GetOnBeforeAssignFieldValues(), action}
	return nil
}
