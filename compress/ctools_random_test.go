//go:build ctools

package compress_test

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/eddy-go/eddy/compress"
	"github.com/eddy-go/eddy/compress/gzip"
	"github.com/eddy-go/eddy/compress/internal/codectest"
	"github.com/eddy-go/eddy/compress/internal/shapes"
	"github.com/eddy-go/eddy/compress/lz4"
	"github.com/eddy-go/eddy/compress/xz"
	"github.com/eddy-go/eddy/compress/zstd"
)

// Random data between the codecs and the tools, both ways: many files for
// each start of a tool. go test -tags ctools -run Random -toolseed 7 -toolrounds 50
// looks at other ones, and longer.
var (
	toolSeed   = flag.Uint64("toolseed", 1, "where the random files for the tools begin")
	toolRounds = flag.Int("toolrounds", 2, "how often they are made")
)

const toolFiles = 300 // for one start of a tool

// A toolFormat is a tool beside the codec of its format.
type toolFormat struct {
	name, ext string
	most      int // bytes of a file, mostly less
	codec     func(r *rand.Rand) compress.Codec
	args      func(r *rand.Rand) []string // to compress with
	many      []string                    // to take many files
	frame     func([]byte) []byte
	block     func(*testing.T, []byte) []byte
	stream    func(z []byte) io.Reader
}

func oneOf(r *rand.Rand, of ...string) string { return of[r.IntN(len(of))] }

var toolFormats = []toolFormat{
	{
		name: "gzip", ext: ".gz", most: 200000,
		codec: func(r *rand.Rand) compress.Codec { return gzip.Codec{Level: r.IntN(12) - 2} },
		args: func(r *rand.Rand) []string {
			return []string{fmt.Sprintf("-%d", 1+r.IntN(9)), oneOf(r, "-n", "-N", "--rsyncable")}
		},
		stream: func(z []byte) io.Reader { return gzip.NewReader(bytes.NewReader(z)) },
	},
	{
		name: "zstd", ext: ".zst", most: 400000,
		codec: func(r *rand.Rand) compress.Codec { return zstd.Codec{Level: 1 + r.IntN(22)} },
		args: func(r *rand.Rand) []string {
			args := []string{fmt.Sprintf("-%d", 1+r.IntN(19)), oneOf(r, "--check", "--no-check")}
			switch r.IntN(5) {
			case 0:
				args = []string{fmt.Sprintf("--fast=%d", 1+r.IntN(20))}
			case 1:
				args = append(args, "--ultra", fmt.Sprintf("--zstd=wlog=%d,clog=%d,hlog=%d,slog=%d,mml=%d,strat=%d",
					10+r.IntN(14), 6+r.IntN(12), 6+r.IntN(12), 1+r.IntN(5), 3+r.IntN(5), 1+r.IntN(9)))
			case 2:
				args = append(args, fmt.Sprintf("--long=%d", 10+r.IntN(15)))
			}
			return append(args, oneOf(r, "--content-size", "--no-content-size"), oneOf(r, "--compress-literals", "--no-compress-literals"))
		},
		stream: func(z []byte) io.Reader { return zstd.NewReader(bytes.NewReader(z)) },
	},
	{
		name: "lz4", ext: ".lz4", most: 200000, many: []string{"-m"},
		codec: func(r *rand.Rand) compress.Codec { return lz4.Codec{Level: r.IntN(10)} },
		args:  func(r *rand.Rand) []string { return []string{"-l", fmt.Sprintf("-%d", 1+r.IntN(12))} },
		frame: lz4Legacy,
		block: lz4FromLegacy,
	},
	{
		name: "xz", ext: ".xz", most: 60000,
		codec: func(r *rand.Rand) compress.Codec { return xz.Codec{Level: r.IntN(10)} },
		args: func(r *rand.Rand) []string {
			args := []string{"--check=" + oneOf(r, "none", "crc32", "crc64", "sha256")}
			if r.IntN(2) == 0 {
				args = append(args, "-T1", fmt.Sprintf("--block-size=%d", 1000+r.IntN(50000)))
			}
			if r.IntN(3) == 0 {
				return append(args, fmt.Sprintf("-%d", r.IntN(7)))
			}
			for range r.IntN(3) {
				switch r.IntN(3) {
				case 0:
					args = append(args, fmt.Sprintf("--x86=start=%d", r.IntN(1<<20)))
				case 1:
					args = append(args, "--x86")
				default:
					args = append(args, fmt.Sprintf("--delta=dist=%d", 1+r.IntN(256)))
				}
			}
			lc := r.IntN(5)
			mf, nice := oneOf(r, "hc3", "hc4", "bt2", "bt3", "bt4"), 4+r.IntN(270)
			return append(args, fmt.Sprintf("--lzma2=lc=%d,lp=%d,pb=%d,dict=%d,mode=%s,mf=%s,nice=%d,depth=%d", lc, r.IntN(5-lc), r.IntN(5),
				4096+r.IntN(100000), oneOf(r, "fast", "normal"), mf, nice, r.IntN(40)))
		},
	},
}

