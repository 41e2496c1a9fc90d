package sftp

import (
	"bytes"
	"context"
	"io"
	"testing"
	"time"

	"github.com/eddy-go/eddy/sftp/internal/fakeserver"
)

// warm returns a client that has downloaded "f" over all channels; the server's log begins after that.
func warm(t *testing.T, srv *fakeserver.Server, opts ...ClientOption) *rig {
	t.Helper()
	x := striped(t, srv, all, opts...)
	if _, err := x.get(t, "f"); err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Second)
	srv.Lock()
	srv.Log = nil
	srv.Unlock()
	return x
}

func count(srv *fakeserver.Server, typ byte) int {
	n := 0
	for _, k := range conns(srv, typ) {
		n += k
	}
	return n
}

// idle fails the test unless all handles are closed once what is under way has arrived.
func idle(t *testing.T, srv *fakeserver.Server) {
	t.Helper()
	time.Sleep(time.Second)
	if n := srv.OpenHandles(); n != 0 {
		t.Errorf("%d handles left open", n)
	}
}

func TestRoundTripsOfStripedDownloads(t *testing.T) {
	for _, c := range []struct{ size, first, later int }{{16 << 20, 4, 3}, {48 << 20, 7, 5}} {
		bubble(t, func(t *testing.T) {
			want := content(c.size)
			srv := stripedServer(want)
			x := striped(t, srv, all)
			for i, most := range []int{c.first, c.later, c.later} {
				var got []byte
				var err error
				if n := x.trips(func() { got, err = x.get(t, "f") }); n > most || err != nil {
					t.Errorf("%d bytes, download %d: %d round trips, want %d; %v", c.size, i, n, most, err)
				}
				mustEqual(t, got, want)
				idle(t, srv)
			}
		})
	}
}

// After a striped file the handles of the next are opened in all channels at once, and nothing is read twice.
func TestStripesAreOpenedWithTheFile(t *testing.T) {
	bubble(t, func(t *testing.T) {
		want := content(20 << 20)
		srv := stripedServer(want)
		x := warm(t, srv)
		got, err := x.get(t, "f")
		if err != nil {
			t.Fatal(err)
		}
		mustEqual(t, got, want)
		idle(t, srv)
		if m := conns(srv, fakeserver.Open); len(m) != mostStripes || count(srv, fakeserver.Open) != mostStripes {
			t.Errorf("OPEN by channel: %v", m)
		}
		if m := conns(srv, fakeserver.Fstat); len(m) != mostStripes || count(srv, fakeserver.Fstat) != mostStripes {
			t.Errorf("FSTAT by channel: %v", m)
		}
		for i, q := range srv.Log[:mostStripes] {
			if q.Type != fakeserver.Open {
				t.Errorf("request %d has type %d", i, q.Type)
			}
		}
		// One READ for each piece, and the one that is short at the end.
		if n, least := count(srv, fakeserver.Read), len(want)/261120+1; n != least {
			t.Errorf("%d READs, want %d", n, least)
		}
	})
}

// What follows a striped file is opened in the channels once; if it is small, or not read as a whole, the next is not.
func TestSmallFilesAfterALargeOne(t *testing.T) {
	for name, use := range map[string]func(f *File) error{
		"WriteTo": func(f *File) error { _, err := f.WriteTo(io.Discard); return err },
		"ReadAt":  func(f *File) error { _, err := f.ReadAt(make([]byte, 100), 0); return err },
		"Read":    func(f *File) error { _, err := f.Read(make([]byte, 100)); return err },
		"nothing": func(f *File) error { return nil },
	} {
		bubble(t, func(t *testing.T) {
			srv := stripedServer(content(20 << 20))
			srv.FS["small"] = &fakeserver.Node{Data: content(1000)}
			x := warm(t, srv)
			for i := range 3 {
				f, err := x.Open("small")
				if err != nil {
					t.Fatal(err)
				}
				if err := use(f); err != nil {
					t.Fatal(err)
				}
				time.Sleep(time.Second)
				if n := srv.OpenHandles(); n != 1 && name != "nothing" {
					t.Errorf("%s, file %d: %d handles are open", name, i, n)
				}
				f.Close()
				idle(t, srv)
			}
			if n := count(srv, fakeserver.Open); n != mostStripes+2 {
				t.Errorf("%s: %d OPENs, want %d", name, n, mostStripes+2)
			}
			if n := count(srv, fakeserver.Read); n > 80 {
				t.Errorf("%s: %d READs", name, n)
			}
		})
	}
}

