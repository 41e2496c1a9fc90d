package sftp

import (
	"context"
	"errors"
	"os"
	"sync"
)

var errOtherFile = errors.New("a channel of the connection wrote to another file of that name")

// closeStripes waits for CLOSE of the stripes that have written, as of the file itself, and sees once more that all of them
// have written the same file: otherwise, as when a CLOSE is refused, what is surely right ends where the first of them began.
func (u *upload) closeStripes(ctx context.Context) error {
	st := u.striping
	if st == nil {
		return nil
	}
	st.over = true
	routes := st.routes
	st.routes = nil
	if len(routes) == 0 {
		return nil
	}
	sole := u.sole()
	u.c.mu.Unlock()
	defer u.c.mu.Lock()
	told := make([]attrs, len(routes))
	errs := make([]error, len(routes))
	closing := make([]error, len(routes))
	var wg sync.WaitGroup
	for i, r := range routes {
		wg.Go(func() {
			told[i], errs[i], closing[i] = r.finish(ctx, u.f.name)
			var st *StatusError
			if closing[i] == nil && errors.As(errs[i], &st) {
				told[i], errs[i] = r.again(ctx, u.f.name)
			}
		})
	}
	main, err := u.f.main.stat(ctx, nil, u.f.name)
	wg.Wait()
	for i, b := range told {
		// What a lost session had acknowledged is as good as that of any other.
		if errors.Is(errs[i], ErrSSHFxConnectionLost) {
			continue
		}
		if err == nil {
			err = errs[i]
		}
		if err == nil && (!alike(main, b) || int64(b.Size) < u.next || sole && b.Size != main.Size) {
			err = &os.PathError{Op: "write", Path: u.f.name, Err: errOtherFile}
		}
	}
	for i, e := range closing {
		if errors.Is(e, ErrSSHFxConnectionLost) {
			closing[i] = nil
		}
	}
	if err = errors.Join(append(closing, err)...); err != nil {
		u.sure = min(u.sure, u.firstStriped)
	}
	return err
}

// again asks for the attributes with a handle of its own. Servers that begin all requests at once, as many of those that are
// made with node do, may have closed that of the route before they looked at it.
func (r *route) again(ctx context.Context, name string) (attrs, error) {
	h, err := r.s.openHandle(ctx, "open", name, openPacket(name, openWrite))
	if err != nil {
		return attrs{}, err
	}
	a, err := (&route{s: r.s, handle: h}).stat(ctx, nil, name)
	r.s.c.mu.Lock()
	defer r.s.c.mu.Unlock()
	r.s.closeHandle(h)
	return a, err
}

// finish asks for the attributes and closes the handle: both in one go, since a server should carry out what concerns one handle
// in the order in which it was asked.
func (r *route) finish(ctx context.Context, name string) (a attrs, told, closed error) {
	c, s := r.s.c, r.s
	c.mu.Lock()
	if s.gone() != nil || s.inflight+2 > c.opt.requests {
		c.mu.Unlock()
		a, told = r.stat(ctx, nil, name)
		p := appendString(newPacket(typeClose, 4+len(r.handle)), r.handle)
		return a, told, s.doStatus(ctx, nil, "close", name, p)
	}
	defer c.mu.Unlock()
	ask := func(typ byte) (*call, *request) {
		cl := c.newCall()
		q := s.take(cl, typ)
		s.queueHandle(q, typ, r.handle)
		return cl, q
	}
	stat, question := ask(typeFstat)
	end, closing := ask(typeClose)
	s.flush()
	defer c.freeCall(stat)
	defer c.freeCall(end)
	if told = stat.wait(ctx, question, s); told == nil {
		a, told = stat.rep.attrs("stat", name)
		stat.rep.free()
	}
	if closed = end.wait(ctx, closing, s); closed == nil {
		closed = end.rep.asStatus("close", name)
		end.rep.free()
	}
	return a, told, closed
}
