package sftp

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eddy-go/eddy/sftp/internal/fakeserver"
)

// A script uses a client in the ways that matter, and checks that whatever it reports is true.
func script(ctx context.Context, t *testing.T, x *rig, name string, whole []byte) (errs []error) {
	t.Helper()
	got, err := x.getContext(ctx, t, "f")
	mustPrefix(t, got, whole)
	if err == nil && len(got) != len(whole) {
		t.Errorf("%s: %d of %d bytes without an error", name, len(got), len(whole))
	}
	errs = append(errs, err)

	f, err := x.OpenContext(ctx, "f")
	if err == nil {
		b := make([]byte, len(whole))
		var n int
		if ctx.Done() == nil {
			n, err = f.ReadAt(b, 0)
		} else {
			n, err = f.ReadAtContext(ctx, b, 0)
		}
		if err == nil && n != len(b) {
			t.Errorf("%s: ReadAt: %d of %d bytes without an error", name, n, len(b))
		}
		mustPrefix(t, b[:n], whole)
		f.CloseContext(ctx)
	}
	errs = append(errs, err)

	f, err = x.CreateContext(ctx, "g")
	if err == nil {
		var n int64
		n, err = f.ReadFromContext(ctx, bytes.NewReader(whole))
		if cerr := f.CloseContext(ctx); err == nil {
			err = cerr
		}
		if err == nil && n != int64(len(whole)) {
			t.Errorf("%s: ReadFrom: %d bytes without an error", name, n)
		}
		on := x.has("g")
		if int64(len(on)) < n {
			t.Fatalf("%s: ReadFrom returned %d, the file has %d", name, n, len(on))
		}
		mustEqual(t, on[:n], whole[:n])
		if err == nil {
			mustEqual(t, on, whole)
		}
	} else if f != nil {
		t.Errorf("%s: a File and an error", name)
	}
	errs = append(errs, err)

	list, err := x.ReadDirContext(ctx, "/d")
	if err == nil && (len(list) != 2 || list[0].Name() != "a" || list[1].Name() != "b") {
		t.Errorf("%s: ReadDir: %v without an error", name, list)
	}
	errs = append(errs, err)
	fi, err := x.StatContext(ctx, "f")
	if err == nil && fi.Size() != int64(len(whole)) {
		t.Errorf("%s: Stat: %d bytes", name, fi.Size())
	}
	errs = append(errs, err)
	_, err = x.RealPathContext(ctx, "/d")
	return append(errs, err, x.MkdirContext(ctx, "/e"))
}

func scripted(whole []byte) *fakeserver.Server {
	srv := fakeserver.New(bytes.Clone(whole))
	srv.FS["/d"] = &fakeserver.Node{Mode: 0o40755}
	srv.FS["/d/a"] = &fakeserver.Node{}
	srv.FS["/d/b"] = &fakeserver.Node{}
	srv.Latency = time.Millisecond / 2
	srv.Limits = [4]uint64{0, 1000, 1000, 0}
	return srv
}

// packets is how many requests the script makes.
func packets(t *testing.T, whole []byte) (n int) {
	bubble(t, func(t *testing.T) {
		x := dial(t, scripted(whole))
		for _, err := range script(context.Background(), t, x, "no fault", whole) {
			if err != nil {
				t.Fatal(err)
			}
		}
		x.Close()
		n = len(x.srv.Log)
	})
	return n
}

func raw(length uint32, b ...byte) []byte {
	return append(binary.BigEndian.AppendUint32(nil, length), b...)
}

