package sftp

import (
	"bytes"
	"io"
	"testing"

	"github.com/eddy-go/eddy/sftp/internal/fakeserver"
)

func FuzzParser(f *testing.F) {
	f.Add([]byte{})
	f.Add((&fakeserver.Node{Data: []byte("x")}).Attrs())
	f.Add([]byte{128, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 'a', 0, 0, 0, 1, 'b'})
	f.Add([]byte{128, 0, 0, 0, 255, 255, 255, 255})
	f.Add(fakeserver.Names("a", fakeserver.NoAttrs, "b", fakeserver.NoAttrs)[1:])
	f.Add([]byte{0, 0, 0, 4, 0, 0, 0, 1, 'x', 0, 0, 0, 2, 'e', 'n'})
	f.Fuzz(func(t *testing.T, b []byte) {
		p := parser{b: b}
		a := p.attrs()
		if !p.bad {
			// What is understood is written as it was read.
			known := attrs{flags: a.flags & (attrSize | attrUIDGID | attrPermissions | attrTimes | attrExtended), FileStat: a.FileStat}
			w := appendAttrs(pool.Get(0), &known)
			if n := len(b) - len(p.b); len(w) != n || !bytes.Equal(w[4:], b[4:n]) {
				t.Errorf("%x is written as %x", b[:n], w)
			}
			pool.Put(w)
		} else if a.flags != 0 || a.Extended != nil {
			t.Error("a bad ATTRS is not empty")
		}
		for _, typ := range []byte{typeStatus, typeHandle, typeData, typeName, typeAttrs, typeExtendedReply} {
			rep := reply{typ: typ, body: bytes.Clone(b)}
			list, err := rep.appendNames(nil, "/")
			if err == nil && len(list)*12 > len(b) {
				t.Error("more names than bytes")
			}
			if err := rep.refusal("op", "path"); err == nil || err == io.EOF {
				t.Error(err)
			}
			if st, ok := rep.status(); typ == typeStatus && rep.asStatus("op", "path") == nil && (!ok || st.code != 0) {
				t.Error("success out of nothing")
			}
			rep.limits()
		}
	})
}

// Whatever a server sends, the client neither hangs nor panics nor keeps a buffer, and takes no memory on trust.
func FuzzAnswers(f *testing.F) {
	ok := func(b ...[]byte) []byte { return bytes.Join(b, nil) }
	version := []byte{0, 0, 0, 5, typeVersion, 0, 0, 0, 3}
	f.Add(version)
	f.Add(ok(version, raw(10, typeHandle, 0, 0, 0, 0, 0, 0, 0, 1, 'h'), raw(12, typeData, 0, 0, 0, 2, 0, 0, 0, 3, 'a', 'b', 'c')))
	f.Add(ok(version, raw(10, typeHandle, 0, 0, 0, 0, 0, 0, 0, 1, 'h'), raw(9, typeStatus, 0, 0, 0, 2, 0, 0, 0, 1)))
	f.Add(ok(version, raw(0x0fffffff, typeName, 0, 0, 0, 0)))
	f.Add(ok(version, raw(5, typeData, 0, 0, 0, 0)))
	f.Add([]byte("Welcome\n"))
	f.Add(raw(9, typeVersion, 0, 0, 0, 3, 0, 0, 0, 1))
	f.Fuzz(func(t *testing.T, b []byte) {
		before := pool.Stats()
		c, err := NewClientPipe(bytes.NewReader(b), nopCloser{io.Discard})
		if err == nil {
			if f, err := c.Open("f"); err == nil {
				var w bytes.Buffer
				n, _ := f.WriteTo(&w)
				if n != int64(w.Len()) || w.Len() > len(b) {
					t.Error(n, w.Len())
				}
				f.ReadAt(make([]byte, 100), 0)
				f.WriteAt([]byte("x"), 0)
				f.Close()
			}
			c.ReadDir("/")
			c.Stat("f")
			c.Close()
		}
		after := pool.Stats()
		if after.InUse != before.InUse {
			t.Errorf("%d buffers are still out", after.InUse-before.InUse)
		}
		if grew := after.Allocated - before.Allocated; grew > 2<<20+uint64(len(b))*2 {
			t.Errorf("%d bytes allocated for %d", grew, len(b))
		}
	})
}

func TestPacketReaderInPieces(t *testing.T) {
	data := content(100000)
	for _, step := range []int{1, 3, 4095, 4096, 4097, 70000} {
		p := newPacketReader(&chopped{bytes.NewReader(data), step})
		var got []byte
		for _, n := range []int{0, 1, 4, 5000, 4096, 60000, 3, 20000} {
			b := make([]byte, n)
			if err := p.full(b); err != nil {
				t.Fatal(err)
			}
			got = append(got, b...)
		}
		if err := p.discard(1000); err != nil {
			t.Fatal(err)
		}
		mustEqual(t, got, data[:len(got)])
		b, err := p.body(5000)
		if err != nil {
			t.Fatal(err)
		}
		mustEqual(t, b, data[len(got)+1000:][:5000])
		pool.Put(b)
		if _, err := p.body(1 << 30); err != io.ErrUnexpectedEOF {
			t.Error(err)
		}
		p.free()
	}
}

type chopped struct {
	r    io.Reader
	step int
}

func (c *chopped) Read(b []byte) (int, error) { return c.r.Read(b[:min(len(b), c.step)]) }
