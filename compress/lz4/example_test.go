package lz4_test

import (
	"bytes"
	"fmt"

	"github.com/eddy-go/eddy/compress/lz4"
)

// Blocks whose size is kept beside them go into memory that is used again.
func ExampleCodec() {
	codec := lz4.Codec{Level: 1}
	data := bytes.Repeat([]byte("water "), 1000)

	room := make([]byte, 0, codec.CompressBound(len(data)))
	packed, err := codec.AppendCompress(room, data) // allocates nothing
	if err != nil {
		fmt.Println(err)
		return
	}
	back := make([]byte, len(data))
	n, err := codec.Decompress(back, packed) // nor does this
	fmt.Println(n, err, bytes.Equal(back, data))
	// Output: 6000 <nil> true
}
