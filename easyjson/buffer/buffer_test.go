package buffer

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
	"unsafe"

	"github.com/eddy-go/eddy"
)

// newBuffer returns a Buffer in the heap, where its address stays. One that
// moves with its stack is taken for a copy; see TestBufferOnAMovingStack.
func newBuffer() *Buffer {
	inHeap = new(Buffer)
	return inHeap
}

var inHeap *Buffer

// chunked makes what is longer than 64 KiB come in chunks during the test,
// whatever documents were before.
func chunked(t testing.TB) {
	old := config.Load()
	Init(PoolConfig{defaultStartSize, defaultPooledSize, defaultMaxSize})
	t.Cleanup(func() { config.Store(old) })
}

// fill appends n bytes of a pattern, in steps of different sizes and ways, and
// returns what it has appended.
func fill(b *Buffer, n int) []byte {
	r := rand.New(rand.NewPCG(uint64(n), 1))
	var want []byte
	for len(want) < n {
		p := make([]byte, 1+r.IntN(min(n-len(want), 3000)))
		for i := range p {
			p[i] = byte(len(want) + i*7)
		}
		want = append(want, p...)
		switch r.IntN(4) {
		case 0:
			b.AppendBytes(p)
		case 1:
			b.AppendString(string(p))
		case 2:
			for _, c := range p {
				b.AppendByte(c)
			}
		case 3:
			b.EnsureSpace(len(p))
			if cap(b.Buf)-len(b.Buf) < len(p) {
				panic("EnsureSpace made no space")
			}
			b.Buf = append(b.Buf, p...)
		}
	}
	return want
}

var sizes = []int{1, 100, 511, 512, 513, 5000, 64 << 10, 64<<10 + 1, 200_000, 400_000}

