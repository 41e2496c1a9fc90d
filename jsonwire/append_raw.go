package jsonwire

import "slices"

// AppendRaw appends raw, which must be one JSON value, as it is, whitespace
// included. If it is something else, dst is returned as it was, with a
// *[SyntaxError].
func AppendRaw(dst, raw []byte) ([]byte, error) {
	if err := Check(raw); err != nil {
		return dst, err
	}
	return append(dst, raw...), nil
}

// AppendCompact appends raw, which must be one JSON value, without the
// whitespace between its tokens. Unless e has [NoHTML], <, >, &, U+2028 and
// U+2029 are escaped in its strings, which is what encoding/json does to the
// output of a MarshalJSON method; nothing else in strings is changed. If raw is
// not a JSON value, dst is returned as it was, with a *[SyntaxError].
func AppendCompact(dst, raw []byte, e Escape) ([]byte, error) {
	if err := Check(raw); err != nil {
		return dst, err
	}
	dst = slices.Grow(dst, len(raw))
	html := e&NoHTML == 0
	from := 0 // of what is to be copied
	inside := false
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		switch {
		case !inside:
			if isSpace(c) {
				dst = append(dst, raw[from:i]...)
				from = i + 1
			}
			inside = c == '"'
		case c == '"':
			inside = false
		case c == '\\':
			i++
		case html && (c == '<' || c == '>' || c == '&'):
			const hex = "0123456789abcdef"
			dst = append(dst, raw[from:i]...)
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			from = i + 1
		case html && c == 0xE2 && i+2 < len(raw) && raw[i+1] == 0x80 && raw[i+2]&^1 == 0xA8:
			dst = append(dst, raw[from:i]...)
			dst = append(dst, `\u202`...)
			dst = append(dst, '8'+raw[i+2]&1)
			i += 2
			from = i + 1
		}
	}
	return append(dst, raw[from:]...), nil
}
