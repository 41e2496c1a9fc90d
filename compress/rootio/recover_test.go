package rootio

import (
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/eddy-go/eddy/compress"
)

// A writer that dies leaves no list of keys. What it wrote is found, and that
// it is not all that there could be is said.
func TestFileThatWasNeverClosed(t *testing.T) {
	for _, big := range []bool{false, true} {
		f := open(t, sampleBuilder(t, big, 100).abandon())
		if !errors.Is(f.Damage(), ErrNotClosed) {
			t.Fatal(f.Damage())
		}
		got, err := paths(f)
		if !errors.Is(err, ErrNotClosed) {
			t.Errorf("no error that says so: %v", err)
		}
		slices.Sort(got)
		want := slices.Sorted(slices.Values(samplePaths))
		if !slices.Equal(got, want) {
			t.Errorf("%q", got)
		}
		k, err := f.Key("sub/inner")
		if err != nil || k.Cycle != 2 {
			t.Fatalf("%v", err)
		}
		if p, err := k.AppendPayload(nil); err != nil || !strings.HasPrefix(string(p), "sub/inner;2\n") {
			t.Errorf("%q, %v", p, err)
		}
		for r, err := range f.Records() {
			if err == nil && r.Gap == 0 {
				err = r.Verify()
			}
			if err != nil {
				t.Error(err)
			}
		}
	}
}

// A writer may set space aside that it never comes to use.
func TestFileThatWasNeverClosedEndsInZeroes(t *testing.T) {
	f := open(t, append(sampleBuilder(t, false, 100).abandon(), make([]byte, 1000)...))
	if got, err := paths(f); len(got) != len(samplePaths) || !errors.Is(err, ErrNotClosed) {
		t.Errorf("%q, %v", got, err)
	}
	for _, err := range f.Records() {
		if err != nil {
			t.Error(err)
		}
	}
}

func TestFileThatWasNeverClosedEndsInARecord(t *testing.T) {
	w := sampleBuilder(t, false, 100)
	last := len(w.b)
	w.put(w.top, "TNote", "unfinished", 1, []byte("some text"))
	whole := w.abandon()
	for size := last + 1; size < len(whole); size++ {
		f := open(t, whole[:size])
		got, err := paths(f)
		if len(got) != len(samplePaths) || !errors.Is(err, ErrNotClosed) || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatalf("%d bytes: %q, %v", size, got, err)
		}
		var last error
		for _, err := range f.Records() {
			last = err
		}
		if !errors.Is(last, io.ErrUnexpectedEOF) {
			t.Fatalf("%d bytes: %v", size, last)
		}
	}
}

