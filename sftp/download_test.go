package sftp

import (
	"io"
	"testing"
	"time"

	"github.com/eddy-go/eddy/sftp/internal/fakeserver"
)

const far = 10 * time.Millisecond

func TestDownloadTakesTwoRoundTrips(t *testing.T) {
	for _, size := range []int{300 << 10, 10 << 20, 261120 * 4} {
		bubble(t, func(t *testing.T) {
			want := content(size)
			srv := big(fakeserver.New(want))
			srv.Latency = far
			x := dial(t, srv)
			var got []byte
			var err error
			// One to open, one for everything else.
			if n := x.trips(func() { got, err = x.get(t, "f") }); n != 2 {
				t.Errorf("%d bytes: %d round trips", size, n)
			}
			if err != nil {
				t.Fatal(err)
			}
			mustEqual(t, got, want)
		})
	}
}

func TestReadAtTakesOneRoundTrip(t *testing.T) {
	bubble(t, func(t *testing.T) {
		want := content(10 << 20)
		srv := big(fakeserver.New(want))
		srv.Latency = far
		x := dial(t, srv)
		f, err := x.Open("f")
		if err != nil {
			t.Fatal(err)
		}
		got := make([]byte, len(want))
		if n := x.trips(func() { _, err = f.ReadAt(got, 0) }); n != 1 || err != nil {
			t.Errorf("%d round trips, %v", n, err)
		}
		mustEqual(t, got, want)
		// Close of a file that was read waits for nothing.
		if n := x.trips(func() { err = f.Close() }); n != 0 || err != nil {
			t.Errorf("Close: %d round trips, %v", n, err)
		}
	})
}

func TestDownloadOfASmallFileProvesItsEnd(t *testing.T) {
	bubble(t, func(t *testing.T) {
		srv := big(fakeserver.New(content(10000)))
		srv.Latency = far
		x := dial(t, srv)
		var err error
		if n := x.trips(func() { _, err = x.get(t, "f") }); n > 3 || err != nil {
			t.Errorf("%d round trips, %v", n, err)
		}
	})
}

func TestFirstReadsShareAWriteWithFstat(t *testing.T) {
	bubble(t, func(t *testing.T) {
		srv := big(fakeserver.New(content(10 << 20)))
		srv.Latency = far
		x := dial(t, srv)
		f, err := x.Open("f")
		if err != nil {
			t.Fatal(err)
		}
		before := x.wire.n.Load()
		f.WriteTo(io.Discard)
		// 65 requests of 38 bytes in one segment; whatever else came may have followed.
		if n := x.wire.n.Load() - before; n > 2 {
			t.Errorf("%d writes", n)
		}
		x.srv.Lock()
		for i, q := range x.srv.Log {
			if q.Type == fakeserver.Read {
				if x.srv.Log[i-1].Type != fakeserver.Fstat {
					t.Errorf("no FSTAT in front of the READs")
				}
				break
			}
		}
		x.srv.Unlock()
		f.Close()
	})
}

func TestReadStopsWhereAnAnswerIsShort(t *testing.T) {
	bubble(t, func(t *testing.T) {
		want := content(50000)
		srv := fakeserver.New(want)
		srv.Latency = far
		x := dial(t, srv)
		f, _ := x.Open("f")
		defer f.Close()
		b := make([]byte, 40000)
		for _, n := range []int{40000, 10000} {
			if k := x.trips(func() {
				if m, err := f.Read(b); m != n || err != nil {
					t.Error(m, err)
				}
			}); k != 1 {
				t.Errorf("%d round trips", k)
			}
		}
		if n, err := f.Read(b); n != 0 || err != io.EOF {
			t.Error(n, err)
		}
		f.Seek(0, io.SeekStart)
		got, err := io.ReadAll(struct{ io.Reader }{f})
		if err != nil {
			t.Fatal(err)
		}
		mustEqual(t, got, want)
	})
}

// Of a small file that follows small ones not much more is asked for than it has.
func TestManySmallFilesAreNotAskedForInVain(t *testing.T) {
	bubble(t, func(t *testing.T) {
		srv := big(fakeserver.New(content(10000)))
		srv.Latency = far
		x := dial(t, srv)
		for range 3 {
			if _, err := x.get(t, "f"); err != nil {
				t.Fatal(err)
			}
		}
		before := srv.Count(fakeserver.Read)
		if _, err := x.get(t, "f"); err != nil {
			t.Fatal(err)
		}
		if n := srv.Count(fakeserver.Read) - before; n > firstReads+1 {
			t.Errorf("%d READs", n)
		}
	})
}
