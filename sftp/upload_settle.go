package sftp

import (
	"context"
	"errors"
)

// good is up to where the file is surely right.
func (u *upload) good() int64 {
	if u.head != nil {
		return min(u.head.off, u.sure)
	}
	return min(u.next, u.sure)
}

// firstRefused returns the refusal at the lowest offset.
func (u *upload) firstRefused() *piece {
	for p := u.head; p != nil; p = p.next {
		if p.state == refused {
			return p
		}
	}
	return nil
}

// recover finds out whether a refusal was because of other WRITEs that were under way: it sends what is not acknowledged
// again, one by one. If that works the rest of the upload goes on like that. None is under way at the call.
func (u *upload) recover(ctx context.Context) error {
	p := u.firstRefused()
	if p != nil {
		var st *StatusError
		if u.window == 1 || u.f.appends() || !errors.As(p.err, &st) || st.Code != statusFailure {
			return p.err
		}
	}
	u.window = 1
	for u.head != nil {
		u.failed = false
		u.send(u.head)
		for u.inflight > 0 {
			if err := u.stopped(ctx); err != nil {
				return err
			}
			u.pause(ctx)
		}
		if err := u.stopped(ctx); err != nil {
			return err
		}
		if u.failed {
			return u.head.err
		}
	}
	if p != nil {
		u.c.inOrder = true
	}
	return nil
}

// wait waits until everything is acknowledged.
func (u *upload) wait(ctx context.Context) error {
	for u.head != nil {
		if err := u.stopped(ctx); err != nil {
			return err
		}
		if u.inflight == 0 {
			// Refused, or left over by routes that died.
			if err := u.recover(ctx); err != nil {
				return err
			}
			continue
		}
		u.pause(ctx)
	}
	return nil
}

// settle waits, after an error of the server, for what is still under way, so that it is known how far the file is right,
// and then cuts off what was written behind a hole. It removes nothing that was there before the call or that this call
// did not write.
func (u *upload) settle(ctx context.Context) {
	for u.inflight > 0 || u.asking != nil {
		if u.stopped(ctx) != nil {
			return
		}
		u.pause(ctx)
	}
	keep, end := max(u.good(), u.size), u.next
	if u.size < 0 || keep >= end || u.f.appends() || !u.sole() {
		return
	}
	u.c.mu.Unlock()
	now, err := u.f.length(ctx)
	u.c.mu.Lock()
	if err != nil || now <= keep || now > end || !u.sole() {
		return
	}
	u.c.mu.Unlock()
	defer u.c.mu.Lock()
	u.f.setstat(ctx, "truncate", sizeAttrs(keep))
}

// sole tells whether no other upload to the file runs, whose data might be cut off.
func (u *upload) sole() bool {
	for t := range u.f.running.all {
		if o, ok := t.(*upload); ok && o != u {
			return false
		}
	}
	return true
}
