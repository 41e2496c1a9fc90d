package jsonserialization

import (
	absser "github.com/microsoft/kiota-abstractions-go/serialization"
)

// untyped writes one of the nodes that stand for JSON of any form. For other
// types, done is false.
//
// A node without a value is null where something has to stand: in an array, in
// place of a document, and where an object or an array is missing. A scalar
// without a value that has a name is left out, as a nil pointer is.
func (w *JsonSerializationWriter) untyped(s *state, key string, node absser.UntypedNodeable) (done bool, err error) {
	switch v := node.(type) {
	case *absser.UntypedBoolean:
		if p := v.GetValue(); p != nil {
			s.bool(key, *p)
			return true, nil
		}
	case *absser.UntypedFloat:
		if p := v.GetValue(); p != nil {
			return true, at(key, s.float(key, float64(*p), 32))
		}
	case *absser.UntypedDouble:
		if p := v.GetValue(); p != nil {
			return true, at(key, s.float(key, *p, 64))
		}
	case *absser.UntypedInteger:
		if p := v.GetValue(); p != nil {
			s.int(key, int64(*p))
			return true, nil
		}
	case *absser.UntypedLong:
		if p := v.GetValue(); p != nil {
			s.int(key, *p)
			return true, nil
		}
	case *absser.UntypedString:
		if p := v.GetValue(); p != nil {
			s.string(key, *p)
			return true, nil
		}
	case *absser.UntypedNull:
		s.null(key)
		return true, nil
	case *absser.UntypedObject:
		return true, at(key, w.untypedObject(s, key, v.GetValue()))
	case *absser.UntypedArray:
		// GetValue of an array made without NewUntypedArray panics.
		items, _ := v.UntypedNode.GetValue().([]absser.UntypedNodeable)
		return true, at(key, w.untypedArray(s, key, items))
	default:
		return false, nil
	}
	if key == "" {
		s.null("")
	}
	return true, nil
}

func (w *JsonSerializationWriter) untypedObject(s *state, key string, members map[string]absser.UntypedNodeable) error {
	if members == nil {
		s.null(key)
		return nil
	}
	o, err := s.enter()
	if err != nil {
		return err
	}
	b, i := s.start(key, 1)
	b[i] = '{'
	s.n, s.comma = i+1, false
	names, base := sorted(s, members)
	for n := range names {
		// By index: the scratch may move while members are written.
		name := s.names[base+n]
		err := w.member(s, name, members[name])
		w.owned(s)
		if s.resets != o.resets {
			return s.fail(ErrUnfinished) // the names are gone as well
		}
		if err != nil {
			s.unsort(base)
			return s.abandon(o, err)
		}
	}
	s.unsort(base)
	if err := s.leave(o); err != nil {
		return err
	}
	s.closing('}', key)
	return nil
}

// member writes a member of an untyped object, of which the name may be empty
// and the value nil.
func (w *JsonSerializationWriter) member(s *state, name string, v absser.UntypedNodeable) error {
	if isNil(v) {
		return w.named(s, name, func(key string) error { s.null(key); return nil })
	}
	if name == "" {
		return w.named(s, name, func(key string) error { return w.WriteObjectValue(key, v) })
	}
	return w.WriteObjectValue(name, v)
}

func (w *JsonSerializationWriter) untypedArray(s *state, key string, items []absser.UntypedNodeable) error {
	if items == nil {
		s.null(key)
		return nil
	}
	o, err := s.enter()
	if err != nil {
		return err
	}
	b, i := s.start(key, 1)
	b[i] = '['
	s.n, s.comma = i+1, false
	for n, item := range items {
		err := w.element(s, item)
		w.owned(s)
		if err != nil {
			return s.abandon(o, &MemberError{"", n, -1, err})
		}
		s.comma = true
	}
	if err := s.leave(o); err != nil {
		return err
	}
	s.closing(']', key)
	return nil
}

// named has write write a member, also one with the empty name, which the Write
// methods take for none.
func (w *JsonSerializationWriter) named(s *state, name string, write func(key string) error) error {
	if name != "" {
		return write(name)
	}
	before, comma := s.total(), s.comma
	b, i := s.start("", len(`"":`))
	s.n = i + copy(b[i:], `"":`)
	inside := s.total()
	err := write("")
	w.owned(s)
	if s.total() == inside {
		s.untake(before, comma)
		return err
	}
	s.comma = true
	return err
}
