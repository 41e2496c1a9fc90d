package main

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"fmt"

	"github.com/eddy-go/eddy/compress/rootio"
)

// Trees of our own data: 40000 entries of six scalars, nothing compressed, and
// 5000 entries of int32, []float32 and string in zlib level 1.
var (
	//go:embed testdata/scalars-none.root
	rootScalars []byte
	//go:embed testdata/jagged-zlib1.root
	rootJagged []byte
)

// A rootBasket is where a basket lies in its file.
type rootBasket struct {
	branch                         string
	offset, nbytes, keyLen, objLen int
	dataLen                        int // of the object: what is behind are offsets of entries
}

// rootBaskets lists the baskets of a file in its order.
func rootBaskets(file []byte) ([]rootBasket, error) {
	f, err := rootio.Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return nil, err
	}
	var all []rootBasket
	for r, err := range f.Records() {
		if err != nil {
			return nil, err
		}
		if r.Class != "TBasket" {
			continue
		}
		b := rootBasket{r.Name, int(r.Offset), r.NBytes, r.KeyLen, r.ObjLen, 0}
		// A basket's key ends in fLast, counted from the key's start, and a flag.
		b.dataLen = int(binary.BigEndian.Uint32(file[b.offset+b.keyLen-5:])) - b.keyLen
		all = append(all, b)
	}
	return all, nil
}

// rootPacked returns a file like file, of which nothing may be compressed,
// with its baskets compressed: each stays where it is, with a free gap behind.
// The tree's record is changed to tell their new sizes.
func rootPacked(file []byte, s rootio.Settings) ([]byte, error) {
	baskets, err := rootBaskets(file)
	if err != nil {
		return nil, err
	}
	file = bytes.Clone(file)
	var order []string // branches
	before, after := map[string][]byte{}, map[string][]byte{}
	for _, b := range baskets {
		record := file[b.offset : b.offset+b.nbytes]
		packed := make([]byte, b.objLen)
		n, err := rootio.Compress(packed, record[b.keyLen:], s)
		if err != nil {
			return nil, err
		}
		nbytes := b.keyLen + n
		gap := b.nbytes - nbytes
		if gap < 4 { // no room to say that there is one
			nbytes, gap = b.nbytes, 0
		} else {
			binary.BigEndian.PutUint32(record, uint32(nbytes))
			copy(record[b.keyLen:], packed[:n])
			binary.BigEndian.PutUint32(record[nbytes:], uint32(-gap))
		}
		if before[b.branch] == nil {
			order = append(order, b.branch)
		}
		before[b.branch] = binary.BigEndian.AppendUint32(before[b.branch], uint32(b.nbytes))
		after[b.branch] = binary.BigEndian.AppendUint32(after[b.branch], uint32(nbytes))
	}
	// The table of sizes of a branch follows its name and title: "tick", "tick/I".
	for _, name := range order {
		at := bytes.Index(file, fmt.Appendf(nil, "%c%s%c%s/", len(name), name, len(name)+2, name))
		table := -1
		if at >= 0 {
			table = bytes.Index(file[at:], before[name])
		}
		if table < 0 {
			return nil, fmt.Errorf("no table of the baskets of %s", name)
		}
		copy(file[at+table:], after[name])
	}
	return file, nil
}
