package xz

import "encoding/binary"

// undelta undoes the delta filter: each byte is the difference to the one
// dist before.
func undelta(p []byte, dist int) {
	for i := dist; i < len(p); i++ {
		p[i] += p[i-dist]
	}
}

// CALL and JMP of x86, and the highest byte of an operand that is worth
// converting: near targets are of either sign.
func opcode(b byte) bool { return b&0xfe == 0xe8 }
func near(b byte) bool   { return b == 0x00 || b == 0xff }

// unx86 undoes the x86 filter, which made the targets of CALL and JMP
// absolute: to the operand, the four bytes behind the opcode, it added the
// address behind those. It wrote 25 bits of the sum, with the highest as sign.
//
// What looks like an opcode may be part of an operand, so up to three bytes
// before an opcode decide as well, as far as they are not of an operand that
// was converted. If an opcode is among them that was left as it was, because
// its operand is not near, then the two operands overlap; with more than one,
// or one whose operand is near, this one is left as well. All of that can
// still be seen in the data, as nothing was changed since.
func unx86(p []byte, start uint32) {
	free := 0 // behind the operand that was converted last
next:
	for i := 0; i+5 <= len(p); i++ {
		if !opcode(p[i]) || !near(p[i+4]) {
			continue
		}
		overlap := 0 // bytes from the opcode that was left to this one
		for d := 1; d <= min(3, i-free); d++ {
			if !opcode(p[i-d]) {
				continue
			}
			if overlap > 0 || near(p[i-d+4]) {
				continue next
			}
			overlap = d
		}
		behind := start + uint32(i) + 5
		v := binary.LittleEndian.Uint32(p[i+1:]) - behind
		if overlap > 0 {
			// The byte by which the opcode before was judged is of this
			// operand. The sum must not make it look near, or that opcode
			// would be taken for another kind; the encoder then inverted what
			// lies up to that byte and added once more. That can have been
			// needed only once: both steps together leave the inverse of a
			// byte that is not near.
			bits := 32 - 8*overlap
			if near(byte(v >> (bits - 8))) {
				v = (v ^ (1<<bits - 1)) - behind
			}
		}
		v = uint32(int32(v<<7) >> 7)
		binary.LittleEndian.PutUint32(p[i+1:], v)
		free = i + 5
		i += 4
	}
}
