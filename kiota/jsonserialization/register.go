package jsonserialization

import (
	"maps"

	absser "github.com/microsoft/kiota-abstractions-go/serialization"
	"github.com/microsoft/kiota-abstractions-go/store"
)

// Register makes this package the one that reads and writes application/json in
// every client of the process that uses the default registries of
// kiota-abstractions-go, as generated clients and the Graph SDK do. A client
// registers its own factories only where there are none, so Register works
// before clients are made and replaces what they have registered after; called
// again, it changes nothing. If a backing store has been enabled, it stays so.
//
// It may run while clients are made. The registries read their entries without
// a lock when a request is sent or answered, so call Register before the first
// request.
func Register() {
	RegisterWithOptions(WriterOptions{}, ParseOptions{})
}

// RegisterWithOptions is Register with other forms than the default ones.
func RegisterWithOptions(w WriterOptions, p ParseOptions) {
	registerWriter(absser.DefaultSerializationWriterFactoryInstance, &JsonSerializationWriterFactory{w})
	registerParser(absser.DefaultParseNodeFactoryInstance, &JsonParseNodeFactory{p})
}

func registerWriter(r *absser.SerializationWriterFactoryRegistry, f *JsonSerializationWriterFactory) {
	r.Lock()
	defer r.Unlock()
	var entry absser.SerializationWriterFactory = f
	switch old := r.ContentTypeAssociatedFactories[contentTypeJSON].(type) {
	case *JsonSerializationWriterFactory:
		if *old == *f {
			return
		}
	case *store.BackingStoreSerializationWriterProxyFactory:
		// It does not tell what it wraps, but shows it.
		if w, err := old.GetSerializationWriter(contentTypeJSON); err == nil {
			own, ok := w.(*JsonSerializationWriter)
			same := ok && own.s.opt == f.Options
			w.Close()
			if same {
				return
			}
		}
		entry = store.NewBackingStoreSerializationWriterProxyFactory(f)
	}
	// A new map: one that requests read must not be written to.
	m := maps.Clone(r.ContentTypeAssociatedFactories)
	if m == nil {
		m = make(map[string]absser.SerializationWriterFactory)
	}
	m[contentTypeJSON] = entry
	r.ContentTypeAssociatedFactories = m
}

func registerParser(r *absser.ParseNodeFactoryRegistry, f *JsonParseNodeFactory) {
	r.Lock()
	defer r.Unlock()
	var entry absser.ParseNodeFactory = f
	switch old := r.ContentTypeAssociatedFactories[contentTypeJSON].(type) {
	case *JsonParseNodeFactory:
		if *old == *f {
			return
		}
	case *store.BackingStoreParseNodeFactory:
		if n, err := old.GetRootParseNode(contentTypeJSON, []byte("{}")); err == nil {
			if own, ok := n.(*JsonParseNode); ok && own.doc.opt == f.Options {
				return
			}
		}
		entry = store.NewBackingStoreParseNodeFactory(f)
	}
	m := maps.Clone(r.ContentTypeAssociatedFactories)
	if m == nil {
		m = make(map[string]absser.ParseNodeFactory)
	}
	m[contentTypeJSON] = entry
	r.ContentTypeAssociatedFactories = m
}
