package eddy

import "sync/atomic"

// fixedBuffers knows the buffers that a FixedPool has made, by number and by
// address. Reading needs no lock: a buffer is entered before it is handed out
// for the first time, and neither table ever moves.
type fixedBuffers struct {
	arrays    []atomic.Pointer[byte]
	table     []atomic.Int32 // hash table, open addressing: number + 1, or 0
	made      int            // under the pool's mu
	forgotten int            // under the pool's mu
}

func (f *fixedBuffers) init(n int) {
	f.arrays = make([]atomic.Pointer[byte], n)
	size := 4
	for size < 2*n {
		size *= 2
	}
	f.table = make([]atomic.Int32, size)
}

// add enters a as the array of buffer i.
func (f *fixedBuffers) add(i int, a *byte) {
	f.arrays[i].Store(a)
	mask := uint(len(f.table) - 1)
	h := hashAddress(a) & mask
	for !f.table[h].CompareAndSwap(0, int32(i+1)) {
		h = (h + 1) & mask
	}
}

// find returns the number of the buffer at a, which is not nil, or -1.
func (f *fixedBuffers) find(a *byte) int {
	mask := uint(len(f.table) - 1)
	for h := hashAddress(a) & mask; ; h = (h + 1) & mask {
		i := int(f.table[h&uint(len(f.table)-1)].Load()) - 1
		if i < 0 || f.arrays[i].Load() == a {
			return i
		}
	}
}

// known reports whether buffer i is not forgotten.
func (f *fixedBuffers) known(i int) bool { return f.arrays[i].Load() != nil }

// at returns buffer i, which is not forgotten.
func (f *fixedBuffers) at(i, size int) []byte {
	return sliceAt(f.arrays[i].Load(), size)
}

// forget leaves buffer i to the garbage collector. The caller holds the pool's
// mu.
func (f *fixedBuffers) forget(i int) {
	f.arrays[i].Store(nil)
	f.forgotten++
}
