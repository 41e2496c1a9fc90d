package compress_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/eddy-go/eddy"
	"github.com/eddy-go/eddy/compress"
	"github.com/eddy-go/eddy/compress/lz4"
	"github.com/eddy-go/eddy/compress/zlib"
	"github.com/eddy-go/eddy/compress/zstd"
)

// The codec may be chosen at run time.
func ExampleCodec() {
	data := bytes.Repeat([]byte("the water comes back "), 100)
	for _, name := range []string{"zlib", "zstd"} {
		codec := map[string]compress.Codec{
			"zlib": zlib.Codec{Level: 6},
			"zstd": zstd.Codec{Level: 3},
		}[name]
		packed, err := codec.AppendCompress(nil, data)
		if err != nil {
			fmt.Println(err)
			return
		}
		back := make([]byte, len(data))
		if _, err := codec.Decompress(back, packed); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(name, bytes.Equal(back, data), len(packed) < len(data)/20)
	}
	// Output:
	// zlib true true
	// zstd true true
}

// An Error says what is wrong and where.
func ExampleError() {
	packed, _ := zlib.Codec{}.AppendCompress(nil, []byte("water"))
	packed = packed[:len(packed)-1]
	_, err := zlib.Codec{}.AppendDecompress(nil, packed, 1<<20)

	var e *compress.Error
	if errors.As(err, &e) {
		fmt.Println(e.Format, e.Offset > 0)
	}
	fmt.Println(errors.Is(err, compress.ErrChecksum))
	// Output:
	// zlib true
	// false
}

// Blocks are compressed on all processors and written in order, in the memory
// of eight buffers.
func ExampleParallel() {
	blocks := [][]byte{[]byte("wa"), []byte("ter "), []byte("comes back")}

	codec := lz4.Codec{}
	pool := eddy.NewFixedPool(8, codec.CompressBound(64<<10))
	defer pool.Close()
	p := compress.Parallel{Codec: codec, Pool: pool}

	var packed []compress.Block
	err := p.Compress(context.Background(), slices.Values(blocks), func(z []byte) error {
		// z is the pool's once this returns, so what is kept is copied.
		packed = append(packed, compress.Block{Data: bytes.Clone(z), Size: len(blocks[len(packed)])})
		return nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	err = p.Decompress(context.Background(), slices.Values(packed), func(b []byte) error {
		fmt.Printf("%s", b)
		return nil
	})
	fmt.Println(err)
	// Output: water comes back<nil>
}

// An error of a block says which one it was.
func ExampleBlockError() {
	good, _ := zlib.Codec{}.AppendCompress(nil, []byte("water"))
	bad := []byte("no zlib at all")

	p := compress.Parallel{Codec: zlib.Codec{}, Pool: eddy.NewFixedPool(2, 1024)}
	err := p.Decompress(context.Background(), slices.Values([]compress.Block{{Data: good, Size: 5}, {Data: bad, Size: -1}}),
		func(b []byte) error { fmt.Printf("%s\n", b); return nil })

	var be *compress.BlockError
	if errors.As(err, &be) {
		fmt.Println("block", be.Index, errors.Is(err, compress.ErrCorrupt))
	}
	// Output:
	// water
	// block 1 true
}

// Where the size is not known, a limit stands in for it: a bomb costs no more
// than that.
func ExampleCodec_limit() {
	bomb, _ := zstd.Codec{}.AppendCompress(nil, make([]byte, 100<<20))
	_, err := zstd.Codec{}.AppendDecompress(nil, bomb, 1<<20)
	fmt.Println(len(bomb) < 20000, errors.Is(err, compress.ErrLimit))
	// Output: true true
}

// faulty is a codec that panics, as no codec of this module does.
type faulty struct{ zlib.Codec }

func (faulty) AppendCompress(dst, src []byte) ([]byte, error) { panic("broken") }

// The panic of a codec of one's own, on whatever goroutine, can be recovered
// where Parallel was called.
func ExamplePanicError() {
	defer func() {
		if e, ok := recover().(*compress.PanicError); ok {
			fmt.Println("block", e.Index, "panicked:", e.Value)
		}
	}()
	codec := faulty{}
	pool := eddy.NewFixedPool(4, codec.CompressBound(1<<10))
	defer pool.Close()
	p := compress.Parallel{Codec: codec, Pool: pool}
	blocks := [][]byte{[]byte("some block")}
	p.Compress(context.Background(), slices.Values(blocks), func([]byte) error { return nil })
	// Output: block 0 panicked: broken
}
