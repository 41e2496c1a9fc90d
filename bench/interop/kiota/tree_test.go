package kiota

import (
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/google/uuid"
	absser "github.com/microsoft/kiota-abstractions-go/serialization"
)

func ref[T any](v T) *T { return &v }

// tree is a model of random calls of a writer.
type tree struct {
	calls    []func(w absser.SerializationWriter) error
	composed bool
}

func (t *tree) Serialize(w absser.SerializationWriter) error {
	for _, c := range t.calls {
		if err := c(w); err != nil {
			return err
		}
	}
	return nil
}

func (t *tree) GetFieldDeserializers() map[string]func(absser.ParseNode) error { return nil }

// composedTree is one that is written without braces.
type composedTree struct{ *tree }

func (composedTree) GetIsComposedType() bool { return true }

// forest grows trees. With old, they have values of which the original loses
// something, for a writer with the options for its forms.
type forest struct {
	*rand.Rand
	old bool
}

var alphabets = []string{"abcdefghijklmnop", "\x00\x01\n\t\"\\/\x7f\u2028", "grüßeПривет", "漢字かな交じり文", "a😀b🎉", "<&>'="}

func (f *forest) text(most int) string {
	from := []rune(alphabets[f.IntN(len(alphabets))])
	var b strings.Builder
	for range f.IntN(most + 1) {
		b.WriteRune(from[f.IntN(len(from))])
	}
	return b.String()
}

func (f *forest) name() string {
	if f.old && f.IntN(20) == 0 {
		return "n" + f.text(3) // as it is, with the option
	}
	names := [...]string{"id", "displayName", "@odata.type", "größe", "a b", "value", "createdDateTime", "x", "<&>"}
	return names[f.IntN(len(names))]
}

// none gives nil in place of some values.
func none[T any](f *forest, v *T) *T {
	if f.IntN(8) == 0 {
		return nil
	}
	return v
}

// list gives a collection: nil, empty, or some values.
func list[T any](f *forest, one func() T) []T {
	n := f.IntN(6) - 1
	if n < 0 {
		return nil
	}
	l := make([]T, n)
	for i := range l {
		l[i] = one()
	}
	return l
}

func (f *forest) int64() int64 { return int64(f.Uint64()) >> f.IntN(64) }

func (f *forest) float64() float64 {
	switch f.IntN(4) {
	case 0:
		return float64(f.IntN(2000)-1000) / 8
	case 1:
		return f.NormFloat64() * math.Pow10(f.IntN(40)-20)
	}
	for {
		if v := math.Float64frombits(f.Uint64()); v-v == 0 {
			return v
		}
	}
}

func (f *forest) float32() float32 {
	if !f.old {
		return float32(f.IntN(2000)-1000) / 8
	}
	for {
		if v := math.Float32frombits(f.Uint32()); v-v == 0 {
			return v
		}
	}
}

func (f *forest) time() time.Time {
	t := time.Unix(f.Int64N(4e9), 0)
	if f.old {
		t = t.Add(time.Duration(f.IntN(1e9)))
	}
	if f.IntN(2) == 0 {
		return t.In(time.FixedZone("", (f.IntN(48)-24)*1800))
	}
	return t.UTC()
}

func (f *forest) duration() absser.ISODuration {
	small := func() int { return f.IntN(3) * f.IntN(30) }
	// Without what makes String panic: weeks beside other parts.
	if f.IntN(5) == 0 {
		return *absser.NewDuration(0, 1+small(), 0, 0, 0, 0, 0)
	}
	ms := 0
	if f.old {
		ms = f.IntN(3000)
	}
	d := absser.NewDuration(small(), 0, small(), small(), small(), 1+small(), ms)
	if _, err := d.ToDuration(); err != nil || d.String() == "P" {
		return *absser.NewDuration(1, 0, 0, 0, 0, 0, 0)
	}
	return *d
}

func (f *forest) timeOnly() absser.TimeOnly { return *absser.NewTimeOnly(f.time()) }
func (f *forest) dateOnly() absser.DateOnly { return *absser.NewDateOnly(f.time()) }

func (f *forest) uuid() (id uuid.UUID) {
	for i := range id {
		id[i] = byte(f.Uint32())
	}
	return id
}

func (f *forest) bytes() []byte { return []byte(f.text(40)) }
func (f *forest) string() string {
	if f.IntN(50) == 0 {
		return f.text(30_000)
	}
	return f.text(30)
}

