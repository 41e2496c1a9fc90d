package sftp

import (
	"context"
	"math"
	"sync"
)

// stripe is called when a piece was sent: from a certain length on there is reason to believe in more. When the upload before was
// striped there is from the first piece on, if it is not the only one.
func (u *upload) stripe() {
	c := u.c
	if u.window == 1 {
		return
	}
	long := u.next-u.start >= u.longest()
	if !long && (!c.againUp || !u.asked) || long && u.long {
		return
	}
	n := c.stripeCount(mostStripes * int64(c.opt.stripeBytes))
	if !long {
		n = min(n, len(c.live()))
	}
	u.long, c.againUp = long, long && n > 0
	if n < 1 {
		return
	}
	if u.striping == nil {
		u.striping = &striping{c: c, flags: openWrite, name: u.f.name, upload: u, file: u.f,
			begin: uint64(u.start) + uint64(u.first), chunk: uint64(u.chunk)}
	}
	c.stripe(u.striping, n)
}

// longest is what an upload sends without being striped, if the one before was not.
func (u *upload) longest() int64 { return 2 * int64(u.c.opt.stripeBytes) }

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
// told of a file (size, owner, mode) may be the same of two. But no other grows with what this upload sends: the new handle
// and the file's own are asked in turns, both at once, until the new one was seen to grow
//   - from the end of one piece to that of another; where pieces end is drawn by lot for each upload,
//   - within what is sent and acknowledged meanwhile,
//   - while neither tells less than the other did in the turn before.
//
// A file that does not grow, because what it had before is written over, is thus moved over one channel.
func (c *Client) proved(ctx context.Context, st *striping, r *route) bool {
	const turns = 6
	first := uint64(math.MaxUint64)
	var before [2]attrs
	for i := range turns {
		now, ends, ok := c.sample(ctx, st, r)
		if !ok || !alike(now[0], now[1]) || i > 0 && (!alike(now[0], before[0]) || !grown(before, now)) {
			return false
		}
		if before = now; ends {
			if now[0].Size > first {
				return true
			}
			first = min(first, now[0].Size)
		}
	}
	return false
}

// grown tells whether now can be told of a file of which before was told.
func grown(before, now [2]attrs) bool {
	for _, a := range before {
		for _, b := range now {
			if b.Size < a.Size || b.Mtime < a.Mtime {
				return false
			}
		}
	}
	return true
}

// sample asks r and the file itself for their attributes. It tells whether r's file ends where a piece does, and whether both
// sizes are between what was acknowledged before and what was sent after it.
func (c *Client) sample(ctx context.Context, st *striping, r *route) (told [2]attrs, ends, ok bool) {
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
		return told, false, false
	}
	var errs [2]error
	var wg sync.WaitGroup
	wg.Go(func() { told[0], errs[0] = r.stat(ctx, nil, st.name) })
	told[1], errs[1] = st.file.main.stat(ctx, st.file, st.name)
	wg.Wait()
	_, most, ok := bounds()
	for i, a := range told {
		ok = ok && errs[i] == nil && a.flags&attrSize != 0 && a.Size >= uint64(least) && a.Size <= uint64(most)
	}
	if ok {
		size := told[0].Size
		ends = size >= st.begin && (size-st.begin)%st.chunk == 0
	}
	return told, ends, ok
}

// stat asks for the attributes; f, if it is set, is whose handle it is.
func (r *route) stat(ctx context.Context, f *File, name string) (attrs, error) {
	return r.s.doAttrs(ctx, f, "stat", name, appendString(newPacket(typeFstat, 4+len(r.handle)), r.handle))
}

// alike compares what does not change while a file is written.
func alike(a, b attrs) bool {
	return a.flags == b.flags && a.Mode == b.Mode && a.UID == b.UID && a.GID == b.GID
}
