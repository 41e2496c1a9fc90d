package eddy_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/eddy-go/eddy"
)

// A buffer is taken, filled and given back. Appending may move it: Grow makes
// room first, and gives the old array back when it has to move.
func Example() {
	b := eddy.Get(64)[:0]
	defer func() { eddy.Put(b) }() // not defer eddy.Put(b): b will be another
	for i := range 100 {
		b = eddy.Grow(b, 20) // room for the longest number
		b = strconv.AppendInt(b, int64(i), 10)
	}
	fmt.Println(len(b), "digits")
	// Output: 190 digits
}

func ExampleBytePool() {
	// A pool of its own shows up by name in eddy.Pools, and may keep some
	// of its large buffers from the garbage collector.
	frames := &eddy.BytePool{Name: "frames", MaxSize: 8 << 20, Reserve: 16 << 20}
	b := frames.Get(1 << 20)
	frames.Put(b)
	s := frames.Stats()
	fmt.Println(s.Gets, "get,", s.Misses, "allocation of", s.Allocated>>20, "MiB")
	// Output: 1 get, 1 allocation of 1 MiB
}

func ExampleBytePool_PutClear() {
	key := eddy.Get(32)
	n := copy(key, "something secret")
	fmt.Println(n, "bytes")
	eddy.PutClear(key) // the next user of the memory does not see them
	// Output: 16 bytes
}

type request struct {
	path   string
	params []string
}

func ExamplePool() {
	requests := eddy.Pool[request]{
		Name: "requests",
		Reset: func(r *request) bool {
			clear(r.params) // so that the strings can be collected
			*r = request{params: r.params[:0]}
			return cap(r.params) <= 100 // what has grown further is let go
		},
	}
	r := requests.Get()
	r.path = "/index"
	r.params = append(r.params, "q=eddy")
	requests.Put(r)

	r = requests.Get()
	fmt.Printf("%q %d\n", r.path, len(r.params))
	requests.Put(r)
	// Output: "" 0
}

func ExampleFixedPool() {
	// Never more than four buffers of 1 MiB, however many there are to do.
	pool := eddy.NewFixedPool(4, 1<<20)
	b, err := pool.Get(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(b))
	if err := pool.Put(b); err != nil {
		fmt.Println(err)
	}
	err = pool.Put(b)
	fmt.Println(errors.Is(err, eddy.ErrDoublePut))
	fmt.Println(pool.Close())
	// Output:
	// 1048576
	// true
	// <nil>
}

func ExampleInUseError() {
	pool := eddy.NewNamedFixedPool("packets", 4, 1500)
	packet, _ := pool.TryGet()
	var inUse *eddy.InUseError
	if err := pool.Close(); errors.As(err, &inUse) {
		fmt.Println(err)
		fmt.Println(inUse.InUse)
	}
	pool.Put(packet)
	// Output:
	// eddy: pool "packets" closed with 1 buffers in use
	// 1
}

func ExampleStats() {
	pool := &eddy.BytePool{Name: "example"}
	pool.Put(pool.Get(1000))
	pool.Put(pool.Get(100 << 20)) // more than the pool keeps
	for _, s := range eddy.Pools() {
		if s.Name == "example" {
			fmt.Println(s.Kind, s.Gets, s.Misses, s.Allocated, s.Oversize)
		}
	}
	// Output: bytes 2 2 104858624 1
}
