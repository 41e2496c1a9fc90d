package eddy

import (
	"sync"
	"sync/atomic"

	"github.com/eddy-go/eddy/internal/shard"
)

// DefaultMaxSize is the ceiling of a BytePool that names none.
const DefaultMaxSize = 64 << 20

// A BytePool hands out byte slices of any length and takes them back.
//
// The zero value is ready for use. The exported fields may be set before the
// first use and must not change afterwards; a BytePool must not be copied.
//
// A BytePool is not for buffers that are kept for long, of which a program
// would want to bound the number (see [FixedPool]), nor for slices of a few
// bytes, which cost less to allocate than to pool.
//
// Cost: Get and Put together take about one and a half times what a
// [sync.Pool] of pointers does, and allocate nothing once the pool is warm. A
// BytePool is a few KiB large, so share one rather than make one per object.
type BytePool struct {
	// Name is what [Stats] and [Pools] call the pool.
	Name string

	// MaxSize is the largest capacity in bytes that Put keeps; Get allocates
	// what is larger and Put drops it. Zero means DefaultMaxSize; more than
	// MaxClassSize is as good as MaxClassSize.
	MaxSize int

	// Reserve is how many bytes the pool keeps across collections, in the
	// most recently used of its buffers of ReserveMinSize and more. Zero
	// means none: then idle buffers are gone after two collections.
	Reserve int

	traffic   shard.Traffic
	misses    atomic.Uint64
	allocated atomic.Uint64
	oversize  atomic.Uint64
	foreign   atomic.Uint64
	once      sync.Once
	direct    atomic.Uintptr // capacities up to here need no look at ceiling or reserve; 0 before the first use
	reserve   reserve
	classes   [numClasses]sync.Pool // of *byte, the address of an array of that class's size
}

// Get returns a slice of length n whose capacity is a size class of at least
// n. Its contents are undefined. The slice belongs to the caller, who should
// give it back with Put. Get panics if n is negative.
func (p *BytePool) Get(n int) []byte {
	if uintptr(n-1) >= p.direct.Load() {
		return p.getSlow(n)
	}
	p.traffic.Get()
	i := classOf(n)
	size := int(classSize[i])
	if n > size {
		i++
		size = int(classSize[i])
	}
	if debug {
		return p.debugGet(n, size)
	}
	if a, _ := p.classes[i].Get().(*byte); a != nil {
		return sliceAt(a, size)[:n]
	}
	return p.miss(n, size)
}

// getSlow is Get where there may be a ceiling or a reserve to mind.
func (p *BytePool) getSlow(n int) []byte {
	if n < 0 {
		panic("eddy: Get of a negative number of bytes")
	}
	p.once.Do(p.begin)
	p.traffic.Get()
	if n > p.ceiling() {
		return p.miss(n, n)
	}
	i := classOf(n)
	size := int(classSize[i])
	if n > size {
		i++
		size = int(classSize[i])
	}
	if size > p.ceiling() {
		return p.miss(n, n)
	}
	if debug {
		return p.debugGet(n, size)
	}
	if i >= reserveClass && p.Reserve > 0 {
		if a := p.reserve.get(i); a != nil {
			return sliceAt(a, size)[:n]
		}
	}
	if a, _ := p.classes[i].Get().(*byte); a != nil {
		return sliceAt(a, size)[:n]
	}
	return p.miss(n, size)
}

// Put takes b back, whatever its length. The caller must not use b, or any
// slice of the same array, afterwards. A slice whose capacity is not exactly a
// size class is left to the garbage collector and counted, and so is one over
// MaxSize. (What append has moved may have the capacity of a class, and is kept
// then; the array it was moved from is lost to the pool.) Put of a slice
// without capacity does nothing.
//
// A deferred Put(b) puts the slice that b is when the defer statement runs. If
// b may be replaced, by Grow or append, write
//
//	defer func() { pool.Put(b) }()
func (p *BytePool) Put(b []byte) {
	c := cap(b)
	if uintptr(c-1) >= p.direct.Load() {
		p.putSlow(b)
		return
	}
	p.traffic.Put()
	if debug {
		p.debugPut(b)
		return
	}
	i := classOf(c)
	if int(classSize[i]) != c {
		p.foreign.Add(1)
		return
	}
	p.classes[i].Put(arrayOf(b))
}

// putSlow is Put where there may be a ceiling or a reserve to mind, or nothing
// to put.
func (p *BytePool) putSlow(b []byte) {
	c := cap(b)
	if c == 0 {
		return
	}
	p.once.Do(p.begin)
	p.traffic.Put()
	if c > p.ceiling() {
		p.oversize.Add(1)
		return
	}
	i := classOf(c)
	if int(classSize[i]) > p.ceiling() { // made to measure, or so it seems
		p.oversize.Add(1)
		return
	}
	if debug {
		p.debugPut(b)
		return
	}
	if int(classSize[i]) != c {
		p.foreign.Add(1)
		return
	}
	if i >= reserveClass && p.Reserve > 0 {
		p.reserve.put(p, i, arrayOf(b))
		return
	}
	p.classes[i].Put(arrayOf(b))
}

// PutClear is Put, but zeroes the whole capacity of b first. Use it for
// buffers that held secrets.
func (p *BytePool) PutClear(b []byte) {
	clear(b[:cap(b)])
	p.Put(b)
}

// Grow returns a slice with the contents and the length of b, which must be
// from Get or Grow, or nil, and room for at least n more bytes. If b has the
// room it is returned as it is; otherwise a larger buffer takes its place and b
// is put, so b must not be used, or put, afterwards. The capacity at least doubles, so that growing step by step
// copies each byte only a few times. Grow panics if n is negative or the
// length overflows.
func (p *BytePool) Grow(b []byte, n int) []byte {
	if n < 0 {
		panic("eddy: Grow by a negative number of bytes")
	}
	if cap(b)-len(b) >= n {
		return b
	}
	need := len(b) + n
	if need < 0 {
		panic("eddy: Grow beyond the largest length of a slice")
	}
	room := need
	if twice := 2 * cap(b); twice > need && twice <= p.ceiling() {
		room = twice
	} else if more := cap(b) + cap(b)/4; more > need && twice > p.ceiling() {
		room = more
	}
	grown := p.Get(room)[:len(b)]
	copy(grown, b)
	p.Put(b)
	return grown
}

func (p *BytePool) ceiling() int {
	if p.MaxSize == 0 {
		return DefaultMaxSize
	}
	return min(p.MaxSize, MaxClassSize)
}

// miss allocates. It is apart from Get to keep that small.
//
//go:noinline
func (p *BytePool) miss(n, size int) []byte {
	p.misses.Add(1)
	p.allocated.Add(uint64(size))
	return make([]byte, n, size)
}

// Stats returns what the pool has done since it was made.
func (p *BytePool) Stats() Stats {
	s := Stats{
		Name:      p.Name,
		Kind:      "bytes",
		Misses:    p.misses.Load(),
		Allocated: p.allocated.Load(),
		Oversize:  p.oversize.Load(),
		Foreign:   p.foreign.Load(),
		Held:      p.reserve.held(),
	}
	s.Gets, s.Puts, s.InUse = p.traffic.Load()
	return s
}

// begin is what the first Get or Put does.
func (p *BytePool) begin() {
	register(p)
	for i, size := range classSize {
		if int(size) > p.ceiling() || i >= reserveClass && p.Reserve > 0 {
			break
		}
		p.direct.Store(uintptr(size))
	}
}

func (p *BytePool) count() *shard.Traffic { return &p.traffic }