// randomData is data of a random shape and size, or pieces of several.
func randomData(r *rand.Rand, most int) []byte {
	size := r.IntN(3000)
	switch r.IntN(10) {
	case 0:
		size = r.IntN(4)
	case 1, 2:
		size = r.IntN(most / 10)
	case 3:
		size = r.IntN(most)
	}
	var b []byte
	for len(b) < size {
		sh := shapes.All[r.IntN(len(shapes.All))]
		n := size - len(b)
		if r.IntN(3) == 0 {
			n = 1 + r.IntN(n)
		}
		if b = append(b, sh.Gen(r, n)...); r.IntN(2) == 0 {
			at := r.IntN(len(b)) // seen before, at some distance
			b = append(b, b[at:at+r.IntN(len(b)-at)]...)
		}
	}
	return b[:size]
}

func (f *toolFormat) randomFiles(t *testing.T, seed uint64, run func(t *testing.T, r *rand.Rand, dir string, data [][]byte)) {
	t.Helper()
	for round := range *toolRounds {
		seed := seed + uint64(round)
		t.Run(fmt.Sprintf("%s/%d", f.name, seed), func(t *testing.T) {
			r := shapes.Rand(seed)
			data := make([][]byte, toolFiles)
			for i := range data {
				data[i] = randomData(r, f.most)
			}
			run(t, r, t.TempDir(), data)
		})
	}
}

// files names the files of a directory as tools make them.
func files(dir, ext string, n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = filepath.Join(dir, fmt.Sprint(i, ext))
	}
	return names
}

func write(t *testing.T, name string, p []byte) {
	t.Helper()
	if err := os.WriteFile(name, p, 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	p, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// runTool runs a tool on files.
func runTool(t *testing.T, name string, args ...[]string) {
	t.Helper()
	var all []string
	for _, a := range args {
		all = append(all, a...)
	}
	if out, err := exec.Command(name, all...).CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v: %s", name, all[:min(len(all), 12)], err, out)
	}
}

func TestRandomToolsReadOurs(t *testing.T) {
	for _, f := range toolFormats {
		f.randomFiles(t, *toolSeed, func(t *testing.T, r *rand.Rand, dir string, data [][]byte) {
			plain, packed := files(dir, "", len(data)), files(dir, f.ext, len(data))
			by := make([]compress.Codec, len(data))
			for i, p := range data {
				by[i] = f.codec(r)
				z, err := by[i].AppendCompress(nil, p)
				if err != nil {
					t.Fatal(err)
				}
				if f.frame != nil {
					z = f.frame(z)
				}
				write(t, packed[i], z)
			}
			runTool(t, f.name, []string{"-d", "-k", "-f", "-q"}, f.many, packed)
			for i, p := range data {
				if !bytes.Equal(read(t, plain[i]), p) {
					t.Errorf("file %d of %d bytes by %T%+v differs", i, len(p), by[i], by[i])
				}
			}
		})
	}
}

func TestRandomWeReadTheTools(t *testing.T) {
	const starts = 5 // with other arguments each
	for _, f := range toolFormats {
		f.randomFiles(t, *toolSeed+1<<20, func(t *testing.T, r *rand.Rand, dir string, data [][]byte) {
			plain, packed := files(dir, "", len(data)), files(dir, f.ext, len(data))
			for i := range data {
				if f.name == "lz4" && len(data[i]) == 0 {
					data[i] = []byte{1} // the tool's legacy frame of nothing has no block
				}
				write(t, plain[i], data[i])
			}
			args := make([][]string, starts)
			for k := range args {
				args[k] = f.args(r)
				from, to := k*len(data)/starts, (k+1)*len(data)/starts
				runTool(t, f.name, []string{"-k", "-q"}, f.many, args[k], plain[from:to])
			}
			for i, p := range data {
				what := fmt.Sprintf("file %d of %d bytes by %v", i, len(p), args[i*starts/len(data)])
				z := read(t, packed[i])
				if f.block != nil {
					z = f.block(t, z)
				}
				c := f.codec(r)
				if got, err := codectest.Decompress(t, c, z, len(p)); err != nil || !bytes.Equal(got, p) {
					t.Errorf("%s: %v", what, err)
				}
				if got, err := codectest.AppendDecompress(t, c, z, len(p)+r.IntN(2)*1000); err != nil || !bytes.Equal(got, p) {
					t.Errorf("%s, size unknown: %v", what, err)
				}
				if f.stream != nil {
					if got, err := codectest.ReadAll(t, f.stream(z)); err != nil || !bytes.Equal(got, p) {
						t.Errorf("%s, as a stream: %v", what, err)
					}
				}
			}
		})
	}
}
