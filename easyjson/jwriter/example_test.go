package jwriter_test

import (
	"fmt"
	"math"
	"os"

	"github.com/eddy-go/eddy/easyjson/jwriter"
)

func ExampleWriter() {
	var w jwriter.Writer
	w.RawString(`{"name":`)
	w.String("Zoë <3")
	w.RawString(`,"age":`)
	w.Int(33)
	w.RawByte('}')
	if _, err := w.DumpTo(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output: {"name":"Zoë \u003c3","age":33}
}

// No document comes out of a Writer that met an error.
func ExampleWriter_DumpTo() {
	var w jwriter.Writer
	w.RawString(`{"ratio":`)
	w.Float64(math.NaN())
	w.RawByte('}')
	n, err := w.DumpTo(os.Stdout)
	fmt.Println(n, err)
	// Output: 0 json: unsupported value: NaN
}

func ExampleFlags() {
	w := jwriter.Writer{Flags: jwriter.StdFormat}
	w.Float64(1000000)
	b, _ := w.BuildBytes()

	w = jwriter.Writer{}
	w.Float64(1000000)
	c, _ := w.BuildBytes()
	fmt.Printf("%s %s\n", b, c)
	// Output: 1000000 1e+06
}
