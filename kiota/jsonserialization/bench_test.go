package jsonserialization_test

import (
	"testing"

	absser "github.com/microsoft/kiota-abstractions-go/serialization"

	"github.com/eddy-go/eddy/kiota/jsonserialization"
)

func BenchmarkWrite(b *testing.B) {
	m := mixed()
	b.SetBytes(int64(len(mixedJSON)))
	b.ReportAllocs()
	for b.Loop() {
		w := jsonserialization.NewJsonSerializationWriter()
		w.WriteObjectValue("", m)
		w.GetSerializedContent()
		w.Close()
	}
}

func BenchmarkWriteStrings(b *testing.B) {
	text := "a value of usual length"
	m := write(func(w absser.SerializationWriter) error {
		for _, name := range [...]string{"id", "displayName", "jobTitle", "officeLocation", "mail", "city", "country", "aboutMe"} {
			w.WriteStringValue(name, &text)
		}
		return nil
	})
	b.ReportAllocs()
	for b.Loop() {
		w := jsonserialization.NewJsonSerializationWriter()
		w.WriteObjectValue("", m)
		w.GetSerializedContent()
		w.Close()
	}
}

func BenchmarkParse(b *testing.B) {
	doc := []byte(mixedJSON)
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		n, err := jsonserialization.NewJsonParseNode(doc)
		if err != nil {
			b.Fatal(err)
		}
		n.GetObjectValue(newItem)
	}
}
