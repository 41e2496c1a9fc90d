package buffer

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/eddy-go/eddy"
	"github.com/eddy-go/eddy/internal/leak"
	"github.com/eddy-go/eddy/internal/race"
)

func TestMain(m *testing.M) {
	eddy.CountPuts(true)
	leak.Main(m, leak.Balance("buffers and chunk lists", func() (n int64) {
		for _, s := range eddy.Pools() {
			n += s.InUse
		}
		return n
	}), eddy.Misuse)
}

func text(n int) []byte {
	rng := rand.New(rand.NewPCG(uint64(n), 9))
	p := make([]byte, n)
	for i := range p {
		p[i] = byte(rng.Uint32())
	}
	return p
}

func contents(t *testing.T, b *Buffer) []byte {
	t.Helper()
	c := b.Clone()
	if len(c) != b.Len() || cap(c) != len(c) && len(c) > 0 && cap(c) > 2*len(c) {
		t.Fatalf("clone of %d: length %d, capacity %d", b.Len(), len(c), cap(c))
	}
	var pieces []byte
	for p := range b.Chunks() {
		pieces = append(pieces, p...)
	}
	if !bytes.Equal(pieces, c) {
		t.Fatal("Chunks and Clone differ")
	}
	if whole, ok := b.Bytes(); ok && !bytes.Equal(whole, c) {
		t.Fatal("Bytes and Clone differ")
	}
	if to := b.AppendTo([]byte("before")); !bytes.Equal(to[6:], c) || string(to[:6]) != "before" {
		t.Fatal("AppendTo and Clone differ")
	}
	var w bytes.Buffer
	if n, err := b.WriteTo(&w); err != nil || n != int64(len(c)) || !bytes.Equal(w.Bytes(), c) {
		t.Fatalf("WriteTo and Clone differ: %d, %v", n, err)
	}
	return c
}

// Random calls against bytes.Buffer.
func TestBufferEqualsItsModel(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	own := &eddy.BytePool{Name: "own", MaxSize: 1 << 20}
	src := text(1 << 20)
	for round := range 60 {
		b := new(Buffer)
		if round%2 == 1 {
			b = New(own)
		}
		var want bytes.Buffer
		for range rng.IntN(60) {
			p := src[:rng.IntN(1<<rng.IntN(18))]
			switch rng.IntN(9) {
			case 0, 1:
				b.Write(p)
				want.Write(p)
			case 2:
				b.WriteString(string(p))
				want.Write(p)
			case 3:
				b.WriteByte(byte(len(p)))
				want.WriteByte(byte(len(p)))
			case 4:
				b.Commit(append(b.AvailableBuffer(len(p)), p...))
				want.Write(p)
			case 5: // beyond the room that was asked for
				b.Commit(append(b.AvailableBuffer(len(p)/2), p...))
				want.Write(p)
			case 6:
				pool := eddy.Default()
				if b.pool != nil {
					pool = b.pool
				}
				c := pool.Get(len(p))
				copy(c, p)
				b.Adopt(c)
				want.Write(p)
			case 7:
				if n, err := b.ReadFrom(iotest.HalfReader(bytes.NewReader(p))); n != int64(len(p)) || err != nil {
					t.Fatal(n, err)
				}
				want.Write(p)
			case 8:
				if rng.IntN(4) == 0 {
					b.Reset()
					want.Reset()
				}
			}
			if b.Len() != want.Len() {
				t.Fatalf("length %d, not %d", b.Len(), want.Len())
			}
		}
		if got := contents(t, b); !bytes.Equal(got, want.Bytes()) {
			t.Fatal("contents differ")
		}
		b.Free()
		b.Free()
	}
	if s := own.Stats(); s.InUse != 0 || s.Foreign != 0 {
		t.Errorf("%+v", s)
	}
}

