package jsonserialization_test

import (
	"sync"
	"testing"

	abstractions "github.com/microsoft/kiota-abstractions-go"
	absser "github.com/microsoft/kiota-abstractions-go/serialization"
	"github.com/microsoft/kiota-abstractions-go/store"

	"github.com/eddy-go/eddy/kiota/jsonserialization"
)

// What another library would have registered.
type (
	otherWriters struct {
		absser.SerializationWriterFactory
	}
	otherNodes  struct{ absser.ParseNodeFactory }
	otherWriter struct{ absser.SerializationWriter }
	otherNode   struct{ absser.ParseNode }
)

func (f otherWriters) GetSerializationWriter(contentType string) (absser.SerializationWriter, error) {
	w, err := f.SerializationWriterFactory.GetSerializationWriter(contentType)
	return otherWriter{w}, err
}

func (f otherNodes) GetRootParseNode(contentType string, content []byte) (absser.ParseNode, error) {
	n, err := f.ParseNodeFactory.GetRootParseNode(contentType, content)
	return otherNode{n}, err
}

// newClient does what the constructor of a generated client does.
func newClient() {
	abstractions.RegisterDefaultSerializer(func() absser.SerializationWriterFactory {
		return otherWriters{jsonserialization.NewJsonSerializationWriterFactory()}
	})
	abstractions.RegisterDefaultDeserializer(func() absser.ParseNodeFactory {
		return otherNodes{jsonserialization.NewJsonParseNodeFactory()}
	})
}

func enableBackingStore() {
	abstractions.EnableBackingStoreForSerializationWriterFactory(absser.DefaultSerializationWriterFactoryInstance)
	abstractions.EnableBackingStoreForParseNodeFactory(absser.DefaultParseNodeFactoryInstance)
}

// emptyRegistries takes the entries of the registries away for a test.
func emptyRegistries(t *testing.T) {
	w, p := absser.DefaultSerializationWriterFactoryInstance, absser.DefaultParseNodeFactoryInstance
	ws, ps := w.ContentTypeAssociatedFactories, p.ContentTypeAssociatedFactories
	w.ContentTypeAssociatedFactories = map[string]absser.SerializationWriterFactory{}
	p.ContentTypeAssociatedFactories = map[string]absser.ParseNodeFactory{}
	t.Cleanup(func() { w.ContentTypeAssociatedFactories, p.ContentTypeAssociatedFactories = ws, ps })
}

// registered reports whether the registries make writers and nodes of this
// package, and whether these have a backing store.
func registered(t *testing.T) (own, backed bool) {
	t.Helper()
	w, err := absser.DefaultSerializationWriterFactoryInstance.GetSerializationWriter("application/vnd.x+json; charset=utf-8")
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	n, err := absser.DefaultParseNodeFactoryInstance.GetRootParseNode("application/json; charset=utf-8", []byte("null"))
	if err != nil {
		t.Fatal(err)
	}
	_, ownWriter := w.(*jsonserialization.JsonSerializationWriter)
	_, ownNode := n.(*jsonserialization.JsonParseNode)
	before, nodeBefore := w.GetOnBeforeSerialization() != nil, n.GetOnBeforeAssignFieldValues() != nil
	if ownWriter != ownNode || before != nodeBefore {
		t.Fatalf("writers and nodes differ: %T, %T", w, n)
	}
	return ownWriter, before
}

func TestRegister(t *testing.T) {
	type step struct {
		name string
		do   func()
	}
	register := step{"Register", jsonserialization.Register}
	client := step{"client", newClient}
	backing := step{"backing store", enableBackingStore}
	for _, steps := range [][]step{
		{register},
		{register, client},
		{client, register},
		{register, client, register, client},
		{client, register, register},
		{register, client, backing},
		{client, backing, register},
		{client, backing, register, register, client},
		{register, client, backing, register},
		{client, register, backing, backing},
	} {
		var names string
		wantBacked := false
		emptyRegistries(t)
		for _, s := range steps {
			names += s.name + ", "
			wantBacked = wantBacked || s.name == backing.name
			s.do()
		}
		if own, backed := registered(t); !own || backed != wantBacked {
			t.Errorf("%s: own %v, backing store %v", names, own, backed)
		}
	}
}

