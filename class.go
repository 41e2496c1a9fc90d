package eddy

import "math/bits"

// Size classes: four per doubling, from 64 bytes to 1 GiB. The sizes are ones
// that the runtime allocates without rounding up, but for 2560 (which occupies
// 2688): 3584 and 7168, which would occupy 4096 and 8192, are 3456 and 6912.
// Over all request sizes a class is on average about a tenth larger than the
// request.
const (
	minClassSize = 64
	minClassBits = 6
	maxClassBits = 30
	numClasses   = (maxClassBits-minClassBits)*4 + 1
)

// MaxClassSize is the largest capacity that a BytePool can keep.
const MaxClassSize = 1 << maxClassBits

// classSize holds the capacity of each class.
var classSize = func() (sizes [numClasses]uint32) {
	for i := range sizes {
		sizes[i] = uint32(4+i%4) << (minClassBits - 2 + i/4)
	}
	sizes[classOf(3584)] = 3456
	sizes[classOf(7168)] = 6912
	return sizes
}()

// classOf returns the class whose nominal size is the smallest that holds n
// bytes, for n from 0 to MaxClassSize.
func classOf(n int) uint {
	u := max(uint32(n), minClassSize) - 1
	shift := uint(bits.Len32(u)-3) & 31
	return shift<<2 + uint(u>>shift) - (minClassBits-2)*4 - 3
}
