package sftp

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"testing"
	"testing/iotest"
	"time"

	"github.com/eddy-go/eddy/sftp/internal/fakeserver"
)

var fsErrClosed = os.ErrClosed

func TestUploadTakesThreeRoundTrips(t *testing.T) {
	bubble(t, func(t *testing.T) {
		want := content(10 << 20)
		srv := big(fakeserver.New(nil))
		srv.Latency = far
		x := dial(t, srv)
		if n := x.trips(func() {
			if n, err := x.put(t, "g", want); n != int64(len(want)) || err != nil {
				t.Error(n, err)
			}
		}); n != 3 { // open, everything, close
			t.Errorf("%d round trips", n)
		}
		mustEqual(t, x.has("g"), want)
	})
}

func TestWriteAtTakesOneRoundTrip(t *testing.T) {
	bubble(t, func(t *testing.T) {
		want := content(10 << 20)
		srv := big(fakeserver.New(nil))
		srv.Latency = far
		x := dial(t, srv)
		f, err := x.Create("g")
		if err != nil {
			t.Fatal(err)
		}
		if n := x.trips(func() { _, err = f.WriteAt(want, 0) }); n != 1 || err != nil {
			t.Errorf("%d round trips, %v", n, err)
		}
		f.Close()
		mustEqual(t, x.has("g"), want)
	})
}

func TestUploadOfAnyLength(t *testing.T) {
	for _, n := range []int{0, 1, 32767, 32768, 32769, 65536, 300000} {
		for _, r := range []func(io.Reader) io.Reader{
			func(r io.Reader) io.Reader { return r }, iotest.OneByteReader, iotest.HalfReader, iotest.DataErrReader,
		} {
			want := content(n)
			x := dial(t, fakeserver.New(nil))
			f, _ := x.Create("g")
			if k, err := f.ReadFrom(r(bytes.NewReader(want))); k != int64(n) || err != nil {
				t.Fatal(k, err)
			}
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
			mustEqual(t, x.has("g"), want)
			f, _ = x.OpenFile("h", os.O_WRONLY|os.O_CREATE)
			if k, err := f.WriteAt(want, 10); k != n || err != nil {
				t.Fatal(k, err)
			}
			f.Close()
			if n > 0 {
				mustEqual(t, x.has("h")[10:], want)
			}
		}
	}
}

