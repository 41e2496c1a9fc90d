package codectest

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/eddy-go/eddy/compress"
	"github.com/eddy-go/eddy/compress/internal/edge"
)

// Decompress is c.Decompress into size bytes, with all that may show a step
// over an edge: z ends at a page that must not be touched, and so does what it
// is decompressed to; and again with that between canaries and cap > len. Both
// must say the same, and what the memory held before must not matter. The
// result is a copy, and nil with an error.
func Decompress(t testing.TB, c compress.Codec, z []byte, size int) ([]byte, error) {
	t.Helper()
	in, same, done := input(t, z)
	defer done()

	box := edge.Open(t, size)
	defer box.Close()
	dst, check := box.Last(t, size)
	fill(dst, 0x5a)
	n, err := c.Decompress(dst, in)
	check()
	same()
	counted(t, n, size, err)

	between, check := edge.Canary(t, size)
	n, err2 := c.Decompress(between, in)
	check()
	same()
	counted(t, n, size, err2)
	if !alike(err, err2) {
		t.Fatalf("%x into %d bytes: %v before a page, %v between canaries", head(z), size, err, err2)
	}
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(dst, between) {
		t.Fatalf("%x into %d bytes: the results differ", head(z), size)
	}
	return between, nil
}

// AppendDecompress is c.AppendDecompress to nothing, with z before a page that
// must not be touched; and again behind a prefix, with room for half of the
// result, with as much room as there is result and that before such a page,
// and with more room than the limit allows to be used. All must say the same.
// With an error the result is nil.
func AppendDecompress(t testing.TB, c compress.Codec, z []byte, limit int) ([]byte, error) {
	t.Helper()
	in, same, done := input(t, z)
	defer done()
	want, err := c.AppendDecompress(nil, in, limit)
	same()
	n := len(want)
	if n > max(limit, 0) || err != nil && want != nil {
		t.Fatalf("%x: %d bytes at a limit of %d, %v", head(z), n, limit, err)
	}
	if err != nil {
		n = min(max(limit, 0), 1000)
	}

	const prefix = "abc"
	again := func(what string, dst []byte, check func()) {
		t.Helper()
		got, err2 := c.AppendDecompress(dst, in, limit)
		check()
		same()
		if !alike(err, err2) {
			t.Fatalf("%x at a limit of %d: %v, but %s %v", head(z), limit, err, what, err2)
		}
		if string(got[:min(len(got), len(prefix))]) != prefix || !bytes.Equal(got[len(prefix):], want) {
			t.Fatalf("%x at a limit of %d: the result %s differs", head(z), limit, what)
		}
	}

	box := edge.Open(t, len(prefix)+n)
	defer box.Close()
	dst, check := box.Last(t, len(prefix)+n)
	fill(dst, 0x5a)
	again("before a page", append(dst[:0], prefix...), check)

	dst, check = edge.Canary(t, len(prefix)+n/2)
	again("with half of the room", append(dst[:0:len(dst)], prefix...), check)

	// Where the limit is near, the canaries behind it are in the capacity.
	if limit < n+1000 {
		dst, check = edge.Canary(t, len(prefix)+max(limit, 0))
	} else {
		dst, check = edge.Canary(t, len(prefix)+n+1000)
		dst = dst[:len(dst):len(dst)]
	}
	again("with more room", append(dst[:0], prefix...), check)
	return want, err
}

// ReadAll is io.ReadAll with an r.Read that is given slices of all sizes that
// end at a page that must not be touched, or lie between canaries and have
// cap > len, by turns. What Read returned must stay as it is.
func ReadAll(t testing.TB, r io.Reader) ([]byte, error) {
	t.Helper()
	const most = 5000
	box := edge.Open(t, most)
	defer box.Close()
	var all []byte
	for turn, size := 0, 1; ; turn++ {
		p, check := box.Last(t, size)
		if turn%2 == 1 {
			p, check = box.Inside(t, size)
		}
		fill(p, 0x5a)
		n, err := r.Read(p)
		check()
		if n < 0 || n > size {
			t.Fatalf("Read of %d bytes returns %d", size, n)
		}
		all = append(all, p[:n]...)
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		if n == 0 {
			t.Fatalf("Read of %d bytes returns nothing, and no error", size)
		}
		switch {
		case turn%16 == 0:
			size = most
		case n < size: // as much as there may be is enough
			size = n + turn%3
		default:
			size += size/2 + 1
		}
		size = min(max(size, 1), most)
	}
}

// input returns a copy of z that ends at a page that must not be touched, a
// function that fails the test if it was changed, and one that frees it.
func input(t testing.TB, z []byte) (in []byte, same, done func()) {
	t.Helper()
	box := edge.Open(t, len(z))
	in, check := box.Last(t, len(z))
	copy(in, z)
	return in, func() {
		t.Helper()
		check()
		if !bytes.Equal(in, z) {
			t.Fatalf("%x: the input was written to", head(z))
		}
	}, box.Close
}

func fill(p []byte, v byte) {
	for n := copy(p, []byte{v}); n < len(p); n *= 2 {
		copy(p[n:], p[:n])
	}
}

// counted fails the test if n cannot be what was decoded into size bytes.
func counted(t testing.TB, n, size int, err error) {
	t.Helper()
	if n < 0 || n > size || err == nil && n != size {
		t.Fatalf("%d of %d bytes, %v", n, size, err)
	}
}

// alike reports whether two errors are of the same kind.
func alike(a, b error) bool {
	if (a == nil) != (b == nil) {
		return false
	}
	for _, k := range kinds {
		if errors.Is(a, k) != errors.Is(b, k) {
			return false
		}
	}
	return true
}

// head is what of z a message shows.
func head(z []byte) []byte { return z[:min(len(z), 2000)] }
