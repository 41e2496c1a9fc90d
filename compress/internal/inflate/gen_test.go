package inflate

import (
	"bytes"
	"compress/flate"
	"math/rand/v2"
	"testing"

	"github.com/eddy-go/eddy/compress/internal/shapes"
)

func rng(seed uint64) *rand.Rand { return shapes.Rand(seed) }

var stdWriters = map[int]*flate.Writer{} // a new one costs more than all else here

func deflateStd(t testing.TB, p []byte, level int) []byte {
	var b bytes.Buffer
	w := stdWriters[level]
	if w == nil {
		var err error
		if w, err = flate.NewWriter(&b, level); err != nil {
			t.Fatal(err)
		}
		stdWriters[level] = w
	}
	w.Reset(&b)
	w.Write(p)
	w.Close()
	return b.Bytes()
}