func TestBytesWhileContiguous(t *testing.T) {
	var b Buffer
	defer b.Free()
	for b.Len() < ContiguousSize {
		b.WriteByte('x')
		if _, ok := b.Bytes(); !ok {
			t.Fatalf("in pieces at %d", b.Len())
		}
	}
	b.WriteByte('y')
	if p, ok := b.Bytes(); ok || p != nil {
		t.Error("still contiguous")
	}
}

func TestContentsUpToTheLimitAreContiguous(t *testing.T) {
	for name, fill := range map[string]func(b *Buffer){
		"a large room, little used": func(b *Buffer) {
			b.WriteString("begin")
			b.Commit(append(b.AvailableBuffer(ContiguousSize), "end"...))
		},
		"just full from a reader": func(b *Buffer) { b.ReadFrom(bytes.NewReader(text(ContiguousSize))) },
		"just full by writing":    func(b *Buffer) { b.Write(text(ContiguousSize)) },
		"an adopted chunk":        func(b *Buffer) { b.Adopt(eddy.Get(ContiguousSize)); b.ReadFrom(strings.NewReader("")) },
	} {
		var b Buffer
		fill(&b)
		if p, ok := b.Bytes(); !ok || len(p) != b.Len() {
			t.Errorf("%s: in pieces", name)
		}
		b.Free()
	}
	// Nothing read behind several chunks leaves them as they were.
	var b Buffer
	b.Write(text(2 * ContiguousSize))
	b.ReadFrom(strings.NewReader(""))
	if !bytes.Equal(contents(t, &b), text(2*ContiguousSize)) {
		t.Error("contents changed")
	}
	b.Free()
}

func TestEmptyBuffer(t *testing.T) {
	var b Buffer
	if c := contents(t, &b); c == nil || len(c) != 0 {
		t.Errorf("%v", c)
	}
	b.Write(nil)
	b.WriteString("")
	b.Commit(nil)
	b.Reset()
	if b.Len() != 0 {
		t.Error(b.Len())
	}
	b.Free()
}

func panicText(f func()) (text string) {
	defer func() { text, _ = recover().(string) }()
	f()
	return ""
}

// copyTo does what *to = *from does, out of sight of go vet.
func copyTo(to, from *Buffer) { reflect.ValueOf(to).Elem().Set(reflect.ValueOf(from).Elem()) }

func TestUseAfterFreeAndCopiesPanic(t *testing.T) {
	uses := map[string]func(b *Buffer){
		"Write":           func(b *Buffer) { b.Write([]byte("x")) },
		"Write nothing":   func(b *Buffer) { b.Write(nil) },
		"WriteString":     func(b *Buffer) { b.WriteString("x") },
		"WriteByte":       func(b *Buffer) { b.WriteByte('x') },
		"AvailableBuffer": func(b *Buffer) { b.AvailableBuffer(0) },
		"Commit":          func(b *Buffer) { b.Commit(nil) },
		"Adopt":           func(b *Buffer) { b.Adopt(nil) },
		"Len":             func(b *Buffer) { b.Len() },
		"Bytes":           func(b *Buffer) { b.Bytes() },
		"Chunks":          func(b *Buffer) { b.Chunks() },
		"AppendTo":        func(b *Buffer) { b.AppendTo(nil) },
		"Clone":           func(b *Buffer) { b.Clone() },
		"Reset":           func(b *Buffer) { b.Reset() },
		"ReadFrom":        func(b *Buffer) { b.ReadFrom(strings.NewReader("x")) },
		"WriteTo":         func(b *Buffer) { b.WriteTo(io.Discard) },
	}
	for name, use := range uses {
		var b Buffer
		b.WriteString("something")
		clone := new(Buffer)
		copyTo(clone, &b)
		if got := panicText(func() { use(clone) }); got != "eddy/buffer: use of a copied Buffer" {
			t.Errorf("%s on a copy: %q", name, got)
		}
		b.Free()
		if got := panicText(func() { use(&b) }); got != "eddy/buffer: use of a Buffer after Free" {
			t.Errorf("%s after Free: %q", name, got)
		}
	}
	var b Buffer
	b.WriteByte(1)
	clone := new(Buffer)
	copyTo(clone, &b)
	if panicText(clone.Free) == "" {
		t.Error("Free of a copy went through")
	}
	b.Free()
}

