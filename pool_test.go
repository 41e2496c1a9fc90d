package eddy

import (
	"strings"
	"sync"
	"testing"

	"github.com/eddy-go/eddy/internal/race"
)

func TestPoolResetsAndRefuses(t *testing.T) {
	warm(t)
	var dropped []*strings.Builder
	made := 0
	p := Pool[strings.Builder]{
		New:   func() *strings.Builder { made++; return new(strings.Builder) },
		Reset: func(b *strings.Builder) bool { keep := b.Len() <= 10; b.Reset(); return keep },
		Drop:  func(b *strings.Builder) { dropped = append(dropped, b) },
	}
	small := p.Get()
	small.WriteString("small")
	p.Put(small)
	again := p.Get()
	if again.Len() != 0 {
		t.Error("not reset")
	}
	if !race.Enabled && (again != small || made != 1) {
		t.Errorf("not reused; %d made", made)
	}
	again.WriteString("larger than what is kept")
	p.Put(again)
	if len(dropped) != 1 || dropped[0] != again {
		t.Errorf("dropped %v", dropped)
	}
	b := p.Get()
	if b == again {
		t.Error("a refused value came back")
	}
	p.Put(nil)
	if s := p.Stats(); s.Refused != 1 || s.Gets != 3 || s.Misses != uint64(made) {
		t.Errorf("%+v", s)
	}
	p.Put(b)
}

func TestPoolWithoutAValue(t *testing.T) {
	p := Pool[int]{New: func() *int { return nil }}
	if got := panicOf(func() { p.Get() }); got != "eddy: Pool.New returned nil" {
		t.Errorf("%v", got)
	}
}

func TestPoolZeroValue(t *testing.T) {
	var p Pool[[]int]
	v := p.Get()
	*v = append(*v, 1)
	p.Put(v)
	if s := p.Stats(); s.Kind != "values" || s.Allocated == 0 {
		t.Errorf("%+v", s)
	}
}

func TestNoValueIsSharedByTwo(t *testing.T) {
	var p Pool[int]
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for range 2000 {
				v := p.Get()
				*v = g
				if *v != g {
					t.Error("someone else has it too")
				}
				p.Put(v)
			}
		})
	}
	wg.Wait()
}
