package jlexer

import (
	"strconv"

	"github.com/eddy-go/eddy/jsonwire"
)

// signed reads an integer of the given bits. Out of range it gives the nearest, as strconv does, and an error.
func (r *Lexer) signed(bits int) int64 {
	if !r.is(TokenNumber) {
		r.mismatch("number")
		return 0
	}
	r.drop()
	v := int64(r.mantissa)
	if r.form == negInteger {
		v = -v
	}
	if r.mantissa >= 1<<63 || r.form != integer && r.form != negInteger || v<<(64-bits)>>(64-bits) != v {
		return r.parseInt(stringOf(r.raw()), bits)
	}
	return v
}

// unsigned is signed for integers without sign.
func (r *Lexer) unsigned(bits int) uint64 {
	if !r.is(TokenNumber) {
		r.mismatch("number")
		return 0
	}
	r.drop()
	v := r.mantissa
	if r.form != integer || v<<(64-bits)>>(64-bits) != v {
		return r.parseUint(stringOf(r.raw()), bits)
	}
	return v
}

func (r *Lexer) parseInt(s string, bits int) int64 {
	v, err := strconv.ParseInt(s, 10, bits)
	if err != nil {
		r.errValue(err, s)
	}
	return v
}

func (r *Lexer) parseUint(s string, bits int) uint64 {
	v, err := strconv.ParseUint(s, 10, bits)
	if err != nil {
		r.errValue(err, s)
	}
	return v
}

func (r *Lexer) parseFloat(s string, bits int) float64 {
	v, err := strconv.ParseFloat(s, bits)
	if err != nil {
		r.errValue(err, s)
	}
	return v
}

// signedStr reads an integer in a string.
func (r *Lexer) signedStr(bits int) int64 {
	b, ok := r.unsafeBytes()
	if !ok {
		return 0
	}
	return r.parseInt(stringOf(b), bits)
}

func (r *Lexer) unsignedStr(bits int) uint64 {
	b, ok := r.unsafeBytes()
	if !ok {
		return 0
	}
	return r.parseUint(stringOf(b), bits)
}

func (r *Lexer) floatStr(bits int) float64 {
	b, ok := r.unsafeBytes()
	if !ok {
		return 0
	}
	return r.parseFloat(stringOf(b), bits)
}

// Int reads an int. As with all integers, a fraction, an exponent, or a value out of range is an error
// (not a fatal one with UseMultipleErrors).
func (r *Lexer) Int() int { return int(r.signed(strconv.IntSize)) }

// Int8 reads an int8.
func (r *Lexer) Int8() int8 { return int8(r.signed(8)) }

// Int16 reads an int16.
func (r *Lexer) Int16() int16 { return int16(r.signed(16)) }

// Int32 reads an int32.
func (r *Lexer) Int32() int32 { return int32(r.signed(32)) }

// Int64 reads an int64.
func (r *Lexer) Int64() int64 { return r.signed(64) }

// Uint reads a uint.
func (r *Lexer) Uint() uint { return uint(r.unsigned(strconv.IntSize)) }

// Uint8 reads a uint8.
func (r *Lexer) Uint8() uint8 { return uint8(r.unsigned(8)) }

// Uint16 reads a uint16.
func (r *Lexer) Uint16() uint16 { return uint16(r.unsigned(16)) }

// Uint32 reads a uint32.
func (r *Lexer) Uint32() uint32 { return uint32(r.unsigned(32)) }

// Uint64 reads a uint64.
func (r *Lexer) Uint64() uint64 { return r.unsigned(64) }

// Float32 reads a float32, rounded to the nearest.
func (r *Lexer) Float32() float32 {
	if !r.is(TokenNumber) {
		r.mismatch("number")
		return 0
	}
	r.drop()
	return float32(r.parseFloat(stringOf(r.raw()), 32))
}

// Float64 reads a float64, rounded to the nearest.
func (r *Lexer) Float64() float64 {
	if !r.is(TokenNumber) {
		r.mismatch("number")
		return 0
	}
	r.drop()
	if r.form != otherNumber {
		n := jsonwire.Number{Mantissa: r.mantissa, Neg: r.form == negInteger || r.form == negDecimal}
		if r.form >= decimal {
			n.Exp = r.exp
		}
		if f, ok := n.Float64(); ok {
			return f
		}
	}
	return r.parseFloat(stringOf(r.raw()), 64)
}

// IntStr reads an int in a string, as do the other …Str methods: what strconv.ParseInt takes.
func (r *Lexer) IntStr() int { return int(r.signedStr(strconv.IntSize)) }

// Int8Str reads an int8 in a string.
func (r *Lexer) Int8Str() int8 { return int8(r.signedStr(8)) }

// Int16Str reads an int16 in a string.
func (r *Lexer) Int16Str() int16 { return int16(r.signedStr(16)) }

// Int32Str reads an int32 in a string.
func (r *Lexer) Int32Str() int32 { return int32(r.signedStr(32)) }

// Int64Str reads an int64 in a string.
func (r *Lexer) Int64Str() int64 { return r.signedStr(64) }

// UintStr reads a uint in a string: what strconv.ParseUint takes.
func (r *Lexer) UintStr() uint { return uint(r.unsignedStr(strconv.IntSize)) }

// UintptrStr reads a uintptr in a string.
func (r *Lexer) UintptrStr() uintptr { return uintptr(r.unsignedStr(strconv.IntSize)) }

// Uint8Str reads a uint8 in a string.
func (r *Lexer) Uint8Str() uint8 { return uint8(r.unsignedStr(8)) }

// Uint16Str reads a uint16 in a string.
func (r *Lexer) Uint16Str() uint16 { return uint16(r.unsignedStr(16)) }

// Uint32Str reads a uint32 in a string.
func (r *Lexer) Uint32Str() uint32 { return uint32(r.unsignedStr(32)) }

// Uint64Str reads a uint64 in a string.
func (r *Lexer) Uint64Str() uint64 { return r.unsignedStr(64) }

// Float32Str reads a float32 in a string: what strconv.ParseFloat takes.
func (r *Lexer) Float32Str() float32 { return float32(r.floatStr(32)) }

// Float64Str reads a float64 in a string.
func (r *Lexer) Float64Str() float64 { return r.floatStr(64) }
