package easyjson

import (
	"bytes"
	"maps"
	"slices"

	"github.com/eddy-go/eddy/easyjson/jlexer"
	"github.com/eddy-go/eddy/easyjson/jwriter"
)

// UnknownFieldsProxy, embedded in a struct, keeps the members that the struct
// has no field for, and writes them again behind its fields, in the order of
// their names.
type UnknownFieldsProxy struct {
	unknownFields map[string][]byte
}

// UnmarshalUnknown keeps a copy of the value that in is at.
func (s *UnknownFieldsProxy) UnmarshalUnknown(in *jlexer.Lexer, key string) {
	if s.unknownFields == nil {
		s.unknownFields = make(map[string][]byte, 1)
	}
	s.unknownFields[key] = bytes.Clone(in.Raw())
}

// MarshalUnknowns writes the members kept, with a comma in front unless first.
func (s UnknownFieldsProxy) MarshalUnknowns(out *jwriter.Writer, first bool) {
	for _, key := range slices.Sorted(maps.Keys(s.unknownFields)) {
		if first {
			first = false
		} else {
			out.RawByte(',')
		}
		out.String(key)
		out.RawByte(':')
		out.Raw(s.unknownFields[key], nil)
	}
}
