package jsonserialization

import (
	"fmt"

	absser "github.com/microsoft/kiota-abstractions-go/serialization"
)

// Marshal returns the JSON of an object, null for a nil one. The writer is that
// of the default registry for application/json, if there is one, so that a
// backing store that was enabled there has its say.
//
// What Serialize alone writes, without braces, comes from calling it with a
// writer.
func Marshal(v absser.Parsable) ([]byte, error) {
	if isNil(v) {
		return []byte("null"), nil
	}
	w, err := absser.DefaultSerializationWriterFactoryInstance.GetSerializationWriter(contentTypeJSON)
	if err != nil {
		w = NewJsonSerializationWriter()
	}
	defer w.Close()
	if err := w.WriteObjectValue("", v); err != nil {
		return nil, err
	}
	return w.GetSerializedContent()
}

// Unmarshal reads data into the object that parser makes, and stores it in model;
// for null, the zero value of T. The node is made by the default registry for
// application/json, if it can.
func Unmarshal[T absser.Parsable](data []byte, model *T, parser absser.ParsableFactory) error {
	node, err := absser.DefaultParseNodeFactoryInstance.GetRootParseNode(contentTypeJSON, data)
	if err != nil {
		own, err := NewJsonParseNode(data)
		if err != nil {
			return err
		}
		node = own
	}
	v, err := node.GetObjectValue(parser)
	if err != nil {
		return err
	}
	if v == nil {
		var zero T
		*model = zero
		return nil
	}
	t, ok := v.(T)
	if !ok {
		return fmt.Errorf("jsonserialization: the factory made a %T, and not a %T", v, *model)
	}
	*model = t
	return nil
}