// Every fault, at every packet: what is reported is true, nothing hangs, nothing is left over.
func TestFaultAtEveryPacket(t *testing.T) {
	status := func(code uint32) []byte { return fakeserver.Status(code, "injected") }
	faults := []struct {
		name   string
		answer func(q *fakeserver.Request) *fakeserver.Answer
		lives  bool // the session goes on
	}{
		{"hang up", func(*fakeserver.Request) *fakeserver.Answer { return &fakeserver.Answer{Hangup: true} }, false},
		{"FAILURE", func(*fakeserver.Request) *fakeserver.Answer { return &fakeserver.Answer{Packet: status(4)} }, true},
		{"EOF", func(q *fakeserver.Request) *fakeserver.Answer {
			if q.Type == fakeserver.Readdir {
				return nil // the directory might be empty
			}
			return &fakeserver.Answer{Packet: status(1)}
		}, true},
		{"no such file", func(*fakeserver.Request) *fakeserver.Answer { return &fakeserver.Answer{Packet: status(2)} }, true},
		{"OK", func(q *fakeserver.Request) *fakeserver.Answer {
			switch q.Type {
			case fakeserver.Write, fakeserver.Close, fakeserver.Mkdir:
				return nil // there it would be a lie that nobody can see
			}
			return &fakeserver.Answer{Packet: status(0)}
		}, true},
		{"empty STATUS", func(*fakeserver.Request) *fakeserver.Answer {
			return &fakeserver.Answer{Packet: []byte{fakeserver.StatusType}}
		}, true},
		{"empty DATA", func(*fakeserver.Request) *fakeserver.Answer {
			return &fakeserver.Answer{Packet: fakeserver.Data(nil)}
		}, true},
		{"DATA without a length", func(*fakeserver.Request) *fakeserver.Answer {
			return &fakeserver.Answer{Packet: []byte{fakeserver.DataType, 0, 0}}
		}, true},
		{"DATA longer than its packet", func(*fakeserver.Request) *fakeserver.Answer {
			return &fakeserver.Answer{Packet: []byte{fakeserver.DataType, 0, 0, 1, 0, 'x'}}
		}, true},
		{"HANDLE without one", func(*fakeserver.Request) *fakeserver.Answer {
			return &fakeserver.Answer{Packet: []byte{fakeserver.HandleType}}
		}, true},
		{"long HANDLE", func(*fakeserver.Request) *fakeserver.Answer {
			return &fakeserver.Answer{Packet: fakeserver.Handle(strings.Repeat("h", 1000))}
		}, true},
		{"NAME of 4e9 names", func(*fakeserver.Request) *fakeserver.Answer {
			return &fakeserver.Answer{Packet: []byte{fakeserver.NameType, 255, 255, 255, 255, 0, 0, 0, 1, 'x'}}
		}, true},
		{"ATTRS of 4e9 extensions", func(*fakeserver.Request) *fakeserver.Answer {
			return &fakeserver.Answer{Packet: []byte{fakeserver.AttrsType, 128, 0, 0, 0, 255, 255, 255, 255}}
		}, true},
		{"no answer", func(*fakeserver.Request) *fakeserver.Answer { return &fakeserver.Answer{None: true} }, true},
		{"type 77", func(*fakeserver.Request) *fakeserver.Answer { return &fakeserver.Answer{Packet: []byte{77, 1, 2}} }, true},
		{"unknown id", func(q *fakeserver.Request) *fakeserver.Answer {
			return &fakeserver.Answer{Raw: raw(9, fakeserver.StatusType, 255, 255, 255, 0, 0, 0, 0, 0)}
		}, false},
		{"twice", func(q *fakeserver.Request) *fakeserver.Answer {
			return &fakeserver.Answer{Packet: status(4), More: &fakeserver.Answer{Packet: status(4)}}
		}, false},
		{"length 0", func(*fakeserver.Request) *fakeserver.Answer { return &fakeserver.Answer{Raw: raw(0)} }, false},
		{"length 4", func(*fakeserver.Request) *fakeserver.Answer { return &fakeserver.Answer{Raw: raw(4, 0, 0, 0, 0)} }, false},
		{"length 4e9", func(*fakeserver.Request) *fakeserver.Answer {
			return &fakeserver.Answer{Raw: raw(1<<32-1, fakeserver.DataType, 0, 0, 0, 0)}
		}, false},
		{"truncated", func(q *fakeserver.Request) *fakeserver.Answer {
			b := append(raw(500, fakeserver.DataType), binary.BigEndian.AppendUint32(nil, q.ID)...)
			return &fakeserver.Answer{Raw: append(b, 0, 0, 1, 200, 'x'), After: true}
		}, false},
	}
	whole := content(5300)
	n := packets(t, whole)
	if testing.Short() {
		n = min(n, 12)
	}
	for _, fault := range faults {
		for k := range n {
			name := fmt.Sprintf("%s at packet %d", fault.name, k)
			bubble(t, func(t *testing.T) {
				srv := scripted(whole)
				hit := ""
				srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
					if q.N != k {
						return nil
					}
					hit = packetName(q.Type)
					return fault.answer(q)
				}
				x := dial(t, srv)
				ctx := context.Background()
				if fault.name == "no answer" {
					c, cancel := context.WithTimeout(ctx, time.Second)
					defer cancel()
					ctx = c
				}
				errs := script(ctx, t, x, name, whole)
				failed := 0
				for _, err := range errs {
					if err == nil {
						continue
					}
					failed++
					if fault.lives && errors.Is(err, ErrSSHFxConnectionLost) {
						t.Errorf("%s (%s): session lost: %v", name, hit, err)
					}
				}
				if fault.lives && failed > 1 && fault.name != "no answer" {
					t.Errorf("%s (%s): %d operations failed: %v", name, hit, failed, errs)
				}
				x.Close()
			})
			if t.Failed() {
				return
			}
		}
	}
}

