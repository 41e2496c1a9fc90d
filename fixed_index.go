package eddy

// addressIndex finds the slot of a buffer by the address of its array: a hash
// table with open addressing, in which a slot is never removed. It costs about
// a nanosecond where a map costs ten.
type addressIndex struct {
	table []int32 // slot + 1, or 0; the length is a power of two
}

// add enters the last slot.
func (x *addressIndex) add(slots []slot) {
	if 2*len(slots) > len(x.table) {
		x.rebuild(slots)
		return
	}
	x.enter(slots, int32(len(slots)-1))
}

// rebuild enters every slot anew, into a table of four times their number
// and more.
func (x *addressIndex) rebuild(slots []slot) {
	size := 8
	for size < 4*len(slots) {
		size *= 2
	}
	x.table = make([]int32, size)
	for i := range slots {
		x.enter(slots, int32(i))
	}
}

func (x *addressIndex) enter(slots []slot, i int32) {
	mask := uint(len(x.table) - 1)
	h := hashAddress(arrayOf(slots[i].buf)) & mask
	for x.table[h] != 0 {
		h = (h + 1) & mask
	}
	x.table[h] = i + 1
}

// find returns the slot whose buffer is at a, or -1.
func (x *addressIndex) find(slots []slot, a *byte) int32 {
	if len(x.table) == 0 {
		return -1
	}
	mask := uint(len(x.table) - 1)
	for h := hashAddress(a) & mask; x.table[h] != 0; h = (h + 1) & mask {
		if i := x.table[h] - 1; arrayOf(slots[i].buf) == a {
			return i
		}
	}
	return -1
}
