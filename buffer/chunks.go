package buffer

import (
	"net"

	"github.com/eddy-go/eddy"
)

// chunks is what a Buffer needs beyond its first chunk. It is pooled itself,
// so that the list of a large message is not garbage either.
type chunks struct {
	list [][]byte
	size int         // bytes in list
	iov  net.Buffers // what WriteTo hands to writev, which consumes it
}

// maxListed is the longest list that is kept: 64 MiB of chunks.
const maxListed = 1 << 10

var chunkLists = eddy.Pool[chunks]{
	Name: "buffer.chunks",
	Reset: func(c *chunks) bool {
		clear(c.list)
		c.list, c.size = c.list[:0], 0
		return cap(c.list) <= maxListed
	},
}