func TestReadFromStopsWithTheReader(t *testing.T) {
	var b Buffer
	defer b.Free()
	broken := errors.New("broken")
	n, err := b.ReadFrom(io.MultiReader(strings.NewReader("abc"), iotest.ErrReader(broken)))
	if n != 3 || err != broken || string(b.Clone()) != "abc" {
		t.Errorf("%d, %v, %q", n, err, b.Clone())
	}
	if n, err := b.ReadFrom(readFunc(func([]byte) (int, error) { return 0, nil })); n != 0 || err != io.ErrNoProgress {
		t.Errorf("%d, %v", n, err)
	}
	for _, bad := range []int{-1, 1 << 20} {
		if n, err := b.ReadFrom(readFunc(func([]byte) (int, error) { return bad, nil })); n != 0 || err == nil {
			t.Errorf("%d, %v", n, err)
		}
	}
	if n, err := b.ReadFrom(iotest.DataErrReader(strings.NewReader("def"))); n != 3 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}

type readFunc func([]byte) (int, error)

func (f readFunc) Read(p []byte) (int, error) { return f(p) }

type writeFunc func([]byte) (int, error)

func (f writeFunc) Write(p []byte) (int, error) { return f(p) }

func TestWriteToReportsWhatWasWritten(t *testing.T) {
	for _, size := range []int{100, 200_000} {
		var b Buffer
		b.Write(text(size))
		broken := errors.New("broken")
		for _, after := range []int{0, 50, 70_000} {
			if after > size {
				continue
			}
			got := 0
			w := func(p []byte) (int, error) {
				if got+len(p) <= after {
					got += len(p)
					return len(p), nil
				}
				n := after - got
				got = after
				return n, broken
			}
			if n, err := b.WriteTo(writeFunc(w)); n != int64(after) || err != broken {
				t.Errorf("fails after %d: %d, %v", after, n, err)
			}
		}
		short := writeFunc(func(p []byte) (int, error) { return len(p) - 1, nil })
		if n, err := b.WriteTo(short); err != io.ErrShortWrite || n != int64(min(size, ContiguousSize)-1) {
			t.Errorf("short write: %d, %v", n, err)
		}
		for _, bad := range []int{-1, 1 << 30} {
			if n, err := b.WriteTo(writeFunc(func([]byte) (int, error) { return bad, nil })); n != 0 || err == nil {
				t.Errorf("impossible count: %d, %v", n, err)
			}
		}
		// Nothing was consumed.
		if !bytes.Equal(contents(t, &b), text(size)) {
			t.Error("contents changed")
		}
		b.Free()
	}
}

// pipes returns connected pairs of the kinds of connection that get writev,
// and the address of nothing else.
func pipes(t *testing.T) map[string][2]net.Conn {
	t.Helper()
	pairs := map[string][2]net.Conn{}
	for network, address := range map[string]string{"tcp": "127.0.0.1:0", "unix": filepath.Join(t.TempDir(), "s")} {
		l, err := net.Listen(network, address)
		if err != nil {
			t.Fatal(err)
		}
		out, err := net.Dial(network, l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		in, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		l.Close()
		t.Cleanup(func() { out.Close(); in.Close() })
		pairs[network] = [2]net.Conn{out, in}
	}
	return pairs
}

func TestWriteToConnection(t *testing.T) {
	for network, pair := range pipes(t) {
		var b Buffer
		want := text(3_000_000)
		b.Write(want)
		done := make(chan bool)
		go func() {
			defer close(done)
			if n, err := b.WriteTo(pair[0]); n != int64(len(want)) || err != nil {
				t.Errorf("%s: %d, %v", network, n, err)
			}
			pair[0].Close()
		}()
		got, err := io.ReadAll(pair[1])
		<-done
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes, %v", network, len(got), err)
		}
		if !bytes.Equal(b.Clone(), want) {
			t.Errorf("%s: the contents were consumed", network)
		}
		b.Free()
	}
}