// Called again, Register writes nothing that a request may be reading.
func TestRegisterAgainChangesNothing(t *testing.T) {
	for _, backing := range []bool{false, true} {
		emptyRegistries(t)
		newClient()
		if backing {
			enableBackingStore()
		}
		jsonserialization.Register()
		w := absser.DefaultSerializationWriterFactoryInstance.ContentTypeAssociatedFactories
		p := absser.DefaultParseNodeFactoryInstance.ContentTypeAssociatedFactories
		w["mark"], p["mark"] = nil, nil
		jsonserialization.Register()
		if _, same := absser.DefaultSerializationWriterFactoryInstance.ContentTypeAssociatedFactories["mark"]; !same || w["application/json"] != absser.DefaultSerializationWriterFactoryInstance.ContentTypeAssociatedFactories["application/json"] {
			t.Error("the writers were registered again")
		}
		if p["application/json"] != absser.DefaultParseNodeFactoryInstance.ContentTypeAssociatedFactories["application/json"] {
			t.Error("the nodes were registered again")
		}
		jsonserialization.RegisterWithOptions(jsonserialization.WriterOptions{WholeSeconds: true}, jsonserialization.ParseOptions{FloatIntegers: true})
		if w["application/json"] == absser.DefaultSerializationWriterFactoryInstance.ContentTypeAssociatedFactories["application/json"] ||
			p["application/json"] == absser.DefaultParseNodeFactoryInstance.ContentTypeAssociatedFactories["application/json"] {
			t.Error("other options were not registered")
		}
		if own, backed := registered(t); !own || backed != backing {
			t.Error(own, backed)
		}
	}
}

func TestRegisterWhileClientsAreMade(t *testing.T) {
	emptyRegistries(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				newClient()
				enableBackingStore()
			}
		})
		wg.Go(func() {
			for range 50 {
				jsonserialization.Register()
			}
		})
	}
	wg.Wait()
	jsonserialization.Register()
	if own, backed := registered(t); !own || !backed {
		t.Errorf("own %v, backing store %v", own, backed)
	}
}

// A model with a backing store, of which only what has changed is written.
type backedModel struct {
	item
	store store.BackingStore
}

func (m *backedModel) GetBackingStore() store.BackingStore { return m.store }
func (m *backedModel) set(key string, v any)               { m.store.Set(key, v) }
func (m *backedModel) Serialize(w absser.SerializationWriter) error {
	for _, key := range []string{"a", "b"} {
		v, err := m.store.Get(key)
		if err != nil {
			return err
		}
		if s, ok := v.(*string); ok {
			if err := w.WriteStringValue(key, s); err != nil {
				return err
			}
		}
	}
	return nil
}

func TestBackingStore(t *testing.T) {
	emptyRegistries(t)
	newClient()
	enableBackingStore()
	jsonserialization.Register()
	m := &backedModel{store: store.NewInMemoryBackingStore()}
	m.store.SetInitializationCompleted(false)
	m.set("a", ptr("old"))
	m.set("b", ptr("old"))
	m.set("c", ptr("gone"))
	m.store.SetInitializationCompleted(true)
	m.set("b", ptr("new"))
	m.set("c", (*string)(nil))
	for _, want := range []string{`{"c":null,"b":"new"}`, `{"c":null,"b":"new"}`} {
		b, err := absser.Serialize("application/json", m)
		if err != nil || string(b) != want {
			t.Errorf("got %s, %v, want %s", b, err, want)
		}
		if b, err := jsonserialization.Marshal(m); err != nil || string(b) != want {
			t.Errorf("Marshal: got %s, %v, want %s", b, err, want)
		}
	}
}