func (f *forest) untyped(depth int) absser.UntypedNodeable {
	kinds := 9
	if depth <= 0 {
		kinds = 7
	}
	switch f.IntN(kinds) {
	case 0:
		return absser.NewUntypedString(f.string())
	case 1:
		return absser.NewUntypedBoolean(f.IntN(2) == 0)
	case 2:
		return absser.NewUntypedDouble(f.float64())
	case 3:
		return absser.NewUntypedFloat(f.float32())
	case 4:
		return absser.NewUntypedInteger(int32(f.int64()))
	case 5:
		return absser.NewUntypedLong(f.int64())
	case 6:
		return absser.NewUntypedNull()
	case 7:
		// One member at most, for the original writes them in any order.
		m := map[string]absser.UntypedNodeable{}
		if f.IntN(4) > 0 {
			m[f.name()] = f.untyped(depth - 1)
		}
		return absser.NewUntypedObject(m)
	}
	l := make([]absser.UntypedNodeable, f.IntN(4))
	for i := range l {
		l[i] = f.untyped(depth - 1)
	}
	return absser.NewUntypedArray(l)
}

// any is for WriteAnyValue.
func (f *forest) any(depth int) any {
	switch f.IntN(6) {
	case 0:
		return f.string()
	case 1:
		return f.float64()
	case 2:
		return nil
	case 3:
		return []any{f.IntN(5), f.text(3)}
	case 4:
		return struct {
			A string `json:"a,omitempty"`
			B []int
		}{f.text(3), []int{1}}
	}
	return map[string]any{"k": f.int64()}
}

// additional is one value of additional data.
func (f *forest) additional(depth int) any {
	at, id, d := f.time(), f.uuid(), f.duration()
	clock, day := f.timeOnly(), f.dateOnly()
	values := []any{
		f.string(), ref(f.string()), true, ref(false), byte(7), ref(byte(8)), int8(-3), ref(int8(3)), int32(4), ref(int32(5)), f.int64(), ref(f.int64()),
		f.float32(), ref(f.float32()), f.float64(), ref(f.float64()), id, &id, at, &at, d, &d, clock, &clock, day, &day, nil, (*string)(nil),
		list(f, f.string), list(f, func() bool { return f.IntN(2) == 0 }), list(f, func() byte { return byte(f.IntN(256)) }),
		list(f, func() int8 { return int8(f.int64()) }), list(f, func() int32 { return int32(f.int64()) }), list(f, f.int64), list(f, f.float32), list(f, f.float64),
		list(f, f.uuid), list(f, f.time), list(f, f.duration), list(f, f.timeOnly), list(f, f.dateOnly), 17, uint16(3), map[string]any{"k": f.text(5)}, []any{f.text(2)},
	}
	if depth > 0 {
		values = append(values, f.object(depth-1), f.untyped(2), f.objects(depth-1))
	}
	return values[f.IntN(len(values))]
}

func (f *forest) object(depth int) absser.Parsable {
	if f.IntN(6) > 0 {
		return f.tree(depth)
	}
	// A composed type has one value without a name.
	t := &tree{composed: true}
	switch f.IntN(3) {
	case 0:
		s := f.string()
		t.calls = append(t.calls, func(w absser.SerializationWriter) error { return w.WriteStringValue("", &s) })
	case 1:
		inner, more := f.tree(depth-1), f.tree(depth-1)
		t.calls = append(t.calls, func(w absser.SerializationWriter) error { return w.WriteObjectValue("", inner, more) })
	case 2:
		l := f.objects(depth - 1)
		if l == nil {
			l = []absser.Parsable{}
		}
		t.calls = append(t.calls, func(w absser.SerializationWriter) error { return w.WriteCollectionOfObjectValues("", l) })
	}
	return composedTree{t}
}

func (f *forest) objects(depth int) []absser.Parsable {
	return list(f, func() absser.Parsable {
		if f.IntN(8) == 0 {
			return nil
		}
		return f.object(depth)
	})
}

func (f *forest) tree(depth int) *tree {
	t := new(tree)
	if depth < 0 {
		return t
	}
	for range f.IntN(7) {
		t.calls = append(t.calls, f.call(depth))
	}
	return t
}

