package jsonserialization

import (
	"errors"
	"fmt"
)

// primitives has the getter for each name of a type that generated code asks for.
// That uint8 gives int8 values is what the original does.
var primitives = map[string]func(*JsonParseNode) (any, error){
	"string":      boxed((*JsonParseNode).GetStringValue),
	"bool":        boxed((*JsonParseNode).GetBoolValue),
	"int8":        boxed((*JsonParseNode).GetInt8Value),
	"uint8":       boxed((*JsonParseNode).GetInt8Value),
	"byte":        boxed((*JsonParseNode).GetByteValue),
	"float32":     boxed((*JsonParseNode).GetFloat32Value),
	"float64":     boxed((*JsonParseNode).GetFloat64Value),
	"int32":       boxed((*JsonParseNode).GetInt32Value),
	"int64":       boxed((*JsonParseNode).GetInt64Value),
	"time":        boxed((*JsonParseNode).GetTimeValue),
	"timeonly":    boxed((*JsonParseNode).GetTimeOnlyValue),
	"dateonly":    boxed((*JsonParseNode).GetDateOnlyValue),
	"isoduration": boxed((*JsonParseNode).GetISODurationValue),
	"uuid":        boxed((*JsonParseNode).GetUUIDValue),
	"base64":      func(n *JsonParseNode) (any, error) { return n.GetByteArrayValue() },
}

func boxed[T any](get func(*JsonParseNode) (*T, error)) func(*JsonParseNode) (any, error) {
	return func(n *JsonParseNode) (any, error) { return get(n) }
}

// GetCollectionOfPrimitiveValues returns pointers to the values of an array, nil
// for null. targetType is one of string, bool, int8, uint8 (which gives *int8),
// byte, int32, int64, float32, float64, time, timeonly, dateonly, isoduration,
// uuid, and base64 (which gives []byte).
func (n *JsonParseNode) GetCollectionOfPrimitiveValues(targetType string) ([]any, error) {
	if n = n.value(); n == nil {
		return nil, nil
	}
	if targetType == "" {
		return nil, errors.New("targetType is empty")
	}
	get := primitives[targetType]
	result := make([]any, n.count)
	err := n.elements(func(i int, c *JsonParseNode) error {
		if get == nil {
			return fmt.Errorf("targetType %s is not supported", targetType)
		}
		v, err := get(c)
		if err != nil {
			return c.within(i, err)
		}
		result[i] = v
		return nil
	})
	if err != nil {
		return nil, err
	}
	return result, nil
}
