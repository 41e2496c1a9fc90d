//go:build ctools

package rootio

import (
	"bytes"
	"encoding/binary"
	"os/exec"
	"testing"

	"github.com/eddy-go/eddy/compress/internal/shapes"
)

// The tests of this file need the tools pigz (for zlib's), xz, lz4 and zstd, as
// Debian has them, and so a build tag: go test -tags ctools.

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

// lz4Frame is the start of the lz4 tool's legacy frame: the size of a block
// and the block follow.
var lz4Frame = []byte{0x02, 0x21, 0x4c, 0x18}

// theirs decompresses a block's data by the tool.
func theirs(t *testing.T, a Algorithm, data []byte) []byte {
	t.Helper()
	switch a {
	case ZLIB:
		return tool(t, data, "pigz", "-dzc")
	case LZMA:
		return tool(t, data, "xz", "-dc")
	case ZSTD:
		return tool(t, data, "zstd", "-dc")
	}
	data = data[hashSize:]
	frame := binary.LittleEndian.AppendUint32(bytes.Clone(lz4Frame), uint32(len(data)))
	return tool(t, append(frame, data...), "lz4", "-dc")
}

func TestToolsReadOurBlocks(t *testing.T) {
	for i, sh := range shapes.All {
		for _, n := range []int{100, 3000, 150000} {
			src := sh.Gen(shapes.Rand(uint64(i)), n)
			for _, a := range algorithms {
				for _, level := range []int{1, 4, 6, 9} {
					if n > 3000 && level > 4 && a == LZMA {
						continue
					}
					z := pack(t, src, NewSettings(a, level))
					if len(z) == n {
						continue
					}
					var got []byte
					for b, err := range Blocks(z, n) {
						if err != nil || b.Algorithm != a {
							t.Fatal(b, err)
						}
						got = append(got, theirs(t, a, z[b.Offset+headerSize:b.Offset+b.Len])...)
					}
					if !bytes.Equal(got, src) {
						t.Fatalf("%s of %d bytes by %v level %d differs", sh.Name, n, a, level)
					}
				}
			}
		}
	}
}

// A payload of more than one block, as the tools see it. The lz4 tool's blocks
// end at 8 MiB.
func TestToolsReadOurBlocksOf16MiB(t *testing.T) {
	src := make([]byte, MaxBlock+1000000)
	for i := range src {
		src[i] = byte(i >> 10 * i >> 3)
	}
	for _, s := range []Settings{101, 501} {
		z := pack(t, src, s)
		var got []byte
		blocks := 0
		for b, err := range Blocks(z, len(src)) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, theirs(t, s.Algorithm(), z[b.Offset+headerSize:b.Offset+b.Len])...)
			blocks++
		}
		if blocks != 2 || !bytes.Equal(got, src) {
			t.Fatalf("%v: %d blocks, %d bytes", s, blocks, len(got))
		}
	}
}

func TestWeReadTheToolsBlocks(t *testing.T) {
	for i, sh := range shapes.All {
		for _, n := range []int{100, 3000, 150000} {
			src := sh.Gen(shapes.Rand(uint64(i)), n)
			for _, c := range []struct {
				a    Algorithm
				name string
				args []string
			}{
				{ZLIB, "pigz", []string{"-zc", "-1", "-p1"}}, {ZLIB, "pigz", []string{"-zc", "-6", "-p1"}}, {ZLIB, "pigz", []string{"-zc", "-9", "-p1"}},
				// as ROOT writes them: with a CRC-32, and without any checksum
				{LZMA, "xz", []string{"-c", "-1", "--check=crc32"}}, {LZMA, "xz", []string{"-c", "-9", "--check=crc32"}},
				{ZSTD, "zstd", []string{"-c", "-2", "--no-check"}}, {ZSTD, "zstd", []string{"-c", "-10", "--no-check"}}, {ZSTD, "zstd", []string{"-c", "-18", "--no-check"}},
				{LZ4, "lz4", []string{"-lc", "-1"}}, {LZ4, "lz4", []string{"-lc", "-4"}}, {LZ4, "lz4", []string{"-lc", "-9"}},
			} {
				data := tool(t, src, c.name, c.args...)
				if c.a == LZ4 {
					data = data[len(lz4Frame)+4:]
				}
				block := rawBlock(c.a, data, n)
				// Beside a block that makes it a compressed record in any case.
				zeros := make([]byte, 2*n+1000)
				z := append(block, blockOf(t, zeros, 101)...)
				got, err := unpack(t, z, n+len(zeros))
				if err != nil || !bytes.Equal(got[:n], src) {
					t.Fatalf("%s of %d bytes by %s %v: %v", sh.Name, n, c.name, c.args, err)
				}
			}
		}
	}
}
