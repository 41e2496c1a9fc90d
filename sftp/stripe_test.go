package sftp

import (
	"bytes"
	"errors"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/eddy-go/eddy/sftp/internal/fakeserver"
)

// striped connects a client with srv that can have further channels, of which refuse refuses those it is told of. A channel
// moves at most a window of bytes in a round trip, as those of SSH do.
func striped(t *testing.T, srv *fakeserver.Server, refuse func(n int) bool, opts ...ClientOption) *rig {
	t.Helper()
	var wg sync.WaitGroup
	var mu sync.Mutex
	opened := 0
	c, err := newClient(opts)
	if err != nil {
		t.Fatal(err)
	}
	var ends []io.Closer
	c.more = func() (io.Reader, io.WriteCloser, error) {
		mu.Lock()
		defer mu.Unlock()
		n := opened
		if refuse(n) {
			return nil, nil, errors.New("administratively prohibited")
		}
		opened++
		toServer, fromClient := io.Pipe()
		toClient, fromServer := io.Pipe()
		ends = append(ends, toClient)
		wg.Go(func() { srv.Serve(toServer, fromServer) })
		return toClient, fromClient, nil
	}
	r, w, err := c.more()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.begin(t.Context(), r, w); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Close()
		for _, e := range ends {
			e.Close()
		}
		wg.Wait()
		if c.bytes != 0 || c.main.inflight != 0 {
			t.Errorf("%d bytes, %d requests left", c.bytes, c.main.inflight)
		}
	})
	return &rig{Client: c, srv: srv}
}

func all(int) bool { return false }

func conns(srv *fakeserver.Server, typ byte) map[int]int {
	srv.Lock()
	defer srv.Unlock()
	m := map[int]int{}
	for _, q := range srv.Log {
		if q.Type == typ {
			m[q.Conn]++
		}
	}
	return m
}

func stripedServer(data []byte) *fakeserver.Server {
	srv := big(fakeserver.New(data))
	srv.Latency = 20 * time.Millisecond
	srv.Window = 2 << 20
	return srv
}

func TestStripedTransfers(t *testing.T) {
	for _, opt := range [][]ClientOption{nil, {Stripes(3)}, {Stripes(1)}} {
		bubble(t, func(t *testing.T) {
			want, sent := content(20<<20), content(44<<20)
			srv := stripedServer(want)
			x := striped(t, srv, all, opt...)
			for range 2 {
				got, err := x.get(t, "f")
				if err != nil {
					t.Fatal(err)
				}
				mustEqual(t, got, want)
				if n, err := x.put(t, "g", sent); n != int64(len(sent)) || err != nil {
					t.Fatal(n, err)
				}
				mustEqual(t, x.has("g"), sent)
			}
			least, most := 5, mostStripes
			if opt != nil {
				least, most = x.opt.stripes, x.opt.stripes
			}
			for _, typ := range []byte{fakeserver.Read, fakeserver.Write} {
				if n := len(conns(srv, typ)); n < least || n > most {
					t.Errorf("type %d over %d channels, want %d to %d", typ, n, least, most)
				}
			}
			time.Sleep(time.Second)
			if n := srv.OpenHandles(); n != 0 {
				t.Errorf("%d handles left open", n)
			}
		})
	}
}

func TestSmallFilesAndShortTripsAreNotStriped(t *testing.T) {
	for _, c := range []struct {
		size    int
		latency time.Duration
	}{{3 << 20, 20 * time.Millisecond}, {20 << 20, time.Millisecond}} {
		bubble(t, func(t *testing.T) {
			srv := stripedServer(content(c.size))
			srv.Latency = c.latency
			x := striped(t, srv, all)
			if _, err := x.get(t, "f"); err != nil {
				t.Fatal(err)
			}
			if n := len(conns(srv, fakeserver.Open)); n != 1 {
				t.Errorf("%d bytes at %v: %d channels", c.size, c.latency, n)
			}
		})
	}
}

// A server that refuses a channel and kills another in the middle leaves an equal file, or an exact prefix and an error.
func TestStripesRefusedAndKilled(t *testing.T) {
	for _, up := range []bool{false, true} {
		for victim := range 3 {
			for _, k := range []int{0, 1, 7, 16} {
				if up && k == 1 {
					continue
				}
				bubble(t, func(t *testing.T) {
					want := content(20 << 20)
					if up {
						want = content(40 << 20)
					}
					srv := stripedServer(want)
					seen := 0
					srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
						srv.Lock()
						defer srv.Unlock()
						if q.Conn == victim && (q.Type == fakeserver.Read || q.Type == fakeserver.Write) {
							if seen++; seen > k {
								return &fakeserver.Answer{Hangup: true}
							}
						}
						return nil
					}
					x := striped(t, srv, func(n int) bool { return n == 3 }, Stripes(5))
					if up {
						n, err := x.put(t, "g", want)
						got := x.has("g")
						if m := conns(srv, fakeserver.Write); len(m) < 2 && victim > 0 {
							t.Errorf("not striped: %v", m)
						}
						if err == nil {
							mustEqual(t, got, want)
						} else {
							if victim != 0 {
								t.Errorf("channel %d killed: %v", victim, err)
							}
							mustEqual(t, got[:n], want[:n])
						}
						return
					}
					got, err := x.get(t, "f")
					if err != nil && victim != 0 {
						t.Errorf("channel %d killed after %d: %v", victim, k, err)
					}
					mustPrefix(t, got, want)
					if err == nil {
						mustEqual(t, got, want)
					}
				})
			}
		}
	}
}

// The name may lead to another file by the time a stripe opens it.
func TestStripeOfAnotherFileIsNotUsed(t *testing.T) {
	for _, up := range []bool{false, true} {
		bubble(t, func(t *testing.T) {
			want, other := content(20<<20), content(19<<20)
			srv := stripedServer(want)
			srv.FS["other"] = &fakeserver.Node{Data: bytes.Clone(other)}
			n := 0
			srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
				srv.Lock()
				defer srv.Unlock()
				if q.Type == fakeserver.Open && q.Conn > 0 {
					n++
					q.Path = "other"
				}
				return nil
			}
			x := striped(t, srv, all)
			if up {
				if k, err := x.put(t, "g", want); k != int64(len(want)) || err != nil {
					t.Fatal(k, err)
				}
				mustEqual(t, x.has("g"), want)
				if len(x.has("other")) != 19<<20 {
					t.Error("the other file was written")
				}
			} else {
				got, err := x.get(t, "f")
				if err != nil {
					t.Fatal(err)
				}
				mustEqual(t, got, want)
			}
			if n == 0 {
				t.Error("no stripe was opened")
			}
		})
	}
}
