package rootio

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/eddy-go/eddy/compress/internal/shapes"
)

// fixtureLayout is what expected.json says of a file's records.
type fixtureLayout struct {
	File  string
	Trees []struct {
		Tree     string
		Branches []struct{ Name, Type, SHA256 string }
	}
	Layout struct {
		Size         int64
		SHA256       string
		Header       string
		ByClass      map[string]int `json:"records_by_class"`
		Wide         int            `json:"records_with_64bit_seek"`
		Compressed   int            `json:"compressed_records"`
		Stored       int            `json:"stored_records"`
		ByMagic      map[string]int `json:"blocks_by_magic"`
		MaxBlocks    int            `json:"max_blocks_in_a_record"`
		EmptyBaskets int            `json:"empty_baskets"`
		Objects      int64          `json:"payload_bytes_uncompressed"`
		Baskets      map[string]int `json:"baskets_by_tree_and_branch"`
		Keys         []struct {
			Name, Class   string
			Cycle         int
			Offset        int64
			NBytes        int
			KeyLen        int
			ObjLen        int
			Version       int
			PayloadSHA256 string `json:"payload_sha256"`
		}
	}
}

func fixtureLayouts(t testing.TB) []fixtureLayout {
	t.Helper()
	b, err := os.ReadFile("testdata/expected.json")
	if err != nil {
		t.Fatal(err)
	}
	var all struct{ Files []fixtureLayout }
	if err := json.Unmarshal(b, &all); err != nil || len(all.Files) == 0 {
		t.Fatal(err)
	}
	return all.Files
}

func hash(p []byte) string {
	sum := sha256.Sum256(p)
	return hex.EncodeToString(sum[:])
}

// Every record of every fixture is where and what it is to be, and so are its
// blocks and what they hold: nothing left over, nothing missing.
func TestFixturesByTheirRecords(t *testing.T) {
	seen := map[string]bool{}
	for _, want := range fixtureLayouts(t) {
		seen[filepath.Join("testdata", want.File)] = true
		t.Run(want.File, func(t *testing.T) { testLayout(t, want) })
	}
	files, err := filepath.Glob("testdata/*.root")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !seen[file] {
			t.Errorf("nothing is known of %s", file)
		}
	}
}

