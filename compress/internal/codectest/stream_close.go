package codectest

import (
	"bytes"
	"errors"
	"io"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/eddy-go/eddy/compress"
	"github.com/eddy-go/eddy/compress/internal/shapes"
)

func (s Streams) closed(t *testing.T) {
	var b bytes.Buffer
	w := s.NewWriter(&b, s.Levels[0])
	w.Write([]byte("water"))
	for range 3 {
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	n := b.Len()
	if k, err := w.Write([]byte("x")); k != 0 || !errors.Is(err, compress.ErrClosed) {
		t.Fatal(k, err)
	}
	if err := w.Flush(); !errors.Is(err, compress.ErrClosed) {
		t.Fatal(err)
	}
	if b.Len() != n {
		t.Fatal("written after Close")
	}
	var b2 bytes.Buffer
	w.Reset(&b2)
	w.Write([]byte("water"))
	if err := w.Close(); err != nil || !bytes.Equal(b.Bytes(), b2.Bytes()) {
		t.Fatal("reset after Close: ", err)
	}
	// Close alone makes an empty stream.
	var b3 bytes.Buffer
	w.Reset(&b3)
	w.Close()
	if got, err := AppendDecompress(t, s.Codec, b3.Bytes(), 10); err != nil || len(got) != 0 {
		t.Fatal(got, err)
	}

	r := s.NewReader(bytes.NewReader(b.Bytes()))
	p := make([]byte, 2)
	if _, err := io.ReadFull(r, p); err != nil || string(p) != "wa" {
		t.Fatal(err)
	}
	for range 3 {
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if k, err := r.Read(p); k != 0 || !errors.Is(err, compress.ErrClosed) {
		t.Fatal(k, err)
	}
	r.Reset(bytes.NewReader(b.Bytes()))
	if got, err := ReadAll(t, r); err != nil || string(got) != "water" {
		t.Fatal(string(got), err)
	}

	bad := s.NewWriter(io.Discard, s.Bad)
	if _, err := bad.Write(p); !errors.Is(err, compress.ErrLevel) {
		t.Fatal(err)
	}
	if err := bad.Close(); !errors.Is(err, compress.ErrLevel) {
		t.Fatal(err)
	}
}

// held is a reader and a writer whose calls wait to be answered.
type held struct {
	in  chan []byte
	out chan int
}

func (h held) Read(p []byte) (int, error) {
	h.in <- p
	return <-h.out, nil
}

func (h held) Write(p []byte) (int, error) { return h.Read(p) }

// closedWhileBusy: a stream that is closed within a call keeps its state until
// the call returns, so that no other stream is given it.
func (s Streams) closedWhileBusy(t *testing.T) {
	want := shapes.Mixed(shapes.Rand(1), 30000)
	z := pack(t, s.Codec, want)
	h := held{make(chan []byte), make(chan int)}
	a := s.NewReader(h)
	done := make(chan error)
	go func() {
		_, err := a.Read(make([]byte, 100))
		done <- err
	}()
	p := <-h.in
	if _, err := a.Read(make([]byte, 1)); !errors.Is(err, compress.ErrBusy) {
		t.Errorf("Read in a Read: %v", err)
	}
	a.Close()
	a.Close()
	b := s.NewReader(iotest.OneByteReader(bytes.NewReader(z)))
	got := make([]byte, len(want))
	if _, err := io.ReadFull(b, got[:1]); err != nil {
		t.Fatal(err)
	}
	for i := range p { // a is answered while b is at work
		p[i] = 0x55
	}
	h.out <- len(p)
	for more := true; more; { // it may ask for more before it knows
		select {
		case p := <-h.in:
			h.out <- len(p)
		case err := <-done:
			if err == nil {
				t.Error("garbage is no error")
			}
			more = false
		}
	}
	if _, err := a.Read(p); !errors.Is(err, compress.ErrClosed) {
		t.Errorf("Read after Close: %v", err)
	}
	if _, err := io.ReadFull(b, got[1:]); err != nil || !bytes.Equal(got, want) {
		t.Errorf("another stream: %v", err)
	}
	b.Close()

	w := s.NewWriter(h, s.Levels[0])
	go func() {
		if _, err := w.Write(want); err != nil {
			done <- err
			return
		}
		done <- w.Flush()
	}()
	p = <-h.in
	if err := w.Close(); !errors.Is(err, compress.ErrBusy) {
		t.Errorf("Close in a Write: %v", err)
	}
	before := bytes.Clone(p)
	var out bytes.Buffer
	w2 := s.NewWriter(&out, s.Levels[0])
	w2.Write(want)
	if err := w2.Close(); err != nil {
		t.Fatal(err)
	}
	if got, err := AppendDecompress(t, s.Codec, out.Bytes(), len(want)); err != nil || !bytes.Equal(got, want) {
		t.Error("another stream: ", err)
	}
	if !bytes.Equal(p, before) {
		t.Error("what is being written has changed")
	}
	h.out <- len(p)
	for more := true; more; {
		select {
		case p := <-h.in:
			h.out <- len(p)
		case <-done:
			more = false
		}
	}
	if _, err := w.Write(want); !errors.Is(err, compress.ErrClosed) {
		t.Errorf("Write after Close: %v", err)
	}
}

// closedByMany: the state goes back once.
func (s Streams) closedByMany(t *testing.T) {
	a, b := shapes.Mixed(shapes.Rand(1), 30000), shapes.Columns(shapes.Rand(2), 30000)
	za, zb := pack(t, s.Codec, a), pack(t, s.Codec, b)
	for range 50 {
		r := s.NewReader(bytes.NewReader(za))
		r.Read(make([]byte, 10))
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() { r.Close() })
		}
		wg.Wait()
		x, y := s.NewReader(bytes.NewReader(za)), s.NewReader(bytes.NewReader(zb))
		gx, gy := make([]byte, len(a)), make([]byte, len(b))
		for i := 0; i < len(a); i += 10000 {
			_, err := io.ReadFull(x, gx[i:i+10000])
			_, err2 := io.ReadFull(y, gy[i:i+10000])
			if err != nil || err2 != nil {
				t.Fatal(err, err2)
			}
		}
		if !bytes.Equal(gx, a) || !bytes.Equal(gy, b) {
			t.Fatal("two streams have one state")
		}
		x.Close()
		y.Close()
	}
}

