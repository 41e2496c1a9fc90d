package deflate

import (
	"bytes"
	"compress/flate"
	"io"
	"testing"
)

func FuzzDecompress(f *testing.F) {
	suite.FuzzDecompress(f, func(z []byte, limit int) ([]byte, bool) {
		src := bytes.NewReader(z)
		p, err := io.ReadAll(io.LimitReader(flate.NewReader(src), int64(limit)+1))
		return p, err == nil && len(p) <= limit && src.Len() == 0
	})
}
