package zstd

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"testing"
	"testing/iotest"

	"github.com/eddy-go/eddy/compress"
	"github.com/eddy-go/eddy/compress/internal/codectest"
	"github.com/eddy-go/eddy/compress/internal/shapes"
)

// allocated returns how many bytes f allocates that finds all pools empty.
func allocated(f func()) uint64 {
	for range 3 {
		runtime.GC()
	}
	var a, b runtime.MemStats
	runtime.ReadMemStats(&a)
	f()
	runtime.ReadMemStats(&b)
	return b.TotalAlloc - a.TotalAlloc
}

func TestWindowIsNotAllocatedOnTrust(t *testing.T) {
	const most = 2 << 20
	for _, c := range []struct {
		name string
		z    []byte
		err  error
	}{
		{"window of 32 MiB, a cut block", block(head(0, 15<<3), false, blockRaw, 0, ""), io.ErrUnexpectedEOF},
		{"window of 32 MiB, a small block", block(head(0, 15<<3), true, blockRaw, 4, "wate"), io.EOF},
		{"size of 32 MiB", block(head(flagSingle|2<<6, 0, 0, 0, 2), false, blockRLE, 1, "w"), io.ErrUnexpectedEOF},
		{"size of 32 MiB and more", block(head(flagSingle|2<<6, 1, 0, 0, 2), false, blockRLE, 1, "w"), compress.ErrUnsupported},
		{"window of 36 MiB", block(head(0, 15<<3|1), true, blockRLE, 1, "w"), compress.ErrUnsupported},
		{"block of 2 MiB", block(head(0, 15<<3), true, blockRaw, 2<<20-1, "w"), compress.ErrCorrupt},
	} {
		r := NewReader(bytes.NewReader(c.z))
		var err error
		p := make([]byte, 10)
		n := allocated(func() {
			for err == nil {
				_, err = r.Read(p)
			}
		})
		if !errors.Is(err, c.err) || n > most {
			t.Errorf("%s: %v, %d bytes allocated for %d", c.name, err, n, len(c.z))
		}
	}
}

// What came out pays for the window, but only four times as much.
func TestWindowGrowsByOutput(t *testing.T) {
	z := head(0, 15<<3)
	for range 8 {
		z = block(z, false, blockRLE, 128<<10, "w")
	}
	p := make([]byte, 1<<20)
	n := allocated(func() {
		if _, err := io.ReadFull(NewReader(bytes.NewReader(z)), p); err != nil {
			t.Error(err)
		}
	})
	if n > 6<<20 {
		t.Errorf("%d bytes allocated for one of 1 MiB", n)
	}
}

// What went in pays for it 64 times, and at once where it is there: then the
// frame is decoded once.
func TestWindowByInput(t *testing.T) {
	whole := func(r io.Reader) io.Reader { return r }
	bytewise := iotest.OneByteReader
	for _, c := range []struct {
		name   string
		window byte // descriptor
		input  int
		reader func(io.Reader) io.Reader
		shown  uint64
	}{
		{"8 MiB, 128 KiB at once", 13 << 3, 1 << 20, whole, 8 << 20},
		{"32 MiB, 128 KiB at once", 15 << 3, 1 << 20, whole, 8 << 20},
		{"8 MiB, some input", 13 << 3, 64 << 10, whole, 4 << 20},
		{"8 MiB, little input", 13 << 3, 1 << 10, whole, firstWindow},
		{"8 MiB, byte by byte", 13 << 3, 1 << 20, bytewise, firstWindow},
		{"256 KiB, byte by byte", 8 << 3, 1 << 20, bytewise, 256 << 10},
	} {
		z := head(0, c.window)
		for len(z) < c.input {
			z = block(z, false, blockRaw, 100, string(make([]byte, 100)))
		}
		d := streamDecoders.Get()
		d.src.reset(c.reader(bytes.NewReader(z)))
		if err := d.src.next(); err != nil {
			t.Fatal(err)
		}
		if got := d.src.shown; got > c.shown+c.shown/16 || got < c.shown-c.shown/16 {
			t.Errorf("%s: a window of %d", c.name, got)
		}
		// As soon as the input is good for all of the window, that is what
		// there is.
		if err := d.z.Reset(&d.src); err != nil {
			t.Fatal(err)
		}
		d.open = true
		for p := make([]byte, 1<<10); d.src.in.N < int64(d.src.window/claim)+4<<10 && int(d.src.in.N) < len(z); {
			if _, err := d.read(p); err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
		}
		if d.src.in.N > int64(d.src.window/claim)+3<<10 && d.src.growing() {
			t.Errorf("%s: still a window of %d after %d bytes", c.name, d.src.shown, d.src.in.N)
		}
		streamDecoders.Put(d)

		// Read to the end, the window is never more than what was paid for.
		r := NewReader(c.reader(bytes.NewReader(z)))
		data := make([]byte, len(z)/103*100)
		n := allocated(func() {
			if _, err := io.ReadFull(r, data); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
		})
		if most := min(64*uint64(len(z)), MaxWindow) + 4<<20; n > 2*most {
			t.Errorf("%s: %d bytes allocated", c.name, n)
		}
		r.Close()
	}
}

