package rootio

import "github.com/eddy-go/eddy"

// A room is pooled memory that begins at a multiple of 8 bytes, and grows.
type room struct {
	pooled []byte
	b      []byte // in pooled, with all the capacity that there is
}

// grow makes the room at least n bytes large and keeps the first used of them.
func (r *room) grow(n, used int) {
	if n <= len(r.b) {
		return
	}
	pooled := eddy.Get(n + 8)
	pooled = pooled[:cap(pooled)]
	b := pooled
	if m := misaligned(b); m != 0 {
		b = b[8-m:]
	}
	copy(b, r.b[:min(used, len(r.b))])
	eddy.Put(r.pooled)
	r.pooled, r.b = pooled, b
}

// free gives the memory back.
func (r *room) free() {
	eddy.Put(r.pooled)
	r.pooled, r.b = nil, nil
}
