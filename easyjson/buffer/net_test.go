package buffer

import (
	"bytes"
	"io"
	"net"
	"testing"
)

// Chunks go to a connection by writev, which consumes the list of them.
func TestDumpToConnection(t *testing.T) {
	chunked(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, n := range sizes {
		received := make(chan []byte)
		go func() {
			c, err := l.Accept()
			if err != nil {
				received <- nil
				return
			}
			data, _ := io.ReadAll(c)
			c.Close()
			received <- data
		}()
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		b := newBuffer()
		want := fill(b, n)
		if written, err := b.DumpTo(c); written != n || err != nil {
			t.Errorf("DumpTo = %d, %v", written, err)
		}
		c.Close()
		if got := <-received; !bytes.Equal(got, want) {
			t.Errorf("%d bytes: received %d others", n, len(got))
		}
		if written, err := b.DumpTo(c); written != 0 || err != nil {
			t.Errorf("DumpTo of nothing = %d, %v", written, err)
		}
		fill(b, n)
		if _, err := b.DumpTo(c); err == nil || b.Size() != 0 {
			t.Errorf("DumpTo a closed connection: %v; %d bytes left", err, b.Size())
		}
	}
}
