package jlexer

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/eddy-go/eddy/internal/race"
)

// texts returns an array of n strings in JSON, and its strings, of up to size bytes.
func texts(n, size int, r *rand.Rand) ([]byte, []string) {
	var b strings.Builder
	want := make([]string, n)
	for i := range want {
		want[i] = strings.Repeat(string(rune('a'+r.IntN(26))), r.IntN(size+1))
		sep := ","
		if i == 0 {
			sep = "["
		}
		escaped := want[i]
		if r.IntN(3) == 0 {
			escaped = strings.ReplaceAll(escaped, "q", `\u0071`)
		}
		fmt.Fprintf(&b, `%s"%s"`, sep, escaped)
	}
	return []byte(b.String() + "]"), want
}

func readStrings(l *Lexer, n int) []string {
	var got []string
	for ; n > 0 && !l.IsDelim(']'); n-- {
		got = append(got, l.String())
		l.WantComma()
	}
	return got
}

func equal(t *testing.T, got, want []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d strings; want %d", len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("string %d is %.60q; want %.60q", i, got[i], want[i])
		}
	}
}

func TestHeldStringsStay(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, size := range []int{0, 1, 7, 60, maxHeld, maxHeld + 1, 3000} {
		data, want := texts(500, size, r)
		l := Lexer{Data: data}
		l.Delim('[')
		got := readStrings(&l, 1000)
		l.Delim(']')
		if !l.Ok() {
			t.Fatal(l.Error())
		}
		clear(data)
		equal(t, got, want)
	}
}

// A Lexer that is copied to try something, and put back, must not write over the strings of the trial.
func TestCopiesDoNotShareMemory(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	data, want := texts(400, 40, r)
	l := Lexer{Data: data}
	l.Delim('[')
	got := readStrings(&l, 100)

	saved := l
	trial := readStrings(&l, 100)
	l = saved
	again := readStrings(&l, 100)
	equal(t, trial, want[100:200])

	other := l // both go on, in turns
	var a, b []string
	for range 100 {
		a = append(a, readStrings(&l, 1)...)
		b = append(b, readStrings(&other, 1)...)
	}
	moved := new(Lexer)
	*moved = l
	tail := readStrings(moved, 100)
	tail2 := readStrings(&l, 100)

	clear(data)
	equal(t, got, want[:100])
	equal(t, trial, want[100:200])
	equal(t, again, want[100:200])
	equal(t, a, want[200:300])
	equal(t, b, want[200:300])
	equal(t, tail, want[300:])
	equal(t, tail2, want[300:])
}

// Under the race detector this shows that copies in two goroutines have nothing to write in common.
func TestCopiesInGoroutines(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	data, want := texts(2000, 40, r)
	l := Lexer{Data: data}
	l.Delim('[')
	first := readStrings(&l, 500)
	var wg sync.WaitGroup
	results := make([][]string, 4)
	for i := range results {
		own := l
		wg.Add(1)
		go func() {
			defer wg.Done()
			results[i] = readStrings(&own, 2000)
		}()
	}
	rest := readStrings(&l, 2000)
	wg.Wait()
	equal(t, first, want[:500])
	equal(t, rest, want[500:])
	for _, got := range results {
		equal(t, got, want[500:])
	}
}

// deepen makes the stack grow, and with it move, below a Lexer on it.
//
//go:noinline
func deepen(l *Lexer, n int) []string {
	var pad [512]byte
	if n > 0 {
		s := deepen(l, n-1)
		runtime.KeepAlive(&pad)
		return s
	}
	return readStrings(l, 1)
}

func TestLexerOnAMovingStack(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	data, want := texts(300, 30, r)
	done := make(chan []string)
	for range 4 {
		go func() {
			l := Lexer{Data: data}
			l.Delim('[')
			var got []string
			for i := range want {
				got = append(got, deepen(&l, i)...)
			}
			done <- got
		}()
	}
	for range 4 {
		equal(t, <-done, want)
	}
}

