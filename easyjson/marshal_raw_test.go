package easyjson

import "github.com/eddy-go/eddy/easyjson/jlexer"

// unknownMember reads one value as an unknown member of u.
type unknownMember struct {
	u   *UnknownFieldsProxy
	key string
}

func (m unknownMember) UnmarshalEasyJSON(l *jlexer.Lexer) { m.u.UnmarshalUnknown(l, m.key) }
