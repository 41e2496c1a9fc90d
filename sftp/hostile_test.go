package sftp

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eddy-go/eddy/sftp/internal/fakeserver"
)

// io.Copy and io.ReadAll take io.EOF for the end of the file: the end of the connection must never be that.
func TestLostConnectionIsNotTheEndOfTheFile(t *testing.T) {
	for _, cut := range []struct {
		name   string
		answer fakeserver.Answer
	}{
		{"instead of an answer", fakeserver.Answer{Hangup: true}},
		{"within a header", fakeserver.Answer{Raw: []byte{0, 0}, After: true}},
		{"within a payload", fakeserver.Answer{Raw: []byte{0, 0, 1, 0, fakeserver.DataType, 0, 0}, After: true}},
	} {
		srv := fakeserver.New(content(100000))
		srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
			if q.Type == fakeserver.Read {
				a := cut.answer
				return &a
			}
			return nil
		}
		x := dial(t, srv)
		f, err := x.Open("f")
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.ReadAll(struct{ io.Reader }{f})
		var lost *ConnError
		if !errors.As(err, &lost) || errors.Is(err, io.EOF) {
			t.Errorf("cut %s: %v", cut.name, err)
		}
		if _, err := f.WriteTo(io.Discard); !errors.As(err, &lost) || errors.Is(err, io.EOF) {
			t.Errorf("cut %s: then %v", cut.name, err)
		}
		if err := x.Wait(); !errors.As(err, &lost) || errors.Is(err, io.EOF) {
			t.Errorf("cut %s: Wait: %v", cut.name, err)
		}
	}
	// A transport says it on the sending side as well.
	r, w := io.Pipe()
	defer w.Close()
	s := newSession(&Client{opt: defaultOptions()}, r, nopCloser{io.Discard})
	s.fail(io.EOF)
	s.r.free()
	if errors.Is(s.err, io.EOF) {
		t.Error("a failed write matches io.EOF")
	}
}

// An answer that comes twice is for a request that is over; it is not taken for the answer to the next.
func TestSecondAnswerIsNotThatOfAnotherRequest(t *testing.T) {
	for _, late := range []time.Duration{0, 5 * time.Millisecond} {
		bubble(t, func(t *testing.T) {
			want := content(4 << 20)
			srv := fakeserver.New(want)
			srv.Latency = far
			srv.Late = func(q *fakeserver.Request, p []byte) *fakeserver.Answer {
				if q.Type == fakeserver.Read && q.Nth == 20 {
					return &fakeserver.Answer{Packet: p, More: &fakeserver.Answer{Packet: p, Delay: late}}
				}
				return nil
			}
			x := dial(t, srv, MaxConcurrentRequestsPerFile(8))
			got, err := x.get(t, "f")
			mustPrefix(t, got, want)
			var wrong *ProtocolError
			if !errors.As(err, &wrong) {
				t.Errorf("%d bytes, %v", len(got), err)
			}
		})
	}
}

func TestSlotsAreUsedAgainUnderOtherIDs(t *testing.T) {
	srv := fakeserver.New(nil)
	seen := map[uint32]bool{}
	srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
		if seen[q.ID] && q.Type != fakeserver.Init {
			t.Errorf("id %#x used twice", q.ID)
		}
		seen[q.ID] = true
		return nil
	}
	x := dial(t, srv)
	for range 200 {
		if _, err := x.Stat("f"); err != nil {
			t.Fatal(err)
		}
	}
	x.mu.Lock()
	if n := len(x.main.slots); n > 32 {
		t.Errorf("%d slots for one request at a time", n)
	}
	x.mu.Unlock()
}

// Sizes at the end of what can be asked for.
func TestLargestSizes(t *testing.T) {
	for _, told := range []int64{math.MaxInt64, math.MaxInt64 - 1, math.MaxInt64 - 40000} {
		for _, stat := range []bool{false, true} {
			bubble(t, func(t *testing.T) {
				want := content(200000)
				srv := fakeserver.New(want)
				srv.FS["f"].Size = told
				srv.Latency = far
				x := dial(t, srv)
				f, err := x.Open("f")
				if err != nil {
					t.Fatal(err)
				}
				if stat {
					if fi, err := f.Stat(); err != nil || fi.Size() != told {
						t.Error(fi, err)
					}
				}
				var b bytes.Buffer
				if _, err := f.WriteTo(&b); err != nil {
					t.Error(err)
				}
				mustEqual(t, b.Bytes(), want)
				f.Close()
			})
		}
	}
}

// File.Close ends a ReadAt whose answers never come.
func TestCloseWhileReadAtWaitsForAServerThatStalls(t *testing.T) {
	for _, begun := range []bool{false, true} {
		bubble(t, func(t *testing.T) {
			srv := fakeserver.New(content(1 << 20))
			srv.Hook = func(q *fakeserver.Request) *fakeserver.Answer {
				if q.Type == fakeserver.Read && (!begun || q.Nth > 3) {
					return &fakeserver.Answer{None: true}
				}
				return nil
			}
			toServer, fromClient := io.Pipe()
			toClient, fromServer := io.Pipe()
			go srv.Serve(toServer, fromServer)
			c, err := NewClientPipe(toClient, fromClient)
			if err != nil {
				t.Fatal(err)
			}
			f, err := c.Open("f")
			if err != nil {
				t.Fatal(err)
			}
			b := make([]byte, 1<<20)
			result := make(chan error)
			go func() {
				_, err := f.ReadAt(b, 0)
				result <- err
			}()
			synctest.Wait()
			f.Close()
			synctest.Wait()
			select {
			case err := <-result:
				if !errors.Is(err, os.ErrClosed) {
					t.Error(err)
				}
			default:
				t.Error("ReadAt still waits")
				fromServer.Close()
				<-result
			}
			// The session goes on.
			if _, err := c.Stat("f"); err != nil {
				t.Error(err)
			}
			c.Close()
		})
	}
}

