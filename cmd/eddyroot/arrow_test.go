package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/eddy-go/eddy/compress/rootio"
)

// A batchReader is one of ipc's readers.
type batchReader interface {
	Schema() *arrow.Schema
	Read() (arrow.RecordBatch, error)
}

// addArray adds the values of an array to h.
func (h *hasher) addArray(a arrow.Array) {
	switch a := a.(type) {
	case *array.List:
		for i := range a.Len() {
			lo, hi := a.ValueOffsets(i)
			h.addArray(array.NewSlice(a.ListValues(), lo, hi))
			h.entry()
		}
	default:
		for i := range a.Len() {
			h.add(a.ValueStr(i))
		}
	}
}

func TestArrowHoldsTheValues(t *testing.T) {
	dir := t.TempDir()
	for _, file := range expectations().Files {
		for _, tree := range file.Trees {
			if !converted(file.File) {
				continue
			}
			for _, c := range []struct {
				out  string
				args []string
				rows int64 // most of a batch
			}{
				{"-", nil, 65536},
				{"out.arrow", []string{"--rows", "1000"}, 1000},
				{"out.arrows", []string{"--bytes", "50000", "--compress", "zstd"}, 50000},
				{"out", []string{"--compress", "lz4", "--rows", "777", "--strings", "binary"}, 777},
			} {
				t.Run(file.File+"/"+c.out, func(t *testing.T) {
					args := append([]string{"arrow", "-o", "-", fixture(file.File)}, c.args...)
					path := filepath.Join(dir, c.out)
					if c.out != "-" {
						args[2] = path
					}
					data := []byte(succeed(t, args...))
					if c.out != "-" {
						var err error
						if data, err = os.ReadFile(path); err != nil {
							t.Fatal(err)
						}
					}
					var r batchReader
					var err error
					if bytes.HasPrefix(data, ipc.Magic) != (c.out == "out.arrow" || c.out == "out") {
						t.Errorf("the other format")
					}
					if bytes.HasPrefix(data, ipc.Magic) {
						r, err = ipc.NewFileReader(bytes.NewReader(data))
					} else {
						r, err = ipc.NewReader(bytes.NewReader(data))
					}
					if err != nil {
						t.Fatal(err)
					}
					hashers := make([]*hasher, len(tree.Branches))
					for i, want := range tree.Branches {
						typ, _ := strings.CutPrefix(want.Type, "[]")
						hashers[i] = &hasher{t: t, typ: typ}
						f := r.Schema().Field(i)
						if f.Name != want.Name || f.Nullable {
							t.Errorf("field %v, want %s", f, want.Name)
						}
						if title, ok := f.Metadata.GetValue("root.type"); !ok || title == "" {
							t.Errorf("field %v: no type of ROOT's", f)
						}
					}
					rows := int64(0)
					for {
						batch, err := r.Read()
						if err == io.EOF {
							break
						}
						if err != nil {
							t.Fatal(err)
						}
						if batch.NumRows() > c.rows || batch.NumRows() == 0 {
							t.Errorf("a batch of %d rows", batch.NumRows())
						}
						rows += batch.NumRows()
						for i, h := range hashers {
							if b, ok := batch.Column(i).(*array.Binary); ok {
								for k := range b.Len() {
									h.add(string(b.Value(k)))
								}
							} else {
								h.addArray(batch.Column(i))
							}
						}
					}
					if rows != tree.Entries {
						t.Errorf("%d rows, want %d", rows, tree.Entries)
					}
					for i, h := range hashers {
						want := tree.Branches[i]
						values, counts := h.sum()
						if want.Values != "" && (values != want.Values || counts != want.Counts) || want.Values == "" && values != want.SHA256 {
							t.Errorf("%s: other values", want.Name)
						}
					}
				})
			}
		}
	}
}

// The bytes of a batch are bounded, also where entries differ in size.
func TestArrowBatchesAreBounded(t *testing.T) {
	data := succeed(t, "arrow", "--bytes", "20000", fixture("jagged-zlib1.root"))
	r, err := ipc.NewReader(strings.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for r.Next() {
		size := uint64(0)
		for _, col := range r.RecordBatch().Columns() {
			size += col.Data().SizeInBytes()
		}
		if size > 20000+2000 { // the last entry, and what pads buffers
			t.Errorf("a batch of %d bytes", size)
		}
		n++
	}
	if n < 10 || r.Err() != nil {
		t.Errorf("%d batches, %v", n, r.Err())
	}
}

// spoilString returns the file with a byte in a string that is no UTF-8. Its
// basket is packed anew, with the byte where that gives the same length.
func spoilString(t *testing.T, data []byte) []byte {
	t.Helper()
	for _, r := range baskets(t, data) {
		if r.Name != "label" {
			continue
		}
		object, err := r.AppendPayload(nil)
		if err != nil {
			t.Fatal(err)
		}
		packed := make([]byte, len(object))
		for i := 1; i < 1000; i++ {
			old := object[i]
			if old < 'a' || old > 'z' {
				continue
			}
			object[i] = 0xff
			if n, err := rootio.Compress(packed, object, 101); err == nil && n == r.PayloadLen() {
				copy(data[r.Offset+int64(r.KeyLen):], packed[:n])
				return data
			}
			object[i] = old
		}
	}
	t.Fatal("no string of which one byte can be changed")
	return nil
}

func TestStringsThatAreNoUTF8(t *testing.T) {
	path := save(t, spoilString(t, load(t, "jagged-zlib1.root")))
	for _, c := range []struct{ mode, label string }{{"auto", "binary"}, {"binary", "binary"}} {
		r, err := ipc.NewReader(strings.NewReader(succeed(t, "arrow", "--strings", c.mode, path)))
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(r.Schema().Field(2).Type); got != c.label {
			t.Errorf("%s makes %s of the strings", c.mode, got)
		}
		found := false
		for r.Next() {
			labels := r.RecordBatch().Column(2).(*array.Binary)
			for i := range labels.Len() {
				found = found || bytes.IndexByte(labels.Value(i), 0xff) >= 0
			}
		}
		if !found || r.Err() != nil {
			t.Errorf("%s: the byte is gone: %v", c.mode, r.Err())
		}
	}
	status, _, stderr := command(t, "arrow", "--strings", "utf8", path)
	if status != statusFailed || !strings.Contains(stderr, "label, entries 0 to ") || !strings.Contains(stderr, "no UTF-8") {
		t.Errorf("status %d: %s", status, stderr)
	}
	// Of a part without the string, strings are strings.
	r, err := ipc.NewReader(strings.NewReader(succeed(t, "arrow", "-r", "4000:", path)))
	if err != nil || fmt.Sprint(r.Schema().Field(2).Type) != "utf8" {
		t.Errorf("%v, %v", r.Schema(), err)
	}
}
