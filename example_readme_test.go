package eddy_test

import (
	"os"
	"strconv"

	"github.com/eddy-go/eddy"
)

// The lines of the README.
func Example_readme() {
	payload := []byte(" is the answer\n")

	b := eddy.Get(512)[:0] // room for 512 bytes, contents undefined
	b = strconv.AppendInt(b, 42, 10)
	b = eddy.Grow(b, len(payload)) // room for so many more, so that append does not move b
	b = append(b, payload...)
	os.Stdout.Write(b)
	eddy.Put(b) // from here on nothing may touch b
	// Output: 42 is the answer
}
