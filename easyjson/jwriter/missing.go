package jwriter

// Members without a value are noticed by what follows them: a comma or the end
// of the document, with any number of closing brackets between. Code generated
// for a field of an interface type with a MarshalJSON method leaves such
// members behind. The Writer looks for them where generated code begins a
// member, which costs a comparison or two; it does not follow what hand-written
// code does in other ways. A generated MarshalJSON method takes the bytes out of
// Buffer, past the check at the end; encoding/json, and Raw, check those.

// suspect reports whether a value may be missing at the end of b, which is not
// empty, in front of what begins with c: a comma behind a colon, or behind a
// bracket that is behind a colon or another bracket; or the first name of an
// object behind an object that ends with a colon. It looks at the last four
// bytes.
func suspect(b []byte, c byte) bool {
	i := len(b)
	if c == ',' {
		last := b[i-1]
		if last|0x20 == '}' && i > 1 {
			last = b[i-2]
		}
		return last == ':' || last|0x20 == '}'
	}
	return c == '"' && i >= 4 && b[i-4] == ':' && b[i-3] == '}'
}

// checkEnd is checkValue at the end of the document. The longest way to look
// is not taken for most.
func (w *Writer) checkEnd() {
	if b := w.Buffer.Buf; len(b) > 0 && suspect(b, ',') {
		w.checkValue()
	}
}

// checkValue sets Error if the buffer ends with a colon, or with one and
// closing brackets behind it.
//
//go:noinline
func (w *Writer) checkValue() {
	b := w.Buffer.Buf
	i := len(b)
	for i > 0 && b[i-1]|0x20 == '}' {
		i--
	}
	if i > 0 && b[i-1] == ':' && (w.Flags|Compat)&MissingValues == 0 {
		w.fail(ErrNoValue)
	}
}

// checkElement sets Error if the buffer ends with ":},{".
//
//go:noinline
func (w *Writer) checkElement() {
	b := w.Buffer.Buf
	if len(b) >= 4 && string(b[len(b)-4:]) == ":},{" && (w.Flags|Compat)&MissingValues == 0 {
		w.fail(ErrNoValue)
	}
}
