package zstd_test

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"github.com/eddy-go/eddy/compress/zstd"
)

// Blocks whose size is kept beside them go into memory that is used again.
func ExampleCodec() {
	codec := zstd.Codec{Level: 1}
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

func ExampleWriter() {
	var file bytes.Buffer
	w := zstd.NewWriter(&file, zstd.Default)
	fmt.Fprintln(w, "water comes back")
	if err := w.Close(); err != nil { // without it the stream has no end
		fmt.Println(err)
		return
	}

	r := zstd.NewReader(&file)
	defer r.Close()
	io.Copy(os.Stdout, r)
	// Output: water comes back
}

// A Reader is reset for each stream, and then costs no allocation.
func ExampleReader() {
	z, _ := zstd.Codec{}.AppendCompress(nil, []byte("water"))
	r := zstd.NewReader(nil)
	defer r.Close()
	for range 2 {
		r.Reset(bytes.NewReader(z))
		data, err := io.ReadAll(r)
		fmt.Printf("%s %v\n", data, err)
	}
	// Output:
	// water <nil>
	// water <nil>
}
