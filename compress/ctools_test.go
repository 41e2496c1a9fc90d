//go:build ctools

package compress_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os/exec"
	"testing"

	"github.com/eddy-go/eddy/compress"
	"github.com/eddy-go/eddy/compress/gzip"
	"github.com/eddy-go/eddy/compress/internal/codectest"
	"github.com/eddy-go/eddy/compress/internal/shapes"
	"github.com/eddy-go/eddy/compress/lz4"
	"github.com/eddy-go/eddy/compress/xz"
	"github.com/eddy-go/eddy/compress/zstd"
)

// The tests of this file need the tools gzip, zstd, lz4 and xz, as Debian has
// them, and so a build tag: go test -tags ctools.

// tool runs a filter.
func tool(t *testing.T, in []byte, name string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Stdin = bytes.NewReader(in)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s %v: %v: %s", name, args, err, said.Bytes())
	}
	return out.Bytes()
}

// lz4Legacy puts a block into the tool's legacy frame, which has no checksum:
// magic number, and size and block. Blocks are of at most 8 MiB.
func lz4Legacy(block []byte) []byte {
	z := binary.LittleEndian.AppendUint32(nil, 0x184c2102)
	z = binary.LittleEndian.AppendUint32(z, uint32(len(block)))
	return append(z, block...)
}

// lz4FromLegacy takes the one block out of such a frame.
func lz4FromLegacy(t *testing.T, z []byte) []byte {
	t.Helper()
	if len(z) < 8 || int(binary.LittleEndian.Uint32(z[4:])) != len(z)-8 {
		t.Fatalf("not one legacy block: %d bytes", len(z))
	}
	return z[8:]
}

func TestToolsReadOurs(t *testing.T) {
	same := func(z []byte) []byte { return z }
	for _, c := range []struct {
		name   string
		args   []string
		frame  func([]byte) []byte
		codecs []compress.Codec
	}{
		{"gzip", []string{"-dc"}, same, []compress.Codec{gzip.Codec{Level: gzip.Stored}, gzip.Codec{Level: gzip.HuffmanOnly}, gzip.Codec{Level: 1}, gzip.Codec{}, gzip.Codec{Level: 9}}},
		{"zstd", []string{"-dc"}, same, []compress.Codec{zstd.Codec{Level: 1}, zstd.Codec{}, zstd.Codec{Level: 6}, zstd.Codec{Level: 19}}},
		{"lz4", []string{"-dc"}, lz4Legacy, []compress.Codec{lz4.Codec{}, lz4.Codec{Level: 3}, lz4.Codec{Level: 9}}},
		{"xz", []string{"-dc"}, same, []compress.Codec{xz.Codec{Level: 1}, xz.Codec{Level: 3}, xz.Codec{}, xz.Codec{Level: 9}}},
	} {
		for i, sh := range shapes.All {
			for _, n := range []int{0, 1, 1000, 200000} {
				want := sh.Gen(shapes.Rand(uint64(i)), n)
				for _, codec := range c.codecs {
					z, err := codec.AppendCompress(nil, want)
					if err != nil {
						t.Fatal(err)
					}
					if got := tool(t, c.frame(z), c.name, c.args...); !bytes.Equal(got, want) {
						t.Fatalf("%s of %s %d by %T%+v differs", c.name, sh.Name, n, codec, codec)
					}
				}
			}
		}
	}
}

func TestWeReadTheTools(t *testing.T) {
	same := func(_ *testing.T, z []byte) []byte { return z }
	r := shapes.Rand(3)
	// Bytes that look like x86 code to the filter: opcodes and near operands.
	code := make([]byte, 50000)
	for i := range code {
		switch r.IntN(4) {
		case 0:
			code[i] = 0xe8 + byte(r.IntN(2))
		case 1:
			code[i] = -byte(r.IntN(2))
		default:
			code[i] = byte(r.Uint32())
		}
	}
	for _, c := range []struct {
		name  string
		args  [][]string
		codec compress.Codec
		block func(*testing.T, []byte) []byte
		read  func(io.Reader) io.Reader
	}{
		{"gzip", [][]string{{"-1"}, {"-6"}, {"-9"}}, gzip.Codec{}, same,
			func(r io.Reader) io.Reader { return gzip.NewReader(r) }},
		{"zstd", [][]string{{"-1"}, {"-3"}, {"-19"}, {"--no-check"}, {"--fast=5"}, {"--single-thread", "--no-content-size"}, {"-1", "--long=27"}}, zstd.Codec{}, same,
			func(r io.Reader) io.Reader { return zstd.NewReader(r) }},
		{"lz4", [][]string{{"-l", "-1"}, {"-l", "-9"}}, lz4.Codec{}, lz4FromLegacy, nil},
		{"xz", [][]string{{"-0"}, {"-6"}, {"-9e"}, {"--check=none"}, {"--check=crc32"}, {"--check=sha256"},
			{"-T2", "--block-size=10000"}, {"-T1", "--block-size=3000"},
			{"--delta=dist=1", "--lzma2"}, {"--delta=dist=8", "--lzma2=preset=1"}, {"--delta=dist=256", "--lzma2"},
			{"--x86", "--lzma2"}, {"--x86=start=4096", "--delta=dist=3", "--lzma2=lc=0,lp=4,pb=0"}, {"--lzma2=lc=4,lp=0,pb=4"},
			{"--lzma2=mode=fast,mf=hc3,dict=4096"}}, xz.Codec{}, same, nil},
	} {
		for i, sh := range append(shapes.All, shapes.Shape{Name: "code"}) {
			for _, n := range []int{0, 1, 1000, 70000} {
				var want []byte
				if sh.Gen != nil {
					want = sh.Gen(shapes.Rand(uint64(i)), n)
				} else {
					want = code[:min(n, len(code))]
				}
				if c.name == "lz4" && n == 0 {
					continue // the tool's legacy frame of nothing has no block
				}
				for _, args := range c.args {
					what := fmt.Sprintf("%s %v of %s %d", c.name, args, sh.Name, n)
					z := c.block(t, tool(t, want, c.name, append([]string{"-c"}, args...)...))
					if got, err := codectest.Decompress(t, c.codec, z, len(want)); err != nil || !bytes.Equal(got, want) {
						t.Fatalf("%s: %v", what, err)
					}
					out, err := codectest.AppendDecompress(t, c.codec, z, len(want))
					if err != nil || !bytes.Equal(out, want) {
						t.Fatalf("%s, size unknown: %v", what, err)
					}
					if c.read != nil && args[len(args)-1] != "--long=27" {
						got, err := codectest.ReadAll(t, c.read(bytes.NewReader(z)))
						if err != nil || !bytes.Equal(got, want) {
							t.Fatalf("%s, as a stream: %v", what, err)
						}
					}
				}
			}
		}
	}
}
