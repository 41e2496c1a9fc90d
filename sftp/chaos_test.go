package sftp

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/eddy-go/eddy/sftp/internal/fakeserver"
)

// chaos is a server at which everything goes wrong now and then, out of one seed: answers late, short, refused, empty, too long or
// missing, and connections that break.
func chaos(rng *rand.Rand, whole []byte) *fakeserver.Server {
	srv := fakeserver.New(bytes.Clone(whole))
	srv.Limits = [4]uint64{0, 1 + rng.Uint64N(3000), 1 + rng.Uint64N(3000), 0}
	srv.Latency = time.Duration(1+rng.IntN(20)) * time.Millisecond
	srv.FS["f"].Size = []int64{0, 0, -1, 1, int64(len(whole)) / 2, int64(len(whole)) * 2}[rng.IntN(6)]
	if rng.IntN(2) == 0 {
		srv.Jitter = func(int) time.Duration { return time.Duration(rng.IntN(30)) * time.Millisecond }
	}
	short, refuse, hangup, mute := rng.IntN(4), rng.IntN(3)*20, rng.IntN(3)*60, rng.IntN(4)*50
	odds := func(n int) bool { return n > 0 && rng.IntN(n) == 0 }
	var lasting []int64
	srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
		srv.Lock()
		defer srv.Unlock()
		switch {
		case q.Type == fakeserver.Init || q.Type == fakeserver.Extended:
		case odds(hangup):
			return &fakeserver.Answer{Hangup: true}
		case odds(mute) && q.Type != fakeserver.Open:
			return &fakeserver.Answer{None: true}
		case odds(refuse):
			if q.Type == fakeserver.Write && odds(2) {
				lasting = append(lasting, q.Off)
			}
			return &fakeserver.Answer{Packet: fakeserver.Status(fakeserver.Failure, "chaos")}
		case q.Type == fakeserver.Write:
			for _, off := range lasting {
				if q.Off == off {
					return &fakeserver.Answer{Packet: fakeserver.Status(fakeserver.Failure, "chaos")}
				}
			}
		}
		return nil
	}
	srv.Late = func(q *fakeserver.Request, p []byte) *fakeserver.Answer {
		if q.Type != fakeserver.Read || p[0] != fakeserver.DataType {
			return nil
		}
		data := p[5:]
		switch {
		case short > 0 && odds(short+1):
			return &fakeserver.Answer{Packet: fakeserver.Data(data[:1+rng.IntN(len(data))])}
		case odds(40):
			return &fakeserver.Answer{Packet: fakeserver.Data(nil)}
		case odds(40) && len(data) == q.Len:
			return &fakeserver.Answer{Packet: fakeserver.Data(append(bytes.Clone(data), "more"...))}
		}
		return nil
	}
	return srv
}

func testChaos(t *testing.T, seed uint64) {
	bubble(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(seed, 2))
		whole := content(1 + rng.IntN(40000))
		srv := chaos(rand.New(rand.NewPCG(seed, 3)), whole)
		var opts []ClientOption
		if rng.IntN(3) == 0 {
			opts = append(opts, MaxBufferBytes(1+rng.IntN(5000)))
		}
		if rng.IntN(3) == 0 {
			opts = append(opts, MaxRequests(1+rng.IntN(8)))
		}
		if rng.IntN(4) == 0 {
			opts = append(opts, MaxConcurrentRequestsPerFile(1+rng.IntN(8)))
		}
		x := striped(t, srv, func(n int) bool { return n == 2 })
		defer func() {
			if t.Failed() {
				t.Logf("seed %d, limits %v, told %d, latency %v, %d bytes", seed, srv.Limits, srv.FS["f"].Size, srv.Latency, len(whole))
				if testing.Verbose() {
					for _, q := range srv.Log {
						t.Log(q.Conn, packetName(q.Type), q.ID, q.Off, q.Len)
					}
				}
			}
		}()
		if rng.IntN(2) == 0 {
			opts = append(opts, Stripes(2+rng.IntN(3)))
			x.opt.stripeBytes = 2000
		}
		for _, opt := range opts {
			opt(x.Client)
		}
		// The server may be mute, so everything has a deadline; and some have none to speak of.
		limit := time.Duration(1+rng.IntN(2000)) * time.Millisecond
		within := func(f func(ctx context.Context)) {
			ctx, cancel := context.WithTimeout(context.Background(), limit)
			defer cancel()
			start := time.Now()
			f(ctx)
			if took := time.Since(start); took > limit+time.Millisecond {
				t.Errorf("seed %d: took %v of %v", seed, took, limit)
			}
		}
		within(func(ctx context.Context) {
			got, err := x.getContext(ctx, t, "f")
			mustPrefix(t, got, whole)
			if err == nil {
				mustEqual(t, got, whole)
			}
		})
		within(func(ctx context.Context) {
			f, err := x.OpenContext(ctx, "f")
			if err != nil {
				return
			}
			off := rng.IntN(len(whole))
			b := make([]byte, rng.IntN(len(whole))+10)
			n, err := f.ReadAtContext(ctx, b, int64(off))
			mustPrefix(t, b[:n], whole[off:])
			if err == nil && n != len(b) || err == io.EOF && n != len(whole)-off {
				t.Errorf("seed %d: ReadAt: %d of %d, %v", seed, n, len(b), err)
			}
			f.CloseContext(ctx)
		})
		within(func(ctx context.Context) {
			before := x.has("f")
			f, err := x.OpenFileContext(ctx, "f", 2)
			if err != nil {
				return
			}
			up := content(1 + rng.IntN(60000))
			n, err := f.ReadFromContext(ctx, bytes.NewReader(up))
			on := x.has("f")
			if int64(len(on)) < n || !bytes.Equal(on[:n], up[:n]) {
				t.Errorf("seed %d: ReadFrom: %d bytes are said to be right", seed, n)
			}
			if err == nil && n != int64(len(up)) {
				t.Errorf("seed %d: ReadFrom: %d without an error", seed, n)
			}
			if len(on) < len(before) {
				t.Errorf("seed %d: %d bytes that were there before are gone", seed, len(before)-len(on))
			}
			if len(before) > len(up) && !bytes.Equal(on[len(up):len(before)], before[len(up):]) {
				t.Errorf("seed %d: what was behind has changed", seed)
			}
			f.CloseContext(ctx)
		})
	})
}

func TestChaos(t *testing.T) {
	n := uint64(600)
	if testing.Short() {
		n = 60
	}
	for seed := range n {
		testChaos(t, seed)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func FuzzChaos(f *testing.F) {
	for seed := range uint64(5) {
		f.Add(seed)
	}
	f.Fuzz(testChaosSeed)
}

func testChaosSeed(t *testing.T, seed uint64) { testChaos(t, seed) }
