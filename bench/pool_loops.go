package main

import (
	"context"
	"slices"
	"sync"

	"github.com/bytedance/gopkg/lang/mcache"
	"github.com/eddy-go/eddy"
	"github.com/eddy-go/eddy/bench/internal/table"
	"github.com/gobwas/pool/pbytes"
	libp2p "github.com/libp2p/go-buffer-pool"
	"github.com/valyala/bytebufferpool"
	"google.golang.org/grpc/mem"
)

// poolLoops gives every row a loop of its own instead of one loop over an
// interface: a call through an interface costs as much as some of these pools,
// and would keep the compiler from inlining them as it does in real code.
// The sizes' number is a power of two.
func poolLoops(sizes []int) []table.Impl {
	mask := len(sizes) - 1
	largest := slices.Max(sizes)
	loops := map[string]func(int){}

	loops["eddy"] = func(n int) {
		for i := range n {
			b := eddy.Get(sizes[i&mask])
			b[0], b[len(b)-1] = 1, 1
			eddy.Put(b)
		}
	}

	fixed := eddy.NewFixedPool(64, largest)
	loops["eddy_fixed"] = func(n int) {
		ctx := context.Background()
		for i := range n {
			b, err := fixed.Get(ctx)
			if err != nil {
				panic(err)
			}
			b = b[:sizes[i&mask]]
			b[0], b[len(b)-1] = 1, 1
			if err := fixed.Put(b); err != nil {
				panic(err)
			}
		}
	}

	loops["make"] = func(n int) {
		for i := range n {
			b := make([]byte, sizes[i&mask])
			b[0], b[len(b)-1] = 1, 1
		}
	}

	var slices sync.Pool
	loops["syncpool_slice"] = func(n int) {
		for i := range n {
			size := sizes[i&mask]
			b, _ := slices.Get().([]byte)
			if cap(b) < size {
				b = make([]byte, size)
			}
			b = b[:size]
			b[0], b[len(b)-1] = 1, 1
			//lint:ignore SA6002 the allocation is what this row shows
			slices.Put(b)
		}
	}

	var pointers sync.Pool
	loops["syncpool_ptr"] = func(n int) {
		for i := range n {
			size := sizes[i&mask]
			p, _ := pointers.Get().(*[]byte)
			if p == nil {
				p = new([]byte)
			}
			if cap(*p) < size {
				*p = make([]byte, size)
			}
			b := (*p)[:size]
			b[0], b[len(b)-1] = 1, 1
			pointers.Put(p)
		}
	}

	var bbp bytebufferpool.Pool
	loops["bytebufferpool"] = func(n int) {
		for i := range n {
			size := sizes[i&mask]
			bb := bbp.Get()
			if cap(bb.B) < size {
				bb.B = make([]byte, size)
			}
			bb.B = bb.B[:size]
			bb.B[0], bb.B[size-1] = 1, 1
			bbp.Put(bb)
		}
	}

	loops["libp2p"] = func(n int) {
		for i := range n {
			b := libp2p.Get(sizes[i&mask])
			b[0], b[len(b)-1] = 1, 1
			libp2p.Put(b)
		}
	}

	grpc := mem.DefaultBufferPool()
	loops["grpc"] = func(n int) {
		for i := range n {
			p := grpc.Get(sizes[i&mask])
			b := *p
			b[0], b[len(b)-1] = 1, 1
			grpc.Put(p)
		}
	}

	loops["mcache"] = func(n int) {
		for i := range n {
			b := mcache.Malloc(sizes[i&mask])
			b[0], b[len(b)-1] = 1, 1
			mcache.Free(b)
		}
	}

	gobwas := pbytes.New(64, 1<<20)
	loops["gobwas"] = func(n int) {
		for i := range n {
			b := gobwas.GetLen(sizes[i&mask])
			b[0], b[len(b)-1] = 1, 1
			gobwas.Put(b)
		}
	}

	ch := make(chan []byte, 64)
	loops["chan"] = func(n int) {
		for i := range n {
			var b []byte
			select {
			case b = <-ch:
			default:
				b = make([]byte, largest)
			}
			b = b[:sizes[i&mask]]
			b[0], b[len(b)-1] = 1, 1
			select {
			case ch <- b:
			default:
			}
		}
	}

	var impls []table.Impl
	for _, p := range pools(0, 64) {
		if p.name == "eddy_default" {
			continue
		}
		run := loops[p.name]
		impls = append(impls, table.Impl{
			Name: p.name, Config: p.config, Run: run,
			Check: func() error {
				for _, n := range sizes[:min(len(sizes), 64)] {
					if err := checkPool(p.open(n), n); err != nil {
						return err
					}
				}
				return nil
			},
		})
	}
	return impls
}
