package sftp

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eddy-go/eddy/sftp/internal/fakeserver"
)

const far = 10 * time.Millisecond

func TestDownloadTakesTwoRoundTrips(t *testing.T) {
	for _, size := range []int{300 << 10, 10 << 20, 261120 * 4} {
		bubble(t, func(t *testing.T) {
			want := content(size)
			srv := big(fakeserver.New(want))
			srv.Latency = far
			x := dial(t, srv)
			var got []byte
			var err error
			// One to open, one for everything else.
			if n := x.trips(func() { got, err = x.get(t, "f") }); n != 2 {
				t.Errorf("%d bytes: %d round trips", size, n)
			}
			if err != nil {
				t.Fatal(err)
			}
			mustEqual(t, got, want)
		})
	}
}

func TestReadAtTakesOneRoundTrip(t *testing.T) {
	bubble(t, func(t *testing.T) {
		want := content(10 << 20)
		srv := big(fakeserver.New(want))
		srv.Latency = far
		x := dial(t, srv)
		f, err := x.Open("f")
		if err != nil {
			t.Fatal(err)
		}
		got := make([]byte, len(want))
		if n := x.trips(func() { _, err = f.ReadAt(got, 0) }); n != 1 || err != nil {
			t.Errorf("%d round trips, %v", n, err)
		}
		mustEqual(t, got, want)
		// Close of a file that was read waits for nothing.
		if n := x.trips(func() { err = f.Close() }); n != 0 || err != nil {
			t.Errorf("Close: %d round trips, %v", n, err)
		}
	})
}

func TestDownloadOfASmallFileProvesItsEnd(t *testing.T) {
	bubble(t, func(t *testing.T) {
		srv := big(fakeserver.New(content(10000)))
		srv.Latency = far
		x := dial(t, srv)
		var err error
		if n := x.trips(func() { _, err = x.get(t, "f") }); n > 3 || err != nil {
			t.Errorf("%d round trips, %v", n, err)
		}
	})
}

func TestFirstReadsShareAWriteWithFstat(t *testing.T) {
	bubble(t, func(t *testing.T) {
		srv := big(fakeserver.New(content(10 << 20)))
		srv.Latency = far
		x := dial(t, srv)
		f, err := x.Open("f")
		if err != nil {
			t.Fatal(err)
		}
		before := x.wire.n.Load()
		f.WriteTo(io.Discard)
		// 65 requests of 38 bytes in one segment; whatever else came may have followed.
		if n := x.wire.n.Load() - before; n > 2 {
			t.Errorf("%d writes", n)
		}
		x.srv.Lock()
		for i, q := range x.srv.Log {
			if q.Type == fakeserver.Read {
				if x.srv.Log[i-1].Type != fakeserver.Fstat {
					t.Errorf("no FSTAT in front of the READs")
				}
				break
			}
		}
		x.srv.Unlock()
		f.Close()
	})
}

func TestClampedAnswersAreAskedForAtOnce(t *testing.T) {
	bubble(t, func(t *testing.T) {
		want := content(2 << 20)
		srv := big(fakeserver.New(want))
		srv.Latency = far
		srv.MaxRead = 8 << 10
		x := dial(t, srv)
		var got []byte
		var err error
		if n := x.trips(func() { got, err = x.get(t, "f") }); n > 5 {
			t.Errorf("%d round trips", n)
		}
		if err != nil {
			t.Fatal(err)
		}
		mustEqual(t, got, want)
		b := make([]byte, len(want))
		f, _ := x.Open("f")
		defer f.Close()
		if n := x.trips(func() { _, err = f.ReadAt(b, 0) }); n > 6 || err != nil {
			t.Errorf("ReadAt: %d round trips, %v", n, err)
		}
		mustEqual(t, b, want)
	})
}

// Whatever the server says about the size, the file is what READ gives.
func TestWrongSizes(t *testing.T) {
	for _, size := range []int{0, 1, 4096, 32768, 65536, 100000, 300000} {
		for _, told := range []int64{-1, 1, 4096, 8192, 32768, 65536, 99999, 250000, 1 << 40} {
			for _, clamp := range []int{0, 4096, 1000} {
				bubble(t, func(t *testing.T) {
					want := content(size)
					srv := fakeserver.New(want)
					srv.FS["f"].Size = told
					srv.MaxRead = clamp
					srv.Latency = far
					x := dial(t, srv)
					got, err := x.get(t, "f")
					if err != nil {
						t.Errorf("size %d told as %d, answers of %d: %v", size, told, clamp, err)
					}
					mustEqual(t, got, want)
				})
			}
		}
	}
}

