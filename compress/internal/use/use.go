// Package use guards what belongs to one goroutine at a time against a Close
// from another one.
package use

import "sync/atomic"

const (
	busy   = 1 << iota
	marked // to be closed by who is busy
)

// A Guard is held by one goroutine at most. The zero Guard is free.
type Guard struct {
	w    atomic.Uint32
	open bool // between Begin and Done; of the holder
}

// Enter takes the Guard, unless it is held.
func (g *Guard) Enter() bool { return g.w.CompareAndSwap(0, busy) }

// Begin and Done enclose what may panic or end the goroutine.
func (g *Guard) Begin() { g.open = true }

// Done says that what was begun returned.
func (g *Guard) Done() { g.open = false }

// Broken reports, once, whether what was begun did not return: what is guarded
// may be half done.
func (g *Guard) Broken() bool {
	open := g.open
	g.open = false
	return open
}

// Leave gives the Guard back. If it was marked it does not: then it takes the
// mark away and returns false, and the caller closes what is guarded before it
// tries again.
func (g *Guard) Leave() bool {
	if g.w.CompareAndSwap(busy, 0) {
		return true
	}
	g.w.Store(busy)
	return false
}

// EnterOrMark takes the Guard, or, where another goroutine holds it, makes
// that one close what is guarded when it leaves, and returns false.
func (g *Guard) EnterOrMark() bool {
	for {
		switch {
		case g.w.CompareAndSwap(0, busy):
			return true
		case g.w.CompareAndSwap(busy, busy|marked), g.w.Load() == busy|marked:
			return false
		}
	}
}
