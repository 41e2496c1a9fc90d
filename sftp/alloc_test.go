package sftp

import (
	"bytes"
	"encoding/binary"
	"io"
	"runtime"
	"testing"

	"github.com/eddy-go/eddy"
	"github.com/eddy-go/eddy/sftp/internal/fakeserver"
)

// responder is a server that allocates nothing, so that what is counted is the client's.
type responder struct {
	r    io.Reader
	w    io.Writer
	file []byte
	in   []byte
	out  []byte
}

func (s *responder) serve() {
	for {
		if _, err := io.ReadFull(s.r, s.in[:4]); err != nil {
			return
		}
		n := int(binary.BigEndian.Uint32(s.in))
		b := s.in[:n]
		if _, err := io.ReadFull(s.r, b); err != nil {
			return
		}
		out := append(s.out[:0], 0, 0, 0, 0)
		switch b[0] {
		case fakeserver.Init:
			out = append(out, fakeserver.Version, 0, 0, 0, 3)
			out = append(out, 0, 0, 0, 18)
			out = append(out, "limits@openssh.com"...)
			out = append(out, 0, 0, 0, 1, '1')
		case fakeserver.Extended:
			out = append(append(out, fakeserver.ExtendedReply), b[1:5]...)
			for _, l := range []uint64{262144, 261120, 261120, 0} {
				out = binary.BigEndian.AppendUint64(out, l)
			}
		case fakeserver.Open:
			out = append(append(out, fakeserver.HandleType), b[1:5]...)
			out = append(out, 0, 0, 0, 1, 'h')
		case fakeserver.Fstat:
			out = append(append(out, fakeserver.AttrsType), b[1:5]...)
			out = append(out, 0, 0, 0, fakeserver.SizeFlag)
			out = binary.BigEndian.AppendUint64(out, uint64(len(s.file)))
		case fakeserver.Read:
			off, k := binary.BigEndian.Uint64(b[10:]), int(binary.BigEndian.Uint32(b[18:]))
			if off < uint64(len(s.file)) {
				k = min(k, len(s.file)-int(off))
				out = append(append(out, fakeserver.DataType), b[1:5]...)
				out = binary.BigEndian.AppendUint32(out, uint32(k))
				out = append(out, s.file[off:][:k]...)
				break
			}
			out = append(append(out, fakeserver.StatusType), b[1:5]...)
			out = append(out, 0, 0, 0, fakeserver.EOF)
		case fakeserver.Write:
			off := binary.BigEndian.Uint64(b[10:])
			copy(s.file[off:], b[22:])
			fallthrough
		default:
			out = append(append(out, fakeserver.StatusType), b[1:5]...)
			out = append(out, 0, 0, 0, fakeserver.OK, 0, 0, 0, 0, 0, 0, 0, 0)
		}
		binary.BigEndian.PutUint32(out, uint32(len(out)-4))
		if _, err := s.w.Write(out); err != nil {
			return
		}
	}
}

func quietClient(t *testing.T, file []byte) *Client {
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	s := &responder{r: toServer, w: fromServer, file: file, in: make([]byte, 300<<10), out: make([]byte, 300<<10)}
	done := make(chan struct{})
	go func() {
		s.serve()
		fromServer.Close()
		close(done)
	}()
	c, err := NewClientPipe(toClient, fromClient)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Close()
		<-done
	})
	return c
}

type sink struct{ n int }

func (s *sink) Write(p []byte) (int, error) { s.n += len(p); return len(p), nil }

// 10 MiB, from open to close, cost at most 10 allocations and 150 KB, in each way of moving them.
func TestAllocationsOf10MiB(t *testing.T) {
	if countsAllocations := !raceEnabled && !eddy.Debug; !countsAllocations {
		t.Skip("such builds allocate on their own account")
	}
	file := content(10 << 20)
	data := bytes.Clone(file)
	c := quietClient(t, file)
	buf := make([]byte, len(file))
	out := new(sink)
	src := bytes.NewReader(nil)
	open := func(create bool) *File {
		var f *File
		var err error
		if create {
			f, err = c.Create("f")
		} else {
			f, err = c.Open("f")
		}
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	for _, way := range []struct {
		name string
		most float64
		run  func(f *File) (int64, error)
		up   bool
	}{
		{"WriteTo", 6, func(f *File) (int64, error) { return f.WriteTo(out) }, false},
		{"ReadAt", 5, func(f *File) (int64, error) { n, err := f.ReadAt(buf, 0); return int64(n), err }, false},
		{"ReadFrom", 6, func(f *File) (int64, error) { src.Reset(data); return f.ReadFrom(src) }, true},
		{"WriteAt", 5, func(f *File) (int64, error) { n, err := f.WriteAt(data, 0); return int64(n), err }, true},
	} {
		run := func() {
			f := open(way.up)
			if n, err := way.run(f); n != int64(len(file)) || err != nil {
				t.Fatal(way.name, n, err)
			}
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
		}
		const rounds = 20
		run()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		allocs := testing.AllocsPerRun(rounds, run)
		runtime.ReadMemStats(&after)
		each := (after.TotalAlloc - before.TotalAlloc) / (rounds + 1)
		if allocs > way.most || each > 150_000 {
			t.Errorf("%s: %v allocations, %d bytes", way.name, allocs, each)
		}
		t.Logf("%s: %v allocations, %d bytes", way.name, allocs, each)
	}
	mustEqual(t, buf, data)
}
