package eddy

import (
	"math/rand/v2"
	"runtime"
	"testing"
)

func collect() {
	for range 3 {
		runtime.GC()
	}
}

func TestReserveSurvivesCollections(t *testing.T) {
	if Debug {
		t.Skip("debug builds do not reuse buffers")
	}
	p := BytePool{Reserve: 4 << 20}
	var bufs [4][]byte
	for i := range bufs {
		bufs[i] = p.Get(1 << 20)
	}
	for _, b := range bufs {
		p.Put(b)
	}
	collect()
	if s := p.Stats(); s.Held != 4<<20 {
		t.Fatalf("%+v", s)
	}
	for i := range bufs {
		if b := p.Get(1 << 20); &b[0] != &bufs[3-i][0] {
			t.Errorf("buffer %d is not the one put last", i)
		}
	}
	if s := p.Stats(); s.Held != 0 || s.Misses != 4 {
		t.Errorf("%+v", s)
	}
}

func TestReserveKeepsTheMostRecent(t *testing.T) {
	if Debug {
		t.Skip("debug builds do not reuse buffers")
	}
	p := BytePool{Reserve: 1 << 20}
	old, small, big := p.Get(512<<10), p.Get(256<<10), p.Get(768<<10)
	p.Put(old)
	p.Put(small)
	p.Put(big) // now old must go
	if held := p.Stats().Held; held != 1<<20 {
		t.Errorf("%d bytes held", held)
	}
	collect()
	if b := p.Get(256 << 10); &b[0] != &small[0] {
		t.Error("the smaller, more recent buffer is gone")
	}
	if b := p.Get(768 << 10); &b[0] != &big[0] {
		t.Error("the most recent buffer is gone")
	}
	before := p.Stats().Misses
	if p.Get(512 << 10); p.Stats().Misses != before+1 {
		t.Error("the oldest buffer was kept")
	}
	p.Put(p.Get(2 << 20)) // larger than the reserve: not kept there
	if held := p.Stats().Held; held != 0 {
		t.Errorf("%d bytes held", held)
	}
}

// The lists are compared with a plain slice in which the newest comes last.
func TestReserveFollowsItsModel(t *testing.T) {
	p := &BytePool{Reserve: 2 << 20}
	type kept struct {
		a     *byte
		class uint
	}
	var model []kept
	size := func() (n int) {
		for _, k := range model {
			n += int(classSize[k.class])
		}
		return n
	}
	rng := rand.New(rand.NewPCG(3, 4))
	var out []kept
	for range 20000 {
		if rng.IntN(2) == 0 && len(out) > 0 {
			i := rng.IntN(len(out))
			k := out[i]
			out = append(out[:i], out[i+1:]...)
			p.reserve.put(p, k.class, k.a)
			model = append(model, k)
			for size() > p.Reserve {
				model = model[1:]
			}
			continue
		}
		class := reserveClass + uint(rng.IntN(16))
		got := p.reserve.get(class)
		var want *byte
		for i := len(model) - 1; i >= 0; i-- {
			if model[i].class == class {
				want = model[i].a
				model = append(model[:i:i], model[i+1:]...)
				break
			}
		}
		if got != want {
			t.Fatalf("class %d: got %p, want %p", class, got, want)
		}
		if got == nil {
			got = new(byte) // only the address counts here
		}
		out = append(out, kept{got, class})
		if int(p.reserve.held()) != size() {
			t.Fatalf("%d bytes held, not %d", p.reserve.held(), size())
		}
	}
}
