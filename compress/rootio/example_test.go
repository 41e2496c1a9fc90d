package rootio_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/eddy-go/eddy/compress"
	"github.com/eddy-go/eddy/compress/rootio"
)

func ExampleCompress() {
	object := bytes.Repeat([]byte("drift "), 1000)
	payload := make([]byte, len(object))
	n, err := rootio.Compress(payload, object, rootio.Default)
	if err != nil {
		panic(err)
	}
	payload = payload[:n]

	again := make([]byte, len(object)) // the record's key says how long it is
	if _, err := rootio.Decompress(again, payload); err != nil {
		panic(err)
	}
	fmt.Println(bytes.Equal(again, object), n < len(object)/10, string(payload[:2]))
	// Output: true true ZS
}

func ExampleOpen() {
	r, err := os.Open("testdata/hist.root")
	if err != nil {
		panic(err)
	}
	defer r.Close()
	info, err := r.Stat()
	if err != nil {
		panic(err)
	}
	f, err := rootio.Open(r, info.Size())
	if err != nil {
		panic(err)
	}
	for k, err := range f.Keys() {
		if err != nil {
			panic(err)
		}
		a, err := k.Algorithm()
		if err != nil {
			panic(err)
		}
		fmt.Println(k.Path(), k.Class, k.ObjLen, "bytes,", a)
	}
	// Output:
	// width;1 TH1D 2980 bytes, zlib
	// steps;1 TH1D 750 bytes, zlib
	// plane;1 TH2D 8398 bytes, zlib
	// curve;1 TGraph 1099 bytes, zlib
	// bars;1 TGraphErrors 1432 bytes, zlib
	// sub;1 TDirectory 60 bytes, stored
	// sub/inner;1 TH1D 1543 bytes, zlib
	// note;1 TObjString 31 bytes, stored
}

func ExampleFile_Records() {
	r, err := os.Open("testdata/scalars-lzma.root")
	if err != nil {
		panic(err)
	}
	defer r.Close()
	info, err := r.Stat()
	if err != nil {
		panic(err)
	}
	f, err := rootio.Open(r, info.Size())
	if err != nil {
		panic(err)
	}
	records, damaged := 0, 0
	for r, err := range f.Records() {
		if err == nil && r.Gap == 0 {
			err = r.Verify()
		}
		if err != nil {
			damaged++
		}
		records++
	}
	fmt.Println(records, "records,", damaged, "damaged")
	// Output: 88 records, 0 damaged
}

func ExampleKey() {
	r, err := os.Open("testdata/hist.root")
	if err != nil {
		panic(err)
	}
	defer r.Close()
	info, err := r.Stat()
	if err != nil {
		panic(err)
	}
	f, err := rootio.Open(r, info.Size())
	if err != nil {
		panic(err)
	}
	k, err := f.Key("sub/inner")
	if err != nil {
		panic(err)
	}
	object, err := k.AppendPayload(nil)
	fmt.Println(k.Class, len(object) == k.ObjLen, err)
	// Output: TH1D true <nil>
}

func ExampleSettings() {
	s := rootio.Settings(207)
	fmt.Println(s, "is", s.Algorithm(), s.Level(), s == rootio.NewSettings(rootio.LZMA, 7))
	// What nobody writes any more is refused.
	fmt.Println(rootio.Settings(301).Validate())
	// Output:
	// lzma level 7 is lzma 7 true
	// root: unsupported feature of the format: the old CS compression
}

func ExampleBlocks() {
	object := make([]byte, 20<<20) // more than a block can hold
	payload := make([]byte, len(object))
	n, err := rootio.Compress(payload, object, 401)
	if err != nil {
		panic(err)
	}
	for b, err := range rootio.Blocks(payload[:n], len(object)) {
		if err != nil {
			panic(err)
		}
		fmt.Println(b.Algorithm, b.Size)
	}
	// Output:
	// lz4 16777215
	// lz4 4194305
}

func ExampleError() {
	file, err := os.ReadFile("testdata/hist.root")
	if err != nil {
		panic(err)
	}
	file[300] ^= 1 // a bit is wrong somewhere
	f, err := rootio.Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		panic(err)
	}
	for r, err := range f.Records() {
		if err == nil && r.Gap == 0 {
			err = r.Verify()
		}
		var e *rootio.Error
		if errors.As(err, &e) {
			fmt.Println(e.Class, e.Name, e.Offset, errors.Is(err, compress.ErrChecksum) || errors.Is(err, compress.ErrCorrupt))
		}
	}
	// Output: TH1D width 214 true
}

func ExampleFile_Damage() {
	file, err := os.ReadFile("testdata/hist.root")
	if err != nil {
		panic(err)
	}
	file = file[:4000] // the rest is lost, and the list of keys with it
	f, err := rootio.Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		panic(err)
	}
	fmt.Println(errors.Is(f.Damage(), io.ErrUnexpectedEOF))
	for k, err := range f.Keys() {
		if err != nil {
			fmt.Println("and maybe more")
			continue
		}
		fmt.Println(k.Path(), k.Class)
	}
	// Output:
	// true
	// width;1 TH1D
	// steps;1 TH1D
	// plane;1 TH2D
	// curve;1 TGraph
	// and maybe more
}
