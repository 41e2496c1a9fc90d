package sftp

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/eddy-go/eddy/sftp/internal/fakeserver"
)

// A channel in which READs are answered, but not what the file is, is not asked again and again.
func TestStripesOfWhichNothingIsTold(t *testing.T) {
	bubble(t, func(t *testing.T) {
		want := content(20 << 20)
		srv := stripedServer(want)
		x := warm(t, srv)
		srv.Latency, srv.Window = 0, 0
		srv.Late = func(q *fakeserver.Request, p []byte) *fakeserver.Answer {
			switch {
			case q.Conn == 0:
				return &fakeserver.Answer{Packet: p, Delay: time.Second}
			case q.Type == fakeserver.Fstat:
				return &fakeserver.Answer{None: true}
			}
			return &fakeserver.Answer{Packet: p, Delay: time.Millisecond}
		}
		got, err := x.get(t, "f")
		if err != nil {
			t.Fatal(err)
		}
		mustEqual(t, got, want)
		if n := count(srv, fakeserver.Read); n > 200 {
			t.Errorf("%d READs", n)
		}
	})
}

// What the file is may be told behind the first answers to READs: then the channel is used all the same.
func TestStripesOfWhichIsToldLate(t *testing.T) {
	bubble(t, func(t *testing.T) {
		want := content(60 << 20)
		srv := stripedServer(want)
		x := warm(t, srv)
		srv.Late = func(q *fakeserver.Request, p []byte) *fakeserver.Answer {
			if q.Type == fakeserver.Fstat && q.Conn > 0 {
				return &fakeserver.Answer{Packet: p, Delay: 10 * time.Millisecond}
			}
			return nil
		}
		got, err := x.get(t, "f")
		if err != nil {
			t.Fatal(err)
		}
		mustEqual(t, got, want)
		for c, n := range conns(srv, fakeserver.Read) {
			if n < 15 {
				t.Errorf("%d READs in channel %d", n, c)
			}
		}
	})
}

// Of many files the size is the same: where a server tells no times, a download stays in one channel.
func TestFilesWithoutTimesAreNotStriped(t *testing.T) {
	bubble(t, func(t *testing.T) {
		want := content(20 << 20)
		srv := stripedServer(want)
		srv.FS["f"].Flags = fakeserver.SizeFlag
		srv.FS["other"] = &fakeserver.Node{Data: bytes.Repeat([]byte("x"), len(want)), Flags: fakeserver.SizeFlag}
		srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
			if q.Type == fakeserver.Open && q.Conn > 0 {
				q.Path = "other"
			}
			return nil
		}
		x := striped(t, srv, all)
		for range 2 {
			got, err := x.get(t, "f")
			if err != nil {
				t.Fatal(err)
			}
			mustEqual(t, got, want)
			idle(t, srv)
		}
	})
}

// As TestStripedTransferCutAtEveryPacket, of a file whose handles are opened in all channels at once, also while the first
// channel, and with it what the file is, lags behind.
func TestFileOpenedInAllChannelsCutAtEveryPacket(t *testing.T) {
	whole := content(25000)
	for way := range 8 {
		alone, carried, lags := way&1 != 0, way&2 != 0, way&4 != 0
		for k, more := 0, true; more && !t.Failed(); k++ {
			bubble(t, func(t *testing.T) {
				srv := smallServer(whole)
				x := smallStripes(t, srv)
				if _, err := x.get(t, "f"); err != nil {
					t.Fatal(err)
				}
				time.Sleep(time.Second)
				first, victim, dead := -1, -1, false
				srv.Lock()
				srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
					srv.Lock()
					defer srv.Unlock()
					if first < 0 {
						first = q.N
					}
					hit := q.N-first == k
					if hit {
						victim = q.Conn
					}
					hangup := dead || hit && !carried
					dead = dead || hit && !alone
					if hangup {
						return &fakeserver.Answer{Hangup: true}
					}
					return nil
				}
				srv.Late = func(q *fakeserver.Request, p []byte) *fakeserver.Answer {
					switch {
					case q.N-first == k:
						return &fakeserver.Answer{Hangup: true}
					case lags && q.Conn == 0:
						return &fakeserver.Answer{Packet: p, Delay: 5 * time.Millisecond}
					}
					return nil
				}
				srv.Unlock()
				got, err := x.get(t, "f")
				time.Sleep(time.Second)
				srv.Lock()
				defer srv.Unlock()
				more = victim >= 0
				what := fmt.Sprintf("packet %d, of channel %d; alone: %v, carried out: %v, lags: %v", k, victim, alone, carried, lags)
				if err != nil && (!errors.Is(err, ErrSSHFxConnectionLost) || !more || alone && victim > 0) {
					t.Errorf("%s: %v", what, err)
				}
				if err == nil && len(got) != len(whole) {
					t.Errorf("%s: %d bytes", what, len(got))
				}
				mustPrefix(t, got, whole)
			})
		}
	}
}

// The connection of the file itself is lost, and then a channel turns out not to be usable: that was the last hope.
func TestLastStripeIsGivenUp(t *testing.T) {
	bubble(t, func(t *testing.T) {
		want := content(20 << 20)
		srv := stripedServer(want)
		x := warm(t, srv)
		srv.Late = func(q *fakeserver.Request, p []byte) *fakeserver.Answer {
			switch {
			case q.Conn == 0 && q.Type == fakeserver.Read:
				return &fakeserver.Answer{Hangup: true}
			case q.Conn > 0 && q.Type == fakeserver.Fstat:
				return &fakeserver.Answer{Packet: fakeserver.Status(fakeserver.Failure, "no"), Delay: time.Second}
			case q.Conn > 0 && q.Type == fakeserver.Read:
				return &fakeserver.Answer{Packet: p, Delay: 2 * time.Second}
			}
			return nil
		}
		got, err := x.get(t, "f")
		if !errors.Is(err, ErrSSHFxConnectionLost) {
			t.Error(err)
		}
		mustPrefix(t, got, want)
	})
}
