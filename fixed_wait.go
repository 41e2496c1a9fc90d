package eddy

import "context"

// waiter is a Get that waits in a FixedPool.
type waiter struct {
	ready      chan struct{} // one token when given is set
	buffer     int           // its number; negative means that the pool was closed
	given      bool
	next, prev *waiter
}

// give hands over buffer i. The caller holds the pool's mu and has taken w off
// the list.
func (w *waiter) give(i int) {
	w.buffer, w.given = i, true
	w.ready <- struct{}{}
}

// waitlist is a queue of waiters, and a stock of used ones.
type waitlist struct {
	first, last *waiter
	spare       *waiter
	spares      int
}

// maxSpares bounds the stock, so that a burst of waiters is not kept for ever.
const maxSpares = 256

func (l *waitlist) add() *waiter {
	w := l.spare
	if w == nil {
		w = &waiter{ready: make(chan struct{}, 1)}
	} else {
		l.spare = w.next
		l.spares--
		w.next = nil
	}
	w.prev = l.last
	if l.last != nil {
		l.last.next = w
	} else {
		l.first = w
	}
	l.last = w
	return w
}

// remove returns the waiter that came first, or nil.
func (l *waitlist) remove() *waiter {
	if l.first == nil {
		return nil
	}
	return l.unlink(l.first)
}

func (l *waitlist) unlink(w *waiter) *waiter {
	if w.prev != nil {
		w.prev.next = w.next
	} else {
		l.first = w.next
	}
	if w.next != nil {
		w.next.prev = w.prev
	} else {
		l.last = w.prev
	}
	w.next, w.prev = nil, nil
	return w
}

// recycle takes a waiter that is off the list and whose token was received, or
// never sent.
func (l *waitlist) recycle(w *waiter) {
	if l.spares == maxSpares {
		return
	}
	l.spares++
	*w = waiter{ready: w.ready, next: l.spare}
	l.spare = w
}

// wait waits for w to be given a buffer, or for ctx.
func (p *FixedPool) wait(ctx context.Context, w *waiter) ([]byte, error) {
	var err error
	select {
	case <-w.ready:
	case <-ctx.Done():
		err = ctx.Err()
	}
	p.mu.Lock()
	i := -1
	switch {
	case !w.given:
		p.waiting.unlink(w)
		p.thaw()
	case err != nil:
		<-w.ready // sent when w was given
		if w.buffer >= 0 {
			// Given and cancelled at the same time: the next one has it.
			p.counts.gets--
			p.release(w.buffer)
		}
	case w.buffer < 0:
		err = ErrClosed
	default:
		i = w.buffer
	}
	p.waiting.recycle(w)
	p.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return p.buffer(i), nil
}
