package rootio

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/eddy-go/eddy/compress"
)

func TestHeaderForms(t *testing.T) {
	for _, big := range []bool{false, true} {
		for _, begin := range []int{64, 75, 100, 300} {
			f := open(t, sample(t, big, begin))
			if f.Big() != big || f.Begin() != int64(begin) || f.Version() != 63602 || f.End() != f.Size() || f.Settings() != 101 || f.Damage() != nil {
				t.Errorf("%v: %+v", big, f)
			}
			uuid := f.UUID()
			if has := !big || begin >= 75; has != (string(uuid[:]) == "0123456789abcdef") {
				t.Errorf("%v, %d: UUID %q", big, begin, uuid)
			}
			got, err := paths(f)
			if err != nil || !slices.Equal(got, samplePaths) {
				t.Errorf("%v, %d: %q, %v", big, begin, got, err)
			}
			for k := range f.Keys() {
				if k.IsDir() {
					continue
				}
				p, err := k.AppendPayload([]byte("kept"))
				if err != nil || !strings.HasPrefix(string(p), "kept"+strings.Split(k.Path(), ";")[0]) || len(p) != 4+k.ObjLen {
					t.Errorf("%s: %q, %v", k.Path(), p, err)
				}
				if err := k.Verify(); err != nil {
					t.Error(err)
				}
				if want := time.Date(2026, 11, 30, 12, 34, 56, 0, time.UTC); !k.Time().Equal(want) {
					t.Errorf("%s: %v", k.Path(), k.Time())
				}
			}
		}
	}
}

