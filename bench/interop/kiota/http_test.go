package kiota

import (
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	abstractions "github.com/microsoft/kiota-abstractions-go"
	"github.com/microsoft/kiota-abstractions-go/authentication"
	absser "github.com/microsoft/kiota-abstractions-go/serialization"
	"github.com/microsoft/kiota-http-go"
	upstream "github.com/microsoft/kiota-serialization-json-go"

	"github.com/eddy-go/eddy/kiota/jsonserialization"
)

// user is what the round trip sends and receives.
type user struct {
	name  *string
	id    *int64
	boss  *user
	extra map[string]any
}

func newUser(absser.ParseNode) (absser.Parsable, error) { return new(user), nil }

func (u *user) GetAdditionalData() map[string]any  { return u.extra }
func (u *user) SetAdditionalData(m map[string]any) { u.extra = m }

func (u *user) Serialize(w absser.SerializationWriter) error {
	var boss absser.Parsable
	if u.boss != nil {
		boss = u.boss
	}
	for _, err := range []error{w.WriteStringValue("name", u.name), w.WriteInt64Value("id", u.id), w.WriteObjectValue("boss", boss), w.WriteAdditionalData(u.extra)} {
		if err != nil {
			return err
		}
	}
	return nil
}

func (u *user) GetFieldDeserializers() map[string]func(absser.ParseNode) error {
	return map[string]func(absser.ParseNode) error{
		"name": func(n absser.ParseNode) (err error) { u.name, err = n.GetStringValue(); return err },
		"id":   func(n absser.ParseNode) (err error) { u.id, err = n.GetInt64Value(); return err },
		"boss": func(n absser.ParseNode) error {
			v, err := n.GetObjectValue(newUser)
			if v != nil {
				u.boss = v.(*user)
			}
			return err
		},
	}
}

// echo answers with what it is sent, and remembers it.
func echo(t *testing.T) (url string, sent func() string) {
	var last string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var from io.Reader = r.Body
		if r.Header.Get("Content-Encoding") == "gzip" {
			z, err := gzip.NewReader(r.Body)
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			from = z
		}
		b, err := io.ReadAll(from)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		last = string(b)
		w.Header().Set("Content-Type", "application/json; odata.metadata=minimal; charset=utf-8")
		w.Write(b)
	}))
	t.Cleanup(s.Close)
	return s.URL, func() string { return last }
}

func roundTrip(t *testing.T, adapter *nethttplibrary.NetHttpRequestAdapter) {
	t.Helper()
	url, sent := echo(t)
	adapter.SetBaseUrl(url)
	u := &user{name: ref("Zoë <z@example.com>"), id: ref(int64(1<<62 + 1)), boss: &user{name: ref("Al")}, extra: map[string]any{"size": ref(2.5)}}
	info := abstractions.NewRequestInformation()
	info.Method = abstractions.POST
	info.UrlTemplate = "{+baseurl}/users"
	info.PathParameters = map[string]string{"baseurl": url}
	if err := info.SetContentFromParsable(context.Background(), adapter, "application/json", u); err != nil {
		t.Fatal(err)
	}
	v, err := adapter.Send(context.Background(), info, newUser, nil)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"name":"Zoë <z@example.com>","id":4611686018427387905,"boss":{"name":"Al"},"size":2.5}`
	if sent() != want {
		t.Errorf("sent %s, want %s", sent(), want)
	}
	got := v.(*user)
	if *got.name != *u.name || *got.id != *u.id || *got.boss.name != "Al" || *got.extra["size"].(*float64) != 2.5 {
		b, _ := jsonserialization.Marshal(got)
		t.Errorf("received %s", b)
	}

	list := abstractions.NewRequestInformation()
	list.Method = abstractions.POST
	list.UrlTemplate = info.UrlTemplate
	list.PathParameters = info.PathParameters
	if err := list.SetContentFromParsableCollection(context.Background(), adapter, "application/json", []absser.Parsable{u, &user{}}); err != nil {
		t.Fatal(err)
	}
	vs, err := adapter.SendCollection(context.Background(), list, newUser, nil)
	if err != nil || len(vs) != 2 || *vs[0].(*user).id != *u.id {
		t.Errorf("received %v, %v", vs, err)
	}
	if sent() != "["+want+",{}]" {
		t.Errorf("sent %s", sent())
	}
}

func anonymous() authentication.AuthenticationProvider {
	return &authentication.AnonymousAuthenticationProvider{}
}

// The factories given to an adapter.
func TestRoundTripThroughAdapter(t *testing.T) {
	adapter, err := nethttplibrary.NewNetHttpRequestAdapterWithParseNodeFactoryAndSerializationWriterFactory(anonymous(),
		jsonserialization.NewJsonParseNodeFactory(), jsonserialization.NewJsonSerializationWriterFactory())
	if err != nil {
		t.Fatal(err)
	}
	roundTrip(t, adapter)
}

// Registered before and after a client has registered the original.
func TestRoundTripThroughRegistry(t *testing.T) {
	client := func() {
		abstractions.RegisterDefaultSerializer(func() absser.SerializationWriterFactory { return upstream.NewJsonSerializationWriterFactory() })
		abstractions.RegisterDefaultDeserializer(func() absser.ParseNodeFactory { return upstream.NewJsonParseNodeFactory() })
	}
	for name, steps := range map[string][]func(){
		"before": {jsonserialization.Register, client}, "after": {client, jsonserialization.Register},
	} {
		absser.DefaultSerializationWriterFactoryInstance.ContentTypeAssociatedFactories = map[string]absser.SerializationWriterFactory{}
		absser.DefaultParseNodeFactoryInstance.ContentTypeAssociatedFactories = map[string]absser.ParseNodeFactory{}
		for _, step := range steps {
			step()
		}
		w := absser.DefaultSerializationWriterFactoryInstance.ContentTypeAssociatedFactories["application/json"]
		if _, own := w.(*jsonserialization.JsonSerializationWriterFactory); !own {
			t.Fatalf("%s: %T is registered", name, w)
		}
		adapter, err := nethttplibrary.NewNetHttpRequestAdapter(anonymous())
		if err != nil {
			t.Fatal(err)
		}
		adapter.EnableBackingStore(nil)
		roundTrip(t, adapter)
	}
}
