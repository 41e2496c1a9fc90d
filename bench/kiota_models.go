package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	absser "github.com/microsoft/kiota-abstractions-go/serialization"
)

// The models of the kiota table are written the way generated ones are: a
// setter-like closure for each member, made anew for each object that is read.

func ref[T any](v T) *T { return &v }

// firstError is what the generated chain of ifs comes to.
func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// take stores what a getter of a node returns.
func take[T any](get func() (T, error), to *T) error {
	v, err := get()
	if err != nil {
		return err
	}
	*to = v
	return nil
}

// simple14 has 14 properties that are one value each, most of them text, as in
// the models of Graph.
type simple14 struct {
	id                                            *uuid.UUID
	name, mail, title, office, city, country, tag *string
	phone, notes                                  *string
	created                                       *time.Time
	level                                         *int32
	score                                         *float64
	active                                        *bool
}

func newSimple14() *simple14 {
	at := time.Date(2026, 3, 4, 8, 30, 0, 0, time.UTC)
	return &simple14{
		id: ref(uuid.MustParse("87d349ed-44d7-43e1-9a83-5f2406dee5bd")), name: ref("Adele Vance, Regional Sales"),
		mail: ref("adele.vance@contoso.example.com"), title: ref("Retail Manager for Home Appliances"), office: ref("18/2111, Building North"),
		city: ref("Fort Lauderdale"), country: ref("United States of America"), tag: ref("W/\"JzEtQXBwbGljYXRpb24nNzI=\""),
		phone: ref("+1 954 555 0100"), notes: ref("Prefers to be reached in the morning; out on every second Friday."),
		created: &at, level: ref(int32(1007)), score: ref(97.25), active: ref(true),
	}
}

func (m *simple14) Serialize(w absser.SerializationWriter) error {
	return firstError(
		w.WriteUUIDValue("id", m.id),
		w.WriteStringValue("displayName", m.name),
		w.WriteStringValue("mail", m.mail),
		w.WriteStringValue("jobTitle", m.title),
		w.WriteStringValue("officeLocation", m.office),
		w.WriteStringValue("city", m.city),
		w.WriteStringValue("country", m.country),
		w.WriteStringValue("@odata.etag", m.tag),
		w.WriteStringValue("mobilePhone", m.phone),
		w.WriteStringValue("aboutMe", m.notes),
		w.WriteTimeValue("createdDateTime", m.created),
		w.WriteInt32Value("employeeLevel", m.level),
		w.WriteFloat64Value("score", m.score),
		w.WriteBoolValue("accountEnabled", m.active))
}

func (m *simple14) GetFieldDeserializers() map[string]func(absser.ParseNode) error { return nil }

// mixed16 has a property of each kind; with a duration it is full17.
type mixed16 struct {
	id       *uuid.UUID
	name     *string
	state    *string // an enum is written as a string
	small    *int8
	octet    *byte
	count    *int32
	total    *int64
	ratio    *float64
	share    *float32
	active   *bool
	created  *time.Time
	opens    *absser.TimeOnly
	birthday *absser.DateOnly
	photo    []byte
	phones   []string
	address  *address
	length   *absser.ISODuration
}

func newMixed16() *mixed16 {
	at := time.Date(2026, 3, 4, 8, 30, 0, 0, time.UTC)
	return &mixed16{
		id: ref(uuid.MustParse("87d349ed-44d7-43e1-9a83-5f2406dee5bd")), name: ref("Adele Vance, Regional Sales"), state: ref("confidential"),
		small: ref(int8(-5)), octet: ref(byte(200)), count: ref(int32(1007)), total: ref(int64(8589934592)), ratio: ref(97.25),
		share: ref(float32(0.5)), active: ref(true), created: &at, opens: absser.NewTimeOnly(at), birthday: absser.NewDateOnly(at),
		photo: []byte("a few bytes of a picture that is not here"), phones: []string{"+1 954 555 0100", "+1 954 555 0199"},
		address: &address{street: ref("9256 Towne Center Dr., Suite 400"), city: ref("Fort Lauderdale"), code: ref("33301")},
	}
}

func newFull17() *mixed16 {
	m := newMixed16()
	m.length = absser.NewDuration(0, 0, 3, 4, 5, 6, 0)
	return m
}

func (m *mixed16) Serialize(w absser.SerializationWriter) error {
	return firstError(
		w.WriteUUIDValue("id", m.id),
		w.WriteStringValue("displayName", m.name),
		w.WriteStringValue("sensitivity", m.state),
		w.WriteInt8Value("offset", m.small),
		w.WriteByteValue("priority", m.octet),
		w.WriteInt32Value("employeeLevel", m.count),
		w.WriteInt64Value("mailboxSize", m.total),
		w.WriteFloat64Value("score", m.ratio),
		w.WriteFloat32Value("share", m.share),
		w.WriteBoolValue("accountEnabled", m.active),
		w.WriteTimeValue("createdDateTime", m.created),
		w.WriteTimeOnlyValue("startWorkTime", m.opens),
		w.WriteDateOnlyValue("birthDay", m.birthday),
		w.WriteByteArrayValue("photo", m.photo),
		w.WriteCollectionOfStringValues("businessPhones", m.phones),
		w.WriteObjectValue("address", m.address),
		w.WriteISODurationValue("workDuration", m.length))
}

func createMixed16(absser.ParseNode) (absser.Parsable, error) { return new(mixed16), nil }

