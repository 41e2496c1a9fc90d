package jlexer

import "sync/atomic"

var lenient atomic.Bool

// SetLenient sets whether all lexers of the process take what easyjson's own lexer takes beyond RFC 8259: control
// characters in strings as they are, bytes that are not UTF-8 as they are, and numbers such as 01, 1. and -.5 as far as
// package strconv can read them. The default is false. It concerns values that are read; what is skipped, or taken with
// Raw, is checked strictly, as easyjson does. The limit of depth stays.
//
// It is meant to be called once, when the program starts. It costs nothing for input without such faults.
func SetLenient(on bool) {
	lenient.Store(on)
}

func (r *Lexer) lenient() bool { return lenient.Load() }

// looseNumber scans a number by the rules of easyjson: after the first byte digits, one point and one exponent in any
// order that ends where a token can end.
func looseNumber(b []byte, pos int) (end int, ok bool) {
	var point, exp, sign bool
	for i := pos + 1; i < len(b); i++ {
		switch c := b[i]; {
		case c-'0' <= 9:
			sign = false
		case c == '.' && !point:
			point = true
		case c|0x20 == 'e' && !exp:
			point, exp, sign = true, true, true
		case (c == '+' || c == '-') && sign:
			sign = false
		default:
			return i, endsToken(c)
		}
	}
	return len(b), true
}
