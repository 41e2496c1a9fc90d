package sftp

// maxWriteHeader is room for the header of a WRITE in front of its payload: handles have at most 256 bytes.
const (
	maxHandle      = 256
	maxWriteHeader = 288
)

// writeHeader returns the length of a WRITE up to its payload.
func writeHeader(handle string) int { return headerSize + 4 + len(handle) + 8 + 4 }

type pieceState uint8

const (
	unsent  pieceState = iota
	waiting            // asked, and not answered
	arrived            // data is there, or acknowledged
	atEnd              // the server said EOF
	refused            // err says why
)

// A piece is a range of a file that one request moves. Pieces of a transfer are linked in the order of their offsets.
// Guarded by the client's mu, but for the payload.
type piece struct {
	off   int64
	n     int // length asked for; of what has arrived, its length
	state pieceState
	// last is set on a short piece that ends its range: see download.partial.
	last bool
	// behind is the length of a short piece that left this one as its gap.
	behind int
	// again is how often the range was asked for anew without any progress.
	again uint8
	err   error

	// buf is pooled: the payload, or room for a header and the payload.
	buf []byte
	// refs counts who uses buf of an upload: the transfer, and the sender.
	refs int
	// charged is what the piece has taken from the budget of bytes.
	charged int

	req  *request // while waiting
	path *route   // over which it was asked
	next *piece
}

// newPiece returns a zero piece. The caller holds mu.
func (c *Client) newPiece() *piece {
	p := c.pieces
	if p == nil {
		return new(piece)
	}
	c.pieces = p.next
	*p = piece{}
	return p
}

// freePiece takes a piece back, with its memory and its part of the budget. The caller holds mu.
func (c *Client) freePiece(p *piece) {
	c.refund(p)
	if p.buf != nil {
		pool.Put(p.buf)
	}
	*p = piece{next: c.pieces}
	c.pieces = p
}

// refund gives back what p took from the budget of bytes.
func (c *Client) refund(p *piece) {
	c.bytes -= p.charged
	p.charged = 0
}

// unref ends one use of an upload's piece.
func (c *Client) unref(p *piece) {
	if p.refs--; p.refs == 0 {
		c.freePiece(p)
	}
}

// abandon gives up the request that p waits for: its id stays taken until the server answers.
func (p *piece) abandon() {
	if r := p.req; r != nil {
		r.owner, r.piece, r.dst = nil, nil, nil
		p.req = nil
	}
}