func TestWindowsGrow(t *testing.T) {
	r := shapes.Rand(8)
	noise := shapes.Mixed(r, 1200000)
	random := make([]byte, 1500000)
	for i := range random {
		random[i] = byte(r.Uint32())
	}
	far := bytes.Repeat(random, 3) // every match is 1.5 MB away
	for _, c := range []struct {
		name string
		data []byte
	}{
		{"mixed", noise},
		{"random, far matches", far},
		{"zeros", make([]byte, 3<<20)},
		{"zeros, then far matches", append(make([]byte, 900000), far...)},
		{"one more than the first window", far[:firstWindow+1]},
		{"up to the first window", far[:firstWindow]},
		{"a block less", far[:firstWindow-maxBlock]},
	} {
		whole := pack(t, c.data)
		var b bytes.Buffer
		w := NewWriter(&b, 1) // a window of 8 MiB, no size
		w.Write(c.data)
		w.Close()
		for _, z := range [][]byte{whole, b.Bytes(), join(b.Bytes(), skip(1, "between"), whole)} {
			want := c.data
			if len(z) > len(whole)+len(b.Bytes()) {
				want = append(bytes.Clone(want), want...)
			}
			for name, src := range map[string]io.Reader{
				"whole": bytes.NewReader(z),
				"half":  iotest.HalfReader(bytes.NewReader(z)),
			} {
				zr := NewReader(src)
				got, err := codectest.ReadAll(t, zr)
				if err != nil || !bytes.Equal(got, want) {
					t.Errorf("%s, %s: %d of %d bytes, %v", c.name, name, len(got), len(want), err)
				}
			}
			got, err := codectest.ReadAll(t, NewReader(bytes.NewReader(z[:len(z)-5])))
			if !errors.Is(err, io.ErrUnexpectedEOF) || !bytes.HasPrefix(want, got) {
				t.Errorf("%s, cut: %d of %d bytes, %v", c.name, len(got), len(want), err)
			}
		}
	}
}

func TestDescriptor(t *testing.T) {
	for d := range 256 {
		var f frame
		if _, err := f.head(head(0, byte(d))); err != nil {
			t.Fatal(err)
		}
		if got := descriptor(f.window); got != byte(d) {
			t.Errorf("%d bytes: %#x, not %#x", f.window, got, d)
		}
		if d < 255 && descriptor(f.window+1) != byte(d+1) {
			t.Errorf("%d bytes: %#x, not %#x", f.window+1, descriptor(f.window+1), d+1)
		}
	}
}

func pack(t *testing.T, p []byte) []byte {
	t.Helper()
	z, err := Codec{}.AppendCompress(nil, p)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// What may follow a frame, and what may not.
func TestStreamOfFrames(t *testing.T) {
	for _, c := range []struct {
		name string
		z    []byte
		want string
		err  error
	}{
		{"two frames", join(plain("wa"), plain("ter")), "water", nil},
		{"empty frame between", join(plain("wa"), plain(""), plain("ter")), "water", nil},
		{"skippable around", join(skip(0, "abc"), plain("wa"), skip(15, ""), plain("ter"), skip(3, "x")), "water", nil},
		{"large skippable", join(skip(0, string(make([]byte, 20000))), plain("water")), "water", nil},
		{"skippable alone", skip(7, "abc"), "", nil},
		{"no input", nil, "", io.ErrUnexpectedEOF},
		{"garbage behind", append(plain("water"), "?"...), "water", compress.ErrTrailing},
		{"more garbage behind", append(plain("water"), "garbage"...), "water", compress.ErrTrailing},
		{"garbage", []byte("garbage"), "", compress.ErrCorrupt},
		{"begin of a frame behind", append(plain("water"), plain("")[:3]...), "water", io.ErrUnexpectedEOF},
		{"magic number behind", append(plain("water"), plain("")[:4]...), "water", io.ErrUnexpectedEOF},
		{"skippable cut", join(plain("water"), skip(0, "abcdef")[:12]), "water", io.ErrUnexpectedEOF},
		{"skippable of 4 GiB", append(skip(0, "")[:4], 0xff, 0xff, 0xff, 0xff), "", io.ErrUnexpectedEOF},
		{"dictionary", block(head(flagSingle|1, 9, 5), true, blockRaw, 5, "water"), "", compress.ErrDictionary},
		{"reserved bit", block(head(flagSingle|flagReserved, 5), true, blockRaw, 5, "water"), "", compress.ErrCorrupt},
		{"checksum missing", block(head(flagSingle|flagChecksum, 5), true, blockRaw, 5, "water"), "water", io.ErrUnexpectedEOF},
		{"checksum wrong", append(block(head(flagSingle|flagChecksum, 5), true, blockRaw, 5, "water"), 1, 2, 3, 4), "", compress.ErrChecksum},
	} {
		for name, r := range map[string]io.Reader{
			"whole": bytes.NewReader(c.z), "bytes": iotest.OneByteReader(bytes.NewReader(c.z)), "eof": iotest.DataErrReader(bytes.NewReader(c.z)),
		} {
			got, err := codectest.ReadAll(t, NewReader(r))
			if !errors.Is(err, c.err) || !bytes.HasPrefix([]byte(c.want), got) || err == nil && string(got) != c.want {
				t.Errorf("%s, %s: %q, %v", c.name, name, got, err)
			}
		}
	}
}

// Reading ahead does not show in errors.
func TestStreamErrorSaysWhere(t *testing.T) {
	bad := append(block(head(flagSingle|flagChecksum, 5), true, blockRaw, 5, "water"), 1, 2, 3, 4)
	for name, c := range map[string]struct {
		z        []byte
		from, to int
	}{
		"checksum wrong": {join(plain("water"), bad, plain("wheel")), len(plain("water")), len(plain("water")) + len(bad)},
		"garbage behind": {append(plain("water"), bytes.Repeat([]byte("?"), 1000)...), len(plain("water")), len(plain("water")) + 4},
	} {
		_, err := codectest.ReadAll(t, NewReader(bytes.NewReader(c.z)))
		var e *compress.Error
		if !errors.As(err, &e) || e.Offset < int64(c.from) || e.Offset > int64(c.to) {
			t.Errorf("%s: %v, and not at %d to %d", name, err, c.from, c.to)
		}
	}
}