func TestOpenThatFailsLeavesNoHandles(t *testing.T) {
	for _, cancelled := range []bool{false, true} {
		bubble(t, func(t *testing.T) {
			srv := stripedServer(content(20 << 20))
			x := warm(t, srv)
			srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
				if q.Type == fakeserver.Open && q.Conn == 0 && !cancelled {
					return &fakeserver.Answer{Packet: fakeserver.Status(fakeserver.NoSuchFile, "gone")}
				}
				return nil
			}
			ctx, cancel := context.WithTimeout(t.Context(), srv.Latency/2)
			defer cancel()
			if !cancelled {
				ctx = t.Context()
			}
			if f, err := x.OpenContext(ctx, "f"); err == nil {
				t.Error("opened", f.Name())
			}
			if n := count(srv, fakeserver.Open); n != mostStripes {
				t.Errorf("%d OPENs", n)
			}
			idle(t, srv)
		})
	}
}

// The answer about the file itself may be the last, since each channel has a server of its own: what arrives before is
// kept. It is dropped if a channel leads to another file, and not waited for if the answer never comes.
func TestDataInFrontOfTheSize(t *testing.T) {
	for _, other := range []bool{false, true} {
		for name, late := range map[string]*fakeserver.Answer{
			"late":    {Delay: 5 * time.Millisecond},
			"later":   {Delay: 50 * time.Millisecond},
			"never":   {None: true},
			"refused": {Packet: fakeserver.Status(fakeserver.Denied, "no")},
		} {
			bubble(t, func(t *testing.T) {
				want := content(20 << 20)
				srv := stripedServer(want)
				x := warm(t, srv)
				srv.FS["other"] = &fakeserver.Node{Data: content(20<<20 + 1)}
				srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
					if other && q.Type == fakeserver.Open && q.Conn > 0 {
						q.Path = "other"
					}
					return nil
				}
				srv.Late = func(q *fakeserver.Request, p []byte) *fakeserver.Answer {
					if q.Type == fakeserver.Fstat && q.Conn == 0 {
						a := *late
						if a.Packet == nil {
							a.Packet = p
						}
						return &a
					}
					if q.Type == fakeserver.Read && q.Conn == 0 {
						// Behind the answer to FSTAT, as of a server that answers in order.
						return &fakeserver.Answer{Packet: p, Delay: 5 * time.Millisecond}
					}
					return nil
				}
				got, err := x.get(t, "f")
				if err != nil {
					t.Fatal(name, other, err)
				}
				mustEqual(t, got, want)
				if n, least := count(srv, fakeserver.Read), len(want)/261120+1; name == "late" && !other && n > least {
					t.Errorf("%d READs, want %d", n, least)
				}
				if m := conns(srv, fakeserver.Read); !other && name == "late" && len(m) != mostStripes {
					t.Errorf("READ by channel: %v", m)
				}
				idle(t, srv)
			})
		}
	}
}

// A sink that fails, a context that ends, a file that is closed: what is held for the check goes back.
func TestDownloadEndsWhileDataIsHeld(t *testing.T) {
	for name, end := range map[string]func(f *File, cancel func()){
		"cancel": func(_ *File, cancel func()) { cancel() },
		"close":  func(f *File, _ func()) { f.Close() },
	} {
		bubble(t, func(t *testing.T) {
			srv := stripedServer(content(20 << 20))
			x := warm(t, srv)
			srv.Late = func(q *fakeserver.Request, p []byte) *fakeserver.Answer {
				if q.Conn == 0 && q.Type != fakeserver.Open {
					return &fakeserver.Answer{Packet: p, Delay: time.Minute}
				}
				return nil
			}
			f, err := x.Open("f")
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			time.AfterFunc(3*srv.Latency, func() { end(f, cancel) })
			var b bytes.Buffer
			if n, err := f.WriteToContext(ctx, &b); n != 0 || err == nil {
				t.Errorf("%s: %d, %v", name, n, err)
			}
			f.Close()
			time.Sleep(time.Hour)
			x.mu.Lock()
			if x.bytes != 0 {
				t.Errorf("%s: %d bytes are still taken", name, x.bytes)
			}
			x.mu.Unlock()
		})
	}
}
