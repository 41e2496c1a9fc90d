package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/eddy-go/eddy/compress/rootio"
)

// verified splits what verify --json prints.
func verified(t *testing.T, stdout string) (faults []fault, sums []summary) {
	t.Helper()
	var f, s string
	for line := range strings.Lines(stdout) {
		if strings.HasPrefix(line, `{"kind":"fault"`) {
			f += line
		} else {
			s += line
		}
	}
	return lines[fault](t, f), lines[summary](t, s)
}

func TestVerifyCountsWhatTheGeneratorWrote(t *testing.T) {
	args := []string{"verify", "--json"}
	for _, file := range expectations().Files {
		args = append(args, fixture(file.File))
	}
	faults, sums := verified(t, succeed(t, args...))
	if len(faults) != 0 || len(sums) != len(expectations().Files) {
		t.Fatalf("faults %v, %d files", faults, len(sums))
	}
	for i, want := range expectations().Files {
		got := sums[i]
		if !maps.Equal(got.Classes, want.Layout.Records) || got.Size != want.Layout.Size || got.Bytes != want.Layout.Payload {
			t.Errorf("%s: %+v, want %+v", want.File, got, want.Layout)
		}
		n := 0
		for _, k := range want.Layout.Records {
			n += k
		}
		if got.Records != n {
			t.Errorf("%s: %d records, want %d", want.File, got.Records, n)
		}
	}
	if text := succeed(t, "verify", "-q", fixture("hist.root")); text != "" {
		t.Errorf("-q prints %q", text)
	}
	if text := succeed(t, "verify", fixture("hist.root")); !strings.Contains(text, "hist.root: ok; 13 records are whole (3 TDirectory, 2 TFile, ") {
		t.Errorf("printed %q", text)
	}
}

// baskets lists the baskets of a file.
func baskets(t *testing.T, data []byte) []rootio.Record {
	t.Helper()
	f, err := rootio.Open(strings.NewReader(string(data)), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var all []rootio.Record
	for r, err := range f.Records() {
		if err != nil {
			t.Fatal(err)
		}
		if r.Class == "TBasket" {
			all = append(all, r)
		}
	}
	return all
}

func TestVerifyNamesWhatIsDamaged(t *testing.T) {
	for _, name := range []string{"scalars-lz4.root", "scalars-zlib6.root", "scalars-lzma.root"} {
		data := load(t, name)
		all := baskets(t, data)
		all = slices.DeleteFunc(all, func(r rootio.Record) bool { return r.Stored() })
		var want []int64
		for _, i := range []int{0, 7, len(all) - 1} {
			want = append(want, all[i].Offset)
			data[all[i].Offset+int64(all[i].KeyLen)+int64(all[i].PayloadLen())/2] ^= 1
		}
		for _, jobs := range []string{"1", "3"} {
			status, stdout, stderr := command(t, "verify", "--json", "-j", jobs, save(t, data))
			faults, sums := verified(t, stdout)
			if status != statusFailed || stderr != "" || len(sums) != 1 || sums[0].Faults != len(want) {
				t.Fatalf("%s: status %d: %s%s", name, status, stdout, stderr)
			}
			var got []int64
			for _, f := range faults {
				got = append(got, f.Offset)
				if f.Class != "TBasket" || f.Error == "" {
					t.Errorf("%s: %+v", name, f)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: faults at %d, want %d", name, got, want)
			}
			whole := 0
			for _, n := range sums[0].Classes {
				whole += n
			}
			if whole != 88-len(want) {
				t.Errorf("%s: %d records are whole", name, whole)
			}
		}
	}
}

func TestVerifyOfACutFile(t *testing.T) {
	data := load(t, "scalars-zstd.root")
	all := baskets(t, data)
	cut := all[50].Offset + 1000
	path := save(t, data[:cut])
	status, stdout, _ := command(t, "verify", path)
	if status != statusFailed {
		t.Errorf("status %d", status)
	}
	for _, want := range []string{
		fmt.Sprintf("%d bytes of %d", cut, len(data)),
		fmt.Sprintf(`TBasket %q at offset %d: record cut short`, all[50].Name, all[50].Offset),
		"51 records are whole (50 TBasket, 1 TFile)",
	} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %q in\n%s", want, stdout)
		}
	}
}

// A record whose key is spoilt hides those behind it, which is told.
func TestVerifyOfASpoiltKey(t *testing.T) {
	data := load(t, "scalars-zstd.root")
	all := baskets(t, data)
	spoilt := all[50]
	copy(data[spoilt.Offset:], "\x7f\xff\xff\xff\x7f\xff")
	status, stdout, _ := command(t, "verify", "--json", save(t, data))
	faults, _ := verified(t, stdout)
	if status != statusFailed || len(faults) == 0 || faults[0].Offset != spoilt.Offset {
		t.Fatalf("status %d: %s", status, stdout)
	}
	if !slices.ContainsFunc(faults, func(f fault) bool {
		return strings.Contains(f.Error, fmt.Sprintf("offsets %d to ", spoilt.Offset)) && strings.Contains(f.Error, "were not checked")
	}) {
		t.Errorf("nothing is said of what was not checked: %s", stdout)
	}
}

