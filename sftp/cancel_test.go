package sftp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eddy-go/eddy/sftp/internal/fakeserver"
)

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
