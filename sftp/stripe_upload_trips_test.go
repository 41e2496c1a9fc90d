package sftp

import (
	"bytes"
	"testing"
	"time"

	"github.com/eddy-go/eddy/sftp/internal/fakeserver"
)

// forget removes the file "g" and empties the log.
func forget(srv *fakeserver.Server) {
	srv.Lock()
	defer srv.Unlock()
	delete(srv.FS, "g")
	srv.Log = nil
}

func TestRoundTripsOfStripedUploads(t *testing.T) {
	bubble(t, func(t *testing.T) {
		want := content(48 << 20)
		srv := stripedServer(nil)
		x := striped(t, srv, all)
		for i, most := range []int{12, 11, 11} {
			forget(srv)
			var n int64
			var err error
			if k := x.trips(func() { n, err = x.put(t, "g", want) }); k > most || err != nil || n != int64(len(want)) {
				t.Errorf("upload %d: %d round trips, want %d; %d bytes, %v", i, k, most, n, err)
			}
			mustEqual(t, x.has("g"), want)
			idle(t, srv)
			if m := conns(srv, fakeserver.Write); len(m) != mostStripes {
				t.Errorf("upload %d: WRITE by channel: %v", i, m)
			}
			if m := conns(srv, fakeserver.Open); len(m) != mostStripes || count(srv, fakeserver.Open) != mostStripes {
				t.Errorf("upload %d: OPEN by channel: %v", i, m)
			}
			// Two to see that a file grows, and one at the end.
			for c, k := range conns(srv, fakeserver.Fstat) {
				if c > 0 && k > 4 {
					t.Errorf("upload %d: %d FSTATs of channel %d", i, k, c)
				}
			}
		}
	})
}

// A stripe's CLOSE goes out with the last question about it.
func TestStripesOfAnUploadAreClosedInOneGo(t *testing.T) {
	bubble(t, func(t *testing.T) {
		srv := stripedServer(nil)
		asked := map[int]time.Time{}
		srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
			srv.Lock()
			defer srv.Unlock()
			switch {
			case q.Conn == 0:
			case q.Type == fakeserver.Fstat:
				asked[q.Conn] = time.Now()
			case q.Type == fakeserver.Close && !asked[q.Conn].Equal(time.Now()):
				t.Errorf("channel %d: CLOSE %v behind FSTAT", q.Conn, time.Since(asked[q.Conn]))
			}
			return nil
		}
		x := striped(t, srv, all)
		want := content(40 << 20)
		if n, err := x.put(t, "g", want); n != int64(len(want)) || err != nil {
			t.Fatal(n, err)
		}
		srv.Lock()
		defer srv.Unlock()
		if len(asked) != mostStripes-1 {
			t.Errorf("%d stripes", len(asked))
		}
	})
}

// After a striped upload the next one opens the stripes with its first WRITEs; if it is small, those after it do not.
func TestSmallUploadsAfterALargeOne(t *testing.T) {
	for _, size := range []int{0, 1000, 600000} {
		bubble(t, func(t *testing.T) {
			srv := stripedServer(nil)
			x := striped(t, srv, all)
			if _, err := x.put(t, "g", content(40<<20)); err != nil {
				t.Fatal(err)
			}
			forget(srv)
			want := content(size)
			for range 3 {
				if n, err := x.put(t, "small", want); n != int64(size) || err != nil {
					t.Fatal(n, err)
				}
				mustEqual(t, x.has("small"), want)
				idle(t, srv)
			}
			opens := 3
			if size > 261120 {
				opens += mostStripes - 1
			}
			if n := count(srv, fakeserver.Open); n != opens {
				t.Errorf("%d bytes: %d OPENs, want %d", size, n, opens)
			}
			if n := len(conns(srv, fakeserver.Write)); n > 1 {
				t.Errorf("%d bytes over %d channels", size, n)
			}
		})
	}
}

// As with the first upload, no other file is written to when the stripes are opened early, of whatever size it is and
// even when it grows beside.
func TestLaterUploadIsNotStripedOverAnotherFile(t *testing.T) {
	for _, size := range []int{0, 255 * 1024, 2 << 20, 4 << 20, 60 << 20} {
		for _, grows := range []int{0, 100000} {
			bubble(t, func(t *testing.T) {
				want := content(40 << 20)
				srv := stripedServer(nil)
				x := striped(t, srv, all)
				if _, err := x.put(t, "g", want); err != nil {
					t.Fatal(err)
				}
				forget(srv)
				other := &fakeserver.Node{Data: content(size)}
				early := false
				srv.Lock()
				srv.FS["other"] = other
				srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
					srv.Lock()
					defer srv.Unlock()
					if q.Conn > 0 && q.Type == fakeserver.Open {
						early = early || len(srv.FS["g"].Data) < 2<<20
						q.Path = "other"
					}
					if q.Conn > 0 && q.Type == fakeserver.Fstat {
						other.Data = append(other.Data, make([]byte, grows)...)
					}
					return nil
				}
				srv.Unlock()
				if n, err := x.put(t, "g", want); n != int64(len(want)) || err != nil {
					t.Error(n, err)
				}
				mustEqual(t, x.has("g"), want)
				got := x.has("other")
				mustEqual(t, got[:size], content(size))
				if len(bytes.TrimLeft(got[size:], "\x00")) > 0 || !early {
					t.Errorf("other file of %d bytes written; opened early %v", size, early)
				}
				if m := conns(srv, fakeserver.Write); len(m) != 1 {
					t.Errorf("WRITE by channel: %v", m)
				}
			})
		}
	}
}

// A server that refuses more than a few requests at a time is not asked more of any channel.
func TestStripesKeepToTheLimitOfRequests(t *testing.T) {
	for _, most := range []int{1, 2, 3} {
		bubble(t, func(t *testing.T) {
			want := content(8 << 20)
			srv := stripedServer(want)
			srv.Window = 0
			open, over := map[int]int{}, 0
			srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
				srv.Lock()
				if open[q.Conn]++; open[q.Conn] > most {
					over++
				}
				srv.Unlock()
				time.AfterFunc(srv.Latency-time.Microsecond, func() {
					srv.Lock()
					open[q.Conn]--
					srv.Unlock()
				})
				return nil
			}
			x := striped(t, srv, all, Stripes(3), MaxRequests(most))
			for range 2 {
				got, err := x.get(t, "f")
				if err != nil {
					t.Fatal(err)
				}
				mustEqual(t, got, want)
				if n, err := x.put(t, "g", want); n != int64(len(want)) || err != nil {
					t.Fatal(n, err)
				}
				mustEqual(t, x.has("g"), want)
				time.Sleep(time.Second)
			}
			srv.Lock()
			defer srv.Unlock()
			if over > 0 {
				t.Errorf("MaxRequests(%d): %d requests beyond it", most, over)
			}
		})
	}
}