func TestAnswersInRandomOrder(t *testing.T) {
	for seed := range uint64(12) {
		bubble(t, func(t *testing.T) {
			want := content(600000 + int(seed)*7919)
			srv := fakeserver.New(want)
			rng := rand.New(rand.NewPCG(seed, 1))
			srv.Jitter = func(int) time.Duration { return time.Duration(rng.IntN(20)) * time.Millisecond }
			if seed%3 == 0 {
				srv.Late = func(q *fakeserver.Request, p []byte) *fakeserver.Answer {
					if q.Type == fakeserver.Read && p[0] == fakeserver.DataType {
						whole := p[5:]
						return &fakeserver.Answer{Packet: fakeserver.Data(whole[:1+rng.IntN(len(whole))])}
					}
					return nil
				}
			}
			x := dial(t, srv)
			got, err := x.get(t, "f")
			if err != nil {
				t.Fatal(err)
			}
			mustEqual(t, got, want)
			b := make([]byte, len(want)+100)
			f, _ := x.Open("f")
			defer f.Close()
			n, err := f.ReadAt(b, 0)
			if err != io.EOF {
				t.Errorf("ReadAt: %v", err)
			}
			mustEqual(t, b[:n], want)
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			n, err = f.ReadAtContext(ctx, b[:len(want)], 0)
			if err != nil {
				t.Errorf("ReadAtContext: %v", err)
			}
			mustEqual(t, b[:n], want)
		})
	}
}

func TestMoreBytesThanAsked(t *testing.T) {
	want := content(200000)
	srv := fakeserver.New(want)
	srv.Late = func(q *fakeserver.Request, p []byte) *fakeserver.Answer {
		if q.Type == fakeserver.Read && p[0] == fakeserver.DataType {
			return &fakeserver.Answer{Packet: fakeserver.Data(want[q.Off:min(len(want), int(q.Off)+q.Len+5000)])}
		}
		return nil
	}
	x := dial(t, srv)
	got, err := x.get(t, "f")
	if err != nil {
		t.Fatal(err)
	}
	mustEqual(t, got, want)
	f, _ := x.Open("f")
	defer f.Close()
	b := make([]byte, 1000)
	guarded := append(b[:100:100], 0)[:100]
	if n, err := f.ReadAt(guarded, 50); n != 100 || err != nil {
		t.Fatal(n, err)
	}
	mustEqual(t, guarded, want[50:150])
}

// A file that grows or shrinks while it is read is read to where it ends then, without holes.
func TestFileChangesMeanwhile(t *testing.T) {
	for _, to := range []int{0, 100, 100000, 500000, 900000} {
		for after := range 12 {
			bubble(t, func(t *testing.T) {
				whole := content(900000)
				srv := fakeserver.New(bytes.Clone(whole[:400000]))
				srv.Latency = far
				srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
					if q.Type == fakeserver.Read && q.Nth == after {
						srv.Lock()
						srv.FS["f"].Data = whole[:to]
						srv.Unlock()
					}
					return nil
				}
				x := dial(t, srv)
				got, err := x.get(t, "f")
				if err != nil {
					t.Fatalf("to %d after READ %d: %v", to, after, err)
				}
				mustPrefix(t, got, whole)
				if len(got) < min(to, 400000) {
					t.Errorf("to %d after READ %d: only %d bytes", to, after, len(got))
				}
			})
		}
	}
}

func TestEndOfFileInFrontOfDataIsAnError(t *testing.T) {
	want := content(500000)
	srv := fakeserver.New(want)
	srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
		if q.Type == fakeserver.Read && q.Off == 65536 {
			return &fakeserver.Answer{Packet: fakeserver.Status(fakeserver.EOF, ""), Delay: 20 * time.Millisecond}
		}
		return nil
	}
	x := dial(t, srv)
	got, err := x.get(t, "f")
	if err == nil {
		t.Error("no error")
	}
	mustEqual(t, got, want[:65536])
}

func TestEmptyDataForEver(t *testing.T) {
	for _, from := range []int{0, 65536} {
		want := content(200000)
		srv := fakeserver.New(want)
		srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
			if q.Type == fakeserver.Read && q.Off >= int64(from) {
				return &fakeserver.Answer{Packet: fakeserver.Data(nil)}
			}
			return nil
		}
		x := dial(t, srv)
		got, err := x.get(t, "f")
		if !errors.Is(err, io.ErrNoProgress) {
			t.Error(err)
		}
		mustEqual(t, got, want[:from])
		f, _ := x.Open("f")
		if n, err := f.Read(make([]byte, 300000)); n != from || from == 0 && !errors.Is(err, io.ErrNoProgress) {
			t.Error(n, err)
		}
		f.Close()
	}
}

func TestReadableButNotStatable(t *testing.T) {
	for _, size := range []int{0, 5, 32768, 1 << 20} {
		want := content(size)
		srv := fakeserver.New(want)
		srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
			if q.Type == fakeserver.Fstat || q.Type == fakeserver.Stat {
				return &fakeserver.Answer{Packet: fakeserver.Status(fakeserver.Denied, "no")}
			}
			return nil
		}
		x := dial(t, srv)
		got, err := x.get(t, "f")
		if err != nil {
			t.Fatal(err)
		}
		mustEqual(t, got, want)
	}
}

