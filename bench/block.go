package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/eddy-go/eddy/bench/internal/table"
)

func init() { register("block", blockTable) }

// A blockWorker is one goroutine's state of one implementation.
type blockWorker interface {
	// compress returns src compressed, in memory of the worker.
	compress(src []byte) ([]byte, error)
	// decompress returns src decompressed, which gives size bytes, in memory
	// of the worker.
	decompress(src []byte, size int) ([]byte, error)
}

// A blockRow is one implementation of a format.
type blockRow struct {
	name, config string
	open         func(level int) blockWorker
}

// blockFormats are the codecs of the table and who implements them. The first
// row of each is eddy's.
var blockFormats = []struct {
	name   string // of cases
	format string
	level  int
	main   bool
}{
	{"zlib1", "zlib", 1, false},
	{"zlib6", "zlib", 6, true},
	{"zlib9", "zlib", 9, false},
	{"lz4_1", "lz4", 1, true},
	{"lz4_9", "lz4", 9, false},
	{"zstd1", "zstd", 1, true},
	{"zstd3", "zstd", 3, false},
	{"xz", "xz", 6, false},
}

var blockSizes = []struct {
	name string
	n    int
}{{"4K", 4 << 10}, {"32K", 32 << 10}, {"1M", 1 << 20}}

func blockTable() (*table.Table, error) {
	t := &table.Table{
		Name:  "block",
		Title: "compress or decompress one block, of float64 columns or of mixed bytes; MB/s of the block's size",
		Peer:  "reused",
	}
	for _, f := range blockFormats {
		for _, size := range blockSizes {
			for _, data := range []struct {
				suffix string
				gen    func(*rand.Rand, int) []byte
			}{{"", blockColumns}, {"_mixed", blockMixed}} {
				set := &blockSet{format: f.format, level: f.level, size: size.n, gen: data.gen}
				for _, op := range []string{"compress", "decompress"} {
					name := f.name + "_" + size.name + "_" + op + data.suffix
					main := f.main && size.name == "32K" && data.suffix == ""
					t.Cases = append(t.Cases,
						table.Case{Name: name, Main: main && (f.format == "zlib" || op == "decompress"), Slow: size.name == "1M", Bytes: size.n, Impls: set.impls(op, blockLoop)},
						table.Case{Name: name + "_parallel", Slow: size.name != "4K", Bytes: size.n, Parallel: true, Impls: set.impls(op, blockLoop)})
					if f.format != "xz" && data.suffix == "" && size.name != "1M" {
						t.Cases = append(t.Cases,
							table.Case{Name: name + "_heap", Main: main && f.format == "zlib" && op == "decompress", Slow: true, Bytes: size.n, Impls: set.impls(op, blockHeap)},
							table.Case{Name: name + "_heap_p99", Slow: true, Impls: set.impls(op, blockHeapP99)})
					}
				}
			}
		}
	}
	return t, nil
}

// blockSet is the data of a group of cases, made when the first of them runs:
// several blocks, so that branch predictors do not learn one by heart.
type blockSet struct {
	format string
	level  int
	size   int
	gen    func(*rand.Rand, int) []byte

	plain  [][]byte
	packed [][]byte
}

func (s *blockSet) make() error {
	if s.plain != nil {
		return nil
	}
	n := max(1, min(16, (256<<10)/s.size))
	r := rand.New(rand.NewPCG(20261130, uint64(s.size)))
	pack := blockPackers[s.format](s.level)
	for range n {
		p := s.gen(r, s.size)
		z, err := pack.compress(p)
		if err != nil {
			return err
		}
		s.plain = append(s.plain, p)
		s.packed = append(s.packed, bytes.Clone(z))
	}
	return nil
}

// ratio says how much smaller a worker makes the blocks.
func (s *blockSet) ratio(w blockWorker) float64 {
	in, out := 0, 0
	for _, p := range s.plain {
		z, err := w.compress(p)
		if err != nil {
			return math.NaN()
		}
		in, out = in+len(p), out+len(z)
	}
	return float64(in) / float64(out)
}

type blockMode int

const (
	blockLoop    blockMode = iota
	blockHeap              // two goroutines beside a large live heap, for long enough that collections are paid for
	blockHeapP99           // the same, the 99th percentile of single blocks
)

