//go:build eddydebug

package eddy

import (
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// caught runs f and returns what the checks report meanwhile.
func caught(f func()) string {
	old := debugFail
	defer func() { debugFail = old }()
	var reports []string
	debugFail = func(report string) { reports = append(reports, report) }
	f()
	return strings.Join(reports, "\n")
}

// These are in the stacks by name.
func takesTheBuffer(p *BytePool, n int) []byte { return p.Get(n) }
func putsTheBuffer(p *BytePool, b []byte)      { p.Put(b) }
func putsItAgain(p *BytePool, b []byte)        { p.Put(b) }

func wants(t *testing.T, report string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(report, part) {
			t.Errorf("%q is missing in the report:\n%s", part, report)
		}
	}
}

func TestDebugDoublePut(t *testing.T) {
	p := &BytePool{Name: "doubled"}
	b := takesTheBuffer(p, 1000)
	report := caught(func() {
		putsTheBuffer(p, b)
		putsItAgain(p, b)
	})
	wants(t, report, "double Put", "1024 bytes", `"doubled"`, "takesTheBuffer", "putsTheBuffer", "putsItAgain")
}

func TestDebugPanicsByDefault(t *testing.T) {
	p := &BytePool{}
	b := p.Get(1)
	p.Put(b)
	if v := panicOf(func() { p.Put(b) }); v == nil {
		t.Error("a double Put went through")
	}
}

func TestDebugWriteAfterPut(t *testing.T) {
	p := &BytePool{Name: "late"}
	b := takesTheBuffer(p, 100)
	putsTheBuffer(p, b)
	b[17] = 1
	err := Misuse()
	if err == nil {
		t.Fatal("not noticed")
	}
	wants(t, err.Error(), "write after Put, at offset 17", `"late"`, "takesTheBuffer", "putsTheBuffer")
	if err := Misuse(); err != nil {
		t.Errorf("reported twice: %v", err)
	}
	// Ordinary traffic notices it too.
	b = takesTheBuffer(p, 100)
	putsTheBuffer(p, b)
	b[3] = 1
	report := caught(func() {
		for range 2 * quarantineCount {
			p.Put(p.Get(64))
		}
	})
	wants(t, report, "write after Put, at offset 3", "takesTheBuffer", "putsTheBuffer")
}

func TestDebugForeignMemory(t *testing.T) {
	p := &BytePool{Name: "guest"}
	report := caught(func() { putsTheBuffer(p, make([]byte, 64)) })
	wants(t, report, "foreign memory of 64 bytes", `"guest"`, "putsTheBuffer")

	report = caught(func() { putsTheBuffer(p, make([]byte, 100)) }) // of no class
	wants(t, report, "foreign memory of 100 bytes", "Grow first", "putsTheBuffer")

	b := takesTheBuffer(p, 128)
	report = caught(func() { putsTheBuffer(p, b[64:]) })
	wants(t, report, "part of a buffer", "takesTheBuffer", "putsTheBuffer")
	report = caught(func() { putsTheBuffer(p, b[:10:64]) })
	wants(t, report, "part of a buffer", "takesTheBuffer", "putsTheBuffer")
	p.Put(b)
}

func TestDebugLostBuffer(t *testing.T) {
	warned := make(chan string, 100)
	old := debugWarn
	debugWarn = func(report string) { warned <- report }
	defer func() { debugWarn = old }()
	p := &BytePool{Name: "forgetful"}
	takesTheBuffer(p, 100)
	values := &Pool[[8]int]{Name: "forgetful values"}
	values.Get()
	kept := takesTheBuffer(p, 100)
	var reports string
	deadline := time.After(10 * time.Second)
	for !strings.Contains(reports, `"forgetful"`) || !strings.Contains(reports, `"forgetful values"`) {
		runtime.GC()
		select {
		case r := <-warned:
			reports += r
		case <-time.After(10 * time.Millisecond):
		case <-deadline:
			t.Fatalf("not noticed; reports:\n%s", reports)
		}
	}
	wants(t, reports, "lost without Put", "takesTheBuffer", "of type *[8]int")
	if strings.Count(reports, `"forgetful"`) != 1 {
		t.Errorf("the buffer still in use is called lost:\n%s", reports)
	}
	found := false
	for _, o := range Outstanding() {
		found = found || strings.Contains(o, `"forgetful"`)
	}
	if !found {
		t.Error("the buffer in use is not listed")
	}
	p.Put(kept)
}

func TestDebugValues(t *testing.T) {
	p := &Pool[strings.Builder]{Name: "builders"}
	v := p.Get()
	p.Put(v)
	wants(t, caught(func() { p.Put(v) }), "double Put", "strings.Builder", `"builders"`, "it was put again")
	wants(t, caught(func() { p.Put(new(strings.Builder)) }), "foreign value", `"builders"`)
}

func TestDebugFixed(t *testing.T) {
	p := NewNamedFixedPool("few", 1, 64)
	b := mustGet(t, p)
	mustPut(t, p, b)
	err := p.Put(b)
	if !errors.Is(err, ErrDoublePut) {
		t.Fatal(err)
	}
	wants(t, err.Error(), `"few"`, "mustPut", "TestDebugFixed")
	b[5] = 1
	wants(t, caught(func() { mustPut(t, p, mustGet(t, p)) }), "write after Put, at offset 5", `"few"`, "mustPut")
}

func TestDebugUnderLoad(t *testing.T) {
	p := &BytePool{}
	v := &Pool[[4]int]{}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range 500 {
				b := p.Get(i * 10)
				for j := range b {
					b[j] = 1
				}
				p.Put(b)
				v.Put(v.Get())
			}
		})
	}
	wg.Wait()
	if err := Misuse(); err != nil {
		t.Error(err)
	}
}