// call makes one call with a value of any kind.
func (f *forest) call(depth int) func(w absser.SerializationWriter) error {
	type writer = absser.SerializationWriter
	k := f.name()
	kinds := 36
	if depth <= 0 {
		kinds = 32
	}
	switch f.IntN(kinds) {
	case 0:
		v := none(f, ref(f.IntN(2) == 0))
		return func(w writer) error { return w.WriteBoolValue(k, v) }
	case 1:
		v := none(f, ref(int8(f.int64())))
		return func(w writer) error { return w.WriteInt8Value(k, v) }
	case 2:
		v := none(f, ref(byte(f.int64())))
		return func(w writer) error { return w.WriteByteValue(k, v) }
	case 3:
		v := none(f, ref(int32(f.int64())))
		return func(w writer) error { return w.WriteInt32Value(k, v) }
	case 4:
		v := none(f, ref(f.int64()))
		return func(w writer) error { return w.WriteInt64Value(k, v) }
	case 5:
		v := none(f, ref(f.float32()))
		return func(w writer) error { return w.WriteFloat32Value(k, v) }
	case 6:
		v := none(f, ref(f.float64()))
		return func(w writer) error { return w.WriteFloat64Value(k, v) }
	case 7:
		var v []byte
		if f.IntN(6) > 0 {
			v = f.bytes()
		}
		return func(w writer) error { return w.WriteByteArrayValue(k, v) }
	case 8:
		v := none(f, ref(f.time()))
		return func(w writer) error { return w.WriteTimeValue(k, v) }
	case 9:
		v := none(f, ref(f.timeOnly()))
		return func(w writer) error { return w.WriteTimeOnlyValue(k, v) }
	case 10:
		v := none(f, ref(f.dateOnly()))
		return func(w writer) error { return w.WriteDateOnlyValue(k, v) }
	case 11:
		v := none(f, ref(f.duration()))
		return func(w writer) error { return w.WriteISODurationValue(k, v) }
	case 12:
		v := none(f, ref(f.uuid()))
		return func(w writer) error { return w.WriteUUIDValue(k, v) }
	case 13:
		v := list(f, f.string)
		return func(w writer) error { return w.WriteCollectionOfStringValues(k, v) }
	case 14:
		v := list(f, func() bool { return f.IntN(2) == 0 })
		return func(w writer) error { return w.WriteCollectionOfBoolValues(k, v) }
	case 15:
		v := list(f, func() byte { return byte(f.int64()) })
		return func(w writer) error { return w.WriteCollectionOfByteValues(k, v) }
	case 16:
		v := list(f, func() int8 { return int8(f.int64()) })
		return func(w writer) error { return w.WriteCollectionOfInt8Values(k, v) }
	case 17:
		v := list(f, func() int32 { return int32(f.int64()) })
		return func(w writer) error { return w.WriteCollectionOfInt32Values(k, v) }
	case 18:
		v := list(f, f.int64)
		return func(w writer) error { return w.WriteCollectionOfInt64Values(k, v) }
	case 19:
		v := list(f, f.float32)
		return func(w writer) error { return w.WriteCollectionOfFloat32Values(k, v) }
	case 20:
		v := list(f, f.float64)
		return func(w writer) error { return w.WriteCollectionOfFloat64Values(k, v) }
	case 21:
		v := list(f, f.time)
		return func(w writer) error { return w.WriteCollectionOfTimeValues(k, v) }
	case 22:
		v := list(f, f.duration)
		return func(w writer) error { return w.WriteCollectionOfISODurationValues(k, v) }
	case 23:
		v := list(f, f.timeOnly)
		return func(w writer) error { return w.WriteCollectionOfTimeOnlyValues(k, v) }
	case 24:
		v := list(f, f.dateOnly)
		return func(w writer) error { return w.WriteCollectionOfDateOnlyValues(k, v) }
	case 25:
		v := list(f, f.uuid)
		return func(w writer) error { return w.WriteCollectionOfUUIDValues(k, v) }
	case 26:
		return func(w writer) error { return w.WriteNullValue(k) }
	case 27:
		v := f.any(depth)
		return func(w writer) error { return w.WriteAnyValue(k, v) }
	case 28:
		v := f.untyped(3)
		return func(w writer) error { return w.WriteObjectValue(k, v) }
	case 29, 30:
		v := map[string]any{k: f.additional(depth)}
		return func(w writer) error { return w.WriteAdditionalData(v) }
	case 31:
		return func(w writer) error { return w.WriteObjectValue(k, nil) }
	case 32, 33:
		v := f.object(depth - 1)
		return func(w writer) error { return w.WriteObjectValue(k, v) }
	case 34:
		v, more := f.tree(depth-1), f.tree(depth-1)
		if f.IntN(3) == 0 {
			return func(w writer) error { return w.WriteObjectValue(k, nil, v, more) }
		}
		return func(w writer) error { return w.WriteObjectValue(k, v, more) }
	case 35:
		v := f.objects(depth - 1)
		return func(w writer) error { return w.WriteCollectionOfObjectValues(k, v) }
	}
	v := none(f, ref(f.string()))
	return func(w writer) error { return w.WriteStringValue(k, v) }
}