func (s *blockSet) impls(op string, mode blockMode) []table.Impl {
	impls := make([]table.Impl, len(blockRows[s.format]))
	for k, row := range blockRows[s.format] {
		pool := &blockPool{open: func() blockWorker { return row.open(s.level) }}
		one := func(w blockWorker, i int) error {
			i %= len(s.plain)
			if op == "compress" {
				_, err := w.compress(s.plain[i])
				return err
			}
			_, err := w.decompress(s.packed[i], s.size)
			return err
		}
		im := &impls[k]
		im.Name, im.Config = row.name, row.config
		im.Check = func() error {
			if mode != blockLoop {
				blockBallast.hold()
			}
			if err := s.make(); err != nil {
				return err
			}
			if op == "compress" {
				im.Config = strings.TrimSpace(fmt.Sprintf("%s ratio %.2f", row.config, s.ratio(row.open(s.level))))
			}
			return s.check(op, row.open(s.level))
		}
		im.Done = func() {
			pool.free = nil
			if mode != blockLoop {
				blockBallast.release()
			}
		}
		switch mode {
		case blockHeap:
			im.Sample = func() float64 {
				n, took, _ := blockTwo(pool, one)
				return float64(took) / float64(n)
			}
		case blockHeapP99:
			im.Sample = func() float64 {
				n, _, all := blockTwo(pool, one)
				return all[n*99/100]
			}
		default:
			im.Run = func(n int) {
				w := pool.get()
				for i := range n {
					if err := one(w, i); err != nil {
						panic(err) // the check went through
					}
				}
				pool.put(w)
			}
		}
	}
	return impls
}

// check: what a row makes is what another implementation reads, and the
// other way round.
func (s *blockSet) check(op string, w blockWorker) error {
	judge := blockJudges[s.format](s.level)
	for i, p := range s.plain {
		var got []byte
		var err error
		if op == "compress" {
			var z []byte
			if z, err = w.compress(p); err == nil {
				got, err = judge.decompress(z, s.size)
			}
		} else {
			got, err = w.decompress(s.packed[i], s.size)
		}
		if err != nil {
			return err
		}
		if !bytes.Equal(got, p) {
			return fmt.Errorf("block %d differs", i)
		}
	}
	return nil
}

// blockPool keeps workers from batch to batch, also across the collections
// between them: what a row costs to set up is not what is measured.
type blockPool struct {
	open func() blockWorker
	mu   sync.Mutex
	free []blockWorker
}

func (p *blockPool) get() blockWorker {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.free); n > 0 {
		w := p.free[n-1]
		p.free = p.free[:n-1]
		return w
	}
	return p.open()
}

func (p *blockPool) put(w blockWorker) {
	p.mu.Lock()
	p.free = append(p.free, w)
	p.mu.Unlock()
}

// blockTwo runs two goroutines for a while and returns how many blocks they
// did, the time they took and, in order, what each block took, in ns.
func blockTwo(pool *blockPool, one func(blockWorker, int) error) (int, time.Duration, []float64) {
	const workers, length = 2, 250 * time.Millisecond
	runtime.GC()
	var mu sync.Mutex
	var all []float64
	var wg sync.WaitGroup
	begin := time.Now()
	for range workers {
		wg.Go(func() {
			w := pool.get()
			defer pool.put(w)
			took := make([]float64, 0, 1<<16)
			for i, start := 0, begin; start.Sub(begin) < length; i++ {
				if err := one(w, i); err != nil {
					panic(err) // the check went through
				}
				end := time.Now()
				took = append(took, float64(end.Sub(start)))
				start = end
			}
			mu.Lock()
			all = append(all, took...)
			mu.Unlock()
		})
	}
	wg.Wait()
	took := time.Since(begin)
	slices.Sort(all)
	return len(all), took, all
}

// ballast is 200 MB of live memory full of pointers, as a service's caches
// are. It exists while a case that needs it runs.
type ballast struct {
	users int
	nodes []*ballastNode
}

type ballastNode struct {
	next [3]*ballastNode
	v    uint64
}

var blockBallast ballast

func (b *ballast) hold() {
	if b.users++; b.users > 1 {
		return
	}
	const n = 200 << 20 / 40 // 32 bytes a node and 8 of nodes itself
	r := rand.New(rand.NewPCG(1, 1))
	b.nodes = make([]*ballastNode, n)
	for i := range b.nodes {
		b.nodes[i] = &ballastNode{v: uint64(i)}
	}
	for _, node := range b.nodes {
		for k := range node.next {
			node.next[k] = b.nodes[r.IntN(n)]
		}
	}
}

func (b *ballast) release() {
	if b.users--; b.users == 0 {
		b.nodes = nil
		runtime.GC()
	}
}

// blockColumns is a random walk of float64, as a column of measurements.
func blockColumns(r *rand.Rand, n int) []byte {
	b := make([]byte, 0, n+8)
	for v := 0.0; len(b) < n; {
		v += r.NormFloat64()
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(math.Round(v*1024)/1024))
	}
	return b[:n]
}

// blockMixed is bytes of ten values in no order: a code alone more than halves
// them, and there is hardly a match.
func blockMixed(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.IntN(10))
	}
	return b
}