// The payload that is just arriving is waited for, since it is written to the caller's memory: the race detector sees
// whether that is so.
func TestReadAtReturnsWhenItsMemoryIsNotWrittenAnyMore(t *testing.T) {
	bubble(t, func(t *testing.T) {
		want := content(100000)
		toServer, fromClient := io.Pipe()
		toClient, fromServer := io.Pipe()
		hold := make(chan struct{})
		srv := fakeserver.New(want)
		slow := &slowPipe{w: fromServer, hold: hold}
		go srv.Serve(toServer, slow)
		c, err := NewClientPipe(toClient, fromClient)
		if err != nil {
			t.Fatal(err)
		}
		f, err := c.Open("f")
		if err != nil {
			t.Fatal(err)
		}
		b := make([]byte, 32768)
		returned := make(chan error, 1)
		go func() {
			_, err := f.ReadAt(b, 0)
			for i := range b {
				b[i]++
			}
			returned <- err
		}()
		synctest.Wait() // within the payload
		f.Close()
		synctest.Wait()
		select {
		case <-returned:
			t.Error("ReadAt has returned within the payload")
		default:
		}
		close(hold)
		if err := <-returned; err != nil && !errors.Is(err, os.ErrClosed) {
			t.Error(err)
		}
		c.Close()
	})
}

// slowPipe stops in the middle of the first long write.
type slowPipe struct {
	w    io.WriteCloser
	hold chan struct{}
}

func (s *slowPipe) Write(p []byte) (int, error) {
	if len(p) < 20000 {
		return s.w.Write(p)
	}
	n, err := s.w.Write(p[:10000])
	if err != nil {
		return n, err
	}
	<-s.hold
	m, err := s.w.Write(p[10000:])
	return n + m, err
}

func (s *slowPipe) Close() error { return s.w.Close() }

type panicking struct{}

func (panicking) Write([]byte) (int, error) { panic("sink") }
func (panicking) Read([]byte) (int, error)  { panic("source") }

// dial sees that neither budget nor buffers stay taken.
func TestSinkAndSourcePanic(t *testing.T) {
	bubble(t, func(t *testing.T) {
		x := dial(t, fakeserver.New(content(400000)))
		f, err := x.Open("f")
		if err != nil {
			t.Fatal(err)
		}
		g, err := x.Create("g")
		if err != nil {
			t.Fatal(err)
		}
		for _, run := range []func(){
			func() { f.WriteTo(panicking{}) },
			func() { g.ReadFrom(panicking{}) },
		} {
			func() {
				defer func() {
					if recover() == nil {
						t.Error("no panic")
					}
				}()
				run()
			}()
		}
		f.Close()
		g.Close()
		if got, err := x.get(t, "f"); err != nil || len(got) != 400000 {
			t.Error(len(got), err)
		}
	})
}

type shortSink struct{}

func (shortSink) Write(p []byte) (int, error) { return len(p) - 1, nil }

func TestSinkIsShortWithoutAnError(t *testing.T) {
	x := dial(t, fakeserver.New(content(1000)))
	f, err := x.Open("f")
	if err != nil {
		t.Fatal(err)
	}
	if n, err := f.WriteTo(shortSink{}); n != 999 || err != io.ErrShortWrite {
		t.Error(n, err)
	}
	f.Close()
}

type closable struct {
	io.Reader
	closed bool
}

func (c *closable) Close() error                { c.closed = true; return nil }
func (c *closable) Write(p []byte) (int, error) { return len(p), nil }

// After an error nothing stays open: an SSH channel is one of few.
func TestFailedHandshakeClosesBothStreams(t *testing.T) {
	for _, opt := range [][]ClientOption{nil, {MaxRequests(0)}} {
		r, w := &closable{Reader: strings.NewReader("Welcome to this server\n")}, &closable{}
		if c, err := NewClientPipe(r, w, opt...); c != nil || err == nil {
			t.Error(c, err)
		}
		if !r.closed || !w.closed {
			t.Errorf("reading side closed: %v, writing side closed: %v", r.closed, w.closed)
		}
	}
}

// A further channel whose server says nothing does not outlive the client: bubble sees what is left running.
func TestCloseEndsStripesThatAreBeingOpened(t *testing.T) {
	bubble(t, func(t *testing.T) {
		srv := stripedServer(content(20 << 20))
		c, err := newClient([]ClientOption{Stripes(5)})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		c.more = func() (io.Reader, io.WriteCloser, error) {
			c.mu.Lock()
			defer c.mu.Unlock()
			toServer, fromClient := io.Pipe()
			toClient, fromServer := io.Pipe()
			if n++; n == 1 {
				go srv.Serve(toServer, fromServer)
			} else {
				go io.Copy(io.Discard, toServer)
			}
			return toClient, fromClient, nil
		}
		r, w, _ := c.more()
		if err := c.begin(t.Context(), r, w); err != nil {
			t.Fatal(err)
		}
		f, err := c.Open("f")
		if err != nil {
			t.Fatal(err)
		}
		if k, err := f.WriteTo(io.Discard); k != 20<<20 || err != nil {
			t.Error(k, err)
		}
		f.Close()
		if n < 2 {
			t.Error("no further channel")
		}
		start := time.Now()
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		if time.Since(start) >= closeGrace {
			t.Error("Close waited in vain")
		}
	})
}