func TestNoROOTFile(t *testing.T) {
	good := sample(t, false, 100)
	for name, edit := range map[string]func([]byte) []byte{
		"empty":                    func(b []byte) []byte { return nil },
		"three bytes":              func(b []byte) []byte { return b[:3] },
		"another format":           func(b []byte) []byte { copy(b, "RIFF"); return b },
		"cut header":               func(b []byte) []byte { return b[:40] },
		"cut before first record":  func(b []byte) []byte { return b[:100] },
		"cut in first record":      func(b []byte) []byte { return b[:110] },
		"negative version":         func(b []byte) []byte { b[4] = 0xff; return b },
		"negative begin":           func(b []byte) []byte { b[8] = 0xff; return b },
		"begin in the header":      func(b []byte) []byte { b[11] = 20; return b },
		"begin behind the file":    func(b []byte) []byte { b[9] = 0x70; return b },
		"end before begin":         func(b []byte) []byte { be.PutUint32(b[12:], 99); return b },
		"negative end":             func(b []byte) []byte { b[12] = 0xff; return b },
		"top directory elsewhere":  func(b []byte) []byte { be.PutUint32(b[28:], 20); return b },
		"top directory far behind": func(b []byte) []byte { be.PutUint32(b[28:], 1<<30); return b },
	} {
		b := edit(bytes.Clone(good))
		f, err := Open(bytes.NewReader(b), int64(len(b)))
		var e *Error
		if f != nil || !errors.As(err, &e) || !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, compress.ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The length of a string is one byte, or 255 and then four.
func TestNamesOf254BytesAndMoreInKeys(t *testing.T) {
	for _, big := range []bool{false, true} {
		for _, n := range []int{0, 1, 253, 254, 255, 256, 257, 1000, 9000} {
			w := newBuilder(t, big, 100)
			name := strings.Repeat("n", n)
			w.put(w.top, "TNote", name, 1, []byte("object"))
			d := w.mkdir(w.top, name+"d")
			w.put(d, strings.Repeat("c", n), "x", 1, []byte("another"))
			f := open(t, w.close())
			got, err := paths(f)
			if want := []string{name + ";1", name + "d;1", name + "d/x;1"}; err != nil || !slices.Equal(got, want) {
				t.Fatalf("%d: %v", n, err)
			}
			k, err := f.Key(name + "d/x")
			if err != nil || len(k.Class) != n {
				t.Fatalf("%d: %v", n, err)
			}
			if p, err := k.AppendPayload(nil); err != nil || string(p) != "another" {
				t.Fatalf("%d: %q, %v", n, p, err)
			}
			for r, err := range f.Records() {
				if err != nil || r.Verify() != nil {
					t.Fatalf("%d: %v", n, err)
				}
			}
		}
	}
}

func TestKeyByPath(t *testing.T) {
	f := open(t, sample(t, false, 100))
	for path, want := range map[string]string{
		"first": "first;1", "first;1": "first;1", "sub": "sub;1", "sub/inner": "sub/inner;2", "sub/inner;1": "sub/inner;1",
		"sub/deep/x": "sub/deep/x;3", "sub;1/deep/x": "", "last/one": "last/one;1", "/first": "first;1", "/sub/deep": "sub/deep;1",
		"": "", "none": "", "first;2": "", "sub/none": "", "first/none": "", "sub/": "", "fir": "", "sub/inner;0": "",
	} {
		k, err := f.Key(path)
		if want == "" {
			if !errors.Is(err, ErrNotFound) {
				t.Errorf("%q: %v, %v", path, k.Path(), err)
			}
		} else if err != nil || k.Path() != want {
			t.Errorf("%q: %q, %v", path, k.Path(), err)
		}
	}
}

func TestDirectoriesInALoopAreRefused(t *testing.T) {
	for name, edit := range map[string]func(w *builder, b []byte){
		"a directory that lists its parent": func(w *builder, b []byte) {
			// The deepest directory's list is sub's.
			copy(b[w.dirs[2].head:], w.dirHead(w.dirs[2], w.dirs[1].list, int(be.Uint32(b[w.dirs[1].list:]))))
		},
		"a directory that lists itself": func(w *builder, b []byte) {
			copy(b[w.dirs[1].head:], w.dirHead(w.dirs[1], w.dirs[0].list, int(be.Uint32(b[w.dirs[0].list:]))))
		},
	} {
		w := sampleBuilder(t, false, 100)
		b := w.close()
		edit(w, b)
		f := open(t, b)
		got, err := paths(f)
		if !errors.Is(err, compress.ErrCorrupt) || len(got) > 20 {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		if _, err := f.Key("sub/deep/deep/deep/deep/none"); !errors.Is(err, ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
		if k, err := f.Key("first"); err != nil || k.Verify() != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// One directory that cannot be read must not hide the others, nor its own keys.
func TestListsThatCannotBeRead(t *testing.T) {
	for name, edit := range map[string]func(b []byte, list int){
		"number of keys negative":  func(b []byte, list int) { b[list+int(be.Uint16(b[list+14:]))] = 0xff },
		"number of keys too large": func(b []byte, list int) { b[list+int(be.Uint16(b[list+14:]))+2] = 1 },
		"number of keys too small": func(b []byte, list int) { b[list+int(be.Uint16(b[list+14:]))+3]-- },
		"no key":                   func(b []byte, list int) { clear(b[list : list+20]) },
		"another key":              func(b []byte, list int) { b[list+3]++ },
		"key in the list damaged":  func(b []byte, list int) { b[list+int(be.Uint16(b[list+14:]))+4+14] ^= 0x40 },
		"key of a record behind the end": func(b []byte, list int) {
			b[list+int(be.Uint16(b[list+14:]))+4] = 0x7f
		},
	} {
		w := sampleBuilder(t, false, 100)
		b := w.close()
		edit(b, int(w.dirs[1].list))
		f := open(t, b)
		got, err := paths(f)
		slices.Sort(got)
		want := slices.Clone(samplePaths)
		slices.Sort(want)
		if err == nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		var e *Error
		if !errors.As(err, &e) || e.Offset == 0 {
			t.Errorf("%s: no offset: %v", name, err)
		}
	}
}

// sparse is a file of zeroes with a few pieces in it.
type sparse struct {
	size   int64
	pieces map[int64][]byte
}

func (s sparse) ReadAt(p []byte, off int64) (int, error) {
	n := int(min(int64(len(p)), s.size-off))
	clear(p[:n])
	for at, b := range s.pieces {
		if from, to := max(at, off), min(at+int64(len(b)), off+int64(n)); from < to {
			copy(p[from-off:to-off], b[from-at:])
		}
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// A gap's own size ends at 2000000000; the list of gaps knows better.
func TestGapsLargerThanTheirFourBytesTell(t *testing.T) {
	const hole = 5 << 30
	w := sampleBuilder(t, true, 100)
	w.free(60)
	at := len(w.b)
	be.PutUint32(w.b[at-60:], uint32(0x100000000-2000000000))
	w.hole = hole
	w.gaps[len(w.gaps)-1].end += hole
	b := w.close()
	s := sparse{size: int64(len(b)) + hole, pieces: map[int64][]byte{0: b[:at], int64(at) + hole: b[at:]}}
	f, err := Open(s, s.size)
	if err != nil || f.Damage() != nil {
		t.Fatal(err, f.Damage())
	}
	var gaps []int64
	for r, err := range f.Records() {
		if err != nil {
			t.Fatal(err)
		}
		if r.Gap > 0 {
			gaps = append(gaps, r.Gap)
		}
	}
	if !slices.Equal(gaps, []int64{50, hole + 60}) {
		t.Errorf("%d", gaps)
	}
	if got, err := paths(f); err != nil || !slices.Equal(got, samplePaths) {
		t.Errorf("%q, %v", got, err)
	}
}

// A list of gaps that is cut, or says nonsense, is no more than of no help.
func TestListOfGapsThatCannotBeRead(t *testing.T) {
	good := sample(t, false, 100)
	list := int(be.Uint32(good[16:]))
	key := int(be.Uint16(good[list+14:]))
	for size := range 20 {
		b := bytes.Clone(good[:list+key+size])
		be.PutUint32(b[list:], uint32(key+size))
		be.PutUint32(b[list+6:], uint32(size))
		be.PutUint32(b[12:], uint32(len(b)))
		be.PutUint32(b[20:], uint32(key+size))
		if f := open(t, b); walkAll(t, b) || f.Damage() != nil {
			t.Errorf("%d bytes: errors", size)
		}
	}
	for i := list + key; i < len(good); i++ {
		b := bytes.Clone(good)
		b[i] ^= 0xff
		if walkAll(t, b) {
			t.Errorf("byte %d: errors", i)
		}
	}
}

func TestRecordsAreAllThatTheFileHas(t *testing.T) {
	for _, big := range []bool{false, true} {
		b := sample(t, big, 100)
		f := open(t, b)
		next, classes := f.Begin(), map[string]int{}
		for r, err := range f.Records() {
			if err != nil || r.Offset != next {
				t.Fatalf("at %d, not %d: %v", r.Offset, next, err)
			}
			if r.Gap > 0 {
				classes["gap"]++
				next += r.Gap
				continue
			}
			next += int64(r.NBytes)
			classes[r.Class]++
			if err := r.Verify(); err != nil {
				t.Error(err)
			}
		}
		if got := fmt.Sprint(classes); next != f.End() || got != "map[TDirectory:4 TFile:3 TNote:5 gap:1]" {
			t.Errorf("to %d of %d: %s", next, f.End(), got)
		}
	}
}

// failing fails to read at and behind an offset.
type failing struct {
	r    io.ReaderAt
	from int64
	err  error
}

func (f failing) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) > f.from {
		return 0, f.err
	}
	return f.r.ReadAt(p, off)
}

func TestErrorsOfTheReaderArePassedOn(t *testing.T) {
	b := sample(t, false, 100)
	for from := range len(b) {
		f, err := Open(failing{bytes.NewReader(b), int64(from), os.ErrDeadlineExceeded}, int64(len(b)))
		if err == nil {
			_, err = paths(f)
			for r, e := range f.Records() {
				if e == nil && r.Gap == 0 {
					e = r.Verify()
				}
				if e != nil {
					err = e
				}
			}
		}
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatalf("from %d: %v", from, err)
		}
	}
}

// A reader whose file shrank gives less than was asked for.
func TestShortReads(t *testing.T) {
	b := sample(t, false, 100)
	for size := range len(b) {
		f, err := Open(bytes.NewReader(b[:size]), int64(len(b)))
		if err == nil {
			for r, e := range f.Records() {
				if e == nil && r.Gap == 0 {
					e = r.Verify()
				}
				if e != nil {
					err = e
					break
				}
			}
		}
		if !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatalf("%d bytes: %v", size, err)
		}
	}
}
