package jsonserialization_test

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	absser "github.com/microsoft/kiota-abstractions-go/serialization"

	"github.com/eddy-go/eddy/kiota/jsonserialization"
)

func TestClearMemory(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for _, clear := range []bool{true, false} {
		secret := fmt.Sprintf("secret of %v", clear)
		w := jsonserialization.NewJsonSerializationWriterWithOptions(jsonserialization.WriterOptions{ClearMemory: clear})
		for range 100_000 / len(secret) { // grows, and takes another chunk
			w.WriteStringValue("k", &secret)
		}
		w.Close()
		found := false
		var taken [][]byte
		for size := 64; size <= 64<<10; size *= 2 {
			for range 4 {
				b := jsonserialization.Memory.Get(size)
				found = found || bytes.Contains(b[:cap(b)], []byte(secret))
				taken = append(taken, b)
			}
		}
		for _, b := range taken {
			jsonserialization.Memory.Put(b)
		}
		if clear && found {
			t.Error("content is left in pooled memory")
		}
		// Under the race detector pools forget some of what they are given, and
		// eddydebug overwrites it.
		if !clear && !found && !raceEnabled && !debugEnabled {
			t.Error("the test does not find what is left")
		}
	}
}

// Names and strings of all sizes in documents too large to refer to.
func TestLargeDocuments(t *testing.T) {
	extra := map[string]any{}
	members := map[string]absser.UntypedNodeable{}
	for i := range 300 {
		name := fmt.Sprintf("%d-%s", i, strings.Repeat("n", i))
		extra[name] = ptr(strings.Repeat("v", i) + "\"\u00e9")
		members[name] = absser.NewUntypedString(strings.Repeat("u", i))
	}
	extra["\xff"+strings.Repeat("x", 40)] = ptr(strings.Repeat("\xfe", 100))
	want, err := jsonserialization.Marshal(&item{extra: extra, free: absser.NewUntypedObject(members)})
	if err != nil {
		t.Fatal(err)
	}
	var got *item
	if err := jsonserialization.Unmarshal(want, &got, newItem); err != nil {
		t.Fatal(err)
	}
	want = bytes.ReplaceAll(want, []byte(`\ufffd`), []byte("\ufffd")) // what had been invalid is a character now
	b, err := jsonserialization.Marshal(got)
	if err != nil || !bytes.Equal(b, want) {
		at := 0
		for at < min(len(b), len(want)) && b[at] == want[at] {
			at++
		}
		t.Errorf("differs at %d, %v\ngot  %.200q\nwant %.200q", at, err, b[max(0, at-50):], want[max(0, at-50):])
	}
}

func TestFactoriesReturnErrorsOfContent(t *testing.T) {
	n, err := jsonserialization.NewJsonParseNodeFactory().GetRootParseNode("application/json", []byte("{"))
	if n != nil || err == nil {
		t.Errorf("got %v, %v", n, err)
	}
	var got *item
	if err := jsonserialization.Unmarshal([]byte("{"), &got, newItem); err == nil {
		t.Error("no error")
	}
	fails := write(func(absser.SerializationWriter) error { return errFault })
	if b, err := jsonserialization.Marshal(fails); b != nil || !errors.Is(err, errFault) {
		t.Errorf("got %s, %v", b, err)
	}
	if err := jsonserialization.Unmarshal([]byte("{}"), &got, func(absser.ParseNode) (absser.Parsable, error) { return nil, errFault }); !errors.Is(err, errFault) {
		t.Error(err)
	}
}

// One string of a large document that is kept keeps a few KiB, not the document:
// not the content, nor its nodes, nor its other strings.
func TestWhatAKeptStringKeeps(t *testing.T) {
	size := 10 << 20
	if testing.Short() {
		size >>= 3
	}
	const member = `"0123456789",`
	doc := []byte(`{"id":"abcdefghij","e":"\u0065scaped","list":[` + strings.Repeat(member, size/len(member)) + `""]}`)
	before := liveHeap()
	keep := func() (kept []*string) {
		n, err := jsonserialization.NewJsonParseNode(doc)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"id", "e"} {
			c, _ := n.GetChildNode(name)
			s, err := c.GetStringValue()
			if err != nil {
				t.Fatal(err)
			}
			kept = append(kept, s)
		}
		c, _ := n.GetChildNode("list")
		if _, err := c.GetCollectionOfPrimitiveValues("string"); err != nil {
			t.Fatal(err)
		}
		raw, err := n.GetRawValue()
		if err != nil {
			t.Fatal(err)
		}
		return append(kept, raw.(map[string]any)["list"].([]any)[5000].(*string))
	}
	kept := keep()
	held := liveHeap() - before
	t.Logf("%d strings of a document of %d bytes keep %d bytes", len(kept), len(doc), held)
	if most := int64(len(kept)) * 3 << 10; held > most+64<<10 { // and what else there is in a process
		t.Errorf("%d strings keep %d bytes", len(kept), held)
	}
	if *kept[0] != "abcdefghij" || *kept[1] != "escaped" || *kept[2] != "0123456789" {
		t.Errorf("kept %q %q %q", *kept[0], *kept[1], *kept[2])
	}
	runtime.KeepAlive(doc)

	// A node that is kept keeps all of it.
	n, err := jsonserialization.NewJsonParseNode(doc)
	if err != nil {
		t.Fatal(err)
	}
	c, _ := n.GetChildNode("id")
	n = nil
	if held := liveHeap() - before; held < int64(len(doc)) {
		t.Errorf("a node keeps %d bytes", held)
	}
	runtime.KeepAlive(c)
}

