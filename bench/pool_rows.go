package main

import (
	"context"
	"fmt"
	"sync"

	"github.com/bytedance/gopkg/lang/mcache"
	"github.com/eddy-go/eddy"
	"github.com/gobwas/pool/pbytes"
	libp2p "github.com/libp2p/go-buffer-pool"
	"github.com/valyala/bytebufferpool"
	"google.golang.org/grpc/mem"
)

// A handle is a buffer together with its way back.
type handle struct {
	b   []byte
	put func()
}

// A poolRow opens a pool for buffers of one size where what is measured is not
// the loop itself: checks, bursts, waste.
type poolRow struct {
	name, config string
	classes      bool // capacity follows from the size asked for
	open         func(size int) func() handle
}

// pools lists the rows in the order of the table. reserve is the size of the
// buffers that eddy's reserve shall hold count of; 0 for no reserve.
func pools(reserve, count int) []poolRow {
	gobwas := pbytes.New(64, 1<<20)
	fromBytePool := func(p *eddy.BytePool, size int) func() handle {
		return func() handle {
			b := p.Get(size)
			return handle{b, func() { p.Put(b) }}
		}
	}
	fromDefault := func(size int) func() handle { return fromBytePool(eddy.Default(), size) }
	eddyRows := []poolRow{{"eddy", "default pool, statistics on", true, fromDefault}}
	if reserve > 0 {
		eddyRows = []poolRow{
			{"eddy", fmt.Sprintf("BytePool with a Reserve of %d MiB", reserve*count>>20), true, func(size int) func() handle {
				return fromBytePool(&eddy.BytePool{Name: "bench", Reserve: reserve * count}, size)
			}},
			{"eddy_default", "default pool, no reserve", true, fromDefault},
		}
	}
	return append(eddyRows,
		poolRow{"eddy_fixed", fmt.Sprintf("FixedPool of %d, Get(ctx), foreign and double Put refused", count), false, func(size int) func() handle {
			p := eddy.NewFixedPool(count, size)
			return func() handle {
				b, err := p.Get(context.Background())
				if err != nil {
					panic(err)
				}
				return handle{b, func() {
					if err := p.Put(b); err != nil {
						panic(err)
					}
				}}
			}
		}},
		poolRow{"make", "no pool; zeroed", true, func(size int) func() handle {
			return func() handle { return handle{make([]byte, size), func() {}} }
		}},
		poolRow{"syncpool_slice", "one sync.Pool of []byte, grown to the largest size", false, func(size int) func() handle {
			var p sync.Pool
			return func() handle {
				b, _ := p.Get().([]byte)
				if cap(b) < size {
					b = make([]byte, size)
				}
				b = b[:size]
				//lint:ignore SA6002 the allocation is what this row shows
				return handle{b, func() { p.Put(b) }}
			}
		}},
		poolRow{"syncpool_ptr", "one sync.Pool of *[]byte, grown to the largest size", false, func(size int) func() handle {
			var p sync.Pool
			return func() handle {
				v, _ := p.Get().(*[]byte)
				if v == nil {
					v = new([]byte)
				}
				if cap(*v) < size {
					*v = make([]byte, size)
				}
				*v = (*v)[:size]
				return handle{*v, func() { p.Put(v) }}
			}
		}},
		poolRow{"bytebufferpool", "own Pool; B made anew when too small", false, func(size int) func() handle {
			p := new(bytebufferpool.Pool)
			return func() handle {
				bb := p.Get()
				if cap(bb.B) < size {
					bb.B = make([]byte, size)
				}
				bb.B = bb.B[:size]
				return handle{bb.B, func() { p.Put(bb) }}
			}
		}},
		poolRow{"libp2p", "GlobalPool, powers of two", true, func(size int) func() handle {
			return func() handle {
				b := libp2p.Get(size)
				return handle{b, func() { libp2p.Put(b) }}
			}
		}},
		poolRow{"grpc", "DefaultBufferPool; clears on Get", true, func(size int) func() handle {
			p := mem.DefaultBufferPool()
			return func() handle {
				v := p.Get(size)
				return handle{*v, func() { p.Put(v) }}
			}
		}},
		poolRow{"mcache", "powers of two", true, func(size int) func() handle {
			return func() handle {
				b := mcache.Malloc(size)
				return handle{b, func() { mcache.Free(b) }}
			}
		}},
		poolRow{"gobwas", "pbytes.New(64, 1 MiB), powers of two", true, func(size int) func() handle {
			return func() handle {
				b := gobwas.GetLen(size)
				return handle{b, func() { gobwas.Put(b) }}
			}
		}},
		poolRow{"chan", fmt.Sprintf("buffered channel of %d, never waits", count), false, func(size int) func() handle {
			ch := make(chan []byte, count)
			return func() handle {
				var b []byte
				select {
				case b = <-ch:
				default:
					b = make([]byte, size)
				}
				return handle{b, func() {
					select {
					case ch <- b:
					default:
					}
				}}
			}
		}},
	)
}

// checkPool holds three buffers at once, twice: each must have the length asked
// for, and no two may share a byte at either end.
func checkPool(get func() handle, size int) error {
	for range 2 {
		var held [3]handle
		for i := range held {
			held[i] = get()
			b := held[i].b
			if len(b) != size || cap(b) < size {
				return fmt.Errorf("asked for %d bytes, got len %d, cap %d", size, len(b), cap(b))
			}
			b[0], b[size-1] = byte(i), byte(i)
		}
		for i, h := range held {
			if h.b[0] != byte(i) || h.b[size-1] != byte(i) {
				return fmt.Errorf("two buffers of %d bytes share memory", size)
			}
		}
		for _, h := range held {
			h.put()
		}
	}
	return nil
}
