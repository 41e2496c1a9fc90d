package rootio

// A Kind says what Go type the values of a branch have.
type Kind uint8

// The kinds of values. Their names are those of the Go types.
const (
	NoKind Kind = iota // of branches that cannot be read
	Bool
	Int8
	Int16
	Int32
	Int64
	Uint8
	Uint16
	Uint32
	Uint64
	Float32
	Float64
	String
)

var kinds = [...]struct {
	name string
	size int
}{
	NoKind: {"none", 0}, Bool: {"bool", 1}, Int8: {"int8", 1}, Int16: {"int16", 2}, Int32: {"int32", 4}, Int64: {"int64", 8},
	Uint8: {"uint8", 1}, Uint16: {"uint16", 2}, Uint32: {"uint32", 4}, Uint64: {"uint64", 8},
	Float32: {"float32", 4}, Float64: {"float64", 8}, String: {"string", 0},
}

// String returns the name of the Go type.
func (k Kind) String() string {
	if int(k) >= len(kinds) {
		k = NoKind
	}
	return kinds[k].name
}

// Size returns how many bytes a value takes in memory; zero for strings.
func (k Kind) Size() int {
	if int(k) >= len(kinds) {
		return 0
	}
	return kinds[k].size
}

// Value is what the values of a branch may be.
type Value interface {
	bool | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64 | string
}

// kindFor returns the kind of T.
func kindFor[T Value]() Kind {
	var v T
	switch any(v).(type) {
	case bool:
		return Bool
	case int8:
		return Int8
	case int16:
		return Int16
	case int32:
		return Int32
	case int64:
		return Int64
	case uint8:
		return Uint8
	case uint16:
		return Uint16
	case uint32:
		return Uint32
	case uint64:
		return Uint64
	case float32:
		return Float32
	case float64:
		return Float64
	case string:
		return String
	}
	return NoKind
}

// kindOf returns the kind of what has an element type in a file.
func kindOf(typ int) Kind {
	switch typ {
	case typChar, typLegacyChar:
		return Int8
	case typShort:
		return Int16
	case typInt, typCounter:
		return Int32
	case typLong, typLong64:
		return Int64
	case typFloat, typFloat16:
		return Float32
	case typDouble, typDouble32:
		return Float64
	case typUChar:
		return Uint8
	case typUShort:
		return Uint16
	case typUInt, typBits:
		return Uint32
	case typULong, typULong64:
		return Uint64
	case typBool:
		return Bool
	case typString, typSTLString:
		return String
	}
	return NoKind
}
