package buffer_test

import (
	"fmt"
	"os"

	"github.com/eddy-go/eddy/easyjson/buffer"
)

func ExampleBuffer() {
	var b buffer.Buffer
	b.AppendString("some text")
	b.AppendByte(',')

	// Or directly, where there is room for it:
	b.EnsureSpace(20)
	b.Buf = fmt.Appendf(b.Buf, " and %d", 42)
	fmt.Println(b.Size())

	b.DumpTo(os.Stdout) // and the memory is back in the pool
	// Output:
	// 17
	// some text, and 42
}

func ExamplePoolConfig() {
	// Chunks of 16 KiB, for a program that holds many documents at once.
	buffer.Init(buffer.PoolConfig{StartSize: 512, PooledSize: 512, MaxSize: 16 << 10})
	defer buffer.Init(buffer.PoolConfig{StartSize: 512, PooledSize: 64, MaxSize: 64 << 10})

	var b buffer.Buffer
	b.AppendBytes(make([]byte, 20<<10))
	fmt.Println(len(b.BuildBytes()))
	// Output: 20480
}
