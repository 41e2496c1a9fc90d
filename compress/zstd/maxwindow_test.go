package zstd

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/eddy-go/eddy/compress"
	"github.com/eddy-go/eddy/compress/internal/codectest"
	"github.com/eddy-go/eddy/compress/internal/race"
	"github.com/eddy-go/eddy/compress/internal/shapes"
)

// far is a frame of the given window, whose last match is as far away as that
// allows, but for a block; and the data.
func far(t *testing.T, window int) (z, data []byte) {
	t.Helper()
	const piece = 100 << 10
	noise := shapes.All[1].Gen(shapes.Rand(5), piece)
	data = append(make([]byte, 0, window+piece), noise...)
	data = append(data[:window-maxBlock], noise...)
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b, zstd.WithWindowSize(window), zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	w.Write(data)
	w.Close()
	if b.Len() > piece+piece/2 {
		t.Fatalf("%d bytes: the far match was not found", b.Len())
	}
	return b.Bytes(), data
}

func TestMaxWindow(t *testing.T) {
	if MaxWindow != 32<<20 {
		t.Errorf("MaxWindow is %d bytes, and not what the documentation says", MaxWindow)
	}
	z, data := far(t, MaxWindow)
	got, err := io.ReadAll(NewReader(bytes.NewReader(z)))
	if err != nil || !bytes.Equal(got, data) {
		t.Errorf("a stream with a window of %d: %d of %d bytes, %v", MaxWindow, len(got), len(data), err)
	}
	if race.Enabled {
		return // what follows is no other code than small frames have
	}
	z, data = far(t, 2*MaxWindow)
	if got, err := codectest.ReadAll(t, NewReader(bytes.NewReader(z))); !errors.Is(err, compress.ErrUnsupported) || len(got) > 0 {
		t.Errorf("a stream with a window twice as large: %d bytes, %v", len(got), err)
	}
	if got, err := (Codec{}).AppendDecompress(nil, z, len(data)); err != nil || !bytes.Equal(got, data) {
		t.Errorf("the codec, which has no such limit: %d of %d bytes, %v", len(got), len(data), err)
	}
}