// A tree whose tables of baskets cannot be is told: the record itself is whole.
func TestVerifyOfATreeThatIsCorrupt(t *testing.T) {
	data := load(t, "scalars-none.root") // the tree is not compressed either
	all := baskets(t, data)
	var seek [8]byte
	binary.BigEndian.PutUint64(seek[:], uint64(all[3].Offset))
	i := strings.LastIndex(string(data), string(seek[:]))
	if int64(i) < all[len(all)-1].Offset {
		t.Fatal("no table with the basket's offset")
	}
	data[i] = 0x80
	status, stdout, _ := command(t, "verify", "--json", save(t, data))
	faults, _ := verified(t, stdout)
	if status != statusFailed || len(faults) != 1 || faults[0].Class != "TTree" || !strings.Contains(faults[0].Error, "branch "+all[3].Name+": ") {
		t.Errorf("status %d: %s", status, stdout)
	}
}

// A directory whose copy of a key is of another name is told.
func TestVerifyOfAKeyThatDiffers(t *testing.T) {
	data := load(t, "hist.root")
	f, err := rootio.Open(strings.NewReader(string(data)), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	k, err := f.Key("note")
	if err != nil {
		t.Fatal(err)
	}
	head := string(data[k.Offset : k.Offset+int64(k.KeyLen)])
	i := strings.LastIndex(string(data), head)
	if int64(i) == k.Offset {
		t.Fatal("no copy of the key")
	}
	copy(data[i+strings.Index(head, "note"):], "nota")
	status, stdout, _ := command(t, "verify", save(t, data))
	if status != statusFailed || !strings.Contains(stdout, `TObjString "nota"`) {
		t.Errorf("status %d: %s", status, stdout)
	}
}

// Objects that no directory lists are told, each.
func TestVerifyOfObjectsInNoList(t *testing.T) {
	file := newRepeated("TNamed", 3, 1000, 101)
	data := make([]byte, file.size())
	if _, err := file.ReadAt(data, 0); err != nil {
		t.Fatal(err)
	}
	status, stdout, _ := command(t, "verify", "--json", save(t, data))
	faults, sums := verified(t, stdout)
	if status != statusFailed || len(faults) != 3 || sums[0].Classes["TNamed"] != 3 {
		t.Fatalf("status %d: %s", status, stdout)
	}
	for i, f := range faults {
		if f.Offset != int64(len(file.head)+i*len(file.record)) || !strings.Contains(f.Error, "no directory lists it") {
			t.Errorf("fault %+v", f)
		}
	}
}

// A repeated file is a record and many after it, none of which exists: 64-bit
// offsets, the same payload in each.
type repeated struct {
	head   []byte // of the file, with the top directory
	record []byte // with a key whose offset is filled in
	n      int64
	tail   []byte
}

func (r *repeated) size() int64 {
	return int64(len(r.head)) + r.n*int64(len(r.record)) + int64(len(r.tail))
}

func (r *repeated) ReadAt(p []byte, off int64) (int, error) {
	n := 0
	for n < len(p) && off < r.size() {
		m := 0
		body := off - int64(len(r.head))
		switch i := body / int64(len(r.record)); {
		case body < 0:
			m = copy(p[n:], r.head[off:])
		case i >= r.n:
			m = copy(p[n:], r.tail[body-r.n*int64(len(r.record)):])
		default:
			start := body % int64(len(r.record))
			m = copy(p[n:], r.record[start:])
			var seek [8]byte
			binary.BigEndian.PutUint64(seek[:], uint64(int64(len(r.head))+i*int64(len(r.record))))
			for k := range seek { // offset 18 of a key
				if at := 18 + int64(k) - start; at >= 0 && at < int64(m) {
					p[n+int(at)] = seek[k]
				}
			}
		}
		n, off = n+m, off+int64(m)
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// bigKey makes a key with 64-bit offsets.
func bigKey(class, name string, seek int64, objLen, nbytes int, rest int) []byte {
	b := make([]byte, 4, 128)
	b = binary.BigEndian.AppendUint16(b, 1004)
	b = binary.BigEndian.AppendUint32(b, uint32(objLen))
	b = binary.BigEndian.AppendUint32(b, 0)
	b = binary.BigEndian.AppendUint16(b, 0) // length
	b = binary.BigEndian.AppendUint16(b, 1)
	b = binary.BigEndian.AppendUint64(b, uint64(seek))
	b = binary.BigEndian.AppendUint64(b, 100)
	for _, s := range []string{class, name, ""} {
		b = append(append(b, byte(len(s))), s...)
	}
	b = append(b, make([]byte, rest)...)
	binary.BigEndian.PutUint16(b[14:], uint16(len(b)))
	if nbytes == 0 {
		nbytes = len(b) + objLen
	}
	binary.BigEndian.PutUint32(b, uint32(nbytes))
	return b
}

// newRepeated makes a file of n objects of objLen bytes, which are baskets or
// in no list.
func newRepeated(class string, n int64, objLen int, s rootio.Settings) *repeated {
	object := make([]byte, objLen)
	for i := range object {
		object[i] = byte(i / 100)
	}
	payload := make([]byte, objLen)
	m, err := rootio.Compress(payload, object, s)
	if err != nil {
		panic(err)
	}
	rest := 0
	if class == "TBasket" {
		rest = 19 // what a basket says of itself
	}
	key := bigKey(class, "x", 0, objLen, 1, rest)
	r := &repeated{n: n}
	r.record = append(bigKey(class, "x", 0, objLen, len(key)+m, rest), payload[:m]...)

	// The top directory: the file's name and title, and the directory itself.
	dir := []byte("\x01f\x00")
	nameLen := len(dir)
	dir = binary.BigEndian.AppendUint16(dir, 1005)
	dir = append(dir, make([]byte, 8)...) // times
	listKey := bigKey("TFile", "f", 0, 4, 0, 0)
	dir = binary.BigEndian.AppendUint32(dir, uint32(len(listKey)+4))
	topKey := bigKey("TFile", "f", 100, len(dir)+28, 0, 0)
	dir = binary.BigEndian.AppendUint32(dir, uint32(len(topKey)+nameLen))
	dir = binary.BigEndian.AppendUint64(dir, 100)
	dir = binary.BigEndian.AppendUint64(dir, 0)
	start := int64(100 + len(topKey) + len(dir) + 8)
	list := start + n*int64(len(r.record))
	dir = binary.BigEndian.AppendUint64(dir, uint64(list))

	// Behind the baskets an empty list of keys, and the list of free gaps.
	r.tail = append(bigKey("TFile", "f", list, 4, 0, 0), 0, 0, 0, 0)
	free := list + int64(len(r.tail))
	freeKey := bigKey("TFile", "f", free, 18, 0, 0)
	end := free + int64(len(freeKey)) + 18
	r.tail = append(r.tail, freeKey...)
	r.tail = binary.BigEndian.AppendUint16(r.tail, 1001)
	r.tail = binary.BigEndian.AppendUint64(r.tail, uint64(end))
	r.tail = binary.BigEndian.AppendUint64(r.tail, 1<<62)

	h := []byte("root")
	h = binary.BigEndian.AppendUint32(h, 1062406)
	h = binary.BigEndian.AppendUint32(h, 100)
	h = binary.BigEndian.AppendUint64(h, uint64(end))
	h = binary.BigEndian.AppendUint64(h, uint64(free))
	h = binary.BigEndian.AppendUint32(h, uint32(len(freeKey)+18))
	h = binary.BigEndian.AppendUint32(h, 1)
	h = binary.BigEndian.AppendUint32(h, uint32(len(topKey)+nameLen))
	h = append(h, 8)
	h = binary.BigEndian.AppendUint32(h, uint32(s))
	h = append(h, make([]byte, 100-len(h))...) // no descriptions of classes
	r.head = append(append(h, topKey...), dir...)
	return r
}

// The size of a file is none of memory: gigabytes of records leave the heap as
// a few of them do.
func TestVerifyOfALargeFileTakesNoMoreMemory(t *testing.T) {
	n := int64(2000)
	if testing.Short() {
		n = 200
	}
	check := func(n int64) uint64 {
		file := newRepeated("TBasket", n, 1<<20, 401)
		f, err := rootio.Open(file, file.size())
		if err != nil {
			t.Fatal(err)
		}
		v := &verifier{session: &session{t.Context(), io.Discard, io.Discard}, cmd: &verifyCmd{Jobs: 2}, progress: &progress{},
			sum: summary{Classes: map[string]int{}}, loose: map[int64]rootio.Key{}}
		if err := errors.Join(v.records(f), v.keys(f)); err != nil {
			t.Fatal(err)
		}
		if v.sum.Faults != 0 || v.sum.Classes["TBasket"] != int(n) || v.sum.Bytes < n<<20 {
			t.Fatalf("%+v", v.sum)
		}
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		return stats.HeapSys
	}
	few := check(20)
	if many := check(n); many > few+64<<20 {
		t.Errorf("the heap has %d bytes after 20 records of 1 MiB, and %d after %d more", few, many, n)
	}
}