func (m *mixed16) GetFieldDeserializers() map[string]func(absser.ParseNode) error {
	return map[string]func(absser.ParseNode) error{
		"id":              func(n absser.ParseNode) error { return take(n.GetUUIDValue, &m.id) },
		"displayName":     func(n absser.ParseNode) error { return take(n.GetStringValue, &m.name) },
		"sensitivity":     func(n absser.ParseNode) error { return take(n.GetStringValue, &m.state) },
		"offset":          func(n absser.ParseNode) error { return take(n.GetInt8Value, &m.small) },
		"priority":        func(n absser.ParseNode) error { return take(n.GetByteValue, &m.octet) },
		"employeeLevel":   func(n absser.ParseNode) error { return take(n.GetInt32Value, &m.count) },
		"mailboxSize":     func(n absser.ParseNode) error { return take(n.GetInt64Value, &m.total) },
		"score":           func(n absser.ParseNode) error { return take(n.GetFloat64Value, &m.ratio) },
		"share":           func(n absser.ParseNode) error { return take(n.GetFloat32Value, &m.share) },
		"accountEnabled":  func(n absser.ParseNode) error { return take(n.GetBoolValue, &m.active) },
		"createdDateTime": func(n absser.ParseNode) error { return take(n.GetTimeValue, &m.created) },
		"startWorkTime":   func(n absser.ParseNode) error { return take(n.GetTimeOnlyValue, &m.opens) },
		"birthDay":        func(n absser.ParseNode) error { return take(n.GetDateOnlyValue, &m.birthday) },
		"photo":           func(n absser.ParseNode) error { return take(n.GetByteArrayValue, &m.photo) },
		"workDuration":    func(n absser.ParseNode) error { return take(n.GetISODurationValue, &m.length) },
		"businessPhones": func(n absser.ParseNode) error {
			list, err := n.GetCollectionOfPrimitiveValues("string")
			if err != nil {
				return err
			}
			m.phones = make([]string, len(list))
			for i, v := range list {
				if v != nil {
					m.phones[i] = *v.(*string)
				}
			}
			return nil
		},
		"address": func(n absser.ParseNode) error {
			v, err := n.GetObjectValue(createAddress)
			if err == nil && v != nil {
				m.address = v.(*address)
			}
			return err
		},
	}
}

type address struct{ street, city, code *string }

func createAddress(absser.ParseNode) (absser.Parsable, error) { return new(address), nil }

func (m *address) Serialize(w absser.SerializationWriter) error {
	return firstError(
		w.WriteStringValue("street", m.street),
		w.WriteStringValue("city", m.city),
		w.WriteStringValue("postalCode", m.code))
}

func (m *address) GetFieldDeserializers() map[string]func(absser.ParseNode) error {
	return map[string]func(absser.ParseNode) error{
		"street":     func(n absser.ParseNode) error { return take(n.GetStringValue, &m.street) },
		"city":       func(n absser.ParseNode) error { return take(n.GetStringValue, &m.city) },
		"postalCode": func(n absser.ParseNode) error { return take(n.GetStringValue, &m.code) },
	}
}

// page is a list of entries, as the answers to a query are.
type page struct{ value []absser.Parsable }

func newPage(n int) *page {
	p := new(page)
	for i := range n {
		p.value = append(p.value, &entry5{
			id: ref(fmt.Sprintf("entry-%06d", i)), name: ref(fmt.Sprintf("Entry number %d", i)), count: ref(int32(i)), active: ref(i%3 == 0), ratio: ref(float64(i) / 8),
		})
	}
	return p
}

func createPage(absser.ParseNode) (absser.Parsable, error) { return new(page), nil }

func (p *page) Serialize(w absser.SerializationWriter) error {
	return w.WriteCollectionOfObjectValues("value", p.value)
}

func (p *page) GetFieldDeserializers() map[string]func(absser.ParseNode) error {
	return map[string]func(absser.ParseNode) error{
		"value": func(n absser.ParseNode) error {
			return take(func() ([]absser.Parsable, error) { return n.GetCollectionOfObjectValues(createEntry5) }, &p.value)
		},
	}
}

type entry5 struct {
	id, name *string
	count    *int32
	active   *bool
	ratio    *float64
}

func createEntry5(absser.ParseNode) (absser.Parsable, error) { return new(entry5), nil }

func (m *entry5) Serialize(w absser.SerializationWriter) error {
	return firstError(
		w.WriteStringValue("id", m.id),
		w.WriteStringValue("displayName", m.name),
		w.WriteInt32Value("count", m.count),
		w.WriteBoolValue("active", m.active),
		w.WriteFloat64Value("ratio", m.ratio))
}

func (m *entry5) GetFieldDeserializers() map[string]func(absser.ParseNode) error {
	return map[string]func(absser.ParseNode) error{
		"id":          func(n absser.ParseNode) error { return take(n.GetStringValue, &m.id) },
		"displayName": func(n absser.ParseNode) error { return take(n.GetStringValue, &m.name) },
		"count":       func(n absser.ParseNode) error { return take(n.GetInt32Value, &m.count) },
		"active":      func(n absser.ParseNode) error { return take(n.GetBoolValue, &m.active) },
		"ratio":       func(n absser.ParseNode) error { return take(n.GetFloat64Value, &m.ratio) },
	}
}

// body is a message with one long text.
type body struct{ content *string }

func newBody(text string, size int) *body {
	return &body{ref(strings.Repeat(text, size/len(text)))}
}

func (m *body) Serialize(w absser.SerializationWriter) error {
	return w.WriteStringValue("content", m.content)
}

func (m *body) GetFieldDeserializers() map[string]func(absser.ParseNode) error { return nil }
