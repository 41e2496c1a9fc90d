package jsonserialization

import (
	"fmt"
	"strings"

	absser "github.com/microsoft/kiota-abstractions-go/serialization"
)

const contentTypeJSON = "application/json"

// checkContentType takes application/json in any case, with any parameters.
func checkContentType(contentType string) error {
	if contentType == "" {
		return errEmptyContentType
	}
	name, _, _ := strings.Cut(contentType, ";")
	if !strings.EqualFold(strings.TrimSpace(name), contentTypeJSON) {
		return fmt.Errorf("%w: %q", ErrContentType, contentType)
	}
	return nil
}

// JsonSerializationWriterFactory makes writers for a registry or an adapter.
// The zero value is ready.
type JsonSerializationWriterFactory struct {
	Options WriterOptions // of each writer
}

var _ absser.SerializationWriterFactory = (*JsonSerializationWriterFactory)(nil)

// NewJsonSerializationWriterFactory returns a factory of writers.
func NewJsonSerializationWriterFactory() *JsonSerializationWriterFactory {
	return &JsonSerializationWriterFactory{}
}

// GetValidContentType returns application/json.
func (f *JsonSerializationWriterFactory) GetValidContentType() (string, error) {
	return contentTypeJSON, nil
}

// GetSerializationWriter returns a writer, which the caller should close. A
// content type other than application/json, of which case and parameters do
// not matter, is [ErrContentType].
func (f *JsonSerializationWriterFactory) GetSerializationWriter(contentType string) (absser.SerializationWriter, error) {
	if err := checkContentType(contentType); err != nil {
		return nil, err
	}
	return NewJsonSerializationWriterWithOptions(f.Options), nil
}

// JsonParseNodeFactory makes nodes for a registry or an adapter. The zero value
// is ready.
type JsonParseNodeFactory struct {
	Options ParseOptions // of each document
}

var _ absser.ParseNodeFactory = (*JsonParseNodeFactory)(nil)

// NewJsonParseNodeFactory returns a factory of parse nodes.
func NewJsonParseNodeFactory() *JsonParseNodeFactory {
	return &JsonParseNodeFactory{}
}

// GetValidContentType returns application/json.
func (f *JsonParseNodeFactory) GetValidContentType() (string, error) {
	return contentTypeJSON, nil
}

// GetRootParseNode returns the node of the document in content, which it does
// not use any more when it returns. A content type other than application/json,
// of which case and parameters do not matter, is [ErrContentType]; for other
// errors see [NewJsonParseNode].
func (f *JsonParseNodeFactory) GetRootParseNode(contentType string, content []byte) (absser.ParseNode, error) {
	if err := checkContentType(contentType); err != nil {
		return nil, err
	}
	node, err := NewJsonParseNodeWithOptions(content, f.Options)
	if err != nil {
		return nil, err
	}
	return node, nil
}
