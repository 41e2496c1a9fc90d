package jsonserialization_test

import (
	"time"

	"github.com/google/uuid"
	absser "github.com/microsoft/kiota-abstractions-go/serialization"

	"github.com/eddy-go/eddy/kiota/jsonserialization"
)

func ptr[T any](v T) *T { return &v }

// write is a model of which Serialize is a function.
type write func(w absser.SerializationWriter) error

func (f write) Serialize(w absser.SerializationWriter) error { return f(w) }
func (f write) GetFieldDeserializers() map[string]func(absser.ParseNode) error {
	return nil
}

// composed is write as a composed type.
type composed struct{ write }

func (composed) GetIsComposedType() bool { return true }

// item is a model in the form in which generated code has them, with a member of
// each kind.
type item struct {
	name     *string
	flag     *bool
	small    *int8
	octet    *byte
	count    *int32
	big      *int64
	ratio    *float32
	exact    *float64
	blob     []byte
	created  *time.Time
	opens    *absser.TimeOnly
	day      *absser.DateOnly
	length   *absser.ISODuration
	id       *uuid.UUID
	labels   []string
	parent   *item
	children []*item
	free     absser.UntypedNodeable
	extra    map[string]any
}

func newItem(absser.ParseNode) (absser.Parsable, error) { return new(item), nil }

func (m *item) GetAdditionalData() map[string]any  { return m.extra }
func (m *item) SetAdditionalData(v map[string]any) { m.extra = v }