// A context that is cancelled when the server has seen k packets: calls return at once, the session stays whole.
func TestCancelAtAnyMoment(t *testing.T) {
	whole := content(5300)
	n := packets(t, whole)
	for k := range n {
		for _, stall := range []bool{false, true} {
			bubble(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				srv := scripted(whole)
				var over atomic.Bool
				srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
					if q.N == k {
						cancel()
					}
					if stall && ctx.Err() != nil && !over.Load() {
						return &fakeserver.Answer{Delay: time.Hour, Packet: fakeserver.Status(4, "late")}
					}
					return nil
				}
				x := dial(t, srv)
				start := time.Now()
				errs := script(ctx, t, x, fmt.Sprintf("cancel at %d", k), whole)
				if took := time.Since(start); took > time.Minute {
					t.Errorf("cancelled at %d: returned after %v", k, took)
				}
				for _, err := range errs {
					if err != nil && !errors.Is(err, context.Canceled) {
						t.Errorf("cancelled at %d: %v", k, err)
					}
				}
				over.Store(true)
				if stall {
					time.Sleep(2 * time.Hour)
				} else {
					time.Sleep(time.Second)
				}
				// The session is as good as new, and every handle of a cancelled OPEN was closed.
				synctest.Wait()
				x.mu.Lock()
				if x.main.inflight != 0 {
					t.Errorf("cancelled at %d: %d requests live", k, x.main.inflight)
				}
				x.mu.Unlock()
				if _, err := x.Stat("f"); err != nil {
					t.Errorf("cancelled at %d: the session is lost: %v", k, err)
				}
				if !stall && x.srv.OpenHandles() != 0 {
					t.Errorf("cancelled at %d: %d handles left open", k, x.srv.OpenHandles())
				}
			})
		}
	}
}

// After a cancelled call its caller's memory is neither written nor read: the race detector sees that.
func TestCancelledCallLeavesMemoryAlone(t *testing.T) {
	want := content(1 << 20)
	srv := fakeserver.New(want)
	srv.Jitter = func(n int) time.Duration { return time.Duration(n%5) * 100 * time.Microsecond }
	x := dial(t, srv)
	for i := range 40 {
		ctx, cancel := context.WithCancel(context.Background())
		f, err := x.Open("f")
		if err != nil {
			t.Fatal(err)
		}
		g, err := x.Create("g")
		if err != nil {
			t.Fatal(err)
		}
		in, out := make([]byte, 500000), bytes.Clone(want)
		time.AfterFunc(time.Duration(i)*50*time.Microsecond, cancel)
		f.ReadAtContext(ctx, in, 0)
		clear(in)
		g.WriteAtContext(ctx, out, 0)
		clear(out)
		f.Close()
		g.Close()
		for _, b := range in {
			if b != 0 {
				t.Fatal("written after the return")
			}
		}
	}
}

func TestAbandonedIDStaysTaken(t *testing.T) {
	bubble(t, func(t *testing.T) {
		srv := fakeserver.New(content(100))
		var first uint32
		again := false
		srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
			if q.Type == fakeserver.Stat && q.Nth == 0 {
				first = q.ID
				return &fakeserver.Answer{Delay: time.Hour, Packet: fakeserver.Status(4, "late")}
			}
			if q.Nth > 0 && q.ID%maxSlots == first {
				again = true
			}
			return nil
		}
		x := dial(t, srv)
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if _, err := x.StatContext(ctx, "f"); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		for range 100 {
			if _, err := x.Stat("f"); err != nil {
				t.Fatal(err)
			}
		}
		if again {
			t.Error("the id was used again before it was answered")
		}
		time.Sleep(2 * time.Hour)
		if _, err := x.Stat("f"); err != nil {
			t.Error(err)
		}
		if !again {
			t.Error("the id is never used again")
		}
	})
}