func TestFileThatWasNeverClosedAndHasNothing(t *testing.T) {
	f := open(t, newBuilder(t, false, 100).abandon())
	if got, err := paths(f); len(got) > 0 || !errors.Is(err, ErrNotClosed) {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := f.Key("any"); !errors.Is(err, ErrNotFound) || !errors.Is(err, ErrNotClosed) {
		t.Errorf("%v", err)
	}
	// One that was closed with nothing in it is no error.
	f = open(t, newBuilder(t, false, 100).close())
	if got, err := paths(f); len(got) > 0 || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

// A tree's file without its list: the tree's key is found among the baskets.
func TestTreeOfAFileThatWasNeverClosed(t *testing.T) {
	b, err := os.ReadFile("testdata/jagged-zlib1.root")
	if err != nil {
		t.Fatal(err)
	}
	whole := open(t, b)
	want, err := whole.Key("clusters")
	if err != nil {
		t.Fatal(err)
	}
	b = bytes.Clone(b[:want.Offset+int64(want.NBytes)])
	be.PutUint32(b[12:], 150)               // end
	clear(b[16:24])                         // list of gaps
	clear(b[37:45])                         // streamer info
	clear(b[whole.top.key.Offset:][99:103]) // see below
	d := whole.top.key.Offset + int64(whole.nbytesName)
	clear(b[d+10 : d+14]) // size of the list
	be.PutUint32(b[d+26:], 0)
	f := open(t, b)
	got, err := paths(f)
	if !errors.Is(err, ErrNotClosed) || !slices.Equal(got, []string{"clusters;1"}) {
		t.Fatalf("%q, %v", got, err)
	}
	k, err := f.Key("clusters")
	if err != nil || k.Offset != want.Offset || k.Verify() != nil {
		t.Fatal(err)
	}
}

// A cut file gives what is left of it, and never passes for a whole one.
func TestFileCutAnywhere(t *testing.T) {
	w := sampleBuilder(t, false, 100)
	whole := w.close()
	starts := map[string]int{}
	for k := range open(t, whole).Keys() {
		starts[k.Path()] = int(k.Offset) + k.NBytes
	}
	for size := range len(whole) {
		f, err := Open(bytes.NewReader(whole[:size]), int64(size))
		if err != nil {
			if size >= 100+int(be.Uint32(whole[100:])) {
				t.Fatalf("%d bytes: %v", size, err)
			}
			continue
		}
		if !errors.Is(f.Damage(), io.ErrUnexpectedEOF) {
			t.Fatalf("%d bytes: %v", size, f.Damage())
		}
		got, err := paths(f)
		if err == nil {
			t.Fatalf("%d bytes: no error", size)
		}
		for path, end := range starts {
			if slices.Contains(got, path) != (size >= end) {
				t.Fatalf("%d bytes: %q, which ends at %d: %q", size, path, end, got)
			}
		}
	}
}

// A record whose sizes are wrong is named, and the others are read.
func TestRecordsWithWrongSizes(t *testing.T) {
	const nbytes, objlen, keylen = 0, 6, 14
	for _, c := range []struct {
		name  string
		field int
		size  int
		add   int
		want  error
	}{
		{"nbytes too small", nbytes, 4, -1, nil},
		{"nbytes too large", nbytes, 4, 1, nil},
		{"nbytes behind the file", nbytes, 4, 1 << 20, nil},
		{"nbytes smaller than the key", nbytes, 4, -60, compress.ErrCorrupt},
		{"nbytes negative", nbytes, 4, -110, nil},
		{"objlen too small", objlen, 4, -1, nil},
		{"objlen too large", objlen, 4, 1, nil},
		{"objlen of 1 GiB", objlen, 4, 1 << 30, nil},
		{"objlen negative", objlen, 4, -1 << 31, compress.ErrCorrupt},
		{"objlen smaller than the payload", objlen, 4, -200, nil},
		{"keylen too small", keylen, 2, -1, compress.ErrCorrupt},
		{"keylen too large", keylen, 2, 1, compress.ErrCorrupt},
		{"keylen negative", keylen, 2, -1 << 15, compress.ErrCorrupt},
		{"keylen larger than the record", keylen, 2, 1000, compress.ErrCorrupt},
	} {
		for _, both := range []bool{false, true} { // the copy in the list is wrong as well
			w := sampleBuilder(t, false, 100)
			k, err := open(t, bytes.Clone(sample(t, false, 100))).Key("sub/inner;1")
			if err != nil {
				t.Fatal(err)
			}
			edit := func(p []byte) {
				if c.size == 2 {
					be.PutUint16(p[c.field:], be.Uint16(p[c.field:])+uint16(c.add))
				} else {
					be.PutUint32(p[c.field:], be.Uint32(p[c.field:])+uint32(c.add))
				}
			}
			if both {
				edit(w.dirs[1].keys[0])
			}
			b := w.close()
			edit(b[k.Offset:])

			f := open(t, b)
			var faults []error
			var offsets []int64
			for r, err := range f.Records() {
				if err == nil && r.Gap == 0 {
					err = r.Verify()
				}
				if err == nil {
					continue
				}
				var e *Error
				if !errors.As(err, &e) || e.Offset == 0 {
					t.Errorf("%s: no offset: %v", c.name, err)
				}
				faults = append(faults, err)
				offsets = append(offsets, r.Offset)
			}
			if len(faults) == 0 || offsets[0] != k.Offset && c.name != "nbytes too small" && c.name != "nbytes negative" || c.want != nil && !errors.Is(errors.Join(faults...), c.want) {
				t.Errorf("%s: %v", c.name, faults)
			}
			got, err := paths(f)
			if !slices.Contains(got, "sub/inner;2") || !slices.Contains(got, "last/one;1") {
				t.Errorf("%s: %q, %v", c.name, got, err)
			}
			bad := 0
			for k, err := range f.Keys() {
				if err == nil {
					err = k.Verify()
				}
				if err != nil {
					bad++
				}
			}
			if bad == 0 {
				t.Errorf("%s: not noticed by its key", c.name)
			}
		}
	}
}

// An object's size is no reason to set memory aside: its blocks are.
func TestObjectsOf1GiBInAFewBytes(t *testing.T) {
	w := newBuilder(t, false, 100)
	// Headers that promise 16 MiB each, of data that could hold that much but does not.
	one := rawBlock(ZSTD, bytes.Repeat([]byte("no frame"), 100), MaxBlock)
	payload := bytes.Repeat(one, 64)
	k := w.key(w.pos(), w.top.at, "TNote", "bomb", "", 1, len(payload), 64*MaxBlock)
	w.top.keys = append(w.top.keys, k)
	w.b = append(append(w.b, k...), payload...)
	f := open(t, w.close())
	bomb, err := f.Key("bomb")
	if err != nil {
		t.Fatal(err)
	}
	if n := allocated(func() { _, err = bomb.AppendPayload(nil) }); n > 40<<20 || !errors.Is(err, compress.ErrCorrupt) {
		t.Errorf("%d bytes allocated: %v", n, err)
	}
	if n := allocated(func() { err = bomb.Verify() }); n > 40<<20 || !errors.Is(err, compress.ErrCorrupt) {
		t.Errorf("%d bytes allocated: %v", n, err)
	}
}

func TestKeyOfAnotherRecord(t *testing.T) {
	f := open(t, sample(t, false, 100))
	a, err := f.Key("sub/inner;1")
	if err != nil {
		t.Fatal(err)
	}
	b, err := f.Key("sub/inner;2")
	if err != nil {
		t.Fatal(err)
	}
	a.Offset = b.Offset
	dst := []byte("kept")
	p, err := a.AppendPayload(dst)
	if string(p) != "kept" || !errors.Is(err, compress.ErrCorrupt) {
		t.Errorf("%q, %v", p, err)
	}
	if err := a.Verify(); !errors.Is(err, compress.ErrCorrupt) {
		t.Error(err)
	}
}

// Whatever bit of a file is wrong: a walk ends, and every error has an offset.
func TestEveryFlippedBitOfAFile(t *testing.T) {
	b := sample(t, false, 64)
	step := 1
	if few() {
		step = 7
	}
	silent := 0
	for bit := 0; bit < 8*len(b); bit += step {
		b[bit/8] ^= 1 << (bit % 8)
		if !walkAll(t, b) {
			silent++
		}
		b[bit/8] ^= 1 << (bit % 8)
	}
	// Times, titles, cycles' copies, gaps and the like are not covered by anything.
	if silent > 8*len(b)*2/3 {
		t.Errorf("%d of %d flipped bits show nowhere", silent, 8*len(b))
	}
}

// walkAll opens a file, verifies its records and keys, and holds all errors to
// what they must be. It reports whether there was one.
func walkAll(t testing.TB, b []byte) bool {
	t.Helper()
	bad := false
	check := func(err error) {
		t.Helper()
		if err == nil {
			return
		}
		bad = true
		var e *Error
		if !errors.As(err, &e) {
			t.Fatalf("error %v (%T) names no record", err, err)
		}
		if !errors.Is(err, ErrNotClosed) {
			var at *Error
			errors.As(err, &at)
			for _, k := range []error{
				compress.ErrCorrupt, compress.ErrChecksum, compress.ErrSize, compress.ErrTrailing, compress.ErrDictionary,
				compress.ErrUnsupported, io.ErrUnexpectedEOF,
			} {
				if errors.Is(err, k) {
					return
				}
			}
			t.Fatalf("error %v is of no kind", err)
		}
	}
	f, err := Open(bytes.NewReader(b), int64(len(b)))
	check(err)
	if err != nil {
		return true
	}
	records := 0
	for r, err := range f.Records() {
		if records++; records > len(b) {
			t.Fatal("the walk through records does not end")
		}
		if err == nil && r.Gap == 0 {
			err = r.Verify()
		}
		check(err)
	}
	keys := 0
	for k, err := range f.Keys() {
		if keys++; keys > len(b) {
			t.Fatal("the walk through keys does not end")
		}
		if err == nil {
			err = k.Verify()
		}
		check(err)
	}
	return bad
}

func FuzzOpen(f *testing.F) {
	for _, big := range []bool{false, true} {
		f.Add(sample(f, big, 100))
		f.Add(sampleBuilder(f, big, 64).abandon())
	}
	w := newBuilder(f, false, 100)
	w.settings = 505
	w.put(w.top, "TNote", strings.Repeat("n", 255), 1, bytes.Repeat([]byte("a"), 300))
	w.put(w.mkdir(w.mkdir(w.top, "a"), "b"), "TNote", "n", 1, make([]byte, 300))
	f.Add(w.close())
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1<<16 {
			return
		}
		walkAll(t, b)
	})
}

