package sftp

import (
	"errors"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eddy-go/eddy/sftp/internal/fakeserver"
)

// What a failed upload cuts off is only what it wrote itself: not while another upload of the file runs, and not when
// somebody else has made the file longer.
func TestFailedUploadCutsNothingOfOthers(t *testing.T) {
	for _, who := range []string{"nobody", "the same file", "another client"} {
		bubble(t, func(t *testing.T) {
			srv := fakeserver.New(nil)
			srv.Latency = far
			srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
				switch {
				case q.Type == fakeserver.Write && q.Off == 65536:
					if who == "another client" {
						srv.Lock()
						srv.FS["f"].Data = make([]byte, 400000)
						srv.Unlock()
					}
					return &fakeserver.Answer{Packet: fakeserver.Status(fakeserver.Denied, "no"), Delay: time.Second}
				}
				return nil
			}
			srv.Late = func(q *fakeserver.Request, p []byte) *fakeserver.Answer {
				if q.Type == fakeserver.Write && q.Off == 250001 {
					return &fakeserver.Answer{Packet: p, Delay: time.Minute}
				}
				return nil
			}
			x := dial(t, srv)
			f, err := x.OpenFile("f", os.O_RDWR)
			if err != nil {
				t.Fatal(err)
			}
			other := make(chan error, 1)
			if who == "the same file" {
				go func() {
					_, err := f.WriteAt([]byte("precious"), 250001)
					other <- err
				}()
			} else {
				other <- nil
			}
			time.Sleep(500 * time.Millisecond)
			if who == "the same file" {
				// The file is as short as if nothing had been written, when the upload asks.
				srv.Lock()
				srv.FS["f"].Data = nil
				srv.Unlock()
			}
			if n, err := f.WriteAt(content(300000), 0); n != 65536 || !errors.Is(err, os.ErrPermission) {
				t.Error(n, err)
			}
			cuts := srv.Count(fakeserver.Fsetstat)
			if want := map[string]int{"nobody": 1}[who]; cuts != want {
				t.Errorf("%s has written too: %d times cut", who, cuts)
			}
			if err := <-other; err != nil {
				t.Error(err)
			}
			f.Close()
		})
	}
}

// A request that waits for its turn while the file is closed is not sent: the handle may be another file's by then.
func TestNothingIsSentOnAClosedHandle(t *testing.T) {
	bubble(t, func(t *testing.T) {
		srv := fakeserver.New(content(100))
		srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
			if q.Type == fakeserver.Stat {
				return &fakeserver.Answer{Packet: fakeserver.Status(fakeserver.Failure, "late"), Delay: time.Second}
			}
			return nil
		}
		x := dial(t, srv, MaxRequests(1))
		f, err := x.Open("f")
		if err != nil {
			t.Fatal(err)
		}
		go x.Stat("f")
		synctest.Wait()
		result := make(chan error)
		go func() {
			_, err := f.Stat()
			result <- err
		}()
		synctest.Wait()
		f.Close()
		if err := <-result; !errors.Is(err, os.ErrClosed) {
			t.Error(err)
		}
		if n := srv.Count(fakeserver.Fstat); n != 0 {
			t.Errorf("%d times FSTAT after CLOSE", n)
		}
	})
}
