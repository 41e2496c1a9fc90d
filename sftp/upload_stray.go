package sftp

import "context"

// A WRITE over a stripe is carried out in no order with what is asked over the file's own handle. One that a call has left
// behind, when it was cancelled or its file closed, might write to what the file has become since: to what the next call
// writes, or, after CLOSE, to a file that was opened anew and emptied. So the next call and Close wait for its answer.

// stray counts the WRITEs of a file that are under way over stripes. Guarded by the client's mu.
type stray struct {
	away int           // all
	left int           // those whose call has returned
	some chan struct{} // closed when there is news; nil while nobody waits
}

func (s *stray) news() {
	if s.some != nil {
		close(s.some)
		s.some = nil
	}
}

// landed is called when a WRITE over a stripe is answered, or its session has ended.
func (f *File) landed() {
	f.astray.away--
	f.astray.news()
}

// leftBehind is told the answer to a WRITE whose call has returned.
type leftBehind File

func (o *leftBehind) answered(*piece, *reply) {
	f := (*File)(o)
	f.astray.left--
	f.landed()
}

// stray gives up the WRITE of p, which is under way.
func (u *upload) stray(p *piece) {
	r := p.req
	p.abandon()
	if p.path != &u.f.main && r != nil {
		u.f.astray.left++
		r.owner = (*leftBehind)(u.f)
	}
}

// rest waits until no WRITE of an earlier call is under way over a stripe. The caller holds mu.
func (f *File) rest(ctx context.Context, op string) error {
	for {
		if f.closed {
			return f.errClosed(op)
		}
		if f.astray.left == 0 {
			return nil
		}
		if err := f.pause(ctx); err != nil {
			return err
		}
	}
}

// pause waits for news of WRITEs over stripes, without mu.
func (f *File) pause(ctx context.Context) error {
	s := &f.astray
	if s.some == nil {
		s.some = make(chan struct{})
	}
	some := s.some
	f.c.mu.Unlock()
	defer f.c.mu.Lock()
	select {
	case <-some:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
