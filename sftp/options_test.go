package sftp

import (
	"os"
	"testing"

	"github.com/eddy-go/eddy/sftp/internal/fakeserver"
)

func TestOptions(t *testing.T) {
	for name, opt := range map[string]ClientOption{
		"packet 0": MaxPacket(0), "packet 32769": MaxPacket(32769), "unchecked 0": MaxPacketUnchecked(0),
		"requests per file 0": MaxConcurrentRequestsPerFile(0), "requests 0": MaxRequests(0), "bytes 0": MaxBufferBytes(0),
		"stripes -1": Stripes(-1),
	} {
		if _, err := newClient([]ClientOption{opt}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	want := content(200000)
	srv := fakeserver.New(want)
	most := 0
	srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer { most = max(most, q.Len); return nil }
	x := dial(t, srv, MaxPacketChecked(1500), UseConcurrentReads(false), UseFstat(true), CopyStderrTo(os.Stderr))
	got, err := x.get(t, "f")
	x.Close() // what the server has counted stays as it is
	<-x.done
	if err != nil || most != 1500 || srv.MostAsked != 1 || srv.Count(fakeserver.Fstat) != 0 {
		t.Error(err, most, srv.MostAsked)
	}
	mustEqual(t, got, want)
	x = dial(t, fakeserver.New(want), UseFstat(false))
	if _, err := x.get(t, "f"); err != nil || x.srv.Count(fakeserver.Stat) != 1 || x.srv.Count(fakeserver.Fstat) != 0 {
		t.Error(err)
	}
}

// Sizes of packets: of what a server does not announce 32 KiB, or what it is told to be able to; of what it announces no more.
func TestMaxPacket(t *testing.T) {
	for _, c := range []struct {
		limits [4]uint64
		opt    ClientOption
		want   int
	}{
		{[4]uint64{}, nil, 32768},
		{[4]uint64{}, MaxPacket(1000), 1000},
		{[4]uint64{}, MaxPacketUnchecked(100000), 100000},
		{[4]uint64{}, MaxPacketUnchecked(1 << 30), largestPayload},
		{[4]uint64{262144, 261120, 261120, 0}, nil, 261120},
		{[4]uint64{262144, 261120, 261120, 0}, MaxPacketUnchecked(100000), 100000},
		{[4]uint64{0, 50000, 50000, 0}, MaxPacketUnchecked(100000), 50000},
		{[4]uint64{0, 1 << 40, 1 << 40, 0}, nil, largestPayload}, // more gains nothing
	} {
		want := content(600000)
		srv := fakeserver.New(want)
		srv.Limits = c.limits
		most := map[byte]int{}
		srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer { most[q.Type] = max(most[q.Type], q.Len); return nil }
		var opts []ClientOption
		if c.opt != nil {
			opts = append(opts, c.opt)
		}
		x := dial(t, srv, opts...)
		got, err := x.get(t, "f")
		if err != nil {
			t.Fatal(err)
		}
		mustEqual(t, got, want)
		if _, err := x.put(t, "g", want); err != nil {
			t.Fatal(err)
		}
		mustEqual(t, x.has("g"), want)
		x.Close()
		<-x.done
		if most[fakeserver.Read] != c.want || most[fakeserver.Write] != c.want {
			t.Errorf("limits %v: %d and %d, want %d", c.limits, most[fakeserver.Read], most[fakeserver.Write], c.want)
		}
	}
}
