package jwriter

import "errors"

// Flags are the options of a Writer, added with |. Generated code heeds
// NilMapAsEmpty and NilSliceAsEmpty, the Writer itself the others.
type Flags int

const (
	NilMapAsEmpty   Flags = 1 << iota // a nil map is written as {}, not as null
	NilSliceAsEmpty                   // a nil slice is written as [], not as null
)

// Options that github.com/mailru/easyjson does not have. Without any of them,
// every document that is right there is the same here, byte for byte, and what
// would not be JSON is an error.
const (
	// RawUnchecked makes Raw take what it is given for JSON. By default Raw
	// checks the output of MarshalJSON methods and RawMessage values, and
	// sets Error if it is anything but one JSON value.
	RawUnchecked Flags = 1 << (16 + iota)

	// StdFormat makes floating-point numbers and the controls U+0008 and
	// U+000C look as they do in encoding/json: 1000000, 1e-7, \b, \f. By
	// default they look as in github.com/mailru/easyjson: 1e+06, 1e-07,
	// \u0008, \u000c.
	StdFormat

	// MissingValues leaves members without a value as they are: not JSON,
	// such as {"a":}. By default the Writer sets Error to ErrNoValue when
	// it notices one. Code generated for a field of an interface type with
	// a MarshalJSON method calls that method and drops its result. In a
	// list of such values not every loss can be noticed: [] may have been a
	// list of one.
	MissingValues
)

// Compat is added to the Flags of every Writer. It is for programs that need
// an option everywhere, also in generated methods, which make Writers of their
// own. Set it before the first use of a Writer.
var Compat Flags

// ErrNoValue is the Error of a Writer that was told a name and a colon, and
// then no value; see [MissingValues].
var ErrNoValue = errors.New("easyjson: a member has no value")