type failing struct{ after int }

var errSink = errors.New("sink is full")

func (s *failing) Write(p []byte) (int, error) {
	if s.after -= len(p); s.after < 0 {
		return len(p) + s.after, errSink
	}
	return len(p), nil
}

func TestSinkFailsWhileTheServerStalls(t *testing.T) {
	bubble(t, func(t *testing.T) {
		srv := fakeserver.New(content(1 << 20))
		srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
			if q.Type == fakeserver.Read && q.Nth > 2 {
				return &fakeserver.Answer{None: true}
			}
			return nil
		}
		x := dial(t, srv)
		f, _ := x.Open("f")
		n, err := f.WriteTo(&failing{50000})
		if n != 50000 || err != errSink {
			t.Error(n, err)
		}
		if off, _ := f.Seek(0, io.SeekCurrent); off != 50000 {
			t.Errorf("offset %d", off)
		}
		f.Close()
	})
}

type hanging struct{ entered, leave chan struct{} }

func (h *hanging) Write(p []byte) (int, error) {
	close(h.entered)
	<-h.leave
	return len(p), nil
}

func TestCloseWhileWriteToHangsInItsSink(t *testing.T) {
	bubble(t, func(t *testing.T) {
		x := dial(t, fakeserver.New(content(1<<20)))
		f, _ := x.Open("f")
		h := &hanging{make(chan struct{}), make(chan struct{})}
		result := make(chan error)
		go func() {
			_, err := f.WriteTo(h)
			result <- err
		}()
		<-h.entered
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		close(h.leave)
		if err := <-result; !errors.Is(err, fsErrClosed) {
			t.Error(err)
		}
	})
}

// A transfer that holds the whole budget while its sink hangs does not keep others from going on, and neither does a server
// that answers the head of the line last.
func TestOneBufferIsKeptForTheHeadOfTheLine(t *testing.T) {
	bubble(t, func(t *testing.T) {
		want := content(1 << 20)
		srv := fakeserver.New(want)
		srv.Jitter = func(n int) time.Duration { return time.Duration(1000-n) * time.Millisecond }
		x := dial(t, srv, MaxBufferBytes(100000))
		f, _ := x.Open("f")
		h := &hanging{make(chan struct{}), make(chan struct{})}
		result := make(chan error)
		go func() {
			_, err := f.WriteTo(h)
			result <- err
		}()
		<-h.entered
		synctest.Wait()
		got, err := x.get(t, "f")
		if err != nil {
			t.Fatal(err)
		}
		mustEqual(t, got, want)
		if n, err := x.put(t, "g", want); n != int64(len(want)) || err != nil {
			t.Fatal(n, err)
		}
		f.Close()
		close(h.leave)
		<-result
	})
}

// From one file of a client to another, which needs buffers for both at once.
func TestCopyWithinAClient(t *testing.T) {
	want := content(1 << 20)
	x := dial(t, fakeserver.New(want), MaxBufferBytes(70000))
	src, _ := x.Open("f")
	dst, _ := x.Create("g")
	if n, err := io.Copy(dst, src); n != int64(len(want)) || err != nil {
		t.Fatal(n, err)
	}
	src.Close()
	if err := dst.Close(); err != nil {
		t.Fatal(err)
	}
	mustEqual(t, x.has("g"), want)
}

func TestReadStopsWhereAnAnswerIsShort(t *testing.T) {
	bubble(t, func(t *testing.T) {
		want := content(50000)
		srv := fakeserver.New(want)
		srv.Latency = far
		x := dial(t, srv)
		f, _ := x.Open("f")
		defer f.Close()
		b := make([]byte, 40000)
		for _, n := range []int{40000, 10000} {
			if k := x.trips(func() {
				if m, err := f.Read(b); m != n || err != nil {
					t.Error(m, err)
				}
			}); k != 1 {
				t.Errorf("%d round trips", k)
			}
		}
		if n, err := f.Read(b); n != 0 || err != io.EOF {
			t.Error(n, err)
		}
		f.Seek(0, io.SeekStart)
		got, err := io.ReadAll(struct{ io.Reader }{f})
		if err != nil {
			t.Fatal(err)
		}
		mustEqual(t, got, want)
	})
}

// Of a small file that follows small ones not much more is asked for than it has.
func TestManySmallFilesAreNotAskedForInVain(t *testing.T) {
	bubble(t, func(t *testing.T) {
		srv := big(fakeserver.New(content(10000)))
		srv.Latency = far
		x := dial(t, srv)
		for range 3 {
			if _, err := x.get(t, "f"); err != nil {
				t.Fatal(err)
			}
		}
		before := srv.Count(fakeserver.Read)
		if _, err := x.get(t, "f"); err != nil {
			t.Fatal(err)
		}
		if n := srv.Count(fakeserver.Read) - before; n > firstReads+1 {
			t.Errorf("%d READs", n)
		}
	})
}