func (m *item) Serialize(w absser.SerializationWriter) error {
	var parent, free absser.Parsable
	if m.parent != nil {
		parent = m.parent
	}
	if m.free != nil {
		free = m.free
	}
	var children []absser.Parsable
	if m.children != nil {
		children = make([]absser.Parsable, len(m.children))
		for i, c := range m.children {
			if c != nil {
				children[i] = c
			}
		}
	}
	for _, err := range []error{
		w.WriteStringValue("name", m.name),
		w.WriteBoolValue("flag", m.flag),
		w.WriteInt8Value("small", m.small),
		w.WriteByteValue("octet", m.octet),
		w.WriteInt32Value("count", m.count),
		w.WriteInt64Value("big", m.big),
		w.WriteFloat32Value("ratio", m.ratio),
		w.WriteFloat64Value("exact", m.exact),
		w.WriteByteArrayValue("blob", m.blob),
		w.WriteTimeValue("created", m.created),
		w.WriteTimeOnlyValue("opens", m.opens),
		w.WriteDateOnlyValue("day", m.day),
		w.WriteISODurationValue("length", m.length),
		w.WriteUUIDValue("id", m.id),
		w.WriteCollectionOfStringValues("labels", m.labels),
		w.WriteObjectValue("parent", parent),
		w.WriteCollectionOfObjectValues("children", children),
		w.WriteObjectValue("free", free),
		w.WriteAdditionalData(m.extra),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

func assign[T any](get func() (T, error), to *T) error {
	v, err := get()
	if err == nil {
		*to = v
	}
	return err
}

func (m *item) GetFieldDeserializers() map[string]func(absser.ParseNode) error {
	return map[string]func(absser.ParseNode) error{
		"name":    func(n absser.ParseNode) error { return assign(n.GetStringValue, &m.name) },
		"flag":    func(n absser.ParseNode) error { return assign(n.GetBoolValue, &m.flag) },
		"small":   func(n absser.ParseNode) error { return assign(n.GetInt8Value, &m.small) },
		"octet":   func(n absser.ParseNode) error { return assign(n.GetByteValue, &m.octet) },
		"count":   func(n absser.ParseNode) error { return assign(n.GetInt32Value, &m.count) },
		"big":     func(n absser.ParseNode) error { return assign(n.GetInt64Value, &m.big) },
		"ratio":   func(n absser.ParseNode) error { return assign(n.GetFloat32Value, &m.ratio) },
		"exact":   func(n absser.ParseNode) error { return assign(n.GetFloat64Value, &m.exact) },
		"blob":    func(n absser.ParseNode) error { return assign(n.GetByteArrayValue, &m.blob) },
		"created": func(n absser.ParseNode) error { return assign(n.GetTimeValue, &m.created) },
		"opens":   func(n absser.ParseNode) error { return assign(n.GetTimeOnlyValue, &m.opens) },
		"day":     func(n absser.ParseNode) error { return assign(n.GetDateOnlyValue, &m.day) },
		"length":  func(n absser.ParseNode) error { return assign(n.GetISODurationValue, &m.length) },
		"id":      func(n absser.ParseNode) error { return assign(n.GetUUIDValue, &m.id) },
		"labels": func(n absser.ParseNode) error {
			list, err := n.GetCollectionOfPrimitiveValues("string")
			if err != nil || list == nil {
				return err
			}
			m.labels = make([]string, len(list))
			for i, v := range list {
				if v != nil {
					m.labels[i] = *v.(*string)
				}
			}
			return nil
		},
		"parent": func(n absser.ParseNode) error {
			v, err := n.GetObjectValue(newItem)
			if v != nil {
				m.parent = v.(*item)
			}
			return err
		},
		"children": func(n absser.ParseNode) error {
			list, err := n.GetCollectionOfObjectValues(newItem)
			if err != nil || list == nil {
				return err
			}
			m.children = make([]*item, len(list))
			for i, v := range list {
				if v != nil {
					m.children[i] = v.(*item)
				}
			}
			return nil
		},
		"free": func(n absser.ParseNode) error {
			v, err := n.GetObjectValue(absser.CreateUntypedNodeFromDiscriminatorValue)
			if v != nil {
				m.free = v.(absser.UntypedNodeable)
			}
			return err
		},
	}
}

// mixed is an item with all members but the collections of objects.
func mixed() *item {
	return &item{
		name: ptr("quarterly report <draft>"), flag: ptr(true), small: ptr(int8(-7)), octet: ptr(byte(200)),
		count: ptr(int32(123456)), big: ptr(int64(9007199254740993)), ratio: ptr(float32(0.1)), exact: ptr(2.5),
		blob:    []byte("any bytes\x00\xff"),
		created: ptr(time.Date(2026, 3, 4, 5, 6, 7, 89e6, time.UTC)),
		opens:   absser.NewTimeOnly(time.Date(2026, 1, 1, 9, 30, 0, 0, time.UTC)),
		day:     absser.NewDateOnly(time.Date(2026, 2, 28, 0, 0, 0, 0, time.UTC)),
		length:  absser.NewDuration(0, 0, 1, 2, 3, 4, 500),
		id:      ptr(uuid.MustParse("6ba7b810-9dad-11d1-80b4-00c04fd430c8")),
		labels:  []string{"red", "a \"quoted\" one", "grün"},
		parent:  &item{name: ptr("archive")},
	}
}

const mixedJSON = `{"name":"quarterly report <draft>","flag":true,"small":-7,"octet":200,"count":123456,` +
	`"big":9007199254740993,"ratio":0.1,"exact":2.5,"blob":"YW55IGJ5dGVzAP8=","created":"2026-03-04T05:06:07.089Z",` +
	`"opens":"09:30:00","day":"2026-02-28","length":"P1DT2H3M4.5S","id":"6ba7b810-9dad-11d1-80b4-00c04fd430c8",` +
	`"labels":["red","a \"quoted\" one","grün"],"parent":{"name":"archive"}}`

// written returns what f writes with a new writer.
func written(f func(w *jsonserialization.JsonSerializationWriter) error) (string, error) {
	return writtenWith(jsonserialization.WriterOptions{}, f)
}

func writtenWith(opt jsonserialization.WriterOptions, f func(w *jsonserialization.JsonSerializationWriter) error) (string, error) {
	w := jsonserialization.NewJsonSerializationWriterWithOptions(opt)
	defer w.Close()
	if err := f(w); err != nil {
		return "", err
	}
	b, err := w.GetSerializedContent()
	return string(b), err
}
