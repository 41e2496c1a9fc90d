package jsonserialization

import (
	"reflect"

	absser "github.com/microsoft/kiota-abstractions-go/serialization"
)

// isNil tells that there is no object: a nil interface, or a nil pointer in one.
func isNil(p absser.Parsable) bool {
	if p == nil {
		return true
	}
	v := reflect.ValueOf(p)
	return v.Kind() == reflect.Pointer && v.IsNil()
}

// WriteObjectValue writes an object, and the members of further ones behind its
// own. Objects that are nil, or nil pointers, are left out; if all are, nothing
// is written. A composed type writes what it is made of, without braces.
//
// The callbacks are called for each object. An error of theirs, or of Serialize,
// leaves the object incomplete; see [JsonSerializationWriter].
func (w *JsonSerializationWriter) WriteObjectValue(key string, item absser.Parsable, additionalValuesToMerge ...absser.Parsable) error {
	s := w.state()
	if isNil(item) {
		item = nil
		none := true
		for _, a := range additionalValuesToMerge {
			none = none && isNil(a)
		}
		if none {
			return nil
		}
	}
	if node, ok := item.(absser.UntypedNodeable); ok {
		if done, err := w.untyped(s, key, node); done {
			return err
		}
	}
	return at(key, w.object(s, key, item, additionalValuesToMerge))
}

// object writes item, which may be nil, and what is to be merged with it.
func (w *JsonSerializationWriter) object(s *state, key string, item absser.Parsable, merge []absser.Parsable) error {
	if s.failed != nil {
		// A model that ignores errors, and contains itself more than once,
		// would be tried again at every level.
		return s.failed
	}
	if item != nil {
		if err := w.before(s, item); err != nil {
			return err
		}
	}
	o, err := s.enter()
	if err != nil {
		return err
	}
	_, composed := item.(absser.ComposedTypeWrapper)
	start, comma := s.total(), s.comma
	b, i := s.start(key, 1)
	if !composed {
		b[i] = '{'
		i++
	}
	s.n, s.comma = i, false
	inside := s.total()
	if item != nil {
		if err := w.members(s, item); err != nil {
			return s.abandon(o, err)
		}
	}
	for _, m := range merge {
		if isNil(m) {
			continue
		}
		if err := w.before(s, m); err != nil {
			return s.abandon(o, err)
		}
		if err := w.members(s, m); err != nil {
			return s.abandon(o, err)
		}
	}
	if err := s.leave(o); err != nil {
		return err
	}
	switch {
	case !composed:
		s.closing('}', key)
	case s.total() == inside:
		s.untake(start, comma) // no value, so no member
	case key != "":
		s.comma = true
	}
	return nil
}

// before calls the callback, and returns with s still the writer's.
func (w *JsonSerializationWriter) before(s *state, item absser.Parsable) error {
	if w.onBefore == nil {
		return nil
	}
	err := w.onBefore(item)
	w.owned(s)
	if s.opt.IgnoreCallbackErrors {
		return nil
	}
	return err
}

// members calls the callbacks and Serialize, and returns with s still the
// writer's. The callback at the end is called after a failure as well, so that
// what the one before has changed can be undone.
func (w *JsonSerializationWriter) members(s *state, item absser.Parsable) error {
	var err error
	if w.onStart != nil {
		err = w.onStart(item, w)
		w.owned(s)
	}
	if err == nil {
		err = item.Serialize(w)
	}
	w.owned(s)
	if w.onAfter != nil {
		aerr := w.onAfter(item)
		w.owned(s)
		if err == nil && !s.opt.IgnoreCallbackErrors {
			err = aerr
		}
	}
	return err
}

// element writes an object, or null if there is none, in a collection.
func (w *JsonSerializationWriter) element(s *state, item absser.Parsable) error {
	if isNil(item) {
		s.null("")
		return nil
	}
	before := s.total()
	err := w.WriteObjectValue("", item)
	w.owned(s)
	if err != nil {
		return err
	}
	if s.total() == before {
		s.null("") // a composed type without a value
	}
	return nil
}

// WriteCollectionOfObjectValues writes an array of objects, with null for those
// that are nil.
func (w *JsonSerializationWriter) WriteCollectionOfObjectValues(key string, items []absser.Parsable) error {
	s := w.state()
	if items == nil {
		return nil
	}
	o, err := s.enter()
	if err != nil {
		return at(key, err)
	}
	b, i := s.start(key, 1)
	b[i] = '['
	s.n, s.comma = i+1, false
	for n, item := range items {
		err := w.element(s, item)
		w.owned(s)
		if err != nil {
			return s.abandon(o, at(key, &MemberError{"", n, -1, err}))
		}
		s.comma = true
	}
	if err := s.leave(o); err != nil {
		return at(key, err)
	}
	s.closing(']', key)
	return nil
}