// outputs are the ways to get the contents out.
var outputs = map[string]func(t *testing.T, b *Buffer) []byte{
	"BuildBytes": func(t *testing.T, b *Buffer) []byte { return b.BuildBytes() },
	"DumpTo": func(t *testing.T, b *Buffer) []byte {
		var out bytes.Buffer
		if n, err := b.DumpTo(&out); n != out.Len() || err != nil {
			t.Errorf("DumpTo = %d, %v; wrote %d", n, err, out.Len())
		}
		return out.Bytes()
	},
	"ReadCloser": func(t *testing.T, b *Buffer) []byte {
		r := b.ReadCloser()
		data, err := io.ReadAll(r)
		if err != nil {
			t.Error(err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		return data
	},
}

func TestContentsComeOutOnce(t *testing.T) {
	chunked(t)
	for name, out := range outputs {
		for _, n := range sizes {
			b := newBuffer()
			for range 2 {
				want := fill(b, n)
				if b.Size() != n {
					t.Fatalf("Size() = %d after %d bytes", b.Size(), n)
				}
				if got := out(t, b); !bytes.Equal(got, want) {
					t.Fatalf("%s after %d bytes: other bytes", name, n)
				}
				if b.Size() != 0 {
					t.Fatalf("%s left %d bytes", name, b.Size())
				}
			}
		}
	}
}

func TestEmptyBuffer(t *testing.T) {
	for name, out := range outputs {
		b := newBuffer()
		if got := out(t, b); len(got) != 0 {
			t.Errorf("%s of an empty buffer: %q", name, got)
		}
		b.EnsureSpace(10)
		if got := out(t, b); len(got) != 0 {
			t.Errorf("%s of an empty buffer: %q", name, got)
		}
	}
	b := newBuffer()
	n, err := b.DumpTo(writerFunc(func(p []byte) (int, error) { return 0, errors.New("called") }))
	if n != 0 || err != nil {
		t.Errorf("DumpTo = %d, %v for no bytes", n, err)
	}
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestOneArrayUpTo64K(t *testing.T) {
	for _, n := range []int{100, 64 << 10} {
		b := newBuffer()
		fill(b, n)
		writes := 0
		b.DumpTo(writerFunc(func(p []byte) (int, error) { writes++; return len(p), nil }))
		if writes != 1 {
			t.Errorf("%d bytes were written by %d calls", n, writes)
		}
	}
}

func TestShortWriteIsAnError(t *testing.T) {
	chunked(t)
	for _, n := range []int{100, 200_000} {
		for _, whole := range []int{0, 1, 2} {
			b := newBuffer()
			fill(b, n)
			total, calls := 0, 0
			written, err := b.DumpTo(writerFunc(func(p []byte) (int, error) {
				if calls++; calls > whole {
					p = p[:len(p)-1]
				}
				total += len(p)
				return len(p), nil
			}))
			if calls <= whole {
				continue // it did not come to that
			}
			if err != io.ErrShortWrite || written != total || calls != whole+1 {
				t.Errorf("%d bytes, call %d short: %d, %v; taken %d in %d calls", n, whole, written, err, total, calls)
			}
		}
	}
}

func TestWriteErrorIsReturned(t *testing.T) {
	chunked(t)
	failing := errors.New("failing")
	b := newBuffer()
	fill(b, 300_000)
	calls := 0
	written, err := b.DumpTo(writerFunc(func(p []byte) (int, error) {
		if calls++; calls == 2 {
			return 7, failing
		}
		return len(p), nil
	}))
	if !errors.Is(err, failing) || calls != 2 || written <= 7 || b.Size() != 0 {
		t.Errorf("DumpTo = %d, %v in %d calls; %d bytes left", written, err, calls, b.Size())
	}
}

func sameArray(a, b []byte) bool { return unsafe.SliceData(a) == unsafe.SliceData(b) }

func TestBuildBytesReuses(t *testing.T) {
	chunked(t)
	for _, n := range sizes {
		b := newBuffer()
		want := fill(b, n)
		reuse := make([]byte, min(n, 3), n)
		got := b.BuildBytes(reuse)
		if !sameArray(got, reuse) || !bytes.Equal(got, want) {
			t.Errorf("BuildBytes(enough) of %d bytes: own memory %v", n, sameArray(got, reuse))
		}
		want = fill(b, n)
		small := make([]byte, 0, n-1)
		got = b.BuildBytes(small)
		if n > 1 && sameArray(got, small) || !bytes.Equal(got, want) {
			t.Errorf("BuildBytes(too small) of %d bytes: own memory %v", n, sameArray(got, small))
		}
	}
	b := newBuffer()
	if got := b.BuildBytes(make([]byte, 5, 10)); len(got) != 0 || cap(got) != 10 {
		t.Errorf("BuildBytes(reuse) of nothing: %d of %d", len(got), cap(got))
	}
}

// What BuildBytes returns is the caller's: a later document does not touch it.
func TestResultIsTheCallers(t *testing.T) {
	chunked(t)
	for _, n := range sizes {
		b := newBuffer()
		want := fill(b, n)
		got := b.BuildBytes()
		for range 5 {
			b.AppendString(strings.Repeat("x", n))
			b.DumpTo(io.Discard)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("the result of %d bytes has changed", n)
		}
	}
}

// Memory of another origin is used, and returned by BuildBytes as it is, but
// never pooled, even if it looks as if it could be.
func TestForeignMemoryIsNotPooled(t *testing.T) {
	chunked(t)
	mine := make([]byte, 0, 1024)
	b := newBuffer()
	b.Buf = mine
	b.AppendString("abc")
	if got := b.BuildBytes(); !sameArray(got, mine) || string(got) != "abc" {
		t.Errorf("BuildBytes did not return the caller's slice: %q", got)
	}
	b.AppendString("begun, ")
	b.Buf = append(mine, b.Buf...)
	b.AppendString("moved")
	if got := b.BuildBytes(); !sameArray(got, mine) || string(got) != "begun, moved" {
		t.Errorf("BuildBytes did not return the caller's slice: %q", got)
	}
	for _, out := range outputs {
		b := newBuffer()
		b.Buf = mine
		want := fill(b, 100_000)
		if got := out(t, b); !bytes.Equal(got, want) {
			t.Error("other bytes")
		}
	}
	var got [][]byte
	for range 100 {
		g := eddy.Get(1024)
		if sameArray(g, mine) {
			t.Fatal("the pool hands out the caller's memory")
		}
		got = append(got, g)
	}
	for _, g := range got {
		eddy.Put(g)
	}
}

func TestCopiesDoNotShareMemory(t *testing.T) {
	chunked(t)
	for _, n := range sizes {
		b := newBuffer()
		want := fill(b, n)
		c := *b
		c.AppendString("copy")
		b.AppendString("original")
		// Both append to the same array as long as neither has to grow, as
		// two slices do.
		if got := string(c.BuildBytes()); got != string(want)+"copy" && got != string(want)+"orig" {
			t.Errorf("copy of %d bytes: other bytes", n)
		}
		if got := b.BuildBytes(); string(got) != string(want)+"original" {
			t.Errorf("original of %d bytes: other bytes", n)
		}
	}
}

func TestStaleCopyPanics(t *testing.T) {
	uses := map[string]func(b *Buffer){
		"EnsureSpace": func(b *Buffer) { b.EnsureSpace(1 << 20) },
		"DumpTo":      func(b *Buffer) { b.DumpTo(io.Discard) },
		"BuildBytes":  func(b *Buffer) { b.BuildBytes() },
		"ReadCloser":  func(b *Buffer) { b.ReadCloser() },
	}
	for name, use := range uses {
		t.Run(name, func(t *testing.T) {
			b := newBuffer()
			fill(b, 100)
			c := *b
			b.BuildBytes()
			defer func() {
				if p, _ := recover().(string); !strings.Contains(p, "copy") {
					t.Errorf("panic %q", p)
				}
				c.Free() // is harmless
			}()
			use(&c)
		})
	}
}

// A caller may go back to an earlier state by restoring a copy.
func TestRestoringACopy(t *testing.T) {
	chunked(t)
	for _, n := range sizes {
		for _, more := range sizes {
			b := newBuffer()
			want := fill(b, n)
			saved := *b
			fill(b, more)
			*b = saved
			b.AppendString("instead")
			if got := b.BuildBytes(); string(got) != string(want)+"instead" {
				t.Fatalf("%d bytes, and %d that were taken back: other bytes", n, more)
			}
		}
	}
}

// A Buffer on a stack changes its address when the stack grows.
func TestBufferOnAMovingStack(t *testing.T) {
	done := make(chan string)
	for depth := range 12 {
		go func() {
			var b Buffer
			b.AppendString("begin ")
			deep(&b, depth*20)
			b.AppendString("end")
			done <- string(b.BuildBytes())
		}()
		if got := <-done; got != "begin "+strings.Repeat("xyz", 1+depth*20)+"end" {
			t.Errorf("depth %d: %q", depth, got)
		}
	}
}

func deep(b *Buffer, n int) byte {
	var frame [512]byte
	frame[n%512] = 1
	b.AppendString("xyz")
	if n > 0 {
		return deep(b, n-1) + frame[0]
	}
	return 0
}

func TestReadCloserIsAReader(t *testing.T) {
	chunked(t)
	for _, n := range sizes[:9] {
		b := newBuffer()
		want := fill(b, n)
		if err := iotest.TestReader(b.ReadCloser(), want); err != nil {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

func TestReadAfterClose(t *testing.T) {
	b := newBuffer()
	fill(b, 100)
	r := b.ReadCloser()
	p := make([]byte, 10)
	if n, err := r.Read(nil); n != 0 || err != nil {
		t.Errorf("Read(nil) = %d, %v", n, err)
	}
	if n, err := r.Read(p); n != 10 || err != nil {
		t.Errorf("Read = %d, %v", n, err)
	}
	r.Close()
	if n, err := r.Read(p); n != 0 || !errors.Is(err, fs.ErrClosed) {
		t.Errorf("Read after Close = %d, %v", n, err)
	}
	if err := r.Close(); err != nil {
		t.Errorf("second Close: %v", err)
	}
}

func TestInit(t *testing.T) {
	old := config.Load()
	defer config.Store(old)
	for _, cfg := range []PoolConfig{{StartSize: 128, PooledSize: 512, MaxSize: 4096}, {}, {1, 1, 1}, {StartSize: 1 << 20, PooledSize: 1 << 30, MaxSize: 5}} {
		Init(cfg)
		for _, n := range sizes {
			for name, out := range outputs {
				b := newBuffer()
				want := fill(b, n)
				if got := out(t, b); !bytes.Equal(got, want) {
					t.Fatalf("%+v: %s of %d bytes: other bytes", cfg, name, n)
				}
			}
		}
	}
	Init(PoolConfig{StartSize: 128, PooledSize: 512, MaxSize: 4096})
	b := newBuffer()
	b.AppendString(strings.Repeat("x", 20_000))
	largest := 0
	b.DumpTo(writerFunc(func(p []byte) (int, error) { largest = max(largest, len(p)); return len(p), nil }))
	if largest > 4096 {
		t.Errorf("a chunk of %d bytes with MaxSize 4096", largest)
	}
}

// Random sequences against a plain slice.
func FuzzBuffer(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
	f.Add([]byte{3, 200, 3, 200, 6, 5, 200, 7, 2, 9})
	f.Add(bytes.Repeat([]byte{2, 255, 5}, 60))
	f.Add(bytes.Repeat([]byte{2, 255, 8, 1, 10, 4, 250}, 30))
	chunked(f)
	f.Fuzz(func(t *testing.T, ops []byte) {
		b := newBuffer()
		var saved Buffer
		var want, savedWant []byte
		turns, savedTurn := 0, -1
		for len(ops) >= 2 {
			op, n := ops[0]%11, int(ops[1])
			ops = ops[2:]
			p := bytes.Repeat([]byte{byte(n)}, n*n/4)
			switch op {
			case 0:
				b.AppendByte(byte(n))
				want = append(want, byte(n))
			case 1, 2:
				b.AppendBytes(p)
				want = append(want, p...)
			case 3:
				b.AppendString(string(p))
				want = append(want, p...)
			case 4:
				b.EnsureSpace(n * 300)
			case 5:
				b.Buf = append(b.Buf, p...)
				want = append(want, p...)
			case 6: // a slice of the caller's own
				b.Buf = append(make([]byte, 0, len(b.Buf)+n), b.Buf...)
			case 7:
				got := b.BuildBytes(make([]byte, n*100))
				if !bytes.Equal(got, want) {
					t.Fatal("BuildBytes")
				}
				want, turns = want[:0], turns+1
			case 8:
				saved, savedWant, savedTurn = *b, append([]byte(nil), want...), turns
			case 9:
				var out bytes.Buffer
				if _, err := b.DumpTo(&out); err != nil || !bytes.Equal(out.Bytes(), want) {
					t.Fatal("DumpTo", err)
				}
				want, turns = want[:0], turns+1
			case 10:
				if savedTurn == turns {
					*b, want = saved, append(want[:0], savedWant...)
				}
			}
			if b.Size() != len(want) {
				t.Fatalf("op %d: %d bytes, want %d", op, b.Size(), len(want))
			}
		}
		if got, err := io.ReadAll(b.ReadCloser()); err != nil || !bytes.Equal(got, want) {
			t.Fatal("ReadCloser", err)
		}
	})
}

// Once documents of a size are known, they have few chunks.
func TestChunksFollowTheDocuments(t *testing.T) {
	b := newBuffer()
	for _, c := range []struct{ size, most int }{{500_000, 1}, {3_000_000, 4}, {500_000, 1}} {
		p := make([]byte, c.size)
		fewest := c.size
		for range 20 { // what is known is pooled, and may be lost at times
			b.AppendBytes(p)
			writes, total := 0, 0
			b.DumpTo(writerFunc(func(p []byte) (int, error) { writes++; total += len(p); return len(p), nil }))
			if total != len(p) {
				t.Fatalf("wrote %d of %d bytes", total, len(p))
			}
			fewest = min(fewest, writes)
		}
		if fewest > c.most {
			t.Errorf("%d bytes in %d chunks", len(p), fewest)
		}
	}
}
