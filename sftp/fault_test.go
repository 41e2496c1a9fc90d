package sftp

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"
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
