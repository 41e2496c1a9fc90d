package jsonwire

// Valid reports whether src is one JSON value and nothing but whitespace around it, as json.Valid does: bytes in
// strings need not be UTF-8, and nesting beyond MaxDepth is refused. It does not allocate for documents up to 64
// levels deep.
func Valid(src []byte) bool {
	return Check(src) == nil
}

// Check is Valid that says what is wrong, as a [SyntaxError].
func Check(src []byte) error {
	end, err := Skip(src, 0, MaxDepth)
	if err != nil {
		return err
	}
	if end = SkipSpace(src, end); end < len(src) {
		return &SyntaxError{end, ErrCharacter}
	}
	return nil
}
