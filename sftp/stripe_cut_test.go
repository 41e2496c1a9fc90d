package sftp

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/eddy-go/eddy/sftp/internal/fakeserver"
)

// smallServer and smallStripes are a server and a client for which a few kilobytes are much.
func smallServer(whole []byte) *fakeserver.Server {
	srv := fakeserver.New(bytes.Clone(whole))
	srv.Limits = [4]uint64{0, 900, 900, 0}
	srv.Latency = 2 * time.Millisecond
	srv.Window = 1800
	return srv
}

func smallStripes(t *testing.T, srv *fakeserver.Server) *rig {
	t.Helper()
	x := striped(t, srv, all, Stripes(3), MaxConcurrentRequestsPerFile(4))
	x.opt.stripeBytes = 1000
	return x
}

// A striped transfer whose connection breaks at any packet, before or after that is carried out: all of the connection, or
// the channel that is hit. A channel other than the first is done without.
func TestStripedTransferCutAtEveryPacket(t *testing.T) {
	whole := content(25000)
	ways := []struct {
		name string
		run  func(f *File) ([]byte, int64, error)
	}{
		{"WriteTo", func(f *File) ([]byte, int64, error) {
			var b bytes.Buffer
			n, err := f.WriteTo(&b)
			return b.Bytes(), n, err
		}},
		{"ReadFrom", func(f *File) ([]byte, int64, error) {
			n, err := f.ReadFrom(slowSource{bytes.NewReader(whole)})
			return nil, n, err
		}},
		{"WriteAt", func(f *File) ([]byte, int64, error) {
			n, err := f.WriteAt(whole, 0)
			return nil, int64(n), err
		}},
	}
	for _, way := range ways {
		for _, carried := range []bool{false, true} {
			for _, alone := range []bool{false, true} {
				over := map[int]bool{} // channels over which something was moved
				lost := 0              // other channels that were cut
				for k, more := 0, true; more; k++ {
					bubble(t, func(t *testing.T) {
						srv := smallServer(whole)
						cut, victim, dead := false, 0, false
						srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
							srv.Lock()
							defer srv.Unlock()
							if q.Type == fakeserver.Read || q.Type == fakeserver.Write {
								over[q.Conn] = true
							}
							if q.N == k {
								cut, victim = true, q.Conn
								dead = !alone
								if !carried {
									return &fakeserver.Answer{Hangup: true}
								}
							} else if dead {
								return &fakeserver.Answer{Hangup: true}
							}
							return nil
						}
						srv.Late = func(q *fakeserver.Request, p []byte) *fakeserver.Answer {
							if q.N == k {
								return &fakeserver.Answer{Hangup: true}
							}
							return nil
						}
						x := smallStripes(t, srv)
						what := fmt.Sprintf("%s cut at packet %d, carried out: %v, alone: %v", way.name, k, carried, alone)
						open := x.Create
						if way.name == "WriteTo" {
							open = x.Open
						}
						f, err := open("f")
						var n int64
						var got []byte
						if err == nil {
							if got, n, err = way.run(f); way.name != "WriteTo" {
								got = x.has("f")
							}
							if cerr := f.Close(); err == nil {
								err = cerr
							}
						}
						srv.Lock()
						defer srv.Unlock()
						more = cut
						if cut && victim != 0 {
							lost++
						}
						if err != nil && !errors.Is(err, ErrSSHFxConnectionLost) {
							t.Errorf("%s: %v", what, err)
						}
						if err != nil && (!cut || alone && victim != 0) {
							t.Errorf("%s: channel %d was cut (%v): %v", what, victim, cut, err)
						}
						if int64(len(got)) < n || err == nil && n != int64(len(whole)) {
							t.Fatalf("%s: %d of %d bytes, %v", what, n, len(got), err)
						}
						mustEqual(t, got[:n], whole[:n])
					})
					if t.Failed() {
						return
					}
				}
				if len(over) != 3 || lost == 0 {
					t.Errorf("%s: over %d channels, of which %d were cut", way.name, len(over), lost)
				}
			}
		}
	}
}
