package xz

import "encoding/binary"

// undelta undoes the delta filter: each byte is the difference to the one
// dist before.
func undelta(p []byte, dist int) {
	for i := dist; i < len(p); i++ {
		p[i] += p[i-dist]
	}
}

// x86 opcodes near the one in question, by which of the three bytes before it
// were opcodes that stayed as they were: whether the filter converts at all,
// and how many bytes of the operand such a one could have seen.
var (
	x86Converts = [8]bool{0: true, 1: true, 2: true, 4: true}
	x86Seen     = [8]uint32{0, 1, 2, 2, 3, 3, 3, 3}
)

// unx86 undoes the x86 filter, which made the targets of CALL and JMP (0xe8,
// 0xe9) absolute: it subtracts the address behind the instruction, where the
// operand's highest byte is 0x00 or 0xff, as it is for near targets.
//
// Bytes that look like opcodes can be part of operands, so the filter keeps
// a mask of those that it passed over: bit k says that there was one k bytes
// back, bit k+4 that its operand looked near as well.
func unx86(p []byte, start uint32) {
	near := func(b byte) bool { return b == 0 || b == 0xff }
	mask := uint32(0)
	last := -5 // place of the opcode before
	for i := 0; i+5 <= len(p); {
		if p[i]&0xfe != 0xe8 {
			i++
			continue
		}
		if i-last > 5 {
			mask = 0
		} else {
			for range i - last {
				mask = mask & 0x77 << 1
			}
		}
		last = i
		if !near(p[i+4]) || mask>>1 >= 0x10 || !x86Converts[mask>>1&7] {
			mask |= 1
			if near(p[i+4]) {
				mask |= 0x10
			}
			i++
			continue
		}
		behind := start + uint32(i) + 5
		dest := binary.LittleEndian.Uint32(p[i+1:]) - behind
		for mask != 0 {
			// The byte that the opcode before would have judged by must not
			// look near, or the encoder had turned the bytes below it around.
			k := 8 * x86Seen[mask>>1&7]
			if !near(byte(dest >> (24 - k))) {
				break
			}
			dest = (dest ^ (1<<(32-k) - 1)) - behind
		}
		dest &= 1<<25 - 1 // bit 24 is the sign
		binary.LittleEndian.PutUint32(p[i+1:], dest|-(dest>>24)<<24)
		mask = 0
		i += 5
	}
}
