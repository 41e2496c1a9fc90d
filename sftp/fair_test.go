package sftp

import (
	"bytes"
	"context"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eddy-go/eddy/sftp/internal/fakeserver"
)

// A download that could use the budgets alone leaves small requests and an upload their share: what they do is done within
// a few answers to its READs.
func TestDownloadDoesNotStarveOthers(t *testing.T) {
	for _, opt := range [][]ClientOption{
		{MaxRequests(16)}, {MaxRequests(2)}, {MaxBufferBytes(200000)}, {MaxRequests(4), MaxBufferBytes(100000)},
	} {
		bubble(t, func(t *testing.T) {
			srv := fakeserver.New(content(200000))
			srv.FS["f"].Size = 1 << 40
			srv.Latency = far
			srv.Jitter = func(n int) time.Duration { return time.Duration(n%7) * time.Millisecond }
			endless := fakeserver.Data(content(32768))
			srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
				if q.Type == fakeserver.Read {
					return &fakeserver.Answer{Packet: endless}
				}
				return nil
			}
			x := dial(t, srv, opt...)
			f, err := x.Open("f")
			if err != nil {
				t.Fatal(err)
			}
			g, err := x.Create("g")
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(context.Background())
			over := make(chan struct{})
			go func() {
				defer close(over)
				f.WriteToContext(ctx, io.Discard)
			}()
			time.Sleep(time.Second)
			before := srv.Count(fakeserver.Read)
			for range 10 {
				within, stop := context.WithTimeout(ctx, time.Minute)
				if _, err := x.StatContext(within, "f"); err != nil {
					t.Error(err)
				}
				stop()
			}
			if n := srv.Count(fakeserver.Read) - before; n > 10*2*16 {
				t.Errorf("%d READs while 10 times STAT waited (%d requests, %d bytes)", n, x.opt.requests, x.opt.bytes)
			}
			want := content(20 * 32768)
			within, stop := context.WithTimeout(ctx, time.Minute)
			defer stop()
			before = srv.Count(fakeserver.Read)
			if n, err := g.ReadFromContext(within, bytes.NewReader(want)); n != int64(len(want)) || err != nil {
				t.Error(n, err)
			}
			n := srv.Count(fakeserver.Read) - before
			if n > 20*3*16 {
				t.Errorf("%d READs while 20 WRITEs were sent", n)
			}
			// And the download goes on meanwhile.
			if n < 5 {
				t.Errorf("%d READs beside 20 WRITEs", n)
			}
			cancel()
			<-over
			synctest.Wait()
		})
	}
}

// Requests of all callers together stay within the bound, also of uploads whose source takes its time.
func TestRequestsOfManyUploadsStayWithinTheirBound(t *testing.T) {
	bubble(t, func(t *testing.T) {
		srv := fakeserver.New(nil)
		srv.Latency = far
		x := dial(t, srv, MaxRequests(4))
		want := content(300000)
		done := make(chan error)
		names := []string{"a", "b", "c", "d", "e", "h"}
		for _, name := range names {
			f, err := x.Create(name)
			if err != nil {
				t.Fatal(err)
			}
			go func() {
				_, err := f.ReadFrom(slowSource{bytes.NewReader(want)})
				done <- err
			}()
		}
		for range names {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		for _, name := range names {
			mustEqual(t, x.has(name), want)
		}
		if srv.MostAsked > 4 {
			t.Errorf("%d requests at once", srv.MostAsked)
		}
	})
}

type slowSource struct{ r io.Reader }

func (s slowSource) Read(p []byte) (int, error) {
	time.Sleep(time.Millisecond)
	return s.r.Read(p)
}

// Answers of a few bytes do not make a hanging sink hoard them: what is kept is bounded in number as well.
func TestTinyAnswersAreCountedInFull(t *testing.T) {
	bubble(t, func(t *testing.T) {
		srv := fakeserver.New(content(200000))
		srv.FS["f"].Size = 1 << 30
		srv.Latency = far
		tiny := fakeserver.Data([]byte{1})
		srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
			if q.Type == fakeserver.Read {
				return &fakeserver.Answer{Packet: tiny}
			}
			return nil
		}
		const budget = 64 << 10
		x := dial(t, srv, MaxBufferBytes(budget))
		f, err := x.Open("f")
		if err != nil {
			t.Fatal(err)
		}
		h := &hanging{make(chan struct{}), make(chan struct{})}
		over := make(chan struct{})
		go func() {
			defer close(over)
			f.WriteTo(h)
		}()
		<-h.entered
		time.Sleep(time.Minute)
		if n := srv.Count(fakeserver.Read); n > budget/pieceCost+100 {
			t.Errorf("%d answers of a byte are kept", n)
		}
		f.Close()
		close(h.leave)
		<-over
	})
}
