package jsonserialization

// WriterOptions chooses forms of the original library where this one differs.
// The zero value is what [NewJsonSerializationWriter] uses: values are written
// as they are, and output is always JSON. Each option is for a server, or a
// comparison with stored output, that depends on the old form.
type WriterOptions struct {
	// WholeSeconds writes times and times of day without fractions of a
	// second. By default they are kept: dropping them changes the value.
	WholeSeconds bool

	// PlainDurations writes durations as ISODuration.String does: without
	// milliseconds and signs, zero as P. By default they are kept, since
	// dropping them changes the value, and P is no ISO 8601 duration. Weeks
	// beside other parts, where String panics, are an error.
	PlainDurations bool

	// WideFloat32 writes the digits of the float64 nearest to a float32. By
	// default it gets the fewest digits that read as the same float32, which
	// is what a reader expects to see.
	WideFloat32 bool

	// RawNonFinite writes NaN, +Inf and -Inf. By default they are an error,
	// since no JSON reader accepts them.
	RawNonFinite bool

	// RawNames writes names without escaping. By default they are escaped,
	// since names that come from outside can inject members otherwise.
	RawNames bool

	// IgnoreCallbackErrors goes on when a callback before or after an object
	// fails. By default its error is returned, as that of the callback at
	// the start of an object always is.
	IgnoreCallbackErrors bool

	// ClearMemory zeroes the pooled memory before it is given back, for
	// content that must not stay in memory. Not done by default, for it
	// costs another pass over the content.
	ClearMemory bool
}