func FuzzDecompress(f *testing.F) {
	src := bytes.Repeat([]byte("a column of numbers "), 20)
	for _, s := range []Settings{101, 201, 401, 409, 505} {
		z := pack(f, src, s)
		f.Add(z, len(src))
		f.Add(append(z, z...), 2*len(src))
	}
	f.Add([]byte("CS\x08\x01\x00\x00\x10\x00\x00x"), 16)
	f.Fuzz(func(t *testing.T, z []byte, size int) {
		if size < 0 || size > 1<<20 {
			return
		}
		if _, err := unpack(t, z, size); err != nil {
			known(t, err)
			return
		}
		if err := checkBlocks(z, size); err != nil {
			t.Fatalf("decoded, but %v", err)
		}
	})
}

func FuzzCompress(f *testing.F) {
	f.Add([]byte("some text, some text, some text"), 101)
	f.Add(make([]byte, 100), 505)
	f.Add(make([]byte, 20), 409)
	f.Fuzz(func(t *testing.T, src []byte, code int) {
		s := Settings(code)
		if s.Validate() != nil {
			return
		}
		z := pack(t, src, s)
		if got, err := unpack(t, z, len(src)); err != nil || !bytes.Equal(got, src) {
			t.Fatalf("%v: %v", s, err)
		}
	})
}
