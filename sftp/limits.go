package sftp

import "context"

const (
	// safePayload is what every server takes.
	safePayload = 32 << 10
	// largestPayload is what is used at most: more gains nothing and costs memory. OpenSSH allows 261120 and drops a
	// connection that sends 262144.
	largestPayload = 261120
	// packetOverhead is kept free below an announced length of packets, as OpenSSH's own limits do.
	packetOverhead = 1024
)

// Limits are what a server announces with limits@openssh.com, in bytes. Zero means that it sets no limit or announced none.
// A client keeps to them down to one byte a READ or WRITE; of a limit of packets that is too small for any it makes the best.
type Limits struct {
	MaxPacket uint64 // length of a packet
	MaxRead   uint64 // length of a READ
	MaxWrite  uint64 // payload of a WRITE
	MaxHandle uint64 // number of open handles
}

// Limits asks the server for its limits. A client does so by itself when it is made, if the server announces the
// extension.
func (c *Client) Limits(ctx context.Context) (Limits, error) {
	if _, ok := c.ext[extLimits]; !ok {
		return Limits{}, unsupported("limits", "", extLimits)
	}
	rep, err := c.main.do(ctx, appendString(newPacket(typeExtended, 64), extLimits))
	if err != nil {
		return Limits{}, err
	}
	defer rep.free()
	if rep.typ != typeExtendedReply {
		return Limits{}, rep.refusal("limits", "")
	}
	l, ok := rep.limits()
	if !ok {
		return Limits{}, malformed("limits", "", rep.typ)
	}
	return l, nil
}

func (r *reply) limits() (Limits, bool) {
	p := parser{b: r.body}
	l := Limits{MaxPacket: p.uint64(), MaxRead: p.uint64(), MaxWrite: p.uint64(), MaxHandle: p.uint64()}
	return l, !p.bad
}

// limitsOwner takes the answer in. Nobody waits for it: it comes before that to the first OPEN.
type limitsOwner Client

func (o *limitsOwner) answered(_ *piece, rep *reply) {
	if rep.err != nil || rep.typ != typeExtendedReply {
		return
	}
	if l, ok := rep.limits(); ok {
		o.limits = l
	}
}

func (c *Client) askLimits() {
	p := appendString(newPacket(typeExtended, 64), extLimits)
	c.mu.Lock()
	c.main.queue(c.main.take((*limitsOwner)(c), typeExtended), p)
	c.main.flush()
	c.mu.Unlock()
	pool.Put(p)
}

// readSize and writeSize are the payload of a READ and a WRITE. The caller holds mu.
func (c *Client) readSize() int  { return c.payload(c.limits.MaxRead) }
func (c *Client) writeSize() int { return c.payload(c.limits.MaxWrite) }

func (c *Client) payload(limit uint64) int {
	size := uint64(safePayload)
	if limit > 0 {
		size = min(limit, largestPayload)
	}
	if c.opt.maxPacket > 0 {
		size = uint64(c.opt.maxPacket)
		if limit > 0 {
			size = min(size, limit)
		}
	}
	if l := c.limits.MaxPacket; l > 0 {
		if l > 2*packetOverhead {
			l -= packetOverhead
		} else {
			l = max(l/2, 1)
		}
		size = min(size, l)
	}
	return int(max(size, 1))
}