func testLayout(t *testing.T, want fixtureLayout) {
	b, err := os.ReadFile(filepath.Join("testdata", want.File))
	if err != nil {
		t.Fatal(err)
	}
	l := want.Layout
	if int64(len(b)) != l.Size || hash(b) != l.SHA256 {
		t.Fatalf("%d bytes, %s", len(b), hash(b))
	}
	f := open(t, b)
	if f.Damage() != nil || f.End() != l.Size || f.Big() != (l.Header != "32-bit") {
		t.Fatalf("%v, %d, %v", f.Damage(), f.End(), f.Big())
	}
	var objects int64
	var compressed, stored, wide, maxBlocks int
	classes, magic, baskets := map[string]int{}, map[string]int{}, map[string]int{}
	values := map[string][]byte{} // of baskets, by tree and branch
	keys := l.Keys
	for r, err := range f.Records() {
		if err != nil || r.Gap > 0 {
			t.Fatal(r.Gap, err)
		}
		large := r.ObjLen > 1<<20 && few() // once is enough there
		if !large {
			if err := r.Verify(); err != nil {
				t.Fatal(err)
			}
		}
		object, err := r.AppendPayload(nil)
		if err != nil || len(object) != r.ObjLen {
			t.Fatal(len(object), err)
		}
		objects += int64(len(object))
		classes[r.Class]++
		if r.Version > bigKey {
			wide++
		}
		payload := b[r.Offset+int64(r.KeyLen):][:r.PayloadLen()]
		blocks := 0
		for block, err := range Blocks(payload, r.ObjLen) {
			if err != nil {
				t.Fatal(err)
			}
			magic[string(payload[block.Offset:][:2])]++
			blocks++
		}
		maxBlocks = max(maxBlocks, blocks)
		if r.Stored() {
			stored++
		} else {
			compressed++
		}
		if a, err := r.Algorithm(); err != nil || (a == Stored) != r.Stored() {
			t.Errorf("%v, %v", a, err)
		}
		// Decompress, without a file, makes the same of it.
		if !large {
			if again, err := unpack(t, payload, r.ObjLen); err != nil || !bytes.Equal(again, object) {
				t.Fatal(err)
			}
		}
		if r.Class == "TBasket" {
			branch := r.Title + "/" + r.Name
			baskets[branch]++
			values[branch] = append(values[branch], object...)
			continue
		}
		if len(keys) == 0 {
			t.Fatalf("%s %q is one more", r.Class, r.Name)
		}
		k := keys[0]
		keys = keys[1:]
		if r.Name != k.Name || r.Class != k.Class || r.Cycle != k.Cycle || r.Offset != k.Offset || r.NBytes != k.NBytes ||
			r.KeyLen != k.KeyLen || r.ObjLen != k.ObjLen || r.Version != k.Version || hash(object) != k.PayloadSHA256 {
			t.Errorf("%+v, want %+v", r.Key, k)
		}
	}
	if len(keys) > 0 || objects != l.Objects || compressed != l.Compressed || stored != l.Stored || wide != l.Wide || maxBlocks != l.MaxBlocks ||
		!maps.Equal(classes, l.ByClass) || !maps.Equal(magic, l.ByMagic) || !maps.Equal(baskets, l.Baskets) {
		t.Errorf("objects %d, compressed %d, stored %d, wide %d, at most %d blocks, %v, %v, %v; %d keys missing; want %+v",
			objects, compressed, stored, wide, maxBlocks, classes, magic, baskets, len(keys), l)
	}
	// The baskets of a branch of scalars are its values, from the high end.
	checked := 0
	for _, tree := range want.Trees {
		for _, branch := range tree.Branches {
			size := map[string]int{"float64": 8, "int64": 8, "float32": 4, "int32": 4, "uint8": 1}[branch.Type]
			if size == 0 {
				continue
			}
			v := values[tree.Tree+"/"+branch.Name]
			for i := 0; i+size <= len(v); i += size {
				for a, z := i, i+size-1; a < z; a, z = a+1, z-1 {
					v[a], v[z] = v[z], v[a]
				}
			}
			checked++
			if hash(v) != branch.SHA256 {
				t.Errorf("%s: other values", branch.Name)
			}
		}
	}
	if len(want.Trees) > 0 && checked == 0 {
		t.Error("no branch was checked")
	}
}

// Whatever is written into a file at random: a walk ends, and every error says
// where.
func TestDamagedFixtures(t *testing.T) {
	rounds := 150
	if few() {
		rounds = 10
	}
	r := shapes.Rand(9)
	for _, name := range []string{"hist.root", "jagged-zlib1.root"} {
		whole, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		if walkAll(t, whole) {
			t.Fatalf("%s has errors", name)
		}
		b := bytes.Clone(whole)
		noticed := 0
		for range rounds {
			copy(b, whole)
			for range 1 + r.IntN(20) {
				b[r.IntN(len(b))] ^= byte(1 << r.IntN(8))
			}
			if at := r.IntN(len(b)); r.IntN(2) == 0 {
				clear(b[at:min(at+r.IntN(5000), len(b))])
			}
			if walkAll(t, b[:len(b)-r.IntN(2)*r.IntN(len(b))]) {
				noticed++
			}
		}
		if noticed < rounds*9/10 {
			t.Errorf("%s: damage of %d in %d shows", name, noticed, rounds)
		}
	}
}

// Records of one file are verified by many goroutines at once.
func TestConcurrentReaders(t *testing.T) {
	b, err := os.ReadFile("testdata/scalars-zlib1.root")
	if err != nil {
		t.Fatal(err)
	}
	f := open(t, b)
	keys := make(chan Key)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for k := range keys {
				if err := k.Verify(); err != nil {
					t.Error(err)
				}
				if _, err := f.Key("drift"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	n := 0
	for r, err := range f.Records() {
		if err != nil {
			t.Error(err)
		}
		keys <- r.Key
		n++
	}
	close(keys)
	wg.Wait()
	if n != 88 {
		t.Errorf("%d records", n)
	}
}
