package jsonserialization_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	absser "github.com/microsoft/kiota-abstractions-go/serialization"

	"github.com/eddy-go/eddy/kiota/jsonserialization"
)

// marshals is a value of which MarshalJSON is a function.
type marshals func() error

func (f marshals) MarshalJSON() ([]byte, error) { return []byte(`"m"`), f() }

// node is write as an untyped node of a type of its own.
type node struct{ write }

func (node) GetIsUntypedNode() bool { return true }

// intrusions are the places where code of others runs while a writer writes; each
// has do run there, once.
func intrusions() map[string]func(w *writer, do func() error) error {
	once := func(do func() error) func() error {
		done := false
		return func() error {
			if done {
				return nil
			}
			done = true
			return do()
		}
	}
	all := map[string]func(w *writer, do func() error) error{
		"any": func(w *writer, do func() error) error { return w.WriteAnyValue("k", marshals(do)) },
		"any added": func(w *writer, do func() error) error {
			return w.WriteAdditionalData(map[string]any{"a": marshals(do), "b": 1})
		},
		"any added without a name": func(w *writer, do func() error) error {
			return w.WriteAdditionalData(map[string]any{"": marshals(do), "b": 1})
		},
		"any in an object": func(w *writer, do func() error) error {
			return w.WriteObjectValue("k", write(func(w absser.SerializationWriter) error { return w.WriteAnyValue("k", marshals(do)) }))
		},
	}
	// What happens around one object, and the forms in which objects are written.
	hooks := map[string]func(w *writer, do func() error) absser.Parsable{
		"Serialize": func(w *writer, do func() error) absser.Parsable {
			return write(func(w absser.SerializationWriter) error { w.WriteStringValue("s", ptr("t")); return do() })
		},
		"before": func(w *writer, do func() error) absser.Parsable {
			w.SetOnBeforeSerialization(func(absser.Parsable) error { return do() })
			return &item{name: ptr("n")}
		},
		"start": func(w *writer, do func() error) absser.Parsable {
			w.SetOnStartObjectSerialization(func(absser.Parsable, absser.SerializationWriter) error { return do() })
			return &item{name: ptr("n")}
		},
		"after": func(w *writer, do func() error) absser.Parsable {
			w.SetOnAfterObjectSerialization(func(absser.Parsable) error { return do() })
			return &item{name: ptr("n")}
		},
	}
	forms := map[string]func(w *writer, p absser.Parsable) error{
		"object":   func(w *writer, p absser.Parsable) error { return w.WriteObjectValue("k", p) },
		"document": func(w *writer, p absser.Parsable) error { return w.WriteObjectValue("", p) },
		"merged":   func(w *writer, p absser.Parsable) error { return w.WriteObjectValue("k", nil, p, &item{}) },
		"composed": func(w *writer, p absser.Parsable) error { return w.WriteObjectValue("k", composed{p.Serialize}) },
		"inner": func(w *writer, p absser.Parsable) error {
			return w.WriteObjectValue("k", write(func(w absser.SerializationWriter) error { return w.WriteObjectValue("i", p) }))
		},
		"collection": func(w *writer, p absser.Parsable) error {
			return w.WriteCollectionOfObjectValues("k", []absser.Parsable{p, &item{}})
		},
		"untyped array": func(w *writer, p absser.Parsable) error {
			return w.WriteObjectValue("k", absser.NewUntypedArray([]absser.UntypedNodeable{node{p.Serialize}, nil}))
		},
		"untyped object": func(w *writer, p absser.Parsable) error {
			return w.WriteObjectValue("k", absser.NewUntypedObject(map[string]absser.UntypedNodeable{"a": node{p.Serialize}, "b": nil}))
		},
		"untyped member without a name": func(w *writer, p absser.Parsable) error {
			return w.WriteObjectValue("k", absser.NewUntypedObject(map[string]absser.UntypedNodeable{"": node{p.Serialize}, "b": nil}))
		},
		"added": func(w *writer, p absser.Parsable) error { return w.WriteAdditionalData(map[string]any{"a": p, "b": 1}) },
		"added without a name": func(w *writer, p absser.Parsable) error {
			return w.WriteAdditionalData(map[string]any{"": p, "b": 1})
		},
	}
	for hook, model := range hooks {
		for form, put := range forms {
			all[hook+" of "+form] = func(w *writer, do func() error) error { return put(w, model(w, once(do))) }
		}
	}
	return all
}

// A writer that is closed on the way gives what it works in to the next one, and
// must not touch it any more, whatever the code that closed it returns.
func TestCloseOnTheWay(t *testing.T) {
	for name, intrude := range intrusions() {
		for what, end := range map[string]func() error{
			"nothing": func() error { return nil },
			"error":   func() error { return errFault },
			"panic":   func() error { panic("jsonserialization: of a closed writer") },
		} {
			for _, copied := range []bool{false, true} {
				label := fmt.Sprintf("%s, %s, of a copy: %v", name, what, copied)
				w := jsonserialization.NewJsonSerializationWriter()
				c := *w
				var next *writer
				mustPanic(t, label, func() {
					intrude(w, func() error {
						if copied {
							c.Close()
						} else {
							w.Close()
						}
						next = jsonserialization.NewJsonSerializationWriter()
						next.WriteNullValue("n")
						return end()
					})
				})
				if b, err := next.GetSerializedContent(); err != nil || string(b) != `"n":null` {
					t.Errorf("%s: the writer made there has %s, %v", label, b, err)
				}
				next.Close()
				w.Close()
				for range 3 {
					w := jsonserialization.NewJsonSerializationWriter()
					w.WriteObjectValue("", &item{name: ptr("x")})
					if b, err := w.GetSerializedContent(); err != nil || string(b) != `{"name":"x"}` {
						t.Errorf("%s: a later writer has %s, %v", label, b, err)
					}
					w.Close()
				}
			}
		}
	}
}

