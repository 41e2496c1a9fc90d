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
	unknownFields map[string][]byte
}

// UnmarshalUnknown keeps copies of the key and of the value that in is at.
func (s *UnknownFieldsProxy) UnmarshalUnknown(in *jlexer.Lexer, key string) {
	if s.unknownFields == nil {
		s.unknownFields = make(map[string][]byte, 1)
	}
	s.unknownFields[strings.Clone(key)] = bytes.Clone(in.Raw()) // both may be part of the input
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