func TestSourceFails(t *testing.T) {
	errSource := errors.New("source broke")
	for _, k := range []int{0, 1, 32768, 100000, 327680} {
		want := content(400000)
		x := dial(t, fakeserver.New(nil))
		f, _ := x.Create("g")
		r := io.MultiReader(bytes.NewReader(want[:k]), iotest.ErrReader(errSource))
		n, err := f.ReadFrom(r)
		if n != int64(k) || err != errSource {
			t.Error(n, err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		if got := x.has("g"); k > 0 {
			mustEqual(t, got, want[:k])
		}
	}
	x := dial(t, fakeserver.New(nil))
	f, _ := x.Create("g")
	if _, err := f.ReadFrom(emptyReader{}); err != io.ErrNoProgress {
		t.Error(err)
	}
	f.Close()
}

type emptyReader struct{}

func (emptyReader) Read([]byte) (int, error) { return 0, nil }

// After a refusal the count says how far the file is right, what was written behind is cut off, and what the file had before
// the call stays.
func TestRefusedWriteLeavesAnExactPrefix(t *testing.T) {
	for _, had := range []int{0, 200000, 900000} {
		for _, code := range []uint32{fakeserver.Failure, fakeserver.Denied, fakeserver.EOF, 99} {
			for k := range 14 {
				bubble(t, func(t *testing.T) {
					before, want := content(had), content(400000)
					srv := fakeserver.New(bytes.Clone(before))
					srv.Latency = far
					rng := rand.New(rand.NewPCG(uint64(k), uint64(had)))
					srv.Jitter = func(int) time.Duration { return time.Duration(rng.IntN(9)) * time.Millisecond }
					bad := int64(k) * 32768
					srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
						if q.Type == fakeserver.Write && q.Off == bad {
							return &fakeserver.Answer{Packet: fakeserver.Status(code, "no room")}
						}
						return nil
					}
					x := dial(t, srv)
					f, err := x.OpenFile("f", os.O_RDWR)
					if err != nil {
						t.Fatal(err)
					}
					n, err := f.ReadFrom(bytes.NewReader(want))
					if bad >= int64(len(want)) {
						if n != int64(len(want)) || err != nil {
							t.Fatal(n, err)
						}
					} else if n != bad || err == nil || err == io.EOF {
						t.Fatalf("WRITE %d refused: %d, %v", k, n, err)
					}
					f.Close()
					got := x.has("f")
					mustEqual(t, got[:n], want[:n])
					keep := max(had, int(n))
					if len(got) != keep {
						t.Errorf("file has %d bytes, want %d (%d before, %d good)", len(got), keep, had, n)
					}
				})
			}
		}
	}
}

// A server that takes one WRITE at a time, and each only where the file ends.
func TestServerWantsWritesInOrder(t *testing.T) {
	for _, opt := range [][]ClientOption{nil, {UseConcurrentWrites(false)}} {
		bubble(t, func(t *testing.T) {
			want := content(400000)
			srv := fakeserver.New(nil)
			srv.Latency = far
			refused := 0
			srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
				srv.Lock()
				defer srv.Unlock()
				if q.Type == fakeserver.Write && srv.Pending > 0 {
					refused++
					return &fakeserver.Answer{Packet: fakeserver.Status(fakeserver.Failure, "one at a time")}
				}
				return nil
			}
			x := dial(t, srv, opt...)
			if n, err := x.put(t, "g", want); n != int64(len(want)) || err != nil {
				t.Fatal(n, err)
			}
			mustEqual(t, x.has("g"), want)
			if opt != nil && refused > 0 {
				t.Errorf("%d writes refused in spite of the option", refused)
			}
			before := refused
			if n, err := x.put(t, "h", want); n != int64(len(want)) || err != nil {
				t.Fatal(n, err)
			}
			if refused > before {
				t.Error("the client has not learned")
			}
			b := content(200000)
			f, _ := x.Create("i")
			if n, err := f.Write(b); n != len(b) || err != nil {
				t.Fatal(n, err)
			}
			f.Close()
			mustEqual(t, x.has("i"), b)
		})
	}
}

// Some servers append by themselves, others write where they are told.
func TestAppend(t *testing.T) {
	for _, byItself := range []bool{false, true} {
		srv := fakeserver.New(content(1000))
		srv.Append = byItself
		srv.Jitter = func(n int) time.Duration { return time.Duration(n%3) * time.Millisecond }
		x := dial(t, srv)
		f, err := x.OpenFile("f", os.O_WRONLY|os.O_APPEND)
		if err != nil {
			t.Fatal(err)
		}
		want := content(1000)
		for _, n := range []int{5, 100000, 0, 7} {
			b := content(n)
			if n == 100000 {
				if k, err := f.ReadFrom(bytes.NewReader(b)); k != int64(n) || err != nil {
					t.Fatal(k, err)
				}
			} else if k, err := f.Write(b); k != n || err != nil {
				t.Fatal(k, err)
			}
			want = append(want, b...)
		}
		if _, err := f.WriteAt([]byte("x"), 0); err == nil {
			t.Error("WriteAt on a file for appending")
		}
		f.Close()
		mustEqual(t, x.has("f"), want)
	}
}

func TestAtMost16Requests(t *testing.T) {
	for _, opt := range []ClientOption{MaxRequests(16), MaxConcurrentRequestsPerFile(14)} {
		bubble(t, func(t *testing.T) {
			want := content(2 << 20)
			srv := fakeserver.New(want)
			srv.Latency = far
			srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
				srv.Lock()
				defer srv.Unlock()
				if srv.Pending >= 16 {
					return &fakeserver.Answer{Packet: fakeserver.Status(fakeserver.Failure, "too many")}
				}
				return nil
			}
			x := dial(t, srv, opt)
			got, err := x.get(t, "f")
			if err != nil {
				t.Fatal(err)
			}
			mustEqual(t, got, want)
			if _, err := x.put(t, "g", want); err != nil {
				t.Fatal(err)
			}
			mustEqual(t, x.has("g"), want)
			if x.srv.MostAsked > 16 {
				t.Errorf("%d requests at once", x.srv.MostAsked)
			}
		})
	}
}
