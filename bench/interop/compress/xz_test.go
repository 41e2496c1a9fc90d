package compress

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/eddy-go/eddy/compress"
	"github.com/eddy-go/eddy/compress/xz"
	peer "github.com/ulikunitz/xz"
	"github.com/ulikunitz/xz/lzma"
)

const limit = 1 << 16

// peerDecodes is what ulikunitz/xz makes of z, of at most limit bytes.
func peerDecodes(z []byte) ([]byte, error) {
	r, err := peer.ReaderConfig{DictCap: 1 << 16}.NewReader(bytes.NewReader(z))
	if err != nil {
		return nil, err
	}
	p, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && len(p) > limit {
		err = compress.ErrLimit
	}
	return p, err
}

// peerEncodes compresses p as ulikunitz/xz does it with settings drawn from r.
func peerEncodes(t testing.TB, p []byte, r *rand.Rand, check byte) []byte {
	t.Helper()
	lc := r.IntN(5)
	c := peer.WriterConfig{
		Properties: &lzma.Properties{LC: lc, LP: r.IntN(5 - lc), PB: r.IntN(5)},
		DictCap:    4096 << r.IntN(6),
		CheckSum:   check,
		NoCheckSum: check == peer.None,
		Matcher:    lzma.HashTable4, // the other one writes, at times, what no decoder takes
	}
	if r.IntN(3) == 0 {
		c.BlockSize = int64(1 + len(p)/10 + r.IntN(2000)) // a block costs much
	}
	var b bytes.Buffer
	w, err := c.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	for len(p) > 0 {
		n := min(len(p), 1+r.IntN(3000))
		if _, err := w.Write(p[:n]); err != nil {
			t.Fatal(err)
		}
		p = p[n:]
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// some is data that repeats itself and does not, from r.
func some(r *rand.Rand, most int) []byte {
	size := r.IntN(most)
	var b []byte
	for len(b) < size {
		switch r.IntN(4) {
		case 0:
			b = append(b, byte(r.Uint32()))
		case 1:
			for range r.IntN(100) {
				b = append(b, byte(r.IntN(1+r.IntN(256))))
			}
		case 2:
			v := byte(r.Uint32())
			for range r.IntN(400) {
				b = append(b, v)
			}
		default:
			if len(b) > 0 {
				at := r.IntN(len(b))
				b = append(b, b[at:at+r.IntN(len(b)-at)]...)
			}
		}
	}
	return b[:size]
}

var checks = []byte{peer.None, peer.CRC32, peer.CRC64, peer.SHA256}

// both holds the two to each other: the peer writes and we read, and the other
// way round.
func both(t testing.TB, p []byte, seed uint64) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	z := peerEncodes(t, p, r, checks[r.IntN(len(checks))])
	got, err := xz.Codec{}.AppendDecompress(nil, z, len(p))
	if err != nil || !bytes.Equal(got, p) {
		t.Fatalf("seed %d: we read %d of %d bytes, %v", seed, len(got), len(p), err)
	}
	if n, err := (xz.Codec{}).Decompress(got, z); err != nil || n != len(p) || !bytes.Equal(got, p) {
		t.Fatalf("seed %d: we read %d of %d bytes, whose number we know, %v", seed, n, len(p), err)
	}
	if z, err = (xz.Codec{Level: r.IntN(10)}).AppendCompress(nil, p); err != nil {
		t.Fatal(err)
	}
	if got, err := peerDecodes(z); err != nil || !bytes.Equal(got, p) {
		t.Fatalf("seed %d: the peer reads %d of %d bytes, %v", seed, len(got), len(p), err)
	}
}

// damaged holds us to take nothing that the peer refuses where a byte of data
// without a check is another one, and to give the same. The peer does not mind
// chunks that are longer than what is in them.
func damaged(t testing.TB, p []byte, seed uint64, at uint32, v byte) (taken bool) {
	t.Helper()
	z := peerEncodes(t, p, rand.New(rand.NewPCG(seed, 1)), peer.None)
	const head, foot = 12 + 12, 12 + 8 // of the stream and the block; the index
	if len(z) <= head+foot {
		return false
	}
	z[head+int(at)%(len(z)-head-foot)] ^= v
	return agree(t, z)
}

func agree(t testing.TB, z []byte) (taken bool) {
	t.Helper()
	want, perr := peerDecodes(z)
	got, err := xz.Codec{}.AppendDecompress(nil, z, limit)
	switch {
	case err == nil && perr != nil:
		t.Fatalf("%x: taken, the peer: %v", z, perr)
	case err == nil && !bytes.Equal(got, want):
		t.Fatalf("%x: %d bytes, the peer's are other %d", z, len(got), len(want))
	}
	var e *compress.Error
	if err != nil && (!errors.As(err, &e) || perr == nil && !errors.Is(err, compress.ErrCorrupt) && !errors.Is(err, io.ErrUnexpectedEOF)) {
		t.Fatalf("%x: %v, the peer: %v", z, err, perr)
	}
	return err == nil
}

func TestXZ(t *testing.T) {
	for seed := range uint64(300) {
		both(t, some(rand.New(rand.NewPCG(seed, 2)), 20000), seed)
	}
}

func TestXZDamaged(t *testing.T) {
	taken := 0
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 3))
		if damaged(t, some(r, 2000), seed, r.Uint32(), 1<<r.IntN(8)) {
			taken++
		}
	}
	if taken == 0 || taken > 1500 {
		t.Errorf("%d of 3000 are taken", taken)
	}
}

func FuzzXZ(f *testing.F) {
	for seed := range uint64(4) {
		f.Add(some(rand.New(rand.NewPCG(seed, 2)), 2000), seed, uint32(seed*71), byte(1<<seed))
	}
	f.Fuzz(func(t *testing.T, p []byte, seed uint64, at uint32, v byte) {
		if len(p) > limit {
			return
		}
		both(t, p, seed)
		damaged(t, p, seed, at, v)
	})
}
