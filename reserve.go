package eddy

import "sync"

// ReserveMinSize is the smallest capacity that a reserve keeps: what is
// smaller the runtime allocates from its own free lists, which costs little.
const ReserveMinSize = 32 << 10

// reserveClass is the class of ReserveMinSize.
const reserveClass = (15 - minClassBits) * 4

// reserve holds the most recently put large buffers of a BytePool, up to its
// Reserve bytes, as a list from the newest to the oldest and a stack a class.
// A mutex is good enough: beside what is done with 32 KiB its cost is nothing.
type reserve struct {
	mu    sync.Mutex
	bytes int
	used  node             // head of the ring: next is the newest, prev the oldest
	tops  [numClasses]node // below is the newest of the class
	spare *node            // nodes without a buffer, linked by below
}

type node struct {
	array        *byte
	class        uint
	next, prev   *node // by time, whatever the class
	below, above *node // in the same class
}

// get takes the newest buffer of a class, or returns nil.
func (r *reserve) get(class uint) *byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := r.tops[class].below
	if n == nil {
		return nil
	}
	return r.remove(n)
}

// put makes a the newest buffer. What no longer fits, oldest first, goes to
// the pool's collectable part.
func (r *reserve) put(p *BytePool, class uint, a *byte) {
	size := int(classSize[class])
	if size > p.Reserve {
		p.classes[class].Put(a)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.used.next == nil {
		r.used.next, r.used.prev = &r.used, &r.used
	}
	for r.bytes+size > p.Reserve {
		oldest := r.used.prev
		from := oldest.class
		p.classes[from].Put(r.remove(oldest))
	}
	n := r.spare
	if n == nil {
		n = new(node)
	} else {
		r.spare = n.below
	}
	top := &r.tops[class]
	*n = node{
		array: a, class: class,
		next: r.used.next, prev: &r.used,
		below: top.below, above: top,
	}
	n.next.prev, n.prev.next = n, n
	if n.below != nil {
		n.below.above = n
	}
	top.below = n
	r.bytes += size
}

// remove takes n out of both lists and returns its buffer.
func (r *reserve) remove(n *node) *byte {
	a := n.array
	n.next.prev, n.prev.next = n.prev, n.next
	n.above.below = n.below
	if n.below != nil {
		n.below.above = n.above
	}
	r.bytes -= int(classSize[n.class])
	*n = node{below: r.spare}
	r.spare = n
	return a
}

// held returns the bytes in the reserve.
func (r *reserve) held() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return int64(r.bytes)
}
