package buffer_test

import (
	"fmt"
	"os"
	"strconv"

	"github.com/eddy-go/eddy/buffer"
)

func ExampleBuffer() {
	var b buffer.Buffer
	defer b.Free()
	b.WriteString("squares:")
	for i := range 5 {
		b.WriteByte(' ')
		// Formed in place, not copied there.
		b.Commit(strconv.AppendInt(b.AvailableBuffer(20), int64(i*i), 10))
	}
	b.WriteByte('\n')
	if _, err := b.WriteTo(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output: squares: 0 1 4 9 16
}
