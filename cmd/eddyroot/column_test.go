package main

import (
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/eddy-go/eddy/compress/rootio"
)

// fixed is a column of arrays of two by three.
func fixed(values ...int32) *typed[int32] {
	return &typed[int32]{
		shape:  shape{rootio.Int32, arrow.PrimitiveTypes.Int32, []int{2, 3}, 6, false},
		batch:  rootio.Batch[int32]{Values: values, Width: 6},
		plain:  textOf[int32](false),
		listed: textOf[int32](true),
	}
}

// jagged is a column of lists of pairs.
func jagged(values []bool, offsets ...int32) *typed[bool] {
	return &typed[bool]{
		shape:  shape{rootio.Bool, arrow.FixedWidthTypes.Boolean, []int{2}, 2, true},
		batch:  rootio.Batch[bool]{Values: values, Offsets: offsets},
		plain:  textOf[bool](false),
		listed: textOf[bool](true),
	}
}

// texts is a column of lists of strings.
func texts(values []string, offsets ...int32) *typed[string] {
	return &typed[string]{
		shape:  shape{rootio.String, arrow.BinaryTypes.String, nil, 1, true},
		batch:  rootio.Batch[string]{Values: values, Offsets: offsets},
		plain:  textOf[string](false),
		listed: textOf[string](true),
	}
}

func TestListsAsText(t *testing.T) {
	f := fixed(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
	j := jagged([]bool{true, false, true, true}, 0, 0, 4)
	s := texts([]string{"skipped", "a", `b"`, "c,d"}, 1, 2, 4, 4)
	for _, c := range []struct{ got, want string }{
		{string(f.appendText(nil, 0)), `"[[1,2,3],[4,5,6]]"`},
		{string(f.appendText([]byte("x,"), 1)), `x,"[[7,8,9],[10,11,12]]"`},
		{string(f.appendItem(nil, 1, 5)), "12"},
		{string(j.appendText(nil, 0)), "[]"},
		{string(j.appendText(nil, 1)), `"[[true,false],[true,true]]"`},
		{string(s.appendText(nil, 0)), `"[""a""]"`},
		{string(s.appendText(nil, 1)), `"[""b\"""",""c,d""]"`},
		{string(s.appendText(nil, 2)), "[]"},
		{string(s.appendItem(nil, 1, 0)), `"b"""`},
		{f.shape.String(), "[2][3]int32"},
		{j.shape.String(), "[][2]bool"},
		{s.shape.String(), "[]string"},
	} {
		if c.got != c.want {
			t.Errorf("%s, want %s", c.got, c.want)
		}
	}
	for _, c := range []struct{ got, want int }{{f.items(0), 6}, {j.items(0), 0}, {j.items(1), 4}, {s.items(1), 2}} {
		if c.got != c.want {
			t.Errorf("%d items, want %d", c.got, c.want)
		}
	}
}

// What is no list is in every line, a list of each entry in as many as the
// longest has; an entry without items has a line of its own.
func TestLongLines(t *testing.T) {
	single := fixed(7, 8)
	single.dims, single.width, single.batch.Width = nil, 1, 1
	cols := []column{single, texts([]string{"a", "b"}, 0, 2, 2), jagged([]bool{true, false, true, true}, 0, 4, 4)}
	got := string(appendLong(nil, cols, 10, 0, "\n")) + string(appendLong(nil, cols, 11, 1, "\r\n"))
	want := "10,0,7,a,true\n10,1,7,b,false\n10,2,7,,true\n10,3,7,,true\n11,,8,,\r\n"
	if got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestListsInArrow(t *testing.T) {
	f := fixed(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
	j := jagged([]bool{true, false, true, true}, 0, 0, 4)
	s := texts([]string{"skipped", "a", "bb", "c"}, 1, 2, 4, 4)
	for _, c := range []struct {
		col  column
		rows int
		size int
		typ  string
		want string
	}{
		{f, 2, 48, "fixed_size_list<item: fixed_size_list<item: int32, nullable>[3], nullable>[2]", "[[[1 2 3] [4 5 6]] [[7 8 9] [10 11 12]]]"},
		{j, 2, 12, "list<item: fixed_size_list<item: bool, nullable>[2], nullable>", "[[] [[true false] [true true]]]"},
		{s, 3, 28, "list<item: utf8, nullable>", `[["a"] ["bb" "c"] []]`},
	} {
		if got := c.col.arrowType().String(); got != c.typ {
			t.Errorf("type %s, want %s", got, c.typ)
		}
		if got := c.col.arrowSize(0, c.rows); got != c.size {
			t.Errorf("%s: %d bytes, want %d", c.typ, got, c.size)
		}
		// Twice, at once and in two steps: an array begins anew each time.
		for cut := range 2 {
			for _, r := range [][2]int{{0, cut}, {cut, c.rows}} {
				if err := c.col.appendArrow(r[0], r[1]); err != nil {
					t.Fatal(err)
				}
			}
			a := array.MakeFromData(c.col.arrowData())
			if got := a.(interface{ String() string }).String(); got != c.want || a.Len() != c.rows {
				t.Errorf("%s: %s of %d rows, want %s", c.typ, got, a.Len(), c.want)
			}
		}
	}
	bad := texts([]string{"\xff"}, 0, 1)
	if err := bad.appendArrow(0, 1); err != errNotUTF8 {
		t.Errorf("a string that is no UTF-8: %v", err)
	}
	bad.setBinary()
	if err := bad.appendArrow(0, 1); err != nil {
		t.Error(err)
	}
}
