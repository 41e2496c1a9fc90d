package sftp

import (
	"bytes"
	"errors"
	"io"
	"math"
	"testing"
	"time"

	"github.com/eddy-go/eddy/sftp/internal/fakeserver"
)

// io.Copy and io.ReadAll take io.EOF for the end of the file: the end of the connection must never be that.
func TestLostConnectionIsNotTheEndOfTheFile(t *testing.T) {
	for _, cut := range []struct {
		name   string
		answer fakeserver.Answer
	}{
		{"instead of an answer", fakeserver.Answer{Hangup: true}},
		{"within a header", fakeserver.Answer{Raw: []byte{0, 0}, After: true}},
		{"within a payload", fakeserver.Answer{Raw: []byte{0, 0, 1, 0, fakeserver.DataType, 0, 0}, After: true}},
	} {
		srv := fakeserver.New(content(100000))
		srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
			if q.Type == fakeserver.Read {
				a := cut.answer
				return &a
			}
			return nil
		}
		x := dial(t, srv)
		f, err := x.Open("f")
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.ReadAll(struct{ io.Reader }{f})
		var lost *ConnError
		if !errors.As(err, &lost) || errors.Is(err, io.EOF) {
			t.Errorf("cut %s: %v", cut.name, err)
		}
		if _, err := f.WriteTo(io.Discard); !errors.As(err, &lost) || errors.Is(err, io.EOF) {
			t.Errorf("cut %s: then %v", cut.name, err)
		}
		if err := x.Wait(); !errors.As(err, &lost) || errors.Is(err, io.EOF) {
			t.Errorf("cut %s: Wait: %v", cut.name, err)
		}
	}
	// A transport says it on the sending side as well.
	r, w := io.Pipe()
	defer w.Close()
	s := newSession(&Client{opt: defaultOptions()}, r, nopCloser{io.Discard})
	s.fail(io.EOF)
	s.r.free()
	if errors.Is(s.err, io.EOF) {
		t.Error("a failed write matches io.EOF")
	}
}

// An answer that comes twice is for a request that is over; it is not taken for the answer to the next.
func TestSecondAnswerIsNotThatOfAnotherRequest(t *testing.T) {
	for _, late := range []time.Duration{0, 5 * time.Millisecond} {
		bubble(t, func(t *testing.T) {
			want := content(4 << 20)
			srv := fakeserver.New(want)
			srv.Latency = far
			srv.Late = func(q *fakeserver.Request, p []byte) *fakeserver.Answer {
				if q.Type == fakeserver.Read && q.Nth == 20 {
					return &fakeserver.Answer{Packet: p, More: &fakeserver.Answer{Packet: p, Delay: late}}
				}
				return nil
			}
			x := dial(t, srv, MaxConcurrentRequestsPerFile(8))
			got, err := x.get(t, "f")
			mustPrefix(t, got, want)
			var wrong *ProtocolError
			if !errors.As(err, &wrong) {
				t.Errorf("%d bytes, %v", len(got), err)
			}
		})
	}
}

func TestSlotsAreUsedAgainUnderOtherIDs(t *testing.T) {
	srv := fakeserver.New(nil)
	seen := map[uint32]bool{}
	srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
		if seen[q.ID] && q.Type != fakeserver.Init {
			t.Errorf("id %#x used twice", q.ID)
		}
		seen[q.ID] = true
		return nil
	}
	x := dial(t, srv)
	for range 200 {
		if _, err := x.Stat("f"); err != nil {
			t.Fatal(err)
		}
	}
	x.mu.Lock()
	if n := len(x.main.slots); n > 32 {
		t.Errorf("%d slots for one request at a time", n)
	}
	x.mu.Unlock()
}

// Sizes at the end of what can be asked for.
func TestLargestSizes(t *testing.T) {
	for _, told := range []int64{math.MaxInt64, math.MaxInt64 - 1, math.MaxInt64 - 40000} {
		for _, stat := range []bool{false, true} {
			bubble(t, func(t *testing.T) {
				want := content(200000)
				srv := fakeserver.New(want)
				srv.FS["f"].Size = told
				srv.Latency = far
				x := dial(t, srv)
				f, err := x.Open("f")
				if err != nil {
					t.Fatal(err)
				}
				if stat {
					if fi, err := f.Stat(); err != nil || fi.Size() != told {
						t.Error(fi, err)
					}
				}
				var b bytes.Buffer
				if _, err := f.WriteTo(&b); err != nil {
					t.Error(err)
				}
				mustEqual(t, b.Bytes(), want)
				f.Close()
			})
		}
	}
}
