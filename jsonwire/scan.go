package jsonwire

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// StringFlags says what a scan met inside a string literal. Zero is a literal whose bytes are its value.
type StringFlags uint8

const (
	// Escaped: there is a backslash, so the value is not the bytes. The escapes themselves are not checked yet;
	// AppendUnescaped and CheckEscapes do that.
	Escaped StringFlags = 1 << iota
	// InvalidUTF8: there are bytes that are not UTF-8. encoding/json reads each of them as U+FFFD.
	InvalidUTF8
	// RawControl: there is a byte below 0x20, which RFC 8259 does not allow. The scan goes on behind it.
	RawControl
	// Unterminated: the input ends before the closing quote.
	Unterminated
)

// stops marks, with the high bit of its byte, each byte of w that a scan of a string literal has to look at: a quote,
// a backslash, a control character, or one outside of ASCII. Only the lowest mark is exact: a subtraction that
// borrows can mark bytes above it.
//
// XOR with 2 moves the quote, 0x22, next to the control characters and keeps these below 0x20, so that one comparison
// with 0x21 finds both.
func stops(w uint64) uint64 {
	return (((w ^ 0x02*each01) - 0x21*each01) | ((w ^ '\\'*each01) - each01) | w) & each80
}

// ScanString scans the string literal whose opening quote is src[pos], eight bytes at a time, and returns the offset
// behind its closing quote. One pass finds the end and checks UTF-8 as well. The bytes between the quotes,
// src[pos+1:end-1], are the value if flags is zero; otherwise AppendUnescaped makes it.
//
// A literal without end gives len(src) and Unterminated.
func ScanString(src []byte, pos int) (end int, flags StringFlags) {
	i := pos + 1
	long := i + scanLong // where blocks, if the processor has them, begin to pay
	for {
		if i > len(src)-8 {
			return scanStringTail(src, i, flags)
		}
		if haveBlocks && i >= long {
			i = scanRuns(src, i)
			long = i + scanAgain
			continue
		}
		w := binary.LittleEndian.Uint64(src[i:])
		m := stops(w)
		if m == 0 {
			i += 8
			continue
		}
		n := bits.TrailingZeros64(m) & 56
		i += n >> 3
		switch c := byte(w >> n); {
		case c == '"':
			return i + 1, flags
		case c >= utf8.RuneSelf:
			until := len(src)
			if haveBlocks {
				until = max(long, i+1) // one character at least
			}
			if c < 0xE0 {
				if next := scanTwoByte(src, i, until); next > i {
					i = next
					continue
				}
			}
			var ok bool
			if i, ok = scanMultibyte(src, i, until); !ok {
				flags |= InvalidUTF8
			}
		case c == '\\':
			flags |= Escaped
			i += 2
		default:
			flags |= RawControl
			i++
		}
	}
}

const (
	scanLong  = 48 // bytes of a literal that are scanned by words, before blocks are tried
	scanAgain = 64 // and behind what stopped the blocks
)

// scanStringTail does the last seven bytes of the input one by one.
func scanStringTail(src []byte, i int, flags StringFlags) (end int, f StringFlags) {
	for i < len(src) {
		switch c := src[i]; {
		case c == '"':
			return i + 1, flags
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRune(src[i:])
			if r == utf8.RuneError && n == 1 {
				flags |= InvalidUTF8
			}
			i += n
		case c == '\\':
			flags |= Escaped
			i += 2
		case c < ' ':
			flags |= RawControl
			i++
		default:
			i++
		}
	}
	return len(src), flags | Unterminated
}

// scanTwoByte passes over characters of one and two bytes in any mixture, eight bytes at a time, from src[i], where one
// begins. It ends at whatever is not such a character, at what stops marks in ASCII, at until or a little later, and
// near the end of src, always where a character begins.
func scanTwoByte(src []byte, i, until int) int {
	for last := min(len(src)-8, until-1); i <= last; {
		w := binary.LittleEndian.Uint64(src[i:])
		var (
			lead = w & (w << 1) & each80  // 11......
			next = w &^ (w << 1) & each80 // 10......
			bad  = lead & (w << 2)        // 111....., more than two bytes
		)
		bad |= next ^ lead<<8                                // each lead is followed by a continuation, and nothing else is
		bad |= lead &^ ((w & (0x1E * each01)) + 0x7E*each01) // C0 and C1 would encode ASCII
		bad |= (((w ^ 0x02*each01) - 0x21*each01) | ((w ^ '\\'*each01) - each01)) &^ w & each80
		if bad == 0 {
			i += 8 - int(lead>>63) // a lead in the last byte is looked at again, with what follows it
			continue
		}
		n := bits.TrailingZeros64(bad) & 56
		if lead<<8>>n&0x80 != 0 {
			n -= 8 // what is missing here belongs to the lead before
		}
		return i + n>>3
	}
	return i
}

// scanMultibyte passes over the run of bytes outside of ASCII that starts at src[i], to until or a little further, and
// reports whether all of it is UTF-8. Sequences of three bytes, of which scripts with many characters consist, go two at a time.
func scanMultibyte(src []byte, i, until int) (end int, valid bool) {
	// Patterns of sequences of two, three and four bytes in a word loaded low byte first.
	const (
		mask2, lead2 = 0xC0E0, 0x80C0
		mask3, lead3 = 0xC0C0F0, 0x8080E0
		mask4, lead4 = 0xC0C0C0F8, 0x808080F0
	)
	valid = true
	for last := min(len(src)-8, until-1); i <= last; {
		w := binary.LittleEndian.Uint64(src[i:])
		switch {
		case w&0x80 == 0:
			return i, valid
		case w&mask3 == lead3 && validLead3(w):
			i += 3
			if w >>= 24; w&mask3 == lead3 && validLead3(w) {
				i += 3
			}
			continue
		case w&mask2 == lead2 && w&0x1E != 0:
			i += 2
			continue
		case w&mask4 == lead4:
			// The lead's three bits and the second byte's six: 1_0000 to 1_0000_1111 are U+10000 to U+10FFFF.
			if v := w&7<<6 | w>>8&0x3F; v-0x10 < 0x100 {
				i += 4
				continue
			}
		}
		valid = false
		i++
	}
	if i <= len(src)-8 {
		return i, valid
	}
	for i < len(src) && src[i] >= utf8.RuneSelf {
		r, n := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError && n == 1 {
			valid = false
		}
		i += n
	}
	return i, valid
}

// validLead3 refuses E0 with a second byte below A0 (encodes less than U+0800) and ED with one from A0 on (surrogates).
func validLead3(w uint64) bool {
	v := w & 0x200F
	return v != 0 && v != 0x200D
}

// SkipSpace returns the offset of the first byte from pos on that is not JSON whitespace, or len(src).
func SkipSpace(src []byte, pos int) int {
	for pos < len(src) && isSpace(src[pos]) {
		pos++
	}
	return pos
}

func isSpace(c byte) bool {
	return c <= ' ' && (c == ' ' || c == '\n' || c == '\t' || c == '\r')
}
