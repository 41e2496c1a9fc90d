package sftp

import (
	"context"
	"errors"
	"os"
	"sync"
)

var errOtherFile = errors.New("a channel of the connection wrote to another file of that name")

// stripe is called when a piece was sent: from stripeBytes on there is reason to believe in more.
func (u *upload) stripe() {
	if u.striping != nil || u.next-u.start < 2*int64(u.c.opt.stripeBytes) || u.window == 1 {
		return
	}
	n := u.c.stripeCount(mostStripes * int64(u.c.opt.stripeBytes))
	if n < 1 {
		return
	}
	st := &striping{c: u.c, flags: openWrite, name: u.f.name, most: n, upload: u, file: u.f}
	u.striping = st
	u.c.stripe(st, n)
}

// prove adds r to the upload when it is known to lead to the same file.
func (c *Client) prove(st *striping, r *route) {
	same := c.proved(c.life, st, r)
	c.mu.Lock()
	defer c.mu.Unlock()
	if st.over || !same {
		r.s.closeHandle(r.handle)
		return
	}
	st.routes = append(st.routes, r)
	st.upload.routes = append(st.upload.routes, r)
	signal(st.upload.wake)
}

// proved tells whether r is a way to the file that is being written. The name may lead to another by now, and what is
// told of a file (size, owner, mode) may be the same of two. But no other grows with what this upload sends: its handle and
// the new one are asked in turn until the size that both tell has grown, within what is sent and acknowledged meanwhile.
// A file that does not grow, because what it had before is written over, is thus moved over one channel.
func (c *Client) proved(ctx context.Context, st *striping, r *route) bool {
	const tries = 4
	var first, last attrs
	for i := range 2*tries + 1 {
		a, ok := c.sample(ctx, st, func() (attrs, error) {
			if i%2 == 0 {
				return r.stat(ctx, nil, st.name)
			}
			return st.file.main.stat(ctx, st.file, st.name)
		})
		switch {
		case !ok:
			return false
		case i == 0:
			first = a
		case !alike(a, last) || a.Size < last.Size || a.Mtime < last.Mtime:
			return false
		case i%2 == 0 && a.Size > first.Size:
			return true
		}
		last = a
	}
	return false
}

// sample is stat, and tells whether the size is between what was acknowledged before and what was sent after it.
func (c *Client) sample(ctx context.Context, st *striping, stat func() (attrs, error)) (attrs, bool) {
	bounds := func() (good, sent int64, ok bool) {
		c.mu.Lock()
		defer c.mu.Unlock()
		if st.over {
			return 0, 0, false
		}
		return st.upload.good(), st.upload.next, true
	}
	least, _, ok := bounds()
	if !ok {
		return attrs{}, false
	}
	a, err := stat()
	if err != nil || a.flags&attrSize == 0 {
		return attrs{}, false
	}
	_, most, ok := bounds()
	return a, ok && a.Size >= uint64(least) && a.Size <= uint64(most)
}

// stat asks for the attributes; f, if it is set, is whose handle it is.
func (r *route) stat(ctx context.Context, f *File, name string) (attrs, error) {
	return r.s.doAttrs(ctx, f, "stat", name, appendString(newPacket(typeFstat, 4+len(r.handle)), r.handle))
}

// alike compares what does not change while a file is written.
func alike(a, b attrs) bool {
	return a.flags == b.flags && a.Mode == b.Mode && a.UID == b.UID && a.GID == b.GID
}

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
	told := make([]attrs, len(routes)+1)
	errs := make([]error, len(routes)+1)
	var wg sync.WaitGroup
	for i, r := range append(routes, &u.f.main) {
		wg.Go(func() { told[i], errs[i] = r.stat(ctx, nil, u.f.name) })
	}
	wg.Wait()
	main, err := told[len(routes)], errs[len(routes)]
	for i, b := range told[:len(routes)] {
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
	errs = append(errs[:0], err)
	var mu sync.Mutex
	for _, r := range routes {
		wg.Go(func() {
			err := r.s.doStatus(ctx, nil, "close", u.f.name, appendString(newPacket(typeClose, 4+len(r.handle)), r.handle))
			if !errors.Is(err, ErrSSHFxConnectionLost) {
				mu.Lock()
				errs = append(errs, err)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if err = errors.Join(errs...); err != nil {
		u.sure = min(u.sure, u.firstStriped)
	}
	return err
}
