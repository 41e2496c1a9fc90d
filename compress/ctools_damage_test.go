//go:build ctools

package compress_test

import (
	"bytes"
	stdgzip "compress/gzip"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"os/exec"
	"testing"

	"github.com/eddy-go/eddy/compress"
	"github.com/eddy-go/eddy/compress/deflate"
	"github.com/eddy-go/eddy/compress/internal/codectest"
)

// What a tool takes of damaged data, and what it refuses, so do we. Data
// without a checksum are the harder test, so that is what is damaged where the
// format has such.
func TestRandomDamageBesideTools(t *testing.T) {
	const limit = 1 << 20
	without := map[string][]string{"zstd": {"--no-check"}, "xz": {"--check=none"}}
	decode := map[string][]string{"zstd": {"--long=31", "--single-thread"}}
	for _, f := range toolFormats {
		f.randomFiles(t, *toolSeed+2<<20, func(t *testing.T, r *rand.Rand, dir string, data [][]byte) {
			plain, packed := files(dir, "", len(data)), files(dir, f.ext, len(data))
			for i, p := range data {
				p = append(p[:min(len(p), 3000)], 1) // not nothing
				write(t, plain[i], p)
			}
			runTool(t, f.name, []string{"-k", "-q"}, f.many, f.args(r), without[f.name], plain)
			c := f.codec(r)
			taken, refused, lax := 0, 0, 0
			for i := range data {
				z := read(t, packed[i])
				if f.block != nil {
					z = f.block(t, z)
				}
				if z = codectest.Mutate(r, z); f.name == "gzip" && i%2 == 0 {
					// Of damage behind the header only the checksum tells.
					z = gzipSummed(z)
				}
				ours, err := codectest.AppendDecompress(t, c, z, limit)
				whole := z
				if f.frame != nil {
					whole = f.frame(z)
				}
				cmd := exec.Command(f.name, append([]string{"-d", "-c", "-q"}, decode[f.name]...)...)
				cmd.Stdin = bytes.NewReader(whole)
				theirs, terr := cmd.Output()
				var exit *exec.ExitError
				switch {
				case terr != nil && !errors.As(terr, &exit):
					t.Fatal(terr)
				case err != nil && (terr == nil || exit.ExitCode() == 2) && laxer(f.name, z, err, len(theirs) > limit),
					err == nil && terr != nil && f.name == "lz4" && lz4Lax(z):
					lax++
				case terr == nil && err == nil:
					if taken++; !bytes.Equal(ours, theirs) {
						t.Errorf("%x: %d bytes, the tool gives other %d", z, len(ours), len(theirs))
					}
				case terr != nil && err != nil:
					refused++
				default:
					t.Errorf("%x: %v, the tool: %v", z, err, terr)
				}
			}
			t.Logf("both take %d and refuse %d; %d are where the tool is known to differ", taken, refused, lax)
		})
	}
}

// laxer reports whether a tool is known to take z, which is not of the format,
// but for what err says.
func laxer(tool string, z []byte, err error, large bool) bool {
	switch {
	case errors.Is(err, compress.ErrLimit):
		return large
	case tool == "gzip" && errors.Is(err, compress.ErrTrailing):
		return true // a warning, and of zeroes not even that
	case tool == "gzip":
		// It takes matches that begin before the data, of zeroes.
		r, stdErr := stdgzip.NewReader(bytes.NewReader(z))
		if stdErr == nil {
			_, stdErr = io.Copy(io.Discard, r)
		}
		return stdErr != nil && errors.Is(err, compress.ErrCorrupt)
	case tool == "zstd":
		// Its decoder does not see all bit streams that end too late or too
		// early, up to version 1.5.5 at least.
		return errors.Is(err, compress.ErrCorrupt)
	}
	return tool == "lz4" && lz4Lax(z)
}

// lz4Lax reports whether a block is one on which lz4's decoder is known to
// differ from the format's description and from ours: it takes an offset of
// zero, which gives whatever the memory held, and refuses a match behind which
// there are fewer than five literals, a rule that is one for encoders.
func lz4Lax(z []byte) bool {
	for i := 0; i < len(z); {
		token := z[i]
		i++
		field := func(n int) int {
			if n == 15 {
				for more := true; more && i < len(z); i++ {
					n += int(z[i])
					more = z[i] == 255
				}
			}
			return n
		}
		i += field(int(token >> 4))
		if i >= len(z) {
			return false
		}
		if len(z)-i < 2+1+5 || z[i] == 0 && z[i+1] == 0 {
			return true
		}
		i += 2
		field(int(token & 15))
	}
	return false
}

// gzipSummed gives a member, whose header is plain, the checksum and the size
// of what it decodes to, if it does.
func gzipSummed(z []byte) []byte {
	const trailer = 8
	plain := bytes.HasPrefix(z, []byte{0x1f, 0x8b, 8, 0}) // no fields
	if !plain || len(z) < 10+trailer {
		return z
	}
	out, err := deflate.Codec{}.AppendDecompress(nil, z[10:len(z)-trailer], 1<<20)
	if err != nil {
		return z
	}
	z = bytes.Clone(z)
	binary.LittleEndian.PutUint32(z[len(z)-trailer:], crc32.ChecksumIEEE(out))
	binary.LittleEndian.PutUint32(z[len(z)-4:], uint32(len(out)))
	return z
}
