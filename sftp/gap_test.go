package sftp

import (
	"bytes"
	"slices"
	"testing"
	"time"

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

// A READ that is answered in part is followed at once by those that the gap needs, whatever else is under way, and by no other:
// also when the head of the line is late, when gaps are seen from behind, and when there is room for few requests.
func TestGapsAreRefilledWhenTheyAreSeen(t *testing.T) {
	const chunk, part, n = 32768, 8192, 20
	const each = (chunk - part) / part // READs for a gap
	for _, c := range []struct {
		name  string
		short []int // READs that are answered in part
		late  []int // READs whose answers come a second later
		opts  []ClientOption
		reads int
	}{
		{"none", nil, nil, nil, n + 1},
		{"the head", []int{0}, nil, nil, n + 1 + each},
		{"the middle", []int{7}, nil, nil, n + 1 + each},
		{"the end", []int{n - 1}, nil, nil, n + 1 + each},
		{"behind a late head", []int{7}, []int{0}, nil, n + 1 + each},
		{"three behind a late head", []int{3, 9, 16}, []int{0}, nil, n + 1 + 3*each},
		{"the last one first", []int{2, 17}, []int{0, 2}, nil, n + 1 + 2*each},
		{"side by side", []int{4, 5, 6}, []int{0, 5}, nil, n + 1 + 3*each},
		// What is not yet asked for is then asked for in parts as well.
		{"few requests", []int{0}, nil, []ClientOption{MaxRequests(8)}, 8 + each + (n-8)*chunk/part + 1},
		{"one request", []int{3}, nil, []ClientOption{MaxRequests(1)}, 4 + each + (n-4)*chunk/part + 1},
	} {
		bubble(t, func(t *testing.T) {
			want := content(n * chunk)
			srv := fakeserver.New(want)
			srv.Latency = far
			seen := map[int64]time.Time{} // when the READ at an offset came
			srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
				if q.Type == fakeserver.Read {
					srv.Lock()
					defer srv.Unlock()
					if !seen[q.Off].IsZero() {
						t.Errorf("%s: %d was asked for twice", c.name, q.Off)
					}
					seen[q.Off] = time.Now()
				}
				return nil
			}
			srv.Late = func(q *fakeserver.Request, p []byte) *fakeserver.Answer {
				if q.Type != fakeserver.Read || q.Len != chunk || p[0] != fakeserver.DataType {
					return nil
				}
				a := &fakeserver.Answer{Packet: p}
				if k := int(q.Off / chunk); slices.Contains(c.short, k) {
					a.Packet = fakeserver.Data(want[q.Off:][:part])
				}
				if slices.Contains(c.late, int(q.Off/chunk)) {
					a.Delay = time.Second
				}
				return a
			}
			x := dial(t, srv, c.opts...)
			f, err := x.Open("f")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.Stat(); err != nil { // now the size is known
				t.Fatal(err)
			}
			var b bytes.Buffer
			if _, err := f.WriteTo(&b); err != nil {
				t.Error(err)
			}
			mustEqual(t, b.Bytes(), want)
			if n := srv.Count(fakeserver.Read); n != c.reads {
				t.Errorf("%s: %d READs, want %d", c.name, n, c.reads)
			}
			srv.Lock()
			defer srv.Unlock()
			for _, k := range c.short {
				at := seen[int64(k*chunk)].Add(far)
				if slices.Contains(c.late, k) {
					at = at.Add(time.Second)
				}
				if c.opts != nil {
					continue // the rest waits for its turn
				}
				for off := k*chunk + part; off < (k+1)*chunk; off += part {
					if got := seen[int64(off)]; !got.Equal(at) {
						t.Errorf("%s: %d was asked for %v after the short answer", c.name, off, got.Sub(at))
					}
				}
			}
			f.Close()
		})
	}
}

// A server that never gives more than 8 KiB is asked for nothing twice, and for no more than one READ beyond the end.
func TestClampedAnswersCostNoRequestsInVain(t *testing.T) {
	bubble(t, func(t *testing.T) {
		const size, part = 8 * largestPayload, 8 << 10
		const reads = 8 * ((largestPayload + part - 1) / part)
		want := content(size)
		srv := big(fakeserver.New(want))
		srv.Latency = far
		srv.MaxRead = part
		x := dial(t, srv)
		f, err := x.Open("f")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Stat(); err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if _, err := f.WriteTo(&b); err != nil {
			t.Error(err)
		}
		mustEqual(t, b.Bytes(), want)
		if n := srv.Count(fakeserver.Read); n != reads+1 {
			t.Errorf("%d READs, want %d", n, reads+1)
		}
		at := make([]byte, size)
		if _, err := f.ReadAt(at, 0); err != nil {
			t.Error(err)
		}
		mustEqual(t, at, want)
		if n := srv.Count(fakeserver.Read); n != 2*reads+1 {
			t.Errorf("%d READs with those of ReadAt, want %d", n, 2*reads+1)
		}
		f.Close()
	})
}