// A Reset on the way leaves no half of an object that looks whole, and a writer
// that can be used again.
func TestResetOnTheWay(t *testing.T) {
	for name, intrude := range intrusions() {
		for _, end := range []error{nil, errFault} {
			label := fmt.Sprintf("%s, %v", name, end)
			out := inUse()
			w := jsonserialization.NewJsonSerializationWriter()
			w.WriteStringValue("a", ptr(strings.Repeat("x", 100_000)))
			err := intrude(w, func() error { w.Reset(); return end })
			w.SetOnBeforeSerialization(nil)
			w.SetOnStartObjectSerialization(nil)
			w.SetOnAfterObjectSerialization(nil)
			b, berr := w.GetSerializedContent()
			switch {
			case name == "any" || strings.HasPrefix(name, "before of") && berr == nil:
				// Nothing had been begun, so what follows is written, or is not.
				if s := string(b); berr != nil || !errors.Is(err, end) || err == nil && strings.Count(s, "{") != strings.Count(s, "}") {
					t.Errorf("%s: %s, %v, %v", label, b, err, berr)
				}
			case err == nil || !errors.Is(berr, jsonserialization.ErrUnfinished) && !errors.Is(berr, errFault):
				t.Errorf("%s: %v, and then %s, %v", label, err, b, berr)
			}
			w.Reset()
			w.WriteObjectValue("", mixed())
			if b, err := w.GetSerializedContent(); err != nil || string(b) != mixedJSON {
				t.Errorf("%s: after Reset: %s, %v", label, b, err)
			}
			w.Close()
			if n := inUse() - out; n != 0 {
				t.Errorf("%s: %d pieces of memory are lost", label, n)
			}
		}
	}
}

// Neither does one behind which a panic leaves as many objects open as there were.
func TestResetAndPanicOnTheWay(t *testing.T) {
	got, err := written(func(w *writer) error {
		return w.WriteObjectValue("", write(func(absser.SerializationWriter) error {
			w.Reset()
			defer func() { recover() }()
			return w.WriteObjectValue("k", write(func(absser.SerializationWriter) error { panic(errFault) }))
		}))
	})
	if !errors.Is(err, jsonserialization.ErrUnfinished) {
		t.Errorf("%s, %v", got, err)
	}
}

// Closing a copy again, while another goroutine uses what was given back, is
// documented to do nothing. The race detector has its say here.
func TestCopiesClosedWhileOthersWrite(t *testing.T) {
	rounds := 3000
	if testing.Short() {
		rounds = 500
	}
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for range rounds {
				w := jsonserialization.NewJsonSerializationWriter()
				c := *w
				w.WriteInt32Value("g", ptr(int32(g)))
				if b, err := c.GetSerializedContent(); err != nil || string(b) != fmt.Sprintf(`"g":%d`, g) {
					t.Errorf("%d: %s, %v", g, b, err)
				}
				w.Close()
				c.Close()
			}
		})
	}
	wg.Wait()
}

// A failure ends a message: a model that ignores errors and contains itself more
// than once would be written again and again otherwise, at every level.
func TestIgnoredErrorsEnd(t *testing.T) {
	const most = 30_000
	calls := 0
	var self write
	counted := func(f func(w absser.SerializationWriter)) write {
		return func(w absser.SerializationWriter) error {
			if calls++; calls > most {
				panic("without end")
			}
			f(w)
			f(w)
			return nil
		}
	}
	for name, f := range map[string]func(w absser.SerializationWriter){
		"objects":     func(w absser.SerializationWriter) { w.WriteObjectValue("a", self) },
		"composed":    func(w absser.SerializationWriter) { w.WriteObjectValue("a", composed{self}) },
		"merged":      func(w absser.SerializationWriter) { w.WriteObjectValue("a", nil, self) },
		"collections": func(w absser.SerializationWriter) { w.WriteCollectionOfObjectValues("a", []absser.Parsable{self}) },
		"untyped": func(w absser.SerializationWriter) {
			w.WriteObjectValue("a", absser.NewUntypedArray([]absser.UntypedNodeable{node{self}}))
		},
		"members": func(w absser.SerializationWriter) {
			w.WriteObjectValue("a", absser.NewUntypedObject(map[string]absser.UntypedNodeable{"b": node{self}}))
		},
		"added": func(w absser.SerializationWriter) { w.WriteAdditionalData(map[string]any{"a": self}) },
	} {
		calls = 0
		self = counted(f)
		w := jsonserialization.NewJsonSerializationWriter()
		w.WriteObjectValue("", self)
		if _, err := w.GetSerializedContent(); !errors.Is(err, jsonserialization.ErrDepth) {
			t.Errorf("%s: %.80v", name, err)
		}
		w.Close()
	}
}