func TestWriteToClosedConnection(t *testing.T) {
	for network, pair := range pipes(t) {
		var b Buffer
		b.Write(text(3_000_000))
		pair[0].Close()
		if n, err := b.WriteTo(pair[0]); n != 0 || err == nil {
			t.Errorf("%s: %d, %v", network, n, err)
		}
		b.Free()
	}
}

// A message of many chunks, over and over: every chunk must come back, whether
// the message is written at once or chunk by chunk. What is lost would show as
// 64 KiB an operation.
func TestSteadyStateDoesNotAllocate(t *testing.T) {
	if race.Enabled {
		t.Skip("sync.Pool drops values at random under the race detector")
	}
	if eddy.Debug {
		t.Skip("debug builds do not reuse buffers")
	}
	ends := pipes(t)
	writers := map[string]io.Writer{"discard": writeFunc(func(p []byte) (int, error) { return len(p), nil })}
	for network, pair := range ends {
		writers[network] = pair[0]
		go io.Copy(io.Discard, pair[1])
	}
	message := text(400_000)
	s := string(message)
	for network, w := range writers {
		op := func() {
			var b Buffer
			b.Write(message)
			b.WriteString(s)
			b.Commit(append(b.AvailableBuffer(20), "and more"...))
			b.WriteByte('.')
			if _, err := b.WriteTo(w); err != nil {
				t.Error(err)
			}
			b.Free()
		}
		for range 10 {
			op()
		}
		const runs = 100
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range runs {
			op()
		}
		runtime.ReadMemStats(&after)
		// The Buffer itself may escape: that is one small allocation. A
		// collection meanwhile may cost a chunk or two in all.
		if per := (after.TotalAlloc - before.TotalAlloc) / runs; per > 8<<10 {
			t.Errorf("%s: %d bytes an operation", network, per)
		}
		if per := (after.Mallocs - before.Mallocs) / runs; per > 1 {
			t.Errorf("%s: %d allocations an operation", network, per)
		}
	}
}

func TestCloneIsOneAllocation(t *testing.T) {
	if race.Enabled || eddy.Debug {
		t.Skip("such builds allocate more")
	}
	for _, n := range []int{10, 1000, 300_000} {
		var b Buffer
		b.Write(text(n))
		if allocs := testing.AllocsPerRun(100, func() { b.Clone() }); allocs != 1 {
			t.Errorf("%d bytes: %v allocations", n, allocs)
		}
		b.Free()
	}
}

func FuzzBuffer(f *testing.F) {
	f.Add([]byte{0, 10, 1, 200, 2, 5, 3, 9, 4, 255, 5, 100, 6, 7})
	src := text(1 << 17)
	f.Fuzz(func(t *testing.T, calls []byte) {
		var b Buffer
		var want []byte
		for len(calls) >= 2 {
			p := src[:int(calls[1])*512]
			switch calls[0] % 6 {
			case 0:
				b.Write(p)
			case 1:
				b.WriteString(string(p))
			case 2:
				b.Commit(append(b.AvailableBuffer(len(p)), p...))
			case 3:
				b.ReadFrom(bytes.NewReader(p))
			case 4:
				c := eddy.Get(len(p))
				copy(c, p)
				b.Adopt(c)
			case 5:
				b.Reset()
				want, p = nil, nil
			}
			want = append(want, p...)
			calls = calls[2:]
		}
		if !bytes.Equal(b.Clone(), want) {
			t.Fatal("contents differ")
		}
		b.Free()
	})
}
