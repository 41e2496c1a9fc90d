package eddy_test

import (
	"os"
	"strconv"

	"github.com/eddy-go/eddy"
)

// The program of the README.
func Example_readme() {
	text := " is the answer\n"
	b := eddy.Get(512)[:0]         // room for 512 bytes, contents undefined
	defer func() { eddy.Put(b) }() // after which nothing may touch b
	b = strconv.AppendInt(b, 42, 10)
	b = eddy.Grow(b, len(text)) // room for so many more, so that append does not move b
	b = append(b, text...)
	os.Stdout.Write(b)
	// Output: 42 is the answer
}
