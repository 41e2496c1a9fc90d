package jsonserialization_test

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/google/uuid"
	absser "github.com/microsoft/kiota-abstractions-go/serialization"

	"github.com/eddy-go/eddy/kiota/jsonserialization"
)

// program makes calls of a writer out of bytes.
type program struct {
	code  []byte
	depth int
}

func (p *program) byte() byte {
	if len(p.code) == 0 {
		return 0
	}
	c := p.code[0]
	p.code = p.code[1:]
	return c
}

func (p *program) take(n int) []byte {
	n = min(n, len(p.code))
	b := p.code[:n]
	p.code = p.code[n:]
	return b
}

func (p *program) word() (v uint64) {
	for _, c := range p.take(8) {
		v = v<<8 | uint64(c)
	}
	return v
}

func (p *program) text() string {
	n := int(p.byte())
	if n > 250 {
		n *= 300
	}
	return string(p.take(n))
}

// GetFieldDeserializers makes a program a model.
func (p *program) GetFieldDeserializers() map[string]func(absser.ParseNode) error { return nil }

// Serialize writes some members. Errors of values that cannot be written are
// dropped, for they leave the content as it was.
func (p *program) Serialize(w absser.SerializationWriter) error {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > 50 {
		return nil
	}
	for n := int(p.byte() % 16); n > 0 && len(p.code) > 0; n-- {
		name := p.text()
		if name == "" {
			name = "k"
		}
		at := time.Unix(int64(p.byte())<<30, int64(p.byte())<<20).UTC()
		switch p.byte() % 20 {
		case 0:
			w.WriteStringValue(name, ptr(p.text()))
		case 1:
			w.WriteInt64Value(name, ptr(int64(p.word())))
		case 2:
			w.WriteFloat64Value(name, ptr(math.Float64frombits(p.word())))
		case 3:
			w.WriteFloat32Value(name, ptr(math.Float32frombits(uint32(p.word()))))
		case 4:
			w.WriteByteArrayValue(name, []byte(p.text()))
		case 5:
			w.WriteTimeValue(name, &at)
		case 6:
			w.WriteISODurationValue(name, absser.NewDuration(int(int8(p.byte())), int(int8(p.byte())), int(int8(p.byte())),
				int(int8(p.byte())), int(int8(p.byte())), int(int8(p.byte())), int(int32(p.word()))))
		case 7:
			w.WriteTimeOnlyValue(name, absser.NewTimeOnly(at))
		case 8:
			w.WriteDateOnlyValue(name, absser.NewDateOnly(at))
		case 9:
			w.WriteUUIDValue(name, &uuid.UUID{p.byte()})
		case 10:
			if err := w.WriteObjectValue(name, p); err != nil {
				return err
			}
		case 11:
			if err := w.WriteCollectionOfObjectValues(name, []absser.Parsable{p, nil, p}); err != nil {
				return err
			}
		case 12:
			if err := w.WriteCollectionOfStringValues(name, []string{p.text(), p.text()}); err != nil {
				return err
			}
		case 13:
			w.WriteAdditionalData(map[string]any{name + "+": p.text(), name + "-": p.byte()})
		case 14:
			w.WriteAnyValue(name, []any{p.text(), p.word()})
		case 15:
			w.WriteNullValue(name)
		case 16:
			w.WriteObjectValue(name, composed{func(w absser.SerializationWriter) error {
				if p.byte()%2 == 0 {
					return nil
				}
				return w.WriteStringValue("", ptr(p.text()))
			}})
		case 17:
			w.WriteObjectValue(name, absser.NewUntypedObject(map[string]absser.UntypedNodeable{p.text(): absser.NewUntypedString(p.text()), p.text(): nil}))
		case 18:
			if err := w.WriteObjectValue(name, p, p, nil); err != nil {
				return err
			}
		case 19:
			w.WriteCollectionOfByteValues(name, []byte(p.text()))
		}
	}
	return nil
}

// FuzzWriter makes any calls: the content is JSON, taking it changes nothing, and
// reading it gives what it says.
func FuzzWriter(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte("\x0f\x03abc\x01\x02\x00\x05hello\x01k\x00\x00\x0a\x03\x01a\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x07"))
	f.Add([]byte("\x0f\x01\"\x01\x01\x0b\x02\x01a\x01\x01\x10\x00\x01b\x01\x01\x10\x01\x02xy\x01k\x01\x01\x02\x7f\xf0\x00\x00\x00\x00\x00\x00"))
	f.Add([]byte("\x0f\x02\xff\xfe\x01\x01\x11\x00\x03a\x00b\x00\x01d\x01\x01\x06\x01\x02\x03\x04\x05\x06\x00\x00\x00\x00\x00\x00\x03\xe8"))
	f.Fuzz(func(t *testing.T, code []byte) {
		if len(code) > 1<<14 {
			return // objects inside of objects multiply what is written
		}
		w := jsonserialization.NewJsonSerializationWriter()
		defer w.Close()
		if err := w.WriteObjectValue("", &program{code: code}); err != nil {
			t.Fatal(err)
		}
		b, err := w.GetSerializedContent()
		if err != nil {
			t.Fatal(err)
		}
		if again, err := w.GetSerializedContent(); err != nil || string(again) != string(b) {
			t.Fatalf("taken again, it is %q, %v", again, err)
		}
		if !json.Valid(b) {
			t.Fatalf("not JSON: %q", b)
		}
		n, err := jsonserialization.NewJsonParseNode(b)
		if err != nil {
			t.Fatalf("not read: %q: %v", b, err)
		}
		checkRaw(t, b, n)
	})
}
