package jsonserialization

import (
	"errors"

	absser "github.com/microsoft/kiota-abstractions-go/serialization"
)

// within names the member or element n, of which reading failed.
func (n *JsonParseNode) within(index int, err error) error {
	if err == nil {
		return nil
	}
	e := &MemberError{Index: index, Offset: int(n.start), Err: err}
	if index < 0 {
		e.Name = n.doc.own(n.name())
	}
	if inner, ok := err.(*MemberError); ok && inner.Offset >= 0 {
		e.Offset = inner.Offset
	}
	return e
}

// GetObjectValue returns the object that ctor makes for the node, with the
// members assigned in the order of the document; of those with one name, the
// last. Members that it has no field for become its additional data, if it has
// any. If ctor returns an untyped node, the result is one with the value.
//
// A ctor that returns no object is [ErrNilObject].
func (n *JsonParseNode) GetObjectValue(ctor absser.ParsableFactory) (absser.Parsable, error) {
	if n = n.value(); n == nil {
		return nil, nil
	}
	if ctor == nil {
		return nil, errors.New("constructor is nil")
	}
	result, err := ctor(n)
	if err != nil {
		return nil, err
	}
	if isNil(result) {
		return nil, ErrNilObject
	}
	if _, ok := result.(absser.UntypedNodeable); ok {
		return n.untyped(), nil
	}
	if before := n.GetOnBeforeAssignFieldValues(); before != nil {
		if err := before(result); err != nil {
			return nil, err
		}
	}
	fields := result.GetFieldDeserializers()
	if n.kind == kindObject && n.count > 0 {
		if err := n.assign(result, fields); err != nil {
			return nil, err
		}
	}
	if after := n.GetOnAfterAssignFieldValues(); after != nil {
		if err := after(result); err != nil {
			return nil, err
		}
	}
	return result, nil
}

func (n *JsonParseNode) assign(result absser.Parsable, fields map[string]func(absser.ParseNode) error) error {
	holder, isHolder := result.(absser.AdditionalDataHolder)
	var additional map[string]any
	if isHolder {
		if additional = holder.GetAdditionalData(); additional == nil {
			additional = make(map[string]any)
			holder.SetAdditionalData(additional)
		}
	}
	for all := n.children(); len(all) > 0; all = all[all[0].nodes:] {
		c := &all[0]
		name := c.name()
		if n.repeats && n.member(name) != c {
			continue
		}
		c.hooks = n.hooks
		if field := fields[name]; field != nil {
			if err := field(c); err != nil {
				return c.within(-1, err)
			}
		} else if isHolder && c.kind != kindNull {
			additional[n.doc.own(name)] = c.rawValue()
		}
	}
	return nil
}

// elements calls each for the elements that are not null, after a check that the
// value is an array.
func (n *JsonParseNode) elements(each func(i int, c *JsonParseNode) error) error {
	if n.kind != kindArray {
		return errors.New("value is not a collection")
	}
	i := 0
	for all := n.children(); len(all) > 0; all = all[all[0].nodes:] {
		if c := &all[0]; c.kind != kindNull {
			if err := each(i, c); err != nil {
				return err
			}
		}
		i++
	}
	return nil
}

// GetCollectionOfObjectValues returns the objects of an array, nil for null. The
// callbacks are not called for them; see [ParseOptions].
func (n *JsonParseNode) GetCollectionOfObjectValues(ctor absser.ParsableFactory) ([]absser.Parsable, error) {
	if n = n.value(); n == nil {
		return nil, nil
	}
	if ctor == nil {
		return nil, errors.New("ctor is nil")
	}
	result := make([]absser.Parsable, n.count)
	err := n.elements(func(i int, c *JsonParseNode) (err error) {
		if n.doc.opt.CollectionCallbacks {
			c.hooks = n.hooks
		}
		result[i], err = c.GetObjectValue(ctor)
		return c.within(i, err)
	})
	if err != nil {
		return nil, err
	}
	return result, nil
}

// GetCollectionOfEnumValues returns what parser makes of the strings of an array,
// nil for null.
func (n *JsonParseNode) GetCollectionOfEnumValues(parser absser.EnumFactory) ([]any, error) {
	if n = n.value(); n == nil {
		return nil, nil
	}
	if parser == nil {
		return nil, errors.New("parser is nil")
	}
	result := make([]any, n.count)
	err := n.elements(func(i int, c *JsonParseNode) (err error) {
		result[i], err = c.GetEnumValue(parser)
		return c.within(i, err)
	})
	if err != nil {
		return nil, err
	}
	return result, nil
}