// A string that outlives its document keeps one chunk of it: how large that can be is a promise.
func TestChunksAreBounded(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for _, n := range []int{1, 2, 10, 100, 1000, 20000} {
		data, _ := texts(n, 30, r)
		l := Lexer{Data: data}
		l.Delim('[')
		held, total := 0, 0
		var last *byte
		for !l.IsDelim(']') {
			held += len(l.String())
			l.WantComma()
			if p := unsafe.SliceData(l.hold.chunk); p != last {
				last = p
				total += len(l.hold.chunk)
			}
			if size := len(l.hold.chunk); size > maxChunk || size > 2*minChunk && size > 5*total ||
				size > max(64, 2*len(data)) {
				t.Fatalf("a chunk of %d bytes after %d bytes of strings in %d of input", size, held, len(data))
			}
		}
		if l.hold.total != total || total > held+held/4+minChunk+maxChunk {
			t.Errorf("%d bytes of chunks for %d of strings", l.hold.total, held)
		}
	}
	l := Lexer{Data: []byte(`"` + strings.Repeat("x", maxHeld+1) + `"`)}
	if _ = l.String(); l.hold.chunk != nil {
		t.Error("a long string is in a chunk")
	}
	l = Lexer{Data: []byte(`["a",` + strings.Repeat("1,", 1<<20) + "1]")}
	l.Delim('[')
	if _ = l.String(); len(l.hold.chunk) > 2*minChunk {
		t.Errorf("the first chunk has %d bytes", len(l.hold.chunk))
	}
}

func TestInternReturnsTheSameMemory(t *testing.T) {
	one := func(text string) string {
		l := Lexer{Data: []byte(text)}
		s := l.StringIntern()
		clear(l.Data)
		return s
	}
	a, b, c := one(`"status"`), one(`"status"`), one(`"st\u0061tus"`)
	if a != "status" || unsafe.StringData(a) != unsafe.StringData(b) || unsafe.StringData(a) != unsafe.StringData(c) {
		t.Errorf("%q, %q and %q are not one", a, b, c)
	}
	if s := one(`""`); s != "" {
		t.Errorf("%q", s)
	}
	long := strings.Repeat("x", maxIntern+1)
	if s := one(`"` + long + `"`); s != long {
		t.Errorf("%q", s)
	}
	for i := range 3 * internSets { // far more than it holds
		want := fmt.Sprint("value ", i)
		if s := one(`"` + want + `"`); s != want {
			t.Fatalf("%q became %q", want, s)
		}
	}
}

func TestInternFromManyGoroutines(t *testing.T) {
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r := rand.New(rand.NewPCG(uint64(g), 15))
			for range 5000 {
				want := fmt.Sprint("shared ", r.IntN(3000))
				if s := intern([]byte(want)); s != want {
					t.Errorf("%q became %q", want, s)
					return
				}
			}
		}()
	}
	wg.Wait()
}

func TestAllocations(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	feed := []byte(`{"id":1234567,"ok":true,"none":null,"f":1.25,"name":"a \u00e9","list":[1,2,3],"skip":{"a":[1,"x\n",{}]},"kind":"post"}`)
	kinds := []byte(`"post"`)
	many := []byte("[" + strings.Repeat(`"short text",`, 2000) + `""]`)
	var n, length int
	for _, c := range []struct {
		name string
		want float64
		read func()
	}{
		{"numbers, words, skipped values", 0, func() {
			l := Lexer{Data: feed}
			l.Delim('{')
			for !l.IsDelim('}') {
				key := l.UnsafeFieldName(false)
				l.WantColon()
				switch key {
				case "id":
					n += l.Int()
				case "ok":
					l.Bool()
				case "none":
					l.Null()
				case "f":
					n += int(l.Float64())
				case "kind":
					length += len(l.StringIntern())
				default:
					l.SkipRecursive()
				}
				l.WantComma()
			}
			l.Delim('}')
			l.Consumed()
		}},
		{"one string", 1, func() {
			l := Lexer{Data: kinds}
			length += len(l.String())
		}},
		{"interned string", 0, func() {
			l := Lexer{Data: kinds}
			length += len(l.StringIntern())
		}},
		// 20,000 bytes of strings: two chunks, and then 4096 bytes each.
		{"2,000 strings", 7, func() {
			l := Lexer{Data: many}
			l.Delim('[')
			for !l.IsDelim(']') {
				length += len(l.String())
				l.WantComma()
			}
			l.Delim(']')
		}},
	} {
		if got := testing.AllocsPerRun(100, c.read); got != c.want {
			t.Errorf("%s: %v allocations; want %v", c.name, got, c.want)
		}
	}
	if n == 0 || length == 0 {
		t.Error("nothing was read")
	}
}
