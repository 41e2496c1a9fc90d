package sftp

import (
	"testing"

	"github.com/eddy-go/eddy/sftp/internal/fakeserver"
)

// What a server announces is kept to, down to a byte a packet, also where a limit of packets has to leave room for headers.
func TestLimitsBelow32KiB(t *testing.T) {
	for _, limits := range [][4]uint64{
		{0, 5000, 3000, 0}, {4096, 0, 0, 0}, {2048, 0, 0, 0}, {2049, 0, 0, 0}, {511, 0, 0, 0}, {100, 0, 0, 0}, {64, 0, 0, 0},
		{0, 511, 511, 0}, {0, 100, 7, 0}, {0, 1, 1, 0}, {1000, 13, 2000, 0},
	} {
		size := 100000
		if min(max(limits[0], limits[1]), max(limits[0], limits[2])) < 1000 {
			size = 3000
		}
		want := content(size)
		srv := fakeserver.New(want)
		srv.Limits = limits
		most, longest := map[byte]int{}, map[byte]int{}
		srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
			most[q.Type] = max(most[q.Type], q.Len)
			longest[q.Type] = max(longest[q.Type], 5+len(q.Body))
			return nil
		}
		x := dial(t, srv)
		got, err := x.get(t, "f")
		if err != nil {
			t.Fatal(limits, err)
		}
		mustEqual(t, got, want)
		if n, err := x.put(t, "g", want); n != int64(size) || err != nil {
			t.Fatal(limits, n, err)
		}
		mustEqual(t, x.has("g"), want)
		x.Close()
		<-x.done
		for typ, limit := range map[byte]uint64{fakeserver.Read: limits[1], fakeserver.Write: limits[2]} {
			if limit > 0 && (most[typ] == 0 || uint64(most[typ]) > limit) {
				t.Errorf("limits %v: type %d of %d bytes", limits, typ, most[typ])
			}
			if limits[0] > 0 && (longest[typ] == 0 || uint64(longest[typ]) > limits[0] || uint64(9+most[typ]) > limits[0]) {
				t.Errorf("limits %v: type %d in packets of %d bytes, %d of them payload", limits, typ, longest[typ], most[typ])
			}
		}
	}
}

// Limits that nobody can keep to, or that are no limits, do no harm.
func TestAbsurdLimits(t *testing.T) {
	const huge = 1<<64 - 1
	for _, limits := range [][4]uint64{{1, 1, 1, 1}, {1, 0, 0, 0}, {20, 0, 0, 0}, {huge, huge, huge, huge}, {0, 1 << 32, 1 << 31, 0}, {1 << 63, 0, 0, 0}} {
		want := content(2000)
		srv := fakeserver.New(want)
		srv.Limits = limits
		x := dial(t, srv)
		got, err := x.get(t, "f")
		if err != nil {
			t.Error(limits, err)
		}
		mustEqual(t, got, want)
		if n, err := x.put(t, "g", want); n != int64(len(want)) || err != nil {
			t.Error(limits, n, err)
		}
		mustEqual(t, x.has("g"), want)
		x.mu.Lock()
		if r, w := x.readSize(), x.writeSize(); r < 1 || r > largestPayload || w < 1 || w > largestPayload {
			t.Errorf("%v: %d, %d", limits, r, w)
		}
		x.mu.Unlock()
		l, err := x.Limits(t.Context())
		if err != nil || l != (Limits{limits[0], limits[1], limits[2], limits[3]}) {
			t.Error(l, err)
		}
	}
}
