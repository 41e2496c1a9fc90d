package sftp

import (
	"bytes"
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/eddy-go/eddy/sftp/internal/fakeserver"
)

// left begins a striped upload to "g" and cancels it while the channels other than the first lag behind by seconds.
func left(t *testing.T, srv *fakeserver.Server, x *rig) *File {
	t.Helper()
	old := content(48 << 20)
	if _, err := x.put(t, "g", old); err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Second)
	slow := true
	srv.Lock()
	srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
		srv.Lock()
		lags := slow && q.Type == fakeserver.Write && q.Conn > 0
		srv.Unlock()
		if lags {
			time.Sleep(300 * time.Millisecond)
		}
		return nil
	}
	srv.Unlock()
	f, err := x.Create("g")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if n, err := f.ReadFromContext(ctx, bytes.NewReader(old)); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(n, err)
	}
	x.mu.Lock()
	if f.astray.left == 0 {
		t.Error("nothing was left under way")
	}
	x.mu.Unlock()
	srv.Lock()
	slow = false
	srv.Unlock()
	return f
}

// What a cancelled upload has under way in other channels reaches nothing that is written later: neither over the same
// File, nor after Close to the file anew.
func TestNothingIsWrittenBehindACancelledUpload(t *testing.T) {
	want := bytes.Repeat([]byte("new"), 2<<20)
	for name, again := range map[string]func(x *rig, f *File) error{
		"Close and Create": func(x *rig, f *File) error {
			if err := f.Close(); err != nil {
				return err
			}
			_, err := x.put(t, "g", want)
			return err
		},
		"Truncate and WriteAt": func(x *rig, f *File) error {
			if err := f.Truncate(0); err != nil {
				return err
			}
			_, err := f.WriteAt(want, 0)
			return errors.Join(err, f.Close())
		},
		"WriteAt and Truncate": func(x *rig, f *File) error {
			_, err := f.WriteAt(want, 0)
			return errors.Join(err, f.Truncate(int64(len(want))), f.Close())
		},
		"ReadFrom and Truncate": func(x *rig, f *File) error {
			if _, err := f.Seek(0, 0); err != nil {
				return err
			}
			_, err := f.ReadFrom(bytes.NewReader(want))
			return errors.Join(err, f.Truncate(int64(len(want))), f.Close())
		},
	} {
		bubble(t, func(t *testing.T) {
			srv := stripedServer(nil)
			x := striped(t, srv, all)
			f := left(t, srv, x)
			if err := again(x, f); err != nil {
				t.Fatal(name, err)
			}
			time.Sleep(time.Minute)
			mustEqual(t, x.has("g"), want)
			idle(t, srv)
			if f.astray.away != 0 || f.astray.left != 0 {
				t.Errorf("%s: %d, %d WRITEs counted at the end", name, f.astray.away, f.astray.left)
			}
		})
	}
}

// Whoever waits for what is left under way goes when his context is done, or the file is closed, or the channels end.
func TestWaitingForACancelledUpload(t *testing.T) {
	for _, way := range []string{"context", "Close", "hangup"} {
		bubble(t, func(t *testing.T) {
			srv := stripedServer(nil)
			x := striped(t, srv, all)
			f := left(t, srv, x)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			wrote := make(chan error)
			go func() {
				_, err := f.WriteAtContext(ctx, []byte("x"), 0)
				wrote <- err
			}()
			time.Sleep(time.Millisecond)
			switch way {
			case "context":
				cancel()
				if err := <-wrote; !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
				if err := f.CloseContext(ctx); !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
			case "Close":
				go f.Close()
				if err := <-wrote; !errors.Is(err, os.ErrClosed) {
					t.Error(err)
				}
			case "hangup":
				go x.Close()
				if err := <-wrote; !errors.Is(err, ErrSSHFxConnectionLost) {
					t.Error(err)
				}
				f.Close()
			}
			time.Sleep(time.Minute)
		})
	}
}