// keptBesides counts what the strings that get appends, count of them, keep besides
// their own bytes, on average.
func keptBesides(count int, get func(list []*string) []*string) int64 {
	list := make([]*string, 0, count)
	before := liveHeap()
	strings := get(list)
	held := liveHeap() - before
	for _, s := range strings {
		held -= int64(len(*s))
	}
	runtime.KeepAlive(strings)
	return held / int64(count)
}

// Many strings are kept, of groups of their own each: every one keeps what the
// documentation says, 3 KiB, and not less than half of it, or the test would see
// nothing.
func TestWhatManyKeptStringsKeep(t *testing.T) {
	if debugEnabled {
		t.Skip("eddydebug holds memory back")
	}
	const count, apart = 400, 64
	for _, size := range []int{1, 20, 100, 113, 128} {
		doc := []byte("[" + strings.Repeat(`"`+strings.Repeat("x", size)+`",`, count*apart) + "1]")
		n, err := jsonserialization.NewJsonParseNode(doc)
		if err != nil {
			t.Fatal(err)
		}
		doc = nil
		held := keptBesides(count, func(list []*string) []*string {
			raw, _ := n.GetRawValue()
			for i := range count {
				list = append(list, raw.([]any)[i*apart].(*string))
			}
			return list
		})
		runtime.KeepAlive(n)
		if held > 3<<10 || size > 100 && held < 1500 {
			t.Errorf("strings of %d bytes keep %d bytes each besides themselves", size, held)
		}
	}
}

// What is written with escapes has a sixth of their bytes, and keeps no more.
func TestWhatEscapedStringsKeep(t *testing.T) {
	for _, escape := range []string{`\u0061`, `\n`, "a\xff"} {
		for _, times := range []int{300, 700, 2000, 20_000} {
			const count = 100
			text := strings.Repeat(escape, times)
			doc := []byte(`{"` + text + `":["` + strings.Repeat(text+`","`, count) + `"]}`)
			name := ""
			held := keptBesides(count, func(list []*string) []*string {
				n, err := jsonserialization.NewJsonParseNode(doc)
				if err != nil {
					t.Fatal(err)
				}
				raw, _ := n.GetRawValue()
				for k, v := range raw.(map[string]any) {
					name = k
					for _, s := range v.([]any)[:count] {
						list = append(list, s.(*string))
					}
				}
				return list
			})
			// Above 32 KiB the runtime rounds up to pages of 8 KiB, below by an eighth.
			round := min(int64(len(name))/8, 8<<10)
			if most := (3<<10 + round) * (count + 1) / count; held-int64(len(name))/count > most {
				t.Errorf("%d times %q: a string keeps %d bytes besides itself", times, escape, held)
			}
			runtime.KeepAlive(name)
			runtime.KeepAlive(doc)
		}
	}
}

func TestStringsOfLargeDocuments(t *testing.T) {
	var list []string
	for i := range 400 {
		list = append(list, strings.Repeat(string(rune('a'+i%26)), i)+"\"é")
	}
	doc, err := written(func(w *writer) error {
		return errors.Join(w.WriteCollectionOfStringValues("", list))
	})
	if err != nil {
		t.Fatal(err)
	}
	n := parse(t, doc)
	values, err := n.GetCollectionOfPrimitiveValues("string")
	if err != nil || len(values) != len(list) {
		t.Fatal(len(values), err)
	}
	for i, v := range values {
		if got := *v.(*string); got != list[i] {
			t.Fatalf("%d: got %q, want %q", i, got, list[i])
		}
		*v.(*string) = "changed" // it is the caller's
	}
	if raw, _ := n.GetRawValue(); *raw.([]any)[7].(*string) != list[7] {
		t.Error("changing a string changed the document")
	}
}

// liveHeap counts the heap after all that pools hold is gone.
func liveHeap() int64 {
	for range 4 {
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func TestLargeMessagesStayNowhere(t *testing.T) {
	if debugEnabled {
		t.Skip("eddydebug holds memory back")
	}
	size := 50 << 20
	if testing.Short() {
		size >>= 3
	}
	text := strings.Repeat("0123456789abcdef", 1<<10)
	before := liveHeap()
	w := jsonserialization.NewJsonSerializationWriter()
	for n := 0; n < size; n += len(text) {
		w.WriteStringValue("k", &text)
	}
	b, err := w.GetSerializedContent()
	if err != nil || len(b) < size {
		t.Fatal(len(b), err)
	}
	w.Close()
	b = nil
	if held := liveHeap() - before; held > 1<<20 {
		t.Errorf("%d MB are held after a message of %d MB", held>>20, size>>20)
	}
	runtime.KeepAlive(w)
}
