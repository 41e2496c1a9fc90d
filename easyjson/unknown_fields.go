package easyjson

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/eddy-go/eddy/easyjson/jlexer"
	"github.com/eddy-go/eddy/easyjson/jwriter"
)

// UnknownFieldsProxy, embedded in a struct, keeps the members that the struct
// has no field for, and writes them again behind its fields, in the order of
// their names.
type UnknownFieldsProxy struct {
	unknownFields map[string][]byte // the text of each value by its name; %+v shows the field under easyjson's name
}

// UnmarshalUnknown keeps copies of the key and of the value that in is at.
func (p *UnknownFieldsProxy) UnmarshalUnknown(in *jlexer.Lexer, key string) {
	value := bytes.Clone(in.Raw())
	if p.unknownFields == nil {
		p.unknownFields = map[string][]byte{}
	}
	p.unknownFields[strings.Clone(key)] = value // the key may be part of the input too
}

// MarshalUnknowns writes the members kept, with a comma in front unless first.
func (p UnknownFieldsProxy) MarshalUnknowns(out *jwriter.Writer, first bool) {
	for i, name := range slices.Sorted(maps.Keys(p.unknownFields)) {
		if i > 0 || !first {
			out.RawByte(',')
		}
		out.String(name)
		out.RawByte(':')
		out.Raw(p.unknownFields[name], nil)
	}
}