func TestServerNeverAnswersClose(t *testing.T) {
	bubble(t, func(t *testing.T) {
		srv := fakeserver.New(content(100))
		srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
			if q.Type == fakeserver.Close {
				return &fakeserver.Answer{None: true}
			}
			return nil
		}
		x := dial(t, srv)
		if _, err := x.get(t, "f"); err != nil { // CLOSE of a file that was read is not waited for
			t.Error(err)
		}
		f, _ := x.Create("g")
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if err := f.CloseContext(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		if err := f.Close(); !errors.Is(err, os.ErrClosed) {
			t.Error(err)
		}
		if _, err := x.Stat("f"); err != nil {
			t.Error(err)
		}
	})
}

func TestCloseFailureIsReported(t *testing.T) {
	srv := fakeserver.New(nil)
	srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
		if q.Type == fakeserver.Close {
			return &fakeserver.Answer{Packet: fakeserver.Status(fakeserver.Failure, "quota")}
		}
		return nil
	}
	x := dial(t, srv)
	f, _ := x.Create("g")
	var st *StatusError
	if err := f.Close(); !errors.As(err, &st) || st.FxCode() != ErrSSHFxFailure || !strings.Contains(err.Error(), "quota") {
		t.Error(err)
	}
}

// A server that hangs does not keep Close from ending everything.
func TestClientCloseWhileTheServerHangs(t *testing.T) {
	bubble(t, func(t *testing.T) {
		srv := fakeserver.New(content(1 << 20))
		srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
			if q.Type == fakeserver.Open {
				return nil
			}
			return &fakeserver.Answer{None: true}
		}
		x := dial(t, srv)
		f, err := x.Open("f")
		if err != nil {
			t.Fatal(err)
		}
		errs := make(chan error, 4)
		go func() { _, err := f.ReadAt(make([]byte, 100000), 0); errs <- err }()
		go func() { _, err := f.WriteTo(io.Discard); errs <- err }()
		go func() { _, err := x.Stat("f"); errs <- err }()
		go func() { errs <- x.Wait() }()
		synctest.Wait()
		if err := x.Close(); err != nil {
			t.Error(err)
		}
		for range 4 {
			if err := <-errs; err != nil && !errors.Is(err, ErrSSHFxConnectionLost) {
				t.Error(err)
			}
		}
		if _, err := x.Stat("f"); !errors.Is(err, ErrClientClosed) {
			t.Error(err)
		}
	})
}

func TestBannerBeforeVersion(t *testing.T) {
	for greeting, want := range map[string]string{
		"Welcome to host\r\nLast login: today\r\n":     "Welcome to host",
		"\x1b[1mHi\x1b[0m there":                       "Hi",
		"\x00\x00\x00\x05\x02\x00\x00\x00\x09":         "version 9",
		"\x00\x00\x00\x00":                             "00000000",
		"\x00\x00\x00\x05\x65\x00\x00\x00\x03":         "no VERSION",
		"\x00\x00\x00\x07\x02\x00\x00\x00\x03\x00\x00": "malformed VERSION",
		"\x00\x00": "before VERSION",
	} {
		srv := fakeserver.New(nil)
		srv.Greeting = []byte(greeting)
		if greeting == "\x00\x00" {
			srv.Greeting = nil
			srv.Ext = nil
			r, w := io.Pipe()
			go func() { w.Write([]byte(greeting)); w.Close() }()
			_, err := NewClientPipe(r, nopCloser{io.Discard})
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %v", greeting, err)
			}
			continue
		}
		x, err := tryDial(t, srv)
		if err == nil || x.Client != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", greeting, err)
		}
	}
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

func TestHandshakeIsCancelled(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r, _ := io.Pipe()
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if c, err := NewClientPipeContext(ctx, r, nopCloser{io.Discard}); c != nil || !errors.Is(err, context.DeadlineExceeded) {
			t.Error(c, err)
		}
	})
}
