package flate

import (
	"bytes"
	"compress/flate"
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/eddy-go/eddy/compress/internal/race"
	"github.com/eddy-go/eddy/compress/internal/shapes"
)

// streamed compresses p as a stream, with a Flush behind each of the places.
func streamed(t *testing.T, p []byte, level int, flushes ...int) []byte {
	t.Helper()
	var b bytes.Buffer
	var w Writer
	w.Start(&b, level)
	defer w.Release()
	at := 0
	for _, f := range append(flushes, len(p)) {
		if _, err := w.Write(p[at:f]); err != nil {
			t.Fatal(err)
		}
		if at = f; f < len(p) {
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.End(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestStreamsDoNotStoreWhatShrinks(t *testing.T) {
	r := shapes.Rand(1)
	few, random := shapes.Few(r, 300000), shapes.All[1].Gen(r, 200000)
	levels := []int{1, 2, 3, 4, 5, 6, 7, 8, 9}
	if race.Enabled {
		levels = []int{1, 6}
	}
	for _, c := range []struct {
		name string
		p    []byte
		most int // bytes
	}{
		{"few values", few, 300000 * 54 / 100},
		{"few values, short", few[:2000], 2000 * 62 / 100},
		{"few values, end of a block and one more", few[:65536], 65536 * 54 / 100},
		{"a block", few[:65535], 65535 * 54 / 100},
		{"among random bytes", slices.Concat(random, few, random), 400000 + 300000*60/100},
		// What was replaced is seen again, at distances that matches have.
		{"and again", slices.Concat(few[:100000], few[80000:100000], random[:40000], few[:65535], few[45000:65535]), 40000 + 200000*54/100},
		{"random bytes", random, 200000 + 200},
	} {
		for _, level := range levels {
			for _, flushes := range [][]int{nil, {700}, {len(c.p) / 3, len(c.p)/3 + 1, len(c.p) - 1}} {
				z := streamed(t, c.p, level, flushes...)
				if len(z) > c.most+20*len(flushes) {
					t.Errorf("%s, level %d, flushed at %v: %d of %d bytes, not %d", c.name, level, flushes, len(z), len(c.p), c.most)
				}
				got, err := io.ReadAll(flate.NewReader(bytes.NewReader(z)))
				if err != nil || !bytes.Equal(got, c.p) {
					t.Errorf("%s, level %d, flushed at %v: the standard library reads %d of %d bytes, %v", c.name, level, flushes, len(got), len(c.p), err)
				}
			}
		}
	}
}

// A writer may fail at any of the parts that a replaced block has.
func TestReplacedBlocksOnFailingWriters(t *testing.T) {
	p := shapes.Few(shapes.Rand(1), 200000)
	whole := streamed(t, p, 1)
	errFull := errors.New("full")
	step := 1
	if race.Enabled {
		step = 29
	}
	for at := 0; at < 400; at += step {
		left := at
		if at >= 200 {
			left = len(whole) - 400 + at
		}
		var w Writer
		w.Start(writerFunc(func(p []byte) (int, error) {
			n := min(len(p), left)
			if left -= n; n < len(p) {
				return n, errFull
			}
			return n, nil
		}), 1)
		_, err := w.Write(p)
		if err == nil {
			err = w.End()
		}
		if !errors.Is(err, errFull) {
			t.Fatalf("after %d bytes: %v", left, err)
		}
		w.Release()
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestOutputOfStoredBlocks(t *testing.T) {
	few := shapes.Few(shapes.Rand(1), 2000)
	random := shapes.All[1].Gen(shapes.Rand(1), 2000)
	head := []byte{2000 & 255, 2000 >> 8, ^byte(2000 & 255), ^byte(2000 >> 8)}
	for _, c := range []struct {
		name   string
		writes [][]byte
		same   bool
		last   bool
	}{
		{"a stored block of few values", [][]byte{head, few, {3, 0}}, false, false},
		{"the same at the end", [][]byte{head, few}, false, true},
		{"of random bytes", [][]byte{head, random, {3, 0}}, true, false},
		{"fewer than the length says", [][]byte{head, few[:1999]}, true, false},
		{"a length that is none", [][]byte{{1, 2, 3, 4}, few}, true, false},
		{"a short one", [][]byte{{0xff, 1, 0, 0xfe}, few[:511]}, true, false},
		{"no length before", [][]byte{few, few}, true, false},
	} {
		var b bytes.Buffer
		o := output{w: &b, watch: true}
		for _, p := range c.writes {
			if n, err := o.Write(p); n != len(p) || err != nil {
				t.Fatal(n, err)
			}
		}
		if same := bytes.Equal(b.Bytes(), bytes.Join(c.writes, nil)); same != c.same || o.last != c.last || o.held {
			t.Errorf("%s: the same %v, last %v, held %v", c.name, same, o.last, o.held)
		}
	}
	// What is to be stored is.
	few = shapes.Few(shapes.Rand(1), 100000)
	if z := streamed(t, few, Stored); len(z) < len(few) {
		t.Errorf("%d of %d bytes at the level that stores", len(z), len(few))
	}
	// An encoder that ended so would not have ended the stream.
	w := Writer{e: &encoder{w: newWriter(1)}}
	w.e.w.Reset(io.Discard)
	w.e.out.last = true
	if err := w.End(); !errors.Is(err, errNoEnd) {
		t.Error(err)
	}
}
