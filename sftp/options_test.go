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
