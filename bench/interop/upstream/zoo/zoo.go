// Package zoo has a type for everything that easyjson's generator can write
// and read, with the methods that it made.
package zoo

//lint:file-ignore SA5008 the generator has options in tags that encoding/json does not know

import (
	"encoding/json"
	"time"

	"github.com/mailru/easyjson"
	"github.com/mailru/easyjson/opt"
)

// Scalars has every kind of number, and names for some.
type Scalars struct {
	B   bool
	S   string
	I   int
	I8  int8
	I16 int16
	I32 int32
	I64 int64
	U   uint
	U8  uint8
	U16 uint16
	U32 uint32
	U64 uint64
	F32 float32
	F64 float64
	NB  Flag
	NS  Name
	NI  Count
	NF  Share
}

// Named scalars.
type (
	Flag  bool
	Name  string
	Count int32
	Share float64
)

// Quoted writes numbers in quotes.
type Quoted struct {
	I   int     `json:"i,string"`
	I8  int8    `json:"i8,string"`
	I16 int16   `json:"i16,string"`
	I32 int32   `json:"i32,string"`
	I64 int64   `json:"i64,string"`
	U   uint    `json:"u,string"`
	U8  uint8   `json:"u8,string"`
	U16 uint16  `json:"u16,string"`
	U32 uint32  `json:"u32,string"`
	U64 uint64  `json:"u64,string"`
	F32 float32 `json:"f32,string"`
	F64 float64 `json:"f64,string"`
	Ptr *int64  `json:"ptr,string"`
}

// Pointers may be null at each step.
type Pointers struct {
	I    *int
	S    *string
	F    *float64
	B    *bool
	PP   **int
	In   *Scalars
	List *[]int
	Map  *map[string]int
	Of   []*Scalars
}

// Lists are slices and arrays, of bytes as well.
type Lists struct {
	Ints    []int
	Strs    []string
	Nested  [][]string
	Structs []Quoted
	Bytes   []byte
	Blob    Blob
	Blobs   [][]byte
	Arr     [3]int
	ArrB    [4]byte
	ArrS    [2]Quoted
	Any     []interface{}
	Empty   []struct{}
}

// Blob is a named slice of bytes.
type Blob []byte

// Maps have keys of each kind that JSON allows.
type Maps struct {
	Str    map[string]string
	Name   map[Name]int
	Int    map[int]string
	I8     map[int8]bool
	I64    map[int64]float64
	U8     map[uint8]string
	U64    map[uint64]int
	Text   map[Level]int
	Nested map[string]map[string][]int
	Struct map[string]Quoted
	Ptr    map[string]*Quoted
	Any    map[string]interface{}
	Bytes  map[string][]byte
}

// Base and Deep are embedded below.
type Base struct {
	ID   int
	Kind string `json:"kind,omitempty"`
}

// Deep embeds in turn.
type Deep struct {
	Base
	Depth int
}

// Extra is embedded through a pointer.
type Extra struct {
	Note  string
	Score float64
}

// Embedded promotes the fields of what it embeds.
type Embedded struct {
	Deep
	*Extra
	Own   string
	Named Base `json:"base"`
}

// Optionals uses every type of package opt.
type Optionals struct {
	B   opt.Bool
	S   opt.String
	I   opt.Int
	I8  opt.Int8
	I16 opt.Int16
	I32 opt.Int32
	I64 opt.Int64
	U   opt.Uint
	U8  opt.Uint8
	U16 opt.Uint16
	U32 opt.Uint32
	U64 opt.Uint64
	F32 opt.Float32
	F64 opt.Float64
	OB  opt.Bool    `json:"ob,omitempty"`
	OS  opt.String  `json:"os,omitempty"`
	OI  opt.Int     `json:"oi,omitempty"`
	OF  opt.Float64 `json:"of,omitempty"`
}

// Omitted leaves out what is empty.
type Omitted struct {
	B    bool                `json:"b,omitempty"`
	S    string              `json:"s,omitempty"`
	I    int                 `json:"i,omitempty"`
	U    uint8               `json:"u,omitempty"`
	F    float32             `json:"f,omitempty"`
	P    *int                `json:"p,omitempty"`
	L    []int               `json:"l,omitempty"`
	M    map[string]int      `json:"m,omitempty"`
	A    interface{}         `json:"a,omitempty"`
	St   Base                `json:"st,omitempty"`
	Arr  [2]int              `json:"arr,omitempty"`
	Raw  easyjson.RawMessage `json:"raw,omitempty"`
	Zero Base                `json:"zero,omitzero"`
	ZT   time.Time           `json:"zt,omitzero"`
	Skip int                 `json:"-"`
}

// Raws pass JSON through.
type Raws struct {
	Easy  easyjson.RawMessage
	Std   json.RawMessage
	Num   json.Number
	Any   interface{}
	List  []easyjson.RawMessage
	Keyed map[string]easyjson.RawMessage
}

// Marshalers have methods of their own.
type Marshalers struct {
	Level  Level
	PLevel *Level
	Temp   Celsius
	PTemp  *Celsius
	Pair   Pair
	PPair  *Pair
	Time   time.Time
	Levels []Level
	Temps  map[string]Celsius
}

// Shared keeps one copy of strings that repeat, and none of others.
type Shared struct {
	Intern  string   `json:"intern,intern"`
	NoCopy  string   `json:"nocopy,nocopy"`
	PIntern *string  `json:"pintern,intern"`
	Interns []string `json:"interns,intern"`
	NoCopys []string `json:"nocopys,nocopy"`
	Bytes   []byte   `json:"bytes,nocopy"`
}

// Unknown keeps the members that it does not know.
type Unknown struct {
	easyjson.UnknownFieldsProxy
	Known string
	Other int `json:"other,omitempty"`
}

// Required must have its members.
type Required struct {
	ID   int    `json:"id,required"`
	Name string `json:"name,required"`
	Note string `json:"note"`
}

// Tree refers to itself.
type Tree struct {
	Value int
	Left  *Tree
	Right *Tree
	Kids  []Tree
	By    map[string]*Tree
}

// Anonymous has types without a name.
type Anonymous struct {
	In struct {
		A int
		B []struct{ C string }
	}
	P *struct{ D bool }
}

// Members have names that must be escaped, or are of another script.
type Members struct {
	HTML     int `json:"<a>&b"`
	Cyrillic int `json:"имя"`
	CJK      int `json:"名前"`
	Emoji    int `json:"🌊"`
	Space    int `json:"two words"`
	Symbols  int `json:"$%-/.:;_"`
}

// Names is a slice that is a document.
//
//easyjson:json
type Names []Name

// Index is a map that is a document.
//
//easyjson:json
type Index map[string]Quoted

// Asks has fields of interface types with methods. Nil in one of them makes
// the generated code panic, and a JSON field is where it drops the value.
type Asks struct {
	Before int
	Easy   easyjson.MarshalerUnmarshaler
	JSON   Both
	After  int
}

// Both is written and read by methods of encoding/json.
type Both interface {
	json.Marshaler
	json.Unmarshaler
}

// Nothing has no members.
type Nothing struct{}

// All holds one of each.
type All struct {
	Scalars    Scalars
	Quoted     Quoted
	Pointers   Pointers
	Lists      Lists
	Embedded   Embedded
	Optionals  Optionals
	Omitted    Omitted
	Raws       Raws
	Marshalers Marshalers
	Shared     Shared
	Unknown    Unknown
	Tree       Tree
	Anonymous  Anonymous
	Members    Members
	Names      Names
	Nothing    Nothing
}
