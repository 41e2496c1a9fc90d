package rootio

import (
	"encoding/binary"
	"math/bits"
)

// bigEndian tells whether numbers lie in memory as they do in a file.
var bigEndian = binary.NativeEndian.Uint16([]byte{0, 1}) == 1

// toNative makes numbers of size bytes, as a file has them, the processor's,
// in place.
func toNative(b []byte, size int) {
	if bigEndian {
		return
	}
	switch size {
	case 2:
		swap2(swapBlocks(b, size))
	case 4:
		swap4(swapBlocks(b, size))
	case 8:
		swap8(swapBlocks(b, size))
	}
}

func swap8(b []byte) {
	for len(b) >= 32 {
		v0 := binary.LittleEndian.Uint64(b)
		v1 := binary.LittleEndian.Uint64(b[8:])
		v2 := binary.LittleEndian.Uint64(b[16:])
		v3 := binary.LittleEndian.Uint64(b[24:])
		binary.BigEndian.PutUint64(b, v0)
		binary.BigEndian.PutUint64(b[8:], v1)
		binary.BigEndian.PutUint64(b[16:], v2)
		binary.BigEndian.PutUint64(b[24:], v3)
		b = b[32:]
	}
	for len(b) >= 8 {
		binary.BigEndian.PutUint64(b, binary.LittleEndian.Uint64(b))
		b = b[8:]
	}
}

// swap4 swaps two numbers at a time: all eight bytes, and then the halves.
func swap4(b []byte) {
	for len(b) >= 32 {
		v0 := binary.LittleEndian.Uint64(b)
		v1 := binary.LittleEndian.Uint64(b[8:])
		v2 := binary.LittleEndian.Uint64(b[16:])
		v3 := binary.LittleEndian.Uint64(b[24:])
		binary.BigEndian.PutUint64(b, bits.RotateLeft64(v0, 32))
		binary.BigEndian.PutUint64(b[8:], bits.RotateLeft64(v1, 32))
		binary.BigEndian.PutUint64(b[16:], bits.RotateLeft64(v2, 32))
		binary.BigEndian.PutUint64(b[24:], bits.RotateLeft64(v3, 32))
		b = b[32:]
	}
	for len(b) >= 4 {
		binary.BigEndian.PutUint32(b, binary.LittleEndian.Uint32(b))
		b = b[4:]
	}
}

func swap2(b []byte) {
	const odd = 0xFF00FF00FF00FF00
	for len(b) >= 8 {
		v := binary.LittleEndian.Uint64(b)
		binary.LittleEndian.PutUint64(b, v&odd>>8|v<<8&odd)
		b = b[8:]
	}
	for len(b) >= 2 {
		b[0], b[1] = b[1], b[0]
		b = b[2:]
	}
}

// toBools makes every byte that is not zero a one, which is the only other
// value that a bool may have in memory.
func toBools(b []byte) {
	for i, v := range b {
		if v > 1 {
			b[i] = 1
		}
	}
}
