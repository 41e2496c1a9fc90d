package sftp

import (
	"testing"

	"github.com/eddy-go/eddy/sftp/internal/fakeserver"
)

func TestClampedAnswersAreAskedForAtOnce(t *testing.T) {
	bubble(t, func(t *testing.T) {
		want := content(2 << 20)
		srv := big(fakeserver.New(want))
		srv.Latency = far
		srv.MaxRead = 8 << 10
		x := dial(t, srv)
		var got []byte
		var err error
		if n := x.trips(func() { got, err = x.get(t, "f") }); n > 5 {
			t.Errorf("%d round trips", n)
		}
		if err != nil {
			t.Fatal(err)
		}
		mustEqual(t, got, want)
		b := make([]byte, len(want))
		f, _ := x.Open("f")
		defer f.Close()
		if n := x.trips(func() { _, err = f.ReadAt(b, 0) }); n > 6 || err != nil {
			t.Errorf("ReadAt: %d round trips, %v", n, err)
		}
		mustEqual(t, b, want)
	})
}
