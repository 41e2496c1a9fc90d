package main

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"

	"github.com/eddy-go/eddy/bench/internal/table"
	"github.com/eddy-go/eddy/compress/rootio"
)

func init() { register("root", rootTable) }

// How much a case reads, decompressed: as many copies of the fixture as give it.
const rootBytes = 36 << 20

var rootCases = []struct {
	name     string
	file     *[]byte
	settings rootio.Settings // 0 leaves the file as it is
	branches []string
	open     func(*rootio.File) (rootTree, error)
	main     bool
}{
	{"ReadScalar_none", &rootScalars, 0, rootScalarBranches, openScalars, false},
	{"ReadScalar_lz4", &rootScalars, 401, rootScalarBranches, openScalars, true},
	{"ReadScalar_zlib1", &rootScalars, 101, rootScalarBranches, openScalars, false},
	{"ReadScalar_zlib6", &rootScalars, 106, rootScalarBranches, openScalars, true},
	{"ReadScalar_zlib9", &rootScalars, 109, rootScalarBranches, openScalars, false},
	{"ReadScalar_zstd", &rootScalars, 501, rootScalarBranches, openScalars, true},
	{"ReadScalar_lzma", &rootScalars, 201, rootScalarBranches, openScalars, false},
	{"Jagged_zlib1", &rootJagged, 0, []string{"n", "cells", "label"}, openJagged, true},
}

var rootScalarBranches = []string{"level", "tick", "pulse", "stamp", "mode", "noise"}

func rootTable() (*table.Table, error) {
	t := &table.Table{
		Name:  "root",
		Title: "sum up the columns of trees in ROOT files: six scalars, or int32, []float32 and string; MB/s of what is decompressed",
		Peer:  "floor",
	}
	for _, c := range rootCases {
		set := &rootSet{file: *c.file, settings: c.settings, branches: c.branches, open: c.open, zlib: strings.Contains(c.name, "zlib")}
		// The number of copies depends on the fixture alone.
		baskets, err := rootBaskets(set.file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		for _, b := range baskets {
			set.size += b.objLen
		}
		set.copies = (rootBytes + set.size/2) / set.size
		t.Cases = append(t.Cases, table.Case{Name: c.name, Main: c.main, Slow: c.settings/100 == 2, Bytes: set.copies * set.size, Impls: set.impls()})
	}
	return t, nil
}

// A rootSums is what the columns add up to: of numbers the sum, in float64 and
// the order of entries; of strings the bytes.
type rootSums [6]float64

// A rootSet is the data of a case, made when it runs first: copies of a file,
// each in memory of its own, so that what is read was not just read.
type rootSet struct {
	file     []byte
	settings rootio.Settings
	branches []string
	open     func(*rootio.File) (rootTree, error)
	size     int // of what baskets hold, decompressed
	copies   int
	zlib     bool // is what is compressed

	files   [][]byte
	baskets []rootBasket // of each copy
	want    rootSums     // of each copy
	ratio   float64
	users   int
}

func (s *rootSet) make() error {
	if s.users++; s.users > 1 {
		return nil
	}
	file := s.file
	if s.settings != 0 {
		var err error
		if file, err = rootPacked(file, s.settings); err != nil {
			return err
		}
	}
	var err error
	if s.baskets, err = rootBaskets(file); err != nil {
		return err
	}
	packed := 0
	for _, b := range s.baskets {
		packed += b.nbytes - b.keyLen
	}
	s.ratio = float64(s.size) / float64(packed)
	for range s.copies {
		s.files = append(s.files, bytes.Clone(file))
	}
	// The fixture as it came, read without any of the rows' code but the loop.
	plain, err := rootBaskets(s.file)
	if err == nil {
		s.want, err = (&rootScan{set: s, codec: stdInflate{}}).scan(s.file, plain)
	}
	return err
}

func (s *rootSet) done() {
	if s.users--; s.users == 0 {
		s.files, s.baskets = nil, nil
	}
}

// A rootReader sums up the columns of a copy.
type rootReader interface {
	sums(copy int) (rootSums, error)
}

func (s *rootSet) impls() []table.Impl {
	rows := []struct {
		name, config string
		procs        int
		open         func() (rootReader, error)
	}{
		{"eddy", "1 worker", 1, func() (rootReader, error) { return newEddyRoot(s, 1) }},
		{"eddy_2workers", "2 workers", 2, func() (rootReader, error) { return newEddyRoot(s, 2) }},
	}
	if s.zlib {
		rows = append(rows, rows[0])
		rows[2].name, rows[2].config = "klauspost_inflate", "a loop over baskets, reused reader"
		rows[2].open = func() (rootReader, error) { return &rootScan{set: s, codec: &klauspostInflate{}}, nil }
	}
	rows = append(rows, rows[0])
	last := &rows[len(rows)-1]
	last.name, last.config = "floor", "rootio.Decompress alone: nothing is summed up"
	last.open = func() (rootReader, error) { return &rootFloor{set: s}, nil }

	impls := make([]table.Impl, len(rows))
	for i, row := range rows {
		var reader rootReader
		im := &impls[i]
		im.Name = row.name
		im.Check = func() (err error) {
			if err := s.make(); err != nil {
				return err
			}
			im.Config = fmt.Sprintf("%s; %d copies in memory, ratio %.2f", row.config, s.copies, s.ratio)
			if reader, err = row.open(); err != nil {
				return err
			}
			for i := range s.copies {
				got, err := reader.sums(i)
				if err != nil {
					return err
				}
				if got != s.want && row.name != "floor" {
					return fmt.Errorf("sums %v, want %v", got, s.want)
				}
			}
			return nil
		}
		im.Run = func(n int) {
			// What runs ahead on another processor would be work that is not counted.
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(row.procs))
			for range n {
				for i := range s.copies {
					if _, err := reader.sums(i); err != nil {
						panic(err) // the check went through
					}
				}
			}
		}
		im.Done = func() {
			reader = nil
			s.done()
		}
	}
	return impls
}