// usedByMany: against the rules, but what goes wrong is an error: no race on
// the state, no panic, and no harm to other streams.
func (s Streams) usedByMany(t *testing.T) {
	want := shapes.Mixed(shapes.Rand(1), 30000)
	z := pack(t, s.Codec, want)
	r, w := s.NewReader(bytes.NewReader(z)), s.NewWriter(io.Discard, s.Levels[0])
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			rnd := shapes.Rand(uint64(g))
			p := make([]byte, 3000)
			for range 150 {
				switch rnd.IntN(12) {
				case 0:
					r.Close()
				case 1:
					r.Reset(bytes.NewReader(z))
				case 2:
					w.Close()
				case 3:
					w.Reset(io.Discard)
				case 4:
					w.Flush()
				case 5, 6, 7:
					w.Write(want[:rnd.IntN(len(want))])
				default:
					r.Read(p[:rnd.IntN(len(p))])
				}
			}
		})
		wg.Go(func() { // others, with state from the same pools
			for range 10 {
				var b bytes.Buffer
				w := s.NewWriter(&b, s.Levels[0])
				w.Write(want)
				w.Close()
				if got, err := ReadAll(t, s.NewReader(&b)); err != nil || !bytes.Equal(got, want) {
					t.Errorf("another stream: %d of %d bytes, %v", len(got), len(want), err)
				}
			}
		})
	}
	wg.Wait()
	r.Close()
	w.Close()
}
