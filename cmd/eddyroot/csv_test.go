package main

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/eddy-go/eddy/compress/rootio"
)

// A hasher hashes values that were read as text, as the generator hashed them.
type hasher struct {
	t      *testing.T
	typ    string
	values []byte
	counts []byte
	texts  []string
	n      int
}

func (h *hasher) add(text string) {
	h.t.Helper()
	h.n++
	var err error
	switch h.typ {
	case "float64":
		var v float64
		v, err = strconv.ParseFloat(text, 64)
		h.values, _ = binary.Append(h.values, binary.LittleEndian, v)
	case "float32":
		var v float64
		v, err = strconv.ParseFloat(text, 32)
		h.values, _ = binary.Append(h.values, binary.LittleEndian, float32(v))
	case "int32":
		var v int64
		v, err = strconv.ParseInt(text, 10, 32)
		h.values, _ = binary.Append(h.values, binary.LittleEndian, int32(v))
	case "int64":
		var v int64
		v, err = strconv.ParseInt(text, 10, 64)
		h.values, _ = binary.Append(h.values, binary.LittleEndian, v)
	case "uint8":
		var v uint64
		v, err = strconv.ParseUint(text, 10, 8)
		h.values = append(h.values, uint8(v))
	case "string":
		h.texts = append(h.texts, text)
	default:
		h.t.Fatalf("type %s", h.typ)
	}
	if err != nil {
		h.t.Fatal(err)
	}
}

// entry ends an entry of a list.
func (h *hasher) entry() {
	h.counts = binary.LittleEndian.AppendUint32(h.counts, uint32(h.n))
	h.n = 0
}

func (h *hasher) sum() (values, counts string) {
	if h.typ == "string" {
		h.values = []byte(strings.Join(h.texts, "\n"))
	}
	v, c := sha256.Sum256(h.values), sha256.Sum256(h.counts)
	return hex.EncodeToString(v[:]), hex.EncodeToString(c[:])
}

// converted are the fixtures that are read as text and Arrow: of the codecs,
// which are no business of these, one.
func converted(name string) bool { return name == "scalars-zstd.root" || name == "jagged-zlib1.root" }

func TestCSVHoldsTheValues(t *testing.T) {
	for _, file := range expectations().Files {
		for _, tree := range file.Trees {
			if !converted(file.File) {
				continue
			}
			t.Run(file.File, func(t *testing.T) {
				rows, err := csv.NewReader(strings.NewReader(succeed(t, "csv", fixture(file.File)))).ReadAll()
				if err != nil {
					t.Fatal(err)
				}
				if len(rows) != int(tree.Entries)+1 || len(rows[0]) != len(tree.Branches) {
					t.Fatalf("%d rows of %d columns", len(rows), len(rows[0]))
				}
				for i, want := range tree.Branches {
					if rows[0][i] != want.Name {
						t.Errorf("column %q, want %q", rows[0][i], want.Name)
					}
					typ, list := strings.CutPrefix(want.Type, "[]")
					h := &hasher{t: t, typ: typ}
					for _, row := range rows[1:] {
						if !list {
							h.add(row[i])
							continue
						}
						var items []json.Number
						if err := json.Unmarshal([]byte(row[i]), &items); err != nil {
							t.Fatalf("%q: %v", row[i], err)
						}
						for _, item := range items {
							h.add(string(item))
						}
						h.entry()
					}
					values, counts := h.sum()
					if list && (values != want.Values || counts != want.Counts) || !list && values != want.SHA256 {
						t.Errorf("%s: other values", want.Name)
					}
				}
			})
		}
	}
}

func TestLongCSVHoldsTheValues(t *testing.T) {
	for _, file := range expectations().Files {
		if file.File != "jagged-zlib1.root" {
			continue
		}
		rows, err := csv.NewReader(strings.NewReader(succeed(t, "csv", "--long", "--crlf", fixture(file.File)))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(rows[0], " "); got != "entry item n cells label" {
			t.Errorf("head %q", got)
		}
		n, cells, label := &hasher{t: t, typ: "int32"}, &hasher{t: t, typ: "float32"}, &hasher{t: t, typ: "string"}
		entry := -1
		for _, row := range rows[1:] {
			if row[0] != strconv.Itoa(entry) {
				if entry++; row[0] != strconv.Itoa(entry) {
					t.Fatalf("entry %s follows %d", row[0], entry-1)
				}
				if entry > 0 {
					cells.entry()
				}
				n.add(row[2])
				label.add(row[4])
			}
			if (row[1] == "") != (row[3] == "") {
				t.Fatalf("row %q", row)
			}
			if row[3] != "" {
				if row[1] != strconv.Itoa(cells.n) {
					t.Fatalf("row %q is item %d", row, cells.n)
				}
				cells.add(row[3])
			}
		}
		cells.entry()
		for i, h := range []*hasher{n, cells, label} {
			want := file.Trees[0].Branches[i]
			values, counts := h.sum()
			if want.Values != "" && (values != want.Values || counts != want.Counts) || want.Values == "" && values != want.SHA256 {
				t.Errorf("%s: other values", want.Name)
			}
		}
	}
}

func TestCSVOptions(t *testing.T) {
	file := fixture("scalars-zstd.root")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-r", "0:2", "-c", "tick,level"}, "tick,level\n1000,2.21\n"},
		{[]string{"-r", "0:1", "-c", "tick,level", "--no-head"}, "1000,2.21\n"},
		{[]string{"-r", "0:1", "-c", "tick", "--crlf"}, "tick\r\n1000\r\n"},
		{[]string{"-r", "39999:", "-c", "tick"}, "tick\n32829\n"},
		{[]string{"-r", "5:5", "-c", "tick"}, "tick\n"},
		{[]string{"-r", "50000:", "-c", "tick"}, "tick\n"},
		{[]string{"-r", "0:1", "-c", "tick", "--long"}, "entry,item,tick\n0,,1000\n"},
	} {
		got := succeed(t, append(append([]string{"csv"}, c.args...), file)...)
		if len(got) < len(c.want) || got[:len(c.want)] != c.want || c.args[1] != "0:2" && got != c.want {
			t.Errorf("%q prints %q, want %q", c.args, got, c.want)
		}
	}
}

func TestAFileHasWhatStandardOutputHas(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.csv")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	want := succeed(t, "csv", fixture("jagged-zlib1.root"))
	if got := succeed(t, "csv", "-o", path, fixture("jagged-zlib1.root")); got != "" {
		t.Errorf("prints %q", got)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("the file has %d bytes, standard output %d: %v", len(got), len(want), err)
	}
	// An input that is damaged half way leaves the old file.
	data := load(t, "scalars-zlib6.root")
	all := baskets(t, data)
	all = slices.DeleteFunc(all, func(r rootio.Record) bool { return r.Stored() })
	last := all[len(all)-1] // it ends in a checksum
	data[last.Offset+int64(last.NBytes)-1] ^= 1
	status, _, stderr := command(t, "csv", "-o", path, save(t, data))
	if status != statusFailed || !strings.Contains(stderr, "made.root: root: TBasket") || !strings.Contains(stderr, "at offset "+strconv.FormatInt(last.Offset, 10)) {
		t.Errorf("status %d: %s", status, stderr)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("the old file is gone: %v", err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("left: %v, %v", entries, err)
	}
}
