package sftp

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/eddy-go/eddy/sftp/internal/fakeserver"
)

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
