package sftp

import (
	"bytes"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/eddy-go/eddy/sftp/internal/fakeserver"
)

// detour makes what further channels open another file, of so many bytes.
func detour(srv *fakeserver.Server, size int) {
	srv.FS["other"] = &fakeserver.Node{Data: content(size)}
	srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
		if q.Type == fakeserver.Open && q.Conn > 0 {
			q.Path = "other"
		}
		return nil
	}
}

// Whatever size the file has to which the name leads by now, it is not written.
func TestUploadIsNotStripedOverAnotherFile(t *testing.T) {
	for _, size := range []int{0, 1 << 20, 16 << 20, 18 << 20, 60 << 20} {
		for _, opt := range [][]ClientOption{nil, {Stripes(4)}} {
			bubble(t, func(t *testing.T) {
				want := content(40 << 20)
				srv := stripedServer(nil)
				detour(srv, size)
				x := striped(t, srv, all, opt...)
				if n, err := x.put(t, "g", want); n != int64(len(want)) || err != nil {
					t.Error(n, err)
				}
				mustEqual(t, x.has("g"), want)
				mustEqual(t, x.has("other"), content(size))
				if n := len(conns(srv, fakeserver.Open)); n < 2 {
					t.Error("no stripe was opened")
				}
			})
		}
	}
}

// Another owner or mode is another file, even if it seems to grow.
func TestUploadIsNotStripedOverAFileOfAnotherMode(t *testing.T) {
	bubble(t, func(t *testing.T) {
		want := content(40 << 20)
		srv := stripedServer(nil)
		detour(srv, 0)
		srv.FS["other"].Mode = 0o100600
		srv.Late = func(q *fakeserver.Request, p []byte) *fakeserver.Answer {
			if q.Type == fakeserver.Fstat && q.Conn > 0 {
				n := *srv.FS["g"]
				n.Mode = srv.FS["other"].Mode
				return &fakeserver.Answer{Packet: append([]byte{fakeserver.AttrsType}, n.Attrs()...)}
			}
			return nil
		}
		x := striped(t, srv, all)
		if n, err := x.put(t, "g", want); n != int64(len(want)) || err != nil {
			t.Error(n, err)
		}
		mustEqual(t, x.has("g"), want)
		mustEqual(t, x.has("other"), nil)
	})
}

// A server that lies about what a handle belongs to until it has got data over it: no success over the hole, and the count
// is right.
func TestStripeTurnsOutToBeAnotherFile(t *testing.T) {
	bubble(t, func(t *testing.T) {
		want := content(40 << 20)
		srv := stripedServer(nil)
		detour(srv, 0)
		srv.Late = func(q *fakeserver.Request, p []byte) *fakeserver.Answer {
			if q.Type == fakeserver.Fstat && q.Conn > 0 && len(srv.FS["other"].Data) == 0 {
				return &fakeserver.Answer{Packet: append([]byte{fakeserver.AttrsType}, srv.FS["g"].Attrs()...)}
			}
			return nil
		}
		x := striped(t, srv, all)
		n, err := x.put(t, "g", want)
		if !errors.Is(err, errOtherFile) {
			t.Fatal(n, err)
		}
		if len(x.has("other")) == 0 {
			t.Error("nothing was written to the other file")
		}
		if n <= 0 || n >= int64(len(want)) {
			t.Errorf("count %d", n)
		}
		mustEqual(t, x.has("g"), want[:n])
	})
}

// What is written over a file that is as long already cannot be seen to grow: it goes over one channel.
func TestOverwritingIsNotStriped(t *testing.T) {
	bubble(t, func(t *testing.T) {
		want := content(40 << 20)
		srv := stripedServer(bytes.Repeat([]byte{1}, 40<<20))
		x := striped(t, srv, all)
		f, err := x.OpenFile("f", os.O_WRONLY)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := f.ReadFrom(bytes.NewReader(want)); n != int64(len(want)) || err != nil {
			t.Error(n, err)
		}
		f.Close()
		mustEqual(t, x.has("f"), want)
		if m := conns(srv, fakeserver.Write); len(m) != 1 {
			t.Errorf("written over %v", m)
		}
	})
}

// A stripe's CLOSE is waited for, since that is where a server may tell of a loss. What went over the stripe is not surely
// right then: the count ends in front of it, and so does the file.
func TestCloseOfAStripeFails(t *testing.T) {
	for _, at := range []bool{false, true} {
		bubble(t, func(t *testing.T) {
			want := content(40 << 20)
			srv := stripedServer(nil)
			first := int64(len(want)) // that went over a stripe
			srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
				srv.Lock()
				defer srv.Unlock()
				if q.Type == fakeserver.Write && q.Conn > 0 {
					first = min(first, q.Off)
				}
				if q.Type == fakeserver.Close && q.Conn > 0 {
					return &fakeserver.Answer{Packet: fakeserver.Status(fakeserver.Failure, "quota")}
				}
				return nil
			}
			x := striped(t, srv, all)
			f, err := x.Create("g")
			if err != nil {
				t.Fatal(err)
			}
			var n int64
			if at {
				var k int
				k, err = f.WriteAt(want, 0)
				n = int64(k)
			} else {
				n, err = f.ReadFrom(bytes.NewReader(want))
			}
			var st *StatusError
			if !errors.As(err, &st) || st.FxCode() != ErrSSHFxFailure {
				t.Errorf("WriteAt %v: %v", at, err)
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
			if n != first || first == 0 || first == int64(len(want)) {
				t.Errorf("WriteAt %v: %d bytes are said to be right, the first over a stripe was at %d", at, n, first)
			}
			mustEqual(t, x.has("g"), want[:n])
		})
	}
}

// A server that begins all requests at once may have closed a stripe's handle when it comes to the question that was asked in front
// of CLOSE. Nothing is lost by that, and nothing is said to be.
func TestHandleOfAStripeIsClosedBeforeItIsLookedAt(t *testing.T) {
	for _, other := range []bool{false, true} {
		bubble(t, func(t *testing.T) {
			want := content(40 << 20)
			srv := stripedServer(nil)
			refused := 0
			handles := map[string]bool{} // over which something was written
			srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
				srv.Lock()
				defer srv.Unlock()
				whole := srv.FS["g"] != nil && len(srv.FS["g"].Data) == len(want)
				switch {
				case q.Type == fakeserver.Write:
					handles[q.Handle] = true
				case whole && q.Type == fakeserver.Fstat && q.Conn > 0 && handles[q.Handle]:
					refused++
					return &fakeserver.Answer{Packet: fakeserver.Status(fakeserver.Failure, "bad file descriptor")}
				case whole && q.Type == fakeserver.Open && q.Conn > 0 && other:
					q.Path = "f" // where the name leads now
				}
				return nil
			}
			x := striped(t, srv, all)
			n, err := x.put(t, "g", want)
			if refused == 0 {
				t.Error("no FSTAT was refused")
			}
			if other {
				if !errors.Is(err, errOtherFile) {
					t.Error(n, err)
				}
			} else if n != int64(len(want)) || err != nil {
				t.Error(n, err)
			}
			mustEqual(t, x.has("g"), want[:n])
			time.Sleep(time.Second)
			if k := srv.OpenHandles(); k != 0 {
				t.Errorf("%d handles left open", k)
			}
		})
	}
}
